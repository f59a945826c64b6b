//! Enums of lower rooms as values of flags. Only this room names clap, so their names, and what is documented of each, come
//! from strum.

use std::str::FromStr;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use strum::{EnumMessage, IntoEnumIterator};

/// Reads the name of a variant; the help lists all of them.
pub fn named<T>() -> impl TypedValueParser<Value = T>
where
    T: IntoEnumIterator + EnumMessage + FromStr<Err = strum::ParseError> + Into<&'static str>,
    T: Clone + Send + Sync + 'static,
{
    let values = T::iter().map(|variant| {
        let help = variant.get_documentation().unwrap_or_default().trim_end_matches('.');
        PossibleValue::new(variant.into()).help(help)
    });
    PossibleValuesParser::new(values).try_map(|name| name.parse::<T>())
}
