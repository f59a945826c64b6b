//! What a posted file may name, and what not.

use super::*;

fn arm(flags: &[&str]) -> ArmFlags {
    ArmFlags {
        label: "a".to_owned(),
        flags: flags.iter().map(|flag| (*flag).to_owned()).collect(),
        lane: "local".to_owned(),
    }
}

fn file(lane: &str) -> ExperimentFile {
    let text = format!(
        "format = 1\nname = \"e\"\n[lanes.cloud]\nendpoint = \"https://models.example/v1\"\nin_flight = 1\n{lane}\n\
         [[arms]]\nagent = \"noop\"\n"
    );
    ExperimentFile::parse(&text).unwrap()
}

fn lent(text: &str) -> LentKey {
    LentKey::read(text, "--key-env").unwrap()
}

fn code(flags: &[&str]) -> Option<String> {
    let keys = [lent("MODEL_KEY=https://models.example")];
    check_posted(&file(""), &[arm(flags)], &keys).err().map(|failure| failure.code().to_owned())
}

#[test]
fn files_and_programs_of_the_server_are_refused() {
    assert_eq!(code(&["--agent=noop", "--mode=composite", "--task=stuck_ferry", "--extended", "--memory=on"]), None);
    for flag in [
        "--pack=/etc",
        "--prompts=x",
        "--replay=runs/one",
        "--roles=a.toml",
        "--set=questions",
        "--memory=from:/x",
        "--memory=frozen:/x",
        "--ids=@/etc/passwd",
        "--ids=a,@b",
    ] {
        assert_eq!(code(&[flag]).as_deref(), Some("path_in_posted_file"), "{flag}");
    }
    for flag in [
        "--agent=command",
        "--command=id",
        "--command-env=PATH",
        "--via=http",
        "--agent-user=me",
        "--isolation=none",
        "--observe={}",
    ] {
        assert_eq!(code(&["--agent=noop", flag]).as_deref(), Some("program_in_posted_file"), "{flag}");
    }
    for flag in ["--server=http://x", "--write-records", "--never-heard-of=1"] {
        assert_eq!(code(&[flag]).as_deref(), Some("setting_in_posted_file"), "{flag}");
    }
}

#[test]
fn only_keys_that_the_operator_allowed_are_lent() {
    let own = "--endpoint=https://models.example/v1";
    assert_eq!(code(&["--api-key-env=MODEL_KEY", own]), None);
    for flag in ["--api-key-env=SCRATCHBED_QUEUE", "--api-key-env=", "--model=env:HOME"] {
        assert_eq!(code(&[flag, own]).as_deref(), Some("key_env_not_allowed"), "{flag}");
    }
    // A lane that no arm asks must not name another one either.
    let named = file("key_env = \"SCRATCHBED_QUEUE\"");
    let refused = check_posted(&named, &[arm(&[])], &[]).unwrap_err();
    assert!(
        refused.text().contains("lanes.cloud.key_env") && refused.text().contains("--key-env"),
        "{}",
        refused.text()
    );
    assert!(check_posted(&named, &[arm(&[])], &[lent("SCRATCHBED_QUEUE=https://models.example")]).is_ok());
}

#[test]
fn a_key_goes_to_the_host_that_the_operator_named_and_to_no_other() {
    let own = "--endpoint=https://models.example/v1";
    for endpoint in [
        "http://models.example/v1",
        "https://models.example:8443/v1",
        "https://models.example.evil.test/v1",
        "https://models.example@evil.test/v1",
        "https://evil.test/#https://models.example",
        "https://evil.test\\@models.example/v1",
        "no address",
        "",
    ] {
        let endpoint = format!("--endpoint={endpoint}");
        let endpoint = endpoint.as_str();
        for flags in [vec!["--api-key-env=MODEL_KEY", endpoint], vec![own, endpoint, "--api-key-env=MODEL_KEY"]] {
            assert_eq!(code(&flags).as_deref(), Some("key_env_not_allowed"), "{flags:?}");
        }
        assert_eq!(code(&[endpoint]), None, "without a key any endpoint may be asked");
    }
    assert_eq!(code(&["--api-key-env=MODEL_KEY"]).as_deref(), Some("key_env_not_allowed"), "it has nowhere to go");
    let named = file("key_env = \"MODEL_KEY\"");
    let elsewhere = check_posted(&named, &[arm(&[])], &[lent("MODEL_KEY=https://other.example")]).unwrap_err();
    let text = elsewhere.text();
    assert!(text.contains("https://models.example/v1") && text.contains("MODEL_KEY=https://other.example"), "{text}");
    let both = [lent("MODEL_KEY=https://other.example"), lent("MODEL_KEY=https://models.example")];
    assert!(check_posted(&named, &[arm(&[])], &both).is_ok(), "a key may have several hosts");
}
