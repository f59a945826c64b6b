//! What was seen during the chaos: answers by the kind of their request, what was lost, what was voided and by whom.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::answers::{AnswerCounts, Meaning, Reply};
use super::harms::Harms;

/// Lines about breaches that are kept; more are only counted.
const KEPT: usize = 200;

/// Whose doing trouble is that no harm to the server explains.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Whose {
    /// The program's that the agent has put into its session.
    OwnProgram,
    /// The agent's, which drops calls or sends too many.
    OwnCalls,
    /// The file's that is judged.
    OwnFile,
    /// Others': this one does nothing wrong.
    Others,
}

impl Whose {
    const fn words(self) -> &'static str {
        match self {
            Self::OwnProgram => "the program in its own session",
            Self::OwnCalls => "its own calls",
            Self::OwnFile => "the file itself",
            Self::Others => "others",
        }
    }
}

/// What was there and is no more, or is something else.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Losses {
    /// Sessions that ended without their agent's doing.
    pub sessions: u64,
    /// Projects that went back behind what an export had shown.
    pub projects: u64,
    /// Verdicts on the same solution that said something else than before.
    pub verdicts: u64,
}

/// Answers that void an attempt, and verdicts that say nothing, by whose doing it was.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Voids {
    /// The chaos had killed or stopped a process of the server's, or hidden its files. All others are breaches.
    pub harms: u64,
    /// The agent had a hostile program in its own session.
    pub own_programs: u64,
    /// The agent dropped calls, or sent too many.
    pub own_calls: u64,
    /// A hostile file was judged.
    pub own_files: u64,
    /// Another agent or another agent's file: this one did nothing wrong.
    pub others: u64,
}

/// What agents and the judge's callers saw.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Tally {
    /// Sessions that were created, used and ended.
    pub sessions: u64,
    /// Sessions whose creation was answered when the agent had gone away; it found them in the list and ended them.
    pub unheard_of: u64,
    /// Requests by what they ask for, with their answers.
    pub kinds: BTreeMap<String, AnswerCounts>,
    pub lost: Losses,
    pub voided: Voids,
    /// What must not be, one line each, up to 200.
    pub breaches: Vec<String>,
    /// How many there were in all.
    pub breach_count: u64,
}

impl Tally {
    /// Counts an answer to `who`. Trouble is `whose`, unless a harm explains it.
    pub(super) fn note(&mut self, who: &str, what: &str, reply: &Reply, whose: Whose, harms: &Harms) {
        self.kinds.entry(what.to_owned()).or_default().note(reply);
        match reply.meaning() {
            Meaning::Done | Meaning::Refused | Meaning::TurnedAway => {}
            Meaning::Wrong => self.breach(who, &format!("{what}: {}", reply.words())),
            Meaning::Trouble if whose != Whose::Others || harms.explain(reply.began, reply.ended) => {}
            Meaning::Trouble => self.breach(who, &format!("{what}: harmed by others: {}", reply.words())),
            Meaning::Void if harms.explain(reply.began, reply.ended) => self.voided.harms += 1,
            Meaning::Void => self.void(who, what, reply, whose),
        }
    }

    fn void(&mut self, who: &str, what: &str, reply: &Reply, whose: Whose) {
        let count = match whose {
            Whose::OwnProgram => &mut self.voided.own_programs,
            Whose::OwnCalls => &mut self.voided.own_calls,
            Whose::OwnFile => &mut self.voided.own_files,
            Whose::Others => &mut self.voided.others,
        };
        *count += 1;
        self.breach(who, &format!("{what}: voided by {}: {}", whose.words(), reply.words()));
    }

    /// A session ended without its agent's doing.
    pub(super) fn lose_session(&mut self, who: &str, session: &str) {
        self.lost.sessions += 1;
        self.breach(who, &format!("the session {session} is lost"));
    }

    /// Counts a request that was cut off.
    pub(super) fn cut(&mut self, what: &str) {
        self.kinds.entry(what.to_owned()).or_default().cut += 1;
    }

    pub(super) fn breach(&mut self, who: &str, what: &str) {
        self.breach_count += 1;
        if self.breaches.len() < KEPT {
            self.breaches.push(format!("{who}: {what}"));
        }
    }

    /// Adds what another one saw.
    pub(super) fn add(&mut self, other: Self) {
        let Self { sessions, unheard_of, kinds, lost, voided, breaches, breach_count } = other;
        self.sessions += sessions;
        self.unheard_of += unheard_of;
        for (kind, counts) in kinds {
            self.kinds.entry(kind).or_default().add(&counts);
        }
        self.lost.sessions += lost.sessions;
        self.lost.projects += lost.projects;
        self.lost.verdicts += lost.verdicts;
        self.voided.harms += voided.harms;
        self.voided.own_programs += voided.own_programs;
        self.voided.own_calls += voided.own_calls;
        self.voided.own_files += voided.own_files;
        self.voided.others += voided.others;
        let room = KEPT.saturating_sub(self.breaches.len());
        self.breaches.extend(breaches.into_iter().take(room));
        self.breach_count += breach_count;
    }

    /// All kinds together.
    pub fn total(&self) -> AnswerCounts {
        self.kinds.values().fold(AnswerCounts::default(), |mut sum, counts| {
            sum.add(counts);
            sum
        })
    }
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use super::*;

    fn reply(status: u16, body: &str) -> Reply {
        Reply { began: Instant::now(), ended: Instant::now(), answer: Ok((status, body.as_bytes().to_vec())) }
    }

    #[test]
    fn what_is_voided_is_a_breach_unless_a_harm_explains_it() {
        let (calm, stormy) = (Harms::default(), Harms::default());
        stormy.begin();
        let void = reply(503, r#"{"code": "not_in_time"}"#);
        let mut tally = Tally::default();
        tally.note("agent 1", "click", &void, Whose::Others, &stormy);
        assert_eq!((tally.voided.harms, tally.breach_count), (1, 0));
        for whose in [Whose::OwnProgram, Whose::OwnCalls, Whose::OwnFile, Whose::Others] {
            tally.note("agent 1", "click", &void, whose, &calm);
        }
        assert_eq!(tally.voided, Voids { harms: 1, own_programs: 1, own_calls: 1, own_files: 1, others: 1 });
        assert_eq!(tally.breach_count, 4);
        assert_eq!(
            tally.breaches[0],
            "agent 1: click: voided by the program in its own session: status 503, code \"not_in_time\": "
        );
    }

    #[test]
    fn trouble_that_voids_nothing_is_a_breach_where_others_made_it() {
        let trouble = reply(504, r#"{"code": "deadline_exceeded"}"#);
        let mut tally = Tally::default();
        tally.note("agent 1", "click", &trouble, Whose::OwnProgram, &Harms::default());
        assert_eq!(tally.breach_count, 0);
        tally.note("agent 1", "click", &trouble, Whose::Others, &Harms::default());
        tally.note(
            "agent 1",
            "click",
            &reply(500, r#"{"code": "internal_error"}"#),
            Whose::OwnCalls,
            &Harms::default(),
        );
        assert_eq!((tally.breach_count, tally.voided), (2, Voids::default()));
    }

    #[test]
    fn tallies_add_up_and_keep_only_so_many_lines() {
        let mut one = Tally { sessions: 2, ..Tally::default() };
        (0..KEPT + 5).for_each(|_| one.breach("agent 1", "x"));
        one.cut("click");
        one.note("agent 1", "click", &reply(200, "{}"), Whose::Others, &Harms::default());
        let mut sum = one.clone();
        sum.add(one);
        assert_eq!((sum.sessions, sum.breaches.len(), sum.breach_count), (4, KEPT, 2 * (KEPT as u64 + 5)));
        let total = sum.total();
        assert_eq!((total.sent, total.done, total.cut), (2, 2, 2));
    }
}
