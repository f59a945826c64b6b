//! Tests of places for connections.

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

fn is_closed(place: &Arc<Place>) -> bool {
    place.close().is_cancelled()
}

#[test]
fn the_oldest_silent_connection_gives_way_to_a_new_one() {
    let places = places(8, 4);
    let silent: Vec<_> = (0..3).map(|_| take(&places, HERE).unwrap()).collect();
    assert_eq!(silent.iter().map(is_closed).collect::<Vec<_>>(), [true, false, false], "two of four are for strangers");
    assert_eq!(places.table().open.len(), 2);
    drop(silent);
    assert_eq!(places.table().open.len(), 0, "each place is given back once");
}

#[test]
fn silent_connections_from_two_addresses_keep_nobody_of_a_third_out() {
    let places = places(512, 256);
    let silent: Vec<_> = [[127, 0, 0, 2], [127, 0, 0, 3]]
        .into_iter()
        .flat_map(|address| (0..258).map(move |_| address))
        .map(|address| take(&places, address).unwrap())
        .collect();
    assert_eq!(silent.iter().filter(|place| !is_closed(place)).count(), 256, "half of all places");
    let (place, _call) = call(&places, HERE, "me");
    assert!(!is_closed(&place));
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
    assert_eq!(table.open.iter().map(|entry| entry.reluctance(later)).collect::<Vec<_>>(), [Some(2)]);
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
