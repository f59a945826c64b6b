//! What happens at a moment, in words: messages are sent, sounds are played, questions are asked, sprites say something.

use serde_json::Value;

/// Sentences about something that happens.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Deed {
    /// "the message "go" is sent"
    pub now: String,
    pub not_now: String,
    /// "the message "go" has been sent"
    pub done: String,
    pub not_done: String,
}

/// Something of this kind and name.
pub fn deed(event: &str, name: &Value) -> Deed {
    let name = name.as_str().map_or_else(|| name.to_string(), str::to_owned);
    let passive = |what: &str, verb: &str| {
        let hows = ["is", "is not", "has been", "has not been"];
        of(hows.map(|how| format!("{what} {how} {verb}")))
    };
    let active = |sprite: &str, verbs: [&str; 4], text: &str| of(verbs.map(|how| format!("{sprite} {how} \"{text}\"")));
    match (event, name.split_once(": ")) {
        ("broadcast", _) => passive(&format!("the message \"{name}\""), "sent"),
        ("sound", Some((sprite, sound))) => passive(&format!("the sound \"{sound}\" of {sprite}"), "played"),
        ("question", _) => passive(&format!("the question \"{name}\""), "asked"),
        ("think", Some((sprite, text))) => {
            active(sprite, ["thinks", "does not think", "has thought", "has not thought"], text)
        }
        (_, Some((sprite, text))) => active(sprite, ["says", "does not say", "has said", "has not said"], text),
        _ => passive(&format!("\"{name}\""), "said"),
    }
}

fn of([now, not_now, done, not_done]: [String; 4]) -> Deed {
    Deed { now, not_now, done, not_done }
}

/// That it has happened so often.
pub fn counted(event: &str, name: &Value, n: u64) -> String {
    let Deed { done, not_done, .. } = deed(event, name);
    match n {
        0 => not_done,
        n => format!("{done} {}", super::says::times(n)),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn each_kind_has_its_verb() {
        assert_eq!(deed("broadcast", &json!("go")).not_now, "the message \"go\" is not sent");
        assert_eq!(deed("say", &json!("Owl: who: you?")).done, "Owl has said \"who: you?\"");
        assert_eq!(counted("sound", &json!("Owl: pop"), 2), "the sound \"pop\" of Owl has been played 2 times");
        assert_eq!(counted("question", &json!("Name?"), 0), "the question \"Name?\" has not been asked");
    }
}
