//! Tests of `planner`.

use super::super::model::ModelArgs;
use super::*;

fn main() -> ModelArgs {
    #[derive(clap::Parser)]
    struct Flags {
        #[command(flatten)]
        manner: ModelArgs,
    }
    <Flags as clap::Parser>::parse_from(["x", "--dialect", "gemini", "--api-key-env", "MAIN"]).manner
}

fn read(text: &str) -> Result<Roles, Failure> {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("roles.toml");
    std::fs::write(&file, text).unwrap();
    RolesArgs { roles: Some(file) }.read()
}

#[test]
fn a_file_names_models_with_their_settings() {
    let roles = read(
        "[ground]\nmodel = 'UI-TARS'\nendpoint = 'http://localhost:1/v1'\ndialect = 'ollama'\ntemperature = 0.5\n\
         request-retries = 1\neffort = 'low'\nextra-body = { a = 1 }\n[embed]\nmodel = 'vectors'\napi-key-env = 'K'\n",
    );
    let roles = roles.unwrap();
    assert_eq!(roles.tables().map(|(role, _)| role).collect::<Vec<_>>(), [ModelRole::Ground, ModelRole::Embed]);
    let name = ModelName { endpoint: "http://localhost:1/v1".into(), model: "UI-TARS".into() };
    let ground = roles.ground.as_ref().unwrap().manner(&main());
    let options = ground.options(&name, &Preset::default());
    assert_eq!(
        (&options["dialect"], &options["temperature"], &options["effort"], &options["extra_body"]),
        (&json!("ollama"), &json!(0.5), &json!("low"), &json!({"a": 1}))
    );
    // The key of one endpoint is not sent to another.
    let debug = |table: &Option<RoleModel>| format!("{:?}", table.as_ref().unwrap().manner(&main()));
    assert!(debug(&roles.ground).contains("api_key_env: None"), "{}", debug(&roles.ground));
    assert!(debug(&roles.embed).contains("api_key_env: Some(\"K\")"));
    assert!(debug(&roles.embed).contains("dialect: Gemini") && roles.embed.unwrap().has_vectors(&main()));
    assert!(RolesArgs { roles: None }.read().unwrap().tables().next().is_none());
}

#[test]
fn what_is_no_such_file_is_refused() {
    for (text, part) in [
        ("[main]\nmodel = 'x'\n", "main"),
        ("[reflect]\n", "model"),
        ("[reflect]\nmodel = ' '\n", "the role reflect has no model"),
        ("[reflect]\nmodel = 'm'\ndialect = 'french'\n", "french"),
        ("[reflect]\nmodel = 'm'\ntemperature = 3\n", "0 to 2"),
        ("[reflect]\nmodel = 'm'\napi-key = 'secret'\n", "api-key"),
        ("reflect = 'm'\n", "reflect"),
        ("[reflect\n", "roles"),
    ] {
        let failure = read(text).unwrap_err();
        assert_eq!((failure.status(), failure.code()), (Status::Input, "roles_malformed"), "{text}");
        assert!(failure.text().contains(part) && !failure.text().contains("secret'"), "{}", failure.text());
    }
    let absent = RolesArgs { roles: Some("/nowhere/roles.toml".into()) };
    assert_eq!(absent.read().unwrap_err().code(), "roles_unreadable");
}

#[test]
fn the_temperature_is_0_where_a_model_takes_one() {
    assert_eq!((temperature("qwen3-vl"), temperature("openai/GPT-5-mini")), (Some(0.0), None));
}
