//! Whose trouble it is that a call waited for too long.

use super::*;
use crate::model::{Blame, Coded as _};

#[test]
fn only_a_call_behind_nothing_of_its_own_waits_for_the_testbed() {
    let turns = Turns::for_cores(1);
    for (earlier, mends_own_page, wanted) in [
        (0, false, ("not_in_time", Blame::Testbed)),
        (1, false, ("session_busy", Blame::Caller)),
        (0, true, ("session_busy", Blame::Caller)),
    ] {
        let error = waited_too_long(earlier, mends_own_page, &turns);
        assert_eq!((error.code(), error.blame()), wanted, "{earlier} earlier calls, own page: {mends_own_page}");
    }
}
