//! What statements do to one another, by small programs.

use serde_json::{Value, json};

use super::touches::opcodes;
use super::*;
use crate::patches::lint::fixture::{
    Part, call, change, define, flag, forever, hear, part, project, say, send, set, stop, wait,
};
use crate::project::catalogue::Catalogue;

fn line<'p, 'a>(program: &'p Program<'a>, id: &str) -> &'p Line<'a> {
    program.lines.iter().find(|line| line.statement.block.id == id).unwrap()
}

/// Ids of the statements that wait for those who hear what the first broadcast of `go` sends.
fn readers(json: &Value) -> Vec<String> {
    let program = Program::of(json);
    let send = line(&program, "send");
    let awaited = awaited(&program, send);
    awaited
        .map(|found| found.readers.iter().map(|line| line.statement.block.id.to_owned()).collect())
        .unwrap_or_default()
}

fn go() -> Part {
    send("go").id("send")
}

#[test]
fn a_reader_waits_for_what_is_written_after_a_yield_and_for_nothing_else() {
    let stage = |after: Part| vec![vec![flag(), set("score", "0"), go(), set("lives", "1"), after.id("reader")]];
    let slow = vec![vec![hear("go"), wait("1"), change("score")]];
    assert_eq!(readers(&project(stage(say("score")), slow.clone(), vec![])), ["reader"]);
    assert_eq!(readers(&project(stage(say("lives")), slow.clone(), vec![])), [""; 0], "it reads something else");
    let quick = vec![vec![hear("go"), change("score"), wait("1")]];
    assert_eq!(readers(&project(stage(say("score")), quick, vec![])), [""; 0], "it is written before others run");
    assert_eq!(
        readers(&project(stage(stop("all")), slow.clone(), vec![])),
        ["reader"],
        "what is there stays to be seen"
    );
    // Whom the sender starts afterwards may read it as well.
    let owl = vec![vec![hear("next"), say("score")]];
    assert_eq!(readers(&project(stage(send("next")), slow, owl)), ["reader"]);
}

#[test]
fn loops_bring_statements_back_and_calls_do_what_is_defined() {
    let slow = vec![vec![hear("go"), call("jump")], vec![define("jump"), wait("1"), change("score")]];
    let stage = vec![vec![flag(), say("score").id("before"), forever(vec![say("score").id("again"), go()])]];
    assert_eq!(readers(&project(stage, slow, vec![])), ["again"]);
}

#[test]
fn more_than_ten_statements_stand_in_their_order() {
    let mut script = vec![flag(), go()];
    script.extend((0..9).map(|_| set("lives", "1")));
    script.push(say("score").id("reader"));
    let slow = vec![vec![hear("go"), wait("1"), change("score")]];
    assert_eq!(readers(&project(vec![script], slow, vec![])), ["reader"], "the eleventh is below the second");
}

#[test]
fn statements_commute_if_neither_touches_what_the_other_does() {
    let random = part("operator_random").input("FROM", json!([4, "1"])).input("TO", json!([4, "9"]));
    let place = part("motion_gotoxy").id("place").input("X", json!([4, "1"])).input("Y", json!([4, "2"]));
    let script = vec![
        flag(),
        set("score", "0").id("score"),
        set("lives", "3").id("lives"),
        part("data_setvariableto")
            .field("VARIABLE", "own", Some("own0"))
            .input("VALUE", json!([12, "lives", "lives0"]))
            .id("copy"),
        part("looks_show").id("show"),
        place,
        part("motion_setx").id("x").input("X", json!([4, "5"])),
        wait("1").id("wait"),
        part("motion_sety").id("chance").holds("Y", vec![random]),
    ];
    let json = project(vec![], vec![script], vec![]);
    let program = Program::of(&json);
    let do_commute = |one: &str, other: &str| commute(&program, line(&program, one), line(&program, other));
    assert!(do_commute("score", "lives") && do_commute("show", "place") && do_commute("score", "show"));
    assert!(!do_commute("lives", "copy"), "one reads what the other writes");
    assert!(!do_commute("place", "x"), "both move it");
    assert!(!do_commute("score", "wait") && !do_commute("score", "chance"), "others run, or a number is drawn");
}

#[test]
fn what_is_named_here_is_in_the_palette() {
    let known = &Catalogue::pinned().blocks;
    let unknown: Vec<&str> = opcodes().filter(|opcode| !known.contains_key(*opcode)).collect();
    assert_eq!(unknown, [""; 0]);
}

#[test]
fn a_script_reaches_what_depends_on_it_and_no_more() {
    let stage = vec![vec![flag(), set("score", "0").id("score"), go()]];
    let moth = vec![vec![hear("go"), wait("1"), change("lives")]];
    let owl = vec![vec![flag(), say("lives")], vec![flag(), set("far", "1").id("far")]];
    let json = project(stage, moth, owl);
    let program = Program::of(&json);
    let of = |id: &str| Influence::of(&program, [line(&program, id).script]);
    let score = of("score");
    for (signal, reached) in [
        ("Stage/variable/score", true),
        ("Stage/variable/lives", true),
        ("Owl/variable/far", false),
        ("events/broadcast:go", true),
        ("events/broadcast:stop", false),
        ("Owl/bubble", true),
        ("events/say:Owl: 3", true),
    ] {
        assert_eq!(score.reaches(signal), reached, "{signal}");
    }
    let far = of("far");
    assert!(far.reaches("Owl/variable/far") && !far.reaches("Stage/variable/lives"));
    assert!(!far.reaches("Moth/x"));
}

#[test]
fn a_difference_reaches_what_the_scripts_do_in_which_it_is_before_or_after() {
    let of = |far: &str, added: Vec<Part>| {
        let owl = vec![vec![flag().id("hat"), set("far", far).id("far")], added];
        project(vec![vec![flag(), set("score", "0")]], vec![], owl)
    };
    let before = of("0", vec![]);
    assert!(!Influence::between(&before, &before).reaches("Owl/variable/far"));
    let changed = Influence::between(&before, &of("1", vec![]));
    assert!(changed.reaches("Owl/variable/far") && !changed.reaches("Stage/variable/score"));
    let added = of("0", vec![flag().id("new"), change("lives")]);
    for influence in [Influence::between(&before, &added), Influence::between(&added, &before)] {
        assert!(influence.reaches("Stage/variable/lives") && !influence.reaches("Owl/variable/far"));
    }
}
