//! Which figures may be shown and compared, and how they are marked (EcoScratch, section 9). Tables and pages are made
//! elsewhere, by these rules.

use crate::model::{Blame, Coded, EnergyMethod, EnergyQuality, EnergyRecord, EnergyScope};

/// Stands where there is no figure.
pub const DASH: &str = "–";
/// Marks estimates.
const ESTIMATED: &str = "est.";
/// Letters of a digest that tell it from others.
const SHORT: usize = 12;

/// Why two figures can't stand in one table.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Unmixable {
    /// They were found in different ways.
    #[error("energy found by `{one}` and by `{other}` can't be compared")]
    Methods { one: EnergyMethod, other: EnergyMethod },
    /// They were estimated with different coefficients.
    #[error("energy estimated with the coefficients {one} and {other} can't be compared")]
    Coefficients { one: String, other: String },
}

impl Coded for Unmixable {
    fn code(&self) -> &'static str {
        match self {
            Self::Methods { .. } => "energy_methods_differ",
            Self::Coefficients { .. } => "energy_coefficients_differ",
        }
    }

    fn hint(&self) -> Option<String> {
        Some("make a table of each".to_owned())
    }

    fn blame(&self) -> Blame {
        Blame::Input
    }
}

/// Whether two records may stand in one table. Coefficients matter to estimates alone: nothing measured depends on them.
///
/// # Errors
/// Why they may not.
pub fn may_mix(one: &EnergyRecord, other: &EnergyRecord) -> Result<(), Unmixable> {
    if one.method != other.method {
        return Err(Unmixable::Methods { one: one.method, other: other.method });
    }
    if one.method.quality() == EnergyQuality::Estimated && one.coefficients != other.coefficients {
        let short = |record: &EnergyRecord| record.coefficients.chars().take(SHORT).collect();
        return Err(Unmixable::Coefficients { one: short(one), other: short(other) });
    }
    Ok(())
}

/// Whether all of these records may stand in one table.
///
/// # Errors
/// Why the first that doesn't fit doesn't.
pub fn may_share_a_table<'a>(records: impl IntoIterator<Item = &'a EnergyRecord>) -> Result<(), Unmixable> {
    let mut records = records.into_iter();
    let Some(first) = records.next() else { return Ok(()) };
    // What is alike to the first is alike to each other.
    records.try_for_each(|record| may_mix(first, record))
}

/// The watt-hours that may be compared; `None`, a dash, if they were shared with other jobs.
pub fn comparable_wh(record: &EnergyRecord) -> Option<f64> {
    (record.scope != EnergyScope::Shared).then_some(record.wh)
}

/// The heading of a column of energy, such as `Wh` or `Wh/project`, marked if the figures are estimates.
pub fn heading(name: &str, quality: EnergyQuality) -> String {
    match quality {
        EnergyQuality::Measured => name.to_owned(),
        EnergyQuality::Estimated => format!("{name} ({ESTIMATED})"),
    }
}

/// A single figure as people read it: watt-hours to four places, marked if they are an estimate, or a dash.
pub fn figure(record: Option<&EnergyRecord>) -> String {
    let Some((record, wh)) = record.and_then(|record| Some((record, comparable_wh(record)?))) else {
        return DASH.to_owned();
    };
    match record.quality {
        EnergyQuality::Measured => format!("{wh:.4} Wh"),
        EnergyQuality::Estimated => format!("{wh:.4} Wh {ESTIMATED}"),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    fn record(method: EnergyMethod, coefficients: &str) -> EnergyRecord {
        EnergyRecord {
            method,
            quality: method.quality(),
            scope: method.scope(),
            wh: 0.01124,
            marginal_wh: None,
            by_stage: BTreeMap::new(),
            cpu_s: 6.2,
            wall_s: 11.9,
            coefficients: coefficients.to_owned(),
        }
    }

    #[test]
    fn other_methods_and_other_coefficients_are_never_mixed() {
        let vcpu = record(EnergyMethod::Vcpu, "5d");
        assert_eq!(may_mix(&vcpu, &EnergyRecord { wh: 9.0, ..vcpu.clone() }), Ok(()));
        let error = may_mix(&vcpu, &record(EnergyMethod::Tdp, "5d")).unwrap_err();
        assert_eq!(error.to_string(), "energy found by `vcpu` and by `tdp` can't be compared");
        let error = may_mix(&vcpu, &record(EnergyMethod::Vcpu, &"6e".repeat(32))).unwrap_err();
        assert_eq!(error.code(), "energy_coefficients_differ");
        assert!(error.to_string().contains("5d and 6e6e6e6e6e6e can't"), "{error}");
    }

    #[test]
    fn what_is_measured_does_not_depend_on_coefficients() {
        let (one, other) = (record(EnergyMethod::Rapl, "5d"), record(EnergyMethod::Rapl, "6e"));
        assert_eq!(may_mix(&one, &other), Ok(()));
        assert!(may_mix(&one, &record(EnergyMethod::External, "5d")).is_err());
    }

    #[test]
    fn one_that_does_not_fit_spoils_a_table() {
        let (vcpu, tdp) = (record(EnergyMethod::Vcpu, "5d"), record(EnergyMethod::Tdp, "5d"));
        assert_eq!(may_share_a_table([]), Ok(()));
        assert_eq!(may_share_a_table([&vcpu, &vcpu]), Ok(()));
        assert!(may_share_a_table([&vcpu, &vcpu, &tdp]).is_err());
    }

    #[test]
    fn shared_energy_is_a_dash_and_estimates_are_marked() {
        let vcpu = record(EnergyMethod::Vcpu, "5d");
        assert_eq!(figure(Some(&vcpu)), "0.0112 Wh est.");
        assert_eq!(figure(Some(&record(EnergyMethod::Rapl, "5d"))), "0.0112 Wh");
        let shared = EnergyRecord { scope: EnergyScope::Shared, ..vcpu };
        assert_eq!((figure(Some(&shared)), comparable_wh(&shared), figure(None)), (DASH.to_owned(), None, "–".into()));
        assert_eq!(heading("Wh/project", EnergyQuality::Estimated), "Wh/project (est.)");
        assert_eq!(heading("Wh", EnergyQuality::Measured), "Wh");
    }
}
