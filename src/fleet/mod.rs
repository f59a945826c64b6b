//! Texts that have an existing engine start workers: a Kubernetes job, a Slurm array, a systemd unit. They start long-lived workers
//! and know nothing of cells; the ledger says what each does. Text only: nothing is started from here.

mod k8s;
mod slurm;
mod systemd;

pub use k8s::k8s;
pub use slurm::slurm;
pub use systemd::systemd;

/// What a page of the editor and its share of a browser need, in MiB, with what a judgement adds.
const SLOT_MIB: u32 = 360;
/// What a process needs besides its slots, in MiB.
const BASE_MIB: u32 = 1024;
/// Composite attempts that one core carries.
const SLOTS_A_CORE: u32 = 8;
/// Between the end of the grace and the kill, in seconds: for giving back what still runs.
const LAST_S: u32 = 60;

/// Workers to be started.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Crew {
    name: String,
    /// How many workers.
    pub workers: u32,
    /// Attempts of a worker at a time.
    pub slots: u32,
    /// Seconds that attempts may go on after the order to stop.
    pub grace_s: u32,
    /// Names of the variables with the keys of models.
    keys: Vec<String>,
}

/// What is wrong with a crew.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CrewError {
    #[error("`{0}` can't name workers: small letters, digits and hyphens, at most 50, a letter first")]
    Name(String),
    #[error("`{0}` is no name of a variable")]
    Variable(String),
}

impl crate::model::Coded for CrewError {
    fn code(&self) -> &str {
        match self {
            Self::Name(_) => "unfit_name",
            Self::Variable(_) => "unfit_variable",
        }
    }

    fn hint(&self) -> Option<String> {
        match self {
            Self::Name(_) => None,
            Self::Variable(_) => Some("name the variable that holds a key, not the key".to_owned()),
        }
    }

    fn blame(&self) -> crate::model::Blame {
        crate::model::Blame::Caller
    }
}

impl Crew {
    /// A crew whose name and variables can stand in any of the texts as they are.
    ///
    /// # Errors
    /// When the name or a variable has other characters.
    pub fn new(name: &str, workers: u32, slots: u32, grace_s: u32, keys: &[String]) -> Result<Self, CrewError> {
        let is_name = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
        let fits = name.len() <= 50 && name.starts_with(|c: char| c.is_ascii_lowercase()) && name.chars().all(is_name);
        if !fits || name.ends_with('-') {
            return Err(CrewError::Name(name.to_owned()));
        }
        let is_variable = |key: &str| {
            !key.is_empty()
                && !key.starts_with(|c: char| c.is_ascii_digit())
                && key.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
        };
        if let Some(wrong) = keys.iter().find(|key| !is_variable(key)) {
            return Err(CrewError::Variable(wrong.clone()));
        }
        Ok(Self { name: name.to_owned(), workers, slots, grace_s, keys: keys.to_vec() })
    }

    /// Memory of a worker, in MiB.
    const fn memory_mib(&self) -> u32 {
        BASE_MIB + self.slots * SLOT_MIB
    }

    /// Cores of a worker.
    const fn cores(&self) -> u32 {
        self.slots.div_ceil(SLOTS_A_CORE)
    }

    /// Seconds from the order to stop to the kill.
    const fn stop_s(&self) -> u32 {
        self.grace_s + LAST_S
    }

    /// What a worker is started with.
    fn arguments(&self) -> [String; 7] {
        let text = |text: &str| text.to_owned();
        [
            text("worker"),
            text("--queue"),
            format!("env:{QUEUE}"),
            text("--slots"),
            self.slots.to_string(),
            text("--grace"),
            self.grace_s.to_string(),
        ]
    }
}

/// The variable with the database's URL.
const QUEUE: &str = "SCRATCHBED_QUEUE";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_could_break_out_of_a_text_is_refused() {
        for name in ["", "A", "1a", "a b", "a\nb", "a;rm", "a-", &"a".repeat(51)] {
            assert_eq!(Crew::new(name, 1, 1, 1, &[]), Err(CrewError::Name(name.to_owned())));
        }
        for key in ["", "1A", "A-B", "sk-12345", "A\nB"] {
            assert_eq!(Crew::new("a", 1, 1, 1, &[key.to_owned()]), Err(CrewError::Variable(key.to_owned())));
        }
        assert!(Crew::new("table-1", 9, 4, 540, &["MY_KEY".to_owned()]).is_ok());
    }
}
