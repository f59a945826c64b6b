//! Who may call, and what they may see.

use super::*;

fn address(text: &str) -> SocketAddr {
    text.parse().unwrap()
}

#[test]
fn verdicts_need_a_token_of_their_own() {
    let here = address("127.0.0.1:1");
    let (agents, judges) = ("0123456789abcdef", "fedcba9876543210");
    let code = |access: &Access, given: Option<&str>| access.check_judge(given).map_err(|problem| problem.code);
    let open = Access::new(here, None).unwrap();
    assert_eq!(code(&open, Some("Bearer x")), Err("judging_not_offered".into()));
    let access = Access::new(here, Some(agents)).unwrap();
    assert_eq!(access.clone().judging(agents).unwrap_err(), AccessError::SameTokens);
    assert_eq!(access.clone().judging("short").unwrap_err(), AccessError::TokenTooShort);
    let access = access.judging(judges).unwrap();
    let bearer = |token| format!("Bearer {token}");
    assert_eq!(code(&access, Some(&bearer(agents))), Err("judge_token_required".into()));
    assert_eq!(code(&access, None), Err("judge_token_required".into()));
    assert_eq!(code(&access, Some(&bearer(judges))), Ok(()));
    assert!(access.admit(Some(&bearer(judges))).is_ok(), "judges may do everything");
    assert!(access.admit(Some(&bearer(agents))).is_ok());
}

#[test]
fn each_scope_reaches_as_far_as_it_may() {
    let tokens = ["agent-agent-agent", "judge-judge-judge", "admin-admin-admin"];
    let access = Access::new(address("127.0.0.1:1"), Some(tokens[0])).unwrap();
    let access = access.judging(tokens[1]).unwrap().admitting(Scope::Admin, tokens[2]).unwrap();
    let bearer = tokens.map(|token| format!("Bearer {token}"));
    let reach = |given: &str| access.admit(Some(given)).unwrap().reach;
    assert_eq!(bearer.each_ref().map(|given| reach(given)), [Reach::Own, Reach::Use, Reach::End]);
    assert!(access.check_judge(Some(&bearer[2])).is_ok(), "administrators may do all that researchers may");
    assert!(access.check_researcher(Some(&bearer[0])).is_err());
    let owner = |given: &str| access.admit(Some(given)).unwrap().owner;
    assert_ne!(owner(&bearer[0]), owner(&bearer[1]));
    assert!(!owner(&bearer[0]).unwrap().contains(tokens[0]), "tokens are kept as digests");
}

#[test]
fn orders_are_noted_by_the_name_of_the_token() {
    let access = Access::new(address("127.0.0.1:1"), None).unwrap().judging("judge-judge-judge").unwrap();
    let named = sha256_hex(b"named-named-named");
    let access = access.admitting_digest(Scope::Researcher, named, Some("ada".to_owned())).unwrap();
    assert_eq!(access.who(Some("Bearer named-named-named")), "ada");
    assert_eq!(access.who(Some("Bearer judge-judge-judge")), NAMELESS);
    assert_eq!(access.who(None), NAMELESS);
}

#[test]
fn a_pass_opens_the_server_until_its_attempt_is_over() {
    let passes = Passes::default();
    let access = Access::new(address("127.0.0.1:1"), None).unwrap().admitting_passes(passes.clone());
    assert_eq!(access.admit(None).unwrap_err().code, "token_required", "others stay out");
    let issued = passes.issue(crate::model::Mode::Primitive);
    let bearer = format!("Bearer {}", issued.token);
    let viewer = access.admit(Some(&bearer)).unwrap();
    assert_eq!((viewer.reach, viewer.pass.as_ref()), (Reach::Guest, Some(&issued.pass)));
    assert!(access.check_judge(Some(&bearer)).is_err() && access.check_attempts(Some(&bearer)).is_err());
    issued.end();
    assert_eq!(access.admit(Some(&bearer)).unwrap_err().code, "token_ended");
}

#[test]
fn one_caller_can_not_use_up_the_rate_of_another() {
    let access = Access::new(address("127.0.0.1:1"), Some("agent-agent-agent")).unwrap();
    let access = access.admitting(Scope::Agent, "other-other-other").unwrap();
    let access = access.limited(NonZeroU32::new(2).unwrap());
    let call = |token| access.admit(Some(token)).map(|_| ()).map_err(|problem| problem.code);
    let codes: Vec<_> = (0..6).map(|_| call("Bearer agent-agent-agent")).collect();
    assert_eq!(codes.iter().filter(|code| code.is_ok()).count(), 4);
    assert_eq!(codes[5], Err("rate_limited".into()));
    assert_eq!(call("Bearer other-other-other"), Ok(()));
}

#[test]
fn other_addresses_need_a_token() {
    let open = address("0.0.0.0:1");
    assert_eq!(Access::new(open, None).unwrap_err(), AccessError::TokenRequired(open));
    assert_eq!(Access::new(open, Some("short")).unwrap_err(), AccessError::TokenTooShort);
    assert!(Access::new(open, Some("0123456789abcdef")).is_ok());
    assert!(Access::new(address("[::1]:1"), None).is_ok());
}

#[test]
fn results_are_for_researchers_unless_they_are_opened() {
    let here = address("127.0.0.1:1");
    let code =
        |access: &Access, given: Option<&str>| access.check_researcher(given).map_err(|problem| problem.code).err();
    let open = Access::new(here, None).unwrap();
    assert!(!open.shows_runs());
    assert_eq!(code(&open, None).as_deref(), Some("runs_not_offered"));
    assert_eq!(code(&open.clone().opening_runs(), None), None);
    let guarded = Access::new(here, Some("agent-agent-agent")).unwrap();
    assert_eq!(code(&guarded, Some("Bearer agent-agent-agent")).as_deref(), Some("runs_not_offered"));
    let attempts = |access: &Access, given: Option<&str>| access.check_attempts(given).is_ok();
    let opened = guarded.clone().opening_runs();
    assert!(code(&opened, Some("Bearer agent-agent-agent")).is_none());
    assert!(!attempts(&opened, Some("Bearer agent-agent-agent")), "open runs do not open other agents' attempts");
    assert!(!attempts(&open, None) && attempts(&open.clone().opening_runs(), None));
    let judged = open.judging("judge-judge-judge").unwrap();
    assert!(attempts(&judged, Some("Bearer judge-judge-judge")) && !attempts(&judged, None));
    assert!(judged.shows_runs());
    assert_eq!(code(&judged, None).as_deref(), Some("judge_token_required"));
    assert_eq!(code(&judged, Some("Bearer judge-judge-judge")), None);
}

#[test]
fn orders_are_for_researchers_wherever_there_is_a_token() {
    let here = || Access::new(address("127.0.0.1:1"), None).unwrap();
    let takes = |access: &Access, given: Option<&str>| access.check_orders(given).is_ok();
    assert!(!here().takes_orders() && !takes(&here(), None));
    let open = here().opening_runs();
    assert!(open.takes_orders() && takes(&open, None), "whoever reaches a server without any token");
    for access in [
        open.clone().admitting(Scope::Agent, "agent-agent-agent").unwrap(),
        open.clone().admitting_passes(Passes::default()),
    ] {
        assert!(!access.takes_orders() && !takes(&access, None) && !takes(&access, Some("Bearer agent-agent-agent")));
    }
    let judged = open.judging("judge-judge-judge").unwrap();
    assert!(judged.takes_orders() && takes(&judged, Some("Bearer judge-judge-judge")));
    assert!(!takes(&judged, None), "open runs are for looking");
}

#[test]
fn only_the_right_token_opens() {
    let access = Access::new(address("10.0.0.1:80"), Some("0123456789abcdef")).unwrap();
    assert!(access.admit(Some("Bearer 0123456789abcdef")).is_ok());
    for wrong in [None, Some("Bearer 0123456789abcdeg"), Some("0123456789abcdef")] {
        assert_eq!(access.admit(wrong).unwrap_err().code, "token_required");
    }
}
