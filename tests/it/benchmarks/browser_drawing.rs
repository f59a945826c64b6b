//! Scripts of forged faults are drawn in one page of the editor, project after project: `draw-scripts`.

use scratchbed::compile::{DrawingPage, MarkedScript};

use crate::support::browsers::{fleet, in_shared_browsers};
use crate::support::forged::{id, instance, report};

#[test]
fn one_page_draws_one_project_after_another_and_is_given_back_where_it_fails() {
    in_shared_browsers(async {
        let fleet = fleet().await;
        let drawing = DrawingPage::new(fleet.clone());
        let one = instance("one", "one", None, report());
        let script = |first: &str| vec![MarkedScript { first: id("Stage", first), ..MarkedScript::default() }];
        let mut drawn = Vec::new();
        for sb3 in [&one.golden, &one.buggy, &one.golden] {
            drawn.extend(drawing.draw_scripts(sb3, "Stage", script("flag")).await.unwrap());
            assert_eq!(fleet.status().lent, 1, "opening the editor takes longer than drawing");
        }
        let size = |at: usize| (drawn[at].width, drawn[at].height);
        assert_eq!(size(0), size(2), "nothing is left of the project between them");
        assert!(drawn[1].height < drawn[0].height, "a block is missing in it");
        drawing.draw_scripts(&one.buggy, "Stage", script("reset")).await.unwrap_err();
        assert_eq!(fleet.status().lent, 0, "the next one is drawn in another page");
        drawing.clear().await;
    });
}
