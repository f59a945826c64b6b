//! Arguments of actions: reading them, and reporting what is wrong with them in the caller's terms: the argument, its
//! value, and what it may be. What they mean is the business of each action.

use schemars::{JsonSchema, SchemaGenerator};
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use super::ActionError;
use super::schema::{alternatives, kind, resolve};

/// Letters of a value that a message repeats.
const SHOWN: usize = 40;

/// The arguments of an action. Numbers that come as text, as models like to send them, are taken as numbers.
///
/// # Errors
/// [`ActionError::InvalidArguments`], naming the argument.
pub(super) fn read<T: DeserializeOwned + JsonSchema>(
    action: &'static str,
    args: &Map<String, Value>,
) -> Result<T, ActionError> {
    let error = match serde_path_to_error::deserialize(args) {
        Ok(read) => return Ok(read),
        Err(error) => error,
    };
    let takes = Takes::of::<T>(action);
    let args = Value::Object(args.clone());
    let mended = takes.mended(args.clone(), &takes.schema);
    if mended != args
        && let Ok(read) = serde_json::from_value(mended)
    {
        return Ok(read);
    }
    let path = error.path().to_string();
    Err(takes.explain(path.trim_matches('.'), &error.into_inner().to_string(), &args))
}

/// The same error; where it says that arguments don't fit and not what would, with what the action takes.
pub(super) fn explained<T: JsonSchema>(action: &'static str, error: ActionError) -> ActionError {
    match error {
        ActionError::InvalidArguments { message, hint: None } => {
            ActionError::InvalidArguments { message, hint: Some(Takes::of::<T>(action).hint()) }
        }
        error => error,
    }
}

struct Takes {
    name: &'static str,
    schema: Value,
    definitions: Map<String, Value>,
}

impl Takes {
    fn of<T: JsonSchema>(name: &'static str) -> Self {
        let mut generator = SchemaGenerator::default();
        let schema = generator.subschema_for::<T>().to_value();
        Self { name, schema, definitions: generator.take_definitions(true) }
    }

    /// The same value with numbers and switches that came as text turned into what the schema wants.
    fn mended(&self, value: Value, schema: &Value) -> Value {
        let options = alternatives(schema, &self.definitions);
        let wants = |name: &str| options.iter().any(|option| allows(option, name));
        match value {
            Value::Object(fields) => {
                let field = |(name, value): (String, Value)| match property(&options, &name) {
                    Some(schema) => (name, self.mended(value, schema)),
                    None => (name, value),
                };
                Value::Object(fields.into_iter().map(field).collect())
            }
            Value::String(text) if !wants("string") => {
                let number = text.trim().parse::<f64>().ok().filter(|number| number.is_finite());
                match (number, text.trim()) {
                    (Some(number), _) if wants("number") => number.into(),
                    (Some(number), _) if wants("integer") => whole(number).unwrap_or(Value::String(text)),
                    (None, "true") if wants("boolean") => true.into(),
                    (None, "false") if wants("boolean") => false.into(),
                    _ => Value::String(text),
                }
            }
            Value::Number(number) if wants("integer") && !wants("number") => {
                number.as_f64().and_then(whole).unwrap_or(Value::Number(number))
            }
            other => other,
        }
    }

    /// An error of the deserializer in words.
    fn explain(&self, path: &str, said: &str, args: &Value) -> ActionError {
        let quoted = said.split('`').nth(1).unwrap_or_default();
        let (parent, _) = path.rsplit_once('.').unwrap_or_default();
        let inside = |name: &str| {
            let folder = if said.starts_with("missing") { path } else { parent };
            if folder.is_empty() { name.to_owned() } else { format!("{folder}.{name}") }
        };
        let message = if said.starts_with("unknown field") {
            format!("`{}` has no argument `{}`", self.name, inside(quoted))
        } else if said.starts_with("missing field") {
            format!("`{}` is missing", inside(quoted))
        } else if let Some((schema, value)) = self.at(path, args).filter(|_| !path.is_empty()) {
            format!("`{path}` must be {}, not {}", self.wanted(schema), shown(value))
        } else {
            said.to_owned()
        };
        ActionError::InvalidArguments { message, hint: Some(self.hint()) }
    }

    /// The schema and the value at a path such as `at.x`.
    fn at<'a>(&'a self, path: &str, args: &'a Value) -> Option<(&'a Value, &'a Value)> {
        let (mut schema, mut value) = (&self.schema, args);
        for name in path.split('.') {
            let options = alternatives(schema, &self.definitions);
            let (field, place) =
                name.split_once('[').map_or((name, None), |(field, rest)| (field, rest.strip_suffix(']')));
            schema = property(&options, field)?;
            value = value.get(field)?;
            if let Some(place) = place {
                schema = &resolve(schema, &self.definitions)["items"];
                value = value.get(place.parse::<usize>().ok()?)?;
            }
        }
        Some((schema, value))
    }

    fn wanted(&self, schema: &Value) -> String {
        let words = kind(schema, &self.definitions);
        let word = |word: &str| match word {
            "number" => "a number".to_owned(),
            "integer" => "a whole number".to_owned(),
            "string" => self.text(schema),
            "boolean" => "true or false".to_owned(),
            "array" => self.list(schema),
            "object" => format!("an object with {}", self.fields(schema)),
            other => other.trim_matches('`').to_owned(),
        };
        words.split(" or ").map(word).collect::<Vec<_>>().join(" or ")
    }

    /// A text, with an example where it has a form of its own.
    fn text(&self, schema: &Value) -> String {
        let options = alternatives(schema, &self.definitions);
        let example = options.iter().find_map(|option| option["examples"][0].as_str());
        example.map_or_else(|| "a text".to_owned(), |example| format!("a text such as {example}"))
    }

    /// A list, with what is in it where that is plain.
    fn list(&self, schema: &Value) -> String {
        let items = alternatives(schema, &self.definitions).into_iter().map(|option| &option["items"]);
        let items = items.map(|items| kind(items, &self.definitions)).find(|items| items != "any" && items != "null");
        match items.as_deref() {
            Some("string") => "a list of texts".to_owned(),
            Some("number" | "integer") => "a list of numbers".to_owned(),
            _ => "a list".to_owned(),
        }
    }

    /// The fields of an object. Those with few possible values list them; deeper objects are only named.
    fn fields(&self, schema: &Value) -> String {
        let of = |option: &Value| option["properties"].as_object().cloned().unwrap_or_default();
        let all = alternatives(schema, &self.definitions).into_iter().flat_map(of);
        let one = |(name, property): (String, Value)| match kind(&property, &self.definitions) {
            kind if kind.contains('`') => format!("{name} ({})", kind.replace('`', "")),
            _ => name,
        };
        all.map(one).collect::<Vec<_>>().join(", ")
    }

    /// The arguments with what each may be.
    fn hint(&self) -> String {
        let schema = resolve(&self.schema, &self.definitions);
        let fields = schema["properties"].as_object();
        let one = |(name, property): (&String, &Value)| format!("{name}: {}", self.wanted(property));
        let all: Vec<String> = fields.into_iter().flatten().map(one).collect();
        if all.is_empty() {
            return format!("`{}` takes no arguments", self.name);
        }
        format!("`{}` takes {}", self.name, all.join("; "))
    }
}

/// The schema of a field, from the first option that has it.
fn property<'a>(options: &[&'a Value], name: &str) -> Option<&'a Value> {
    options.iter().map(|option| &option["properties"][name]).find(|one| !one.is_null())
}

fn allows(schema: &Value, name: &str) -> bool {
    // A schema without a type accepts everything, so text stays text.
    let says_nothing = schema["type"].is_null() && schema["enum"].is_null() && schema["const"].is_null();
    schema["type"] == name
        || schema["type"].as_array().is_some_and(|names| names.iter().any(|one| one == name))
        || (name == "string" && says_nothing)
}

/// A whole number as JSON has them; none for 1.5.
#[expect(clippy::cast_possible_truncation, reason = "checked to be whole and small")]
fn whole(number: f64) -> Option<Value> {
    (number.fract() == 0.0 && number.abs() < 9e15).then(|| Value::from(number as i64))
}

fn shown(value: &Value) -> String {
    match value {
        Value::String(text) if text.chars().count() > SHOWN => {
            format!("the text \"{}…\"", text.chars().take(SHOWN).collect::<String>())
        }
        Value::String(text) => format!("the text \"{text}\""),
        Value::Array(_) => "a list".to_owned(),
        Value::Object(_) => "an object".to_owned(),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::action::Action;
    use crate::action::composite::ConnectBlocks;
    use crate::action::primitive::{Click, Scroll, Type};

    fn read<A: Action>(args: &Value) -> Result<A::Args, ActionError> {
        super::read(A::NAME, args.as_object().unwrap())
    }

    fn refused<A: Action>(args: &Value) -> (String, String) {
        match read::<A>(args) {
            Err(ActionError::InvalidArguments { message, hint }) => (message, hint.unwrap_or_default()),
            Err(error) => panic!("{error}"),
            Ok(_) => panic!("taken"),
        }
    }

    #[test]
    fn numbers_are_taken_as_text_and_text_stays_text() {
        let click = read::<Click>(&json!({"x": "12", "y": " 3.5 "})).unwrap();
        assert_eq!((click.x, click.y), (Some(12.0), Some(3.5)));
        assert_eq!(read::<Click>(&json!({"index": "3"})).unwrap().index, Some(3));
        assert_eq!(read::<Click>(&json!({"index": 3.0})).unwrap().index, Some(3));
        let scroll = read::<Scroll>(&json!({"direction": "up", "at": {"index": "4"}})).unwrap();
        assert_eq!(scroll.at.unwrap().index, Some(4));
        assert_eq!(read::<Type>(&json!({"text": "12"})).unwrap().text, "12");
    }

    #[test]
    fn what_does_not_fit_is_named_with_its_value_and_the_way_out() {
        let (message, hint) = refused::<Click>(&json!({"x": "left", "y": 300}));
        assert_eq!(message, "`x` must be a number, not the text \"left\"");
        assert!(hint.starts_with("`click` takes x: a number; y: a number; index: a whole number; button: "), "{hint}");
        let (message, _) = refused::<Click>(&json!({"index": 1.5}));
        assert_eq!(message, "`index` must be a whole number, not 1.5");
        let (message, _) = refused::<Click>(&json!({"x": 1, "y": 1, "colour": "red"}));
        assert_eq!(message, "`click` has no argument `colour`");
        let (message, _) = refused::<Scroll>(&json!({"direction": "sideways"}));
        assert!(message.starts_with("`direction` must be \"up\" or \"down\""), "{message}");
        let (message, _) = refused::<Scroll>(&json!({"direction": "up", "at": {"x": "left"}}));
        assert_eq!(message, "`at.x` must be a number, not the text \"left\"");
        let (message, _) = refused::<Scroll>(&json!({}));
        assert_eq!(message, "`direction` is missing");
        let (message, _) = refused::<ConnectBlocks>(
            &json!({"sourceBlockIndex": 1, "targetBlockIndex": 2, "placement": "stack_after"}),
        );
        assert_eq!(
            message,
            "`placement` must be an object with kind (\"stack_before\" or \"stack_after\" or \"statement_into\" or \"value_into\" or \"wrap\"), \
             inputName, not the text \"stack_after\""
        );
    }
}
