//! Tests of places for connections.

use axum::body::{Body, Bytes};
use futures::FutureExt as _;
use http_body_util::BodyExt as _;

use super::super::connection_table::{Reluctance, SETTLING, STALLED};
use super::super::request_body::RequestBody;
use super::*;

const HERE: [u8; 4] = [127, 0, 0, 1];

fn places(total: usize, per_address: usize) -> Places {
    Places::new(ConnectionLimits { total, per_address })
}

fn take(places: &Places, address: [u8; 4]) -> Result<Arc<Place>, TooMany> {
    places.take(IpAddr::from(address)).map(Arc::new)
}

/// A connection of this caller, which carries a call.
fn call(places: &Places, address: [u8; 4], owner: &str) -> (Arc<Place>, Call) {
    let place = take(places, address).unwrap();
    let call = Call::begin(Arc::clone(&place));
    Connection::of(&place).admit(Some(owner)).unwrap();
    (place, call)
}

/// Lets so much time pass that all connections have had time for a call.
fn settle(places: &Places) {
    for entry in &mut places.table().open {
        entry.since -= SETTLING * 2;
    }
}

fn is_closed(place: &Arc<Place>) -> bool {
    place.close().is_cancelled()
}

#[test]
fn the_oldest_silent_connection_gives_way_to_a_new_one() {
    let places = places(8, 4);
    let mut silent: Vec<_> = (0..2).map(|_| take(&places, HERE).unwrap()).collect();
    settle(&places);
    silent.push(take(&places, HERE).unwrap());
    assert_eq!(silent.iter().map(is_closed).collect::<Vec<_>>(), [true, false, false], "two of four are for strangers");
    assert_eq!(places.table().open.len(), 2);
    drop(silent);
    assert_eq!(places.table().open.len(), 0, "each place is given back once");
}

#[test]
fn silent_connections_from_two_addresses_keep_nobody_of_a_third_out() {
    let places = places(512, 256);
    let addresses = || [[127, 0, 0, 2], [127, 0, 0, 3]].into_iter().flat_map(|address| (0..258).map(move |_| address));
    let burst: Vec<_> = addresses().filter_map(|address| take(&places, address).ok()).collect();
    assert_eq!(burst.iter().filter(|place| !is_closed(place)).count(), 512, "none of a burst closes another");
    let (first, _call) = call(&places, HERE, "me");
    assert!(!is_closed(&first) && is_closed(&burst[0]));
    drop(burst);
    let silent: Vec<_> = addresses().filter_map(|address| take(&places, address).ok()).collect();
    settle(&places);
    let (second, _call) = call(&places, HERE, "me");
    assert!(!is_closed(&first) && !is_closed(&second));
    assert!(silent.iter().filter(|place| !is_closed(place)).count() <= 510, "those that are silent give way");
}

/// More at a time than half of an address's places, as a client with many threads opens them.
#[test]
fn a_burst_of_connections_from_one_address_does_not_close_itself() {
    let places = places(8, 4);
    let burst: Vec<_> = (0..4).map(|_| take(&places, HERE).unwrap()).collect();
    assert_eq!(take(&places, HERE).unwrap_err(), TooMany, "each of the four may be about to call");
    assert!(burst.iter().all(|place| !is_closed(place)));
    let _call = Call::begin(Arc::clone(&burst[0]));
    Connection::of(&burst[0]).admit(Some("me")).unwrap();
    settle(&places);
    let _more: Vec<_> = (0..2).map(|_| take(&places, HERE).unwrap()).collect();
    assert_eq!(burst.iter().map(is_closed).collect::<Vec<_>>(), [false, true, true, false]);
}

#[test]
fn the_address_with_the_most_strangers_gives_way_first() {
    let (places, theirs) = (places(4, 4), [127, 0, 0, 2]);
    let crowd: Vec<_> = (0..4).map(|_| take(&places, theirs).unwrap()).collect();
    let mine: Vec<_> = (0..2).map(|_| take(&places, HERE).unwrap()).collect();
    assert_eq!(crowd.iter().map(is_closed).collect::<Vec<_>>(), [true, true, false, false]);
    let last = take(&places, HERE).unwrap();
    assert!(is_closed(&crowd[2]) && !is_closed(&crowd[3]), "where each has as many as the other, the oldest does");
    let _more = take(&places, HERE).unwrap();
    assert!(is_closed(&mine[0]) && !is_closed(&crowd[3]), "who has the most by now closes its own");
    assert!(!is_closed(&mine[1]) && !is_closed(&last));
}

#[test]
fn idle_connections_give_way_after_strangers_and_those_with_a_call_stay() {
    let places = places(4, 4);
    let (idle, ended) = call(&places, HERE, "me");
    drop(ended);
    let (busy, _call) = call(&places, HERE, "you");
    let silent = take(&places, HERE).unwrap();
    let (third, _third) = call(&places, HERE, "they");
    assert!(!is_closed(&silent), "four places for four");
    settle(&places);
    let (fifth, _fifth) = call(&places, HERE, "they");
    assert!(is_closed(&silent) && !is_closed(&idle), "strangers' first");
    let last = take(&places, HERE).unwrap();
    assert!(is_closed(&idle), "then the idle one");
    assert!([&busy, &third, &fifth].into_iter().all(|place| !is_closed(place)));
    drop(last);
    let (_sixth, _more) = call(&places, HERE, "you");
    assert_eq!(take(&places, HERE).unwrap_err(), TooMany, "all four carry calls");
}

#[test]
fn a_strangers_call_gives_way_once_it_stalls() {
    let places = places(2, 2);
    let stranger = take(&places, HERE).unwrap();
    let _call = Call::begin(Arc::clone(&stranger));
    assert_eq!(take(&places, HERE).unwrap_err(), TooMany);
    let table = places.table();
    let later = Instant::now() + STALLED * 2;
    assert_eq!(table.open.iter().map(|entry| entry.reluctance(later)).collect::<Vec<_>>(), [Some(Reluctance::Stalled)]);
}

#[test]
fn one_callers_calls_take_half_of_an_addresses_places() {
    let places = places(8, 4);
    let mine: Vec<_> = (0..2).map(|_| call(&places, HERE, "me")).collect();
    let third = take(&places, HERE).unwrap();
    let _call = Call::begin(Arc::clone(&third));
    assert_eq!(Connection::of(&third).admit(Some("me")).unwrap_err().code, "busy");
    Connection::of(&third).admit(Some("you")).unwrap();
    drop(mine);
    Connection::of(&third).admit(Some("me")).unwrap();
}

#[test]
fn a_kept_request_keeps_no_place() {
    let places = places(2, 2);
    let place = take(&places, HERE).unwrap();
    let kept = Connection::of(&place);
    drop(place);
    assert_eq!(places.table().open.len(), 0);
    kept.admit(None).unwrap();
}

#[test]
fn where_descriptors_are_few_another_connection_gives_way() {
    let places = places(8, 8);
    let first = take(&places, HERE).unwrap();
    assert!(!first.relieve(), "there is no other");
    let second = take(&places, HERE).unwrap();
    assert!(second.relieve() && is_closed(&first) && !is_closed(&second));
}

#[test]
fn where_no_place_is_left_the_oldest_without_a_whole_request_gives_way_whoever_calls() {
    let (places, address) = (places(4, 4), |last: u8| [127, 0, 0, last]);
    let (one, _one) = call(&places, address(1), "me");
    let (slow, _slow) = call(&places, address(2), "me");
    let (slower, _slower) = call(&places, address(3), "you");
    for sending in [&slow, &slower] {
        Connection::of(sending).awaits(true);
    }
    let first = take(&places, address(4)).unwrap();
    let second = take(&places, address(4)).unwrap();
    assert!(is_closed(&first) && !is_closed(&slow), "one that was opened just now, of the same address");
    let _second = Call::begin(Arc::clone(&second));
    Connection::of(&second).admit(Some("they")).unwrap();
    let mut kept = Vec::new();
    for (at, sending) in [(5, &slow), (6, &slower)] {
        assert!(!is_closed(sending));
        let (place, call) = call(&places, address(at), "they");
        assert!(is_closed(sending), "the oldest of those who still send");
        kept.push((place, call));
    }
    assert_eq!(take(&places, address(7)).unwrap_err(), TooMany, "all four requests are here");
    assert!(!is_closed(&one) && !is_closed(&second));
}

#[test]
fn a_call_whose_request_is_not_whole_keeps_its_place_while_there_are_others() {
    let places = places(8, 2);
    let (slow, _slow) = call(&places, HERE, "me");
    Connection::of(&slow).awaits(true);
    let (_other, _call) = call(&places, HERE, "you");
    assert_eq!(take(&places, HERE).unwrap_err(), TooMany, "its address has two places");
    assert!(!is_closed(&slow));
    assert!(places.relieve() && is_closed(&slow), "where files are few, it gives way");
}

/// What the server asks for and does not get is what a request lacks; what it does not ask for is not.
#[test]
fn a_request_is_whole_once_nothing_more_of_it_is_waited_for() {
    let places = places(2, 2);
    let (place, _call) = call(&places, HERE, "me");
    let is_awaited = || places.table().open[0].is_awaited;
    let (sender, parts) = futures::channel::mpsc::unbounded::<Result<Bytes, std::io::Error>>();
    let mut body = RequestBody::new(Body::from_stream(parts), Connection::of(&place));
    assert!(!is_awaited(), "nobody has asked for any of it");
    assert!(body.frame().now_or_never().is_none() && is_awaited());
    sender.unbounded_send(Ok(Bytes::from_static(b"a part"))).unwrap();
    assert!(body.frame().now_or_never().is_some() && !is_awaited());
    assert!(body.frame().now_or_never().is_none() && is_awaited());
    let since = places.table().open[0].since;
    drop(sender);
    assert!(body.frame().now_or_never().flatten().is_none() && !is_awaited(), "that was the end");
    assert_eq!(places.table().open[0].since, since, "no part makes a call younger");

    let (_sender, parts) = futures::channel::mpsc::unbounded::<Result<Bytes, std::io::Error>>();
    let mut refused = RequestBody::new(Body::from_stream(parts), Connection::of(&place));
    assert!(refused.frame().now_or_never().is_none() && is_awaited());
    drop(refused);
    assert!(!is_awaited(), "nobody waits for the rest");
}
