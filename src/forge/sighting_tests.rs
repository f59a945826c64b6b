//! Tests of `sighting`.

use super::*;

fn key(at: u64, ticks: u64) -> Step {
    Step::Key { at, key: "space".to_owned(), ticks }
}

#[test]
fn waits_and_holds_become_short_and_nothing_changes_its_place() {
    let steps = [Step::Flag { at: 0 }, key(200, 60), key(300, 3), Step::Click { at: 310, sprite: "Moth".to_owned() }];
    let at = |steps: &[Step]| steps.iter().map(Step::at).collect::<Vec<_>>();
    assert_eq!(at(&hurried(&steps)), [0, 15, 76, 86], "a key is let go before the next one; a short wait stays");
    assert_eq!(tapped(&steps)[1], key(200, 3));
    assert_eq!(at(&hurried_and_tapped(&steps)), [0, 15, 30, 40]);
    assert_eq!(at(&earlier(&steps, 1, 2)), [0, 100, 200, 210], "half a wait");
    assert_eq!(at(&earlier(&steps, 0, 1)), [0, 200, 300, 310]);
    assert_eq!(at(&earlier(&steps, 9, 1)), [0, 200, 300, 310]);
}

#[test]
fn two_keys_at_once_stay_together() {
    let steps = [Step::Flag { at: 0 }, key(100, 90), Step::Click { at: 120, sprite: "Moth".to_owned() }];
    assert_eq!(hurried(&steps)[2].at() - hurried(&steps)[1].at(), 15, "it is clicked while the key is held");
}

#[test]
fn an_action_is_the_same_whenever_and_however_long() {
    let click = |sprite: &str| Step::Click { at: 5, sprite: sprite.to_owned() };
    assert_eq!(action(&key(3, 60)), action(&key(90, 3)));
    assert_ne!(action(&key(3, 3)), action(&Step::Key { at: 3, key: "a".to_owned(), ticks: 3 }));
    assert_ne!(action(&click("Moth")), action(&click("Lamp")));
    assert_ne!(action(&Step::Flag { at: 0 }), action(&Step::Stop { at: 0 }));
}
