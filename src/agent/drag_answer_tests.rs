//! Answers of models that drag: each form that is read, and what is refused.

use super::*;

fn point(x: f64, y: f64) -> Spot {
    Spot::Point(Point::new(x, y))
}

#[test]
fn every_form_of_the_reference_is_read() {
    let wanted = DragAnswer { start: point(10.0, 20.0), end: point(300.0, 40.0) };
    for text in [
        "drag(start_point='<point>10 20</point>', end_point='<point>300 40</point>')",
        "drag(start_point='<point>10, 20</point>', end_point='<point>300,40</point>')",
        "Thought: move it.\nAction: drag(start_point='(10,20)', end_point='(300, 40)')",
        "drag(start_box='<|box_start|>(10,20)<|box_end|>', end_box='<|box_start|>(300,40)<|box_end|>')",
        "drag(start_box='(0,10,20,30)', end_box='(290, 30, 310, 50)')",
        "drag(10, 20, 300, 40)",
        "drag((10, 20), (300, 40))",
        "I would drag(from 10 20 to 300 40)",
        "start_point='<point>10 20</point>', end_point='<point>300 40</point>'",
        "```json\n{\"start_point\": [10, 20], \"end_point\": [300, 40]}\n```",
        "The form is drag(start_point='<point>x y</point>', end_point='<point>x y</point>').\n\
         drag(start_point='<point>10 20</point>', end_point='<point>300 40</point>')",
        "DRAG(start_point=<point>10.0 20.0</point>,\n end_point=<point>300.0 40.0</point>)",
    ] {
        assert_eq!(read_drag(text, false), Some(wanted), "{text}");
    }
}

#[test]
fn elements_can_be_named_by_number() {
    let mixed = "drag(start_point='<index>7</index>', end_point='<point>300 40</point>')";
    assert_eq!(read_drag(mixed, true), Some(DragAnswer { start: Spot::Index(7), end: point(300.0, 40.0) }));
    let both = DragAnswer { start: Spot::Index(7), end: Spot::Index(12) };
    assert_eq!(read_drag("drag(start_point='<index>7</index>', end_point='<index>12</index>')", false), Some(both));
    assert_eq!(read_drag("drag(<index>7</index>, <index>12</index>)", false), Some(both));
}

#[test]
fn what_is_no_drag_is_none() {
    for text in [
        "",
        "I can't see it.",
        "drag(start_point='<point>10</point>', end_point='<point>300 40</point>')",
        "drag(start_point='<point>10 20</point>'",
        "The block is at 10 20 and goes to 300 40.",
        "drag(1, 2, 3)",
        "The mouth is at (10, 20, 110, 60) and the block at (300, 40, 380, 70).",
        "start_box='(10, 20, 30, 40)'",
        "It is 10, 20, 300, 40.",
        "drag(start_point='index 7', end_point='index 12')",
    ] {
        assert_eq!(read_drag(text, false), None, "{text}");
    }
}

#[test]
fn one_bare_group_of_four_is_a_drag() {
    let wanted = DragAnswer { start: point(10.0, 20.0), end: point(300.0, 40.0) };
    for text in
        ["(10,20,300,40)", "I press on it and move it up.\n\n[10, 20, 300.0, 40]", "Answer: ( 10 ,20, 300, 40 )."]
    {
        assert_eq!(read_drag(text, false), Some(wanted), "{text}");
    }
}

#[test]
fn where_a_list_was_shown_numbers_may_be_in_words() {
    let both = DragAnswer { start: Spot::Index(7), end: Spot::Index(12) };
    for text in [
        "drag(start_point='index 7', end_point='index 12')",
        "drag(start_index=7, end_index=12)",
        "drag(index 7, index: 12)",
        "{\"start_index\": 7, \"end_index\": 12}",
        "drag(start_point=<index>7</index>, end_point='Index #12')",
        "drag(start_index=7,\n end_index=\n12)",
    ] {
        assert_eq!(read_drag(text, true), Some(both), "{text}");
    }
    let mixed = DragAnswer { start: Spot::Index(7), end: point(300.0, 40.0) };
    assert_eq!(read_drag("drag(start_point='index 7', end_point='<point>300 40</point>')", true), Some(mixed));
    let points = DragAnswer { start: point(10.0, 20.0), end: point(300.0, 40.0) };
    assert_eq!(read_drag("drag(start_point='<point>10 20</point>', end_point='(300,40)')", true), Some(points));
}

#[test]
fn a_box_means_its_middle() {
    let wanted = DragAnswer { start: point(20.0, 40.0), end: point(310.0, 60.0) };
    assert_eq!(read_drag("drag(start_box='(10,20,30,60)', end_box='(300,40,320,80)')", false), Some(wanted));
}
