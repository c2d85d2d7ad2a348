//! Whether two datasets can be compared: what their options make of one file must be the same, or a
//! file that is the same in both would count as changed.

use std::path::Path;

use anyhow::bail;
use robocensus::dataset::sink::Dataset;
use serde_json::Value;

/// Options by which one file gives other rows.
const OF_FILES: [&str; 6] = [
    "max_body",
    "max_header",
    "max_block",
    "max_member",
    "whole_member",
    "redirect_window",
];

/// Refuses an earlier dataset of options that make a difference where there is none, and returns
/// notes on what only limits what can be compared; `asked` is the dialect that is asked for.
pub fn check_before(
    data: &Path,
    before: &Path,
    asked: Option<&str>,
) -> anyhow::Result<Vec<String>> {
    let [now, then] = [
        Dataset::read_description(data)?,
        Dataset::read_description(before)?,
    ];
    let field = |name: &str| [&now, &then].map(|of| text(&of[name]));
    let option = |name: &str| [&now, &then].map(|of| text(&of["options"][name]));
    let dialects = option("dialects");
    let reference = |names: &String| names.split(',').next().unwrap_or_default().to_owned();
    let mut must_equal = vec![("the version of the tables", field("schema_version"))];
    must_equal.extend(OF_FILES.map(|name| (name, option(name))));
    must_equal.push(("the reference dialect", dialects.each_ref().map(reference)));
    let definition = format!("the definition of the dialects {}", dialects[0]);
    if dialects[0] == dialects[1] {
        let answers = option("dialect_answers");
        let answers = answers.map(|digest| format!("the one with the digest {digest}"));
        must_equal.push((&definition, answers));
    }
    if let Some((what, [now, then])) = must_equal.iter().find(|(_, [now, then])| now != then) {
        let (before, data) = (before.display(), data.display());
        bail!(
            "--before {before}: {what} is {then} there and {now} in {data}, so that equal files would count as changed; run one of them again with the options of the other"
        );
    }
    let [all_now, all_then] = &dialects;
    if let Some(asked) = asked
        && let Some((folder, has)) = [(before, all_then), (data, all_now)]
            .into_iter()
            .find(|(_, names)| !names.split(',').any(|name| name == asked))
    {
        bail!(
            "--set dialect={asked}: {} has the dialects {has}, and both datasets need the one that is compared",
            folder.display()
        );
    }
    let mut notes = Vec::new();
    for (name, one) in [
        ("dialects", "a dialect"),
        ("agents", "an agent"),
        ("urls", "a URL"),
    ] {
        let [now, then] = option(name);
        if now != then {
            notes.push(format!(
                "{name} are {then} there and {now} in --data: {one} that only one of them has is compared with nothing"
            ));
        }
    }
    let [now, then] = field("tool_version");
    if now != then {
        notes.push(format!(
            "it was made by robocensus {then}, and --data by {now}: a change may be one of the program"
        ));
    }
    Ok(notes)
}

/// Returns an option as text; one that is not set is "not set".
fn text(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Null => "not set".to_owned(),
        value => value.to_string(),
    }
}
