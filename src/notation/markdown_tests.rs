//! Tests of projects as Markdown.

use super::super::parse;
use super::*;

/// The headings of a text, with what is in their lines shortened to its kind.
fn shape(text: &str) -> Vec<String> {
    let mut inside = false;
    let mut lines = Vec::new();
    for line in text.lines() {
        if line.starts_with("```") {
            if !inside {
                lines.push("script".to_owned());
            }
            inside = !inside;
        } else if !inside && line.starts_with('#') {
            let (head, rest) = line.split_once(':').unwrap_or((line, ""));
            let kind = match rest.trim() {
                "" => "",
                rest if rest.starts_with("*No") => " none",
                rest if rest.starts_with("**") => " some",
                rest => panic!("{rest}"),
            };
            lines.push(format!("{head}{kind}"));
        }
    }
    lines
}

/// A project of the same parts as the paper's example, in words of our own.
const LIKE_THE_PAPERS: &str = "scratchbed project 1\n\nstage\n  backdrop \"bay\" file \"assets/stage/bay.svg\" center 240 180\n  \
    backdrop \"chart\" file \"assets/stage/chart.png\" center 480 360\n  sound \"bell\" file \"assets/stage/bell.wav\"\n  \
    variable \"depth\" = 0\n\nsprite \"Diver\"\n  costume \"a\" file \"assets/diver/a.svg\" center 0 0\n  \
    costume \"b\" file \"assets/diver/b.svg\" center 0 0\n  sound \"splash\" file \"assets/diver/splash.wav\"\n\n  script\n    \
    when green flag clicked\n    go to x: (0) y: (0)\n    broadcast (dive v)\n\n  script\n    when I receive [dive v]\n    \
    forever\n      say (join [X: ] (round (x position)))\n    end\n\nsprite \"Button\"\n  \
    costume \"button\" file \"assets/button/button.svg\" center 0 0\n\n  script\n    when this sprite clicked\n    hide\n";

#[test]
fn the_sections_are_those_of_the_papers_example() {
    let text = markdown(&parse(LIKE_THE_PAPERS).unwrap(), Bounds::NONE);
    let expected = [
        "## Stage (Stage)",
        "### Scripts none",
        "### Variables some",
        "### Costumes some",
        "### Sounds some",
        "## Diver (Sprite)",
        "### Scripts",
        "script",
        "script",
        "### Variables none",
        "### Costumes some",
        "### Sounds some",
        "## Button (Sprite)",
        "### Scripts",
        "script",
        "### Variables none",
        "### Costumes some",
        "### Sounds none",
    ];
    assert_eq!(shape(&text), expected, "{text}");
    for line in [
        "### Scripts: *No scripts found*",
        "### Variables: **depth**: 0",
        "### Costumes: **bay** (svg), **chart** (png)",
        "### Sounds: **bell** (wav)",
        "### Variables: *No variables*",
        "### Sounds: *No sounds*",
    ] {
        assert!(text.lines().any(|found| found == line), "{line} in\n{text}");
    }
    assert!(
        text.contains("```\nwhen I receive [dive v]\nforever\n  say (join [X: ] (round (x position)))\nend\n```\n"),
        "{text}"
    );
}

#[test]
fn names_and_values_never_pass_for_something_else() {
    let document = "scratchbed project 1\n\nstage\n  backdrop \"a\" file \"a.svg\" center 0 0\n  \
        variable \"a, **b**: 1\" = \"2\"\n  variable \"line\\n## Stage (Stage)\" = \"x\\ny\"\n  variable \" \" = \"\"\n  \
        variable \"half\" = 0.5\n  variable \"yes\" = true\n  list \"empty\"\n  list \"of odd things\"\n    \"a, b\"\n    1\n    \"1\"\n    \"[c]\"\n    \"d\"\n\n\
        sprite \"Ghost (Sprite)\"\n  costume \"`a`\" file \"b.svg\" center 0 0\n  comment \"first\\n```\\nsecond\" at 0 0 size 200 200\n\n  \
        script\n    when I start as a clone\n    say [\\`\\`\\`\\`]\n    delete this clone\n";
    let document = document.replace("\\`", "`");
    let text = markdown(&parse(&document).unwrap(), Bounds::NONE);
    for line in [
        r#"### Variables: **"a, **b**: 1"**: "2", **"line\n## Stage (Stage)"**: "x\ny", **" "**: "", **half**: 0.5, **yes**: true"#,
        r#"### Lists: **empty**: [], **of odd things**: ["a, b", 1, "1", "[c]", d]"#,
        r#"### Costumes: **"`a`"** (svg)"#,
        r#"### Comments: "first\n```\nsecond""#,
        "## Ghost (Sprite) (Sprite)",
        "`````",
    ] {
        assert!(text.lines().any(|found| found == line), "{line} in\n{text}");
    }
    let targets = text.lines().filter(|line| line.starts_with("## ")).count();
    assert_eq!(targets, 2, "{text}");
}

#[test]
fn long_values_are_cut_where_they_are_bounded() {
    let items: String = (0..50).flat_map(|n| ["    ".to_owned(), n.to_string(), "\n".to_owned()]).collect();
    let document = format!(
        "scratchbed project 1\n\nstage\n  backdrop \"a\" file \"a.svg\" center 0 0\n  variable \"ö\" = \"{}\"\n  list \"l\"\n{items}",
        "ö".repeat(30)
    );
    let document = parse(&document).unwrap();
    let text = markdown(&document, Bounds { items: 2, characters: 3 });
    assert!(text.contains("**ö**: ööö…\n") && text.contains("**l**: [0, 1, … 48 more]\n"), "{text}");
    assert!(markdown(&document, Bounds::NONE).contains("48, 49]"));
}

#[test]
fn my_blocks_say_when_they_run_without_screen_refresh() {
    let document = "scratchbed project 1\n\nstage\n  backdrop \"a\" file \"a.svg\" center 0 0\n\n  script without-refresh\n    \
        define fill (n) <round?>\n    repeat until <(n) > (3)>\n      if <round?> then\n        fill ((n) + (1)) <>\n      else\n        \
        stop [this script v]\n      end\n    end\n\n  script\n    (my variable)\n";
    let text = markdown(&parse(document).unwrap(), Bounds::NONE);
    assert!(text.contains("### Scripts:\nRuns without screen refresh:\n```\ndefine fill (n) <round?>\n"), "{text}");
    assert!(text.contains("  if <round?> then\n    fill ((n) + (1)) <>\n  else\n"), "{text}");
    assert!(text.contains("```\n(my variable)\n```\n"), "{text}");
}

#[test]
fn variables_and_lists_of_one_name_are_numbered_as_in_scripts() {
    let text = LIKE_THE_PAPERS.replace(
        "  variable \"depth\" = 0\n",
        "  variable \"depth\" = 0\n  variable \"depth\" #2 = 5\n  list \"log\"\n  list \"log\" #2\n",
    );
    let shown = markdown(&parse(&text).unwrap(), Bounds::NONE);
    assert!(shown.contains("### Variables: **depth**: 0, **depth #2**: 5"), "{shown}");
    assert!(shown.contains("### Lists: **log**: [], **log #2**: []"), "{shown}");
}
