//! Tests of `reference`.

use std::net::Ipv4Addr;

use clap::Parser;

use super::*;

#[derive(Debug, Parser)]
struct Line {
    #[command(flatten)]
    reference: ReferenceArgs,
}

fn read(args: &[&str]) -> Result<ReferenceArgs, clap::Error> {
    Ok(Line::try_parse_from(std::iter::once(&"serve").chain(args))?.reference)
}

const HERE: IpAddr = IpAddr::V4(Ipv4Addr::LOCALHOST);
const ANYWHERE: IpAddr = IpAddr::V4(Ipv4Addr::UNSPECIFIED);

#[test]
fn one_flag_has_the_ports_that_published_clients_know() {
    let all = read(&["--reference"]).unwrap();
    assert_eq!((all.dialect_port(), all.recognition_port()), (Some(8081), Some(9090)));
    assert!(all.is_open_for_verdicts(HERE) && !all.is_open_for_verdicts(ANYWHERE));
    let moved = read(&["--reference", "--reference-port", "1", "--ocr-port", "2"]).unwrap();
    assert_eq!((moved.dialect_port(), moved.recognition_port()), (Some(1), Some(2)));
    assert!(read(&["--reference", "--reference-evaluate"]).unwrap().is_open_for_verdicts(ANYWHERE));
}

#[test]
fn the_port_alone_opens_nothing_else() {
    let port = read(&["--reference-port", "8081"]).unwrap();
    assert_eq!((port.dialect_port(), port.recognition_port()), (Some(8081), None));
    assert!(!port.is_open_for_verdicts(HERE));
    assert_eq!(read(&[]).unwrap().dialect_port(), None);
    for alone in ["--reference-evaluate", "--allow-page-scripts", "--ocr-port=1", "--drag-pack=x"] {
        assert!(read(&[alone]).is_err(), "{alone}");
    }
}

#[tokio::test]
async fn a_port_that_is_taken_is_told_with_its_flag() {
    let (_taken, address) = bound(SocketAddr::new(HERE, 0), "--port").await.unwrap();
    let failure = bound(address, "--ocr-port").await.unwrap_err();
    assert_eq!(failure.code(), "no_port");
    let text = failure.text();
    assert!(text.contains(&address.to_string()) && text.contains("--ocr-port"), "{text}");
}
