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
    let refused = |what: &str, then: &str, now: &str| {
        let (before, data) = (before.display(), data.display());
        bail!(
            "--before {before}: {what} is {then} there and {now} in {data}, so that equal files would count as changed; run one of them again with the options of the other"
        )
    };
    let option = |of: &Value, name: &str| text(&of["options"][name]);
    let [now_schema, then_schema] = [&now, &then].map(|of| text(&of["schema_version"]));
    if now_schema != then_schema {
        return refused("the version of the tables", &then_schema, &now_schema);
    }
    for name in OF_FILES {
        let [now, then] = [&now, &then].map(|of| option(of, name));
        if now != then {
            return refused(name, &then, &now);
        }
    }
    let [all_now, all_then] = [&now, &then].map(|of| option(of, "dialects"));
    let first = |names: &str| names.split(',').next().unwrap_or_default().to_owned();
    if first(&all_now) != first(&all_then) {
        return refused("the reference dialect", &first(&all_then), &first(&all_now));
    }
    let [answers_now, answers_then] = [&now, &then].map(|of| option(of, "dialect_answers"));
    if all_now == all_then && answers_now != answers_then {
        let [now, then] =
            [answers_now, answers_then].map(|digest| format!("the one with the digest {digest}"));
        return refused(
            &format!("the definition of the dialects {all_now}"),
            &then,
            &now,
        );
    }
    if let Some(asked) = asked
        && let Some((folder, has)) = [(before, &all_then), (data, &all_now)]
            .into_iter()
            .find(|(_, names)| !names.split(',').any(|name| name == asked))
    {
        bail!(
            "--set dialect={asked}: {} has the dialects {has}, and both datasets need the one that is compared",
            folder.display()
        );
    }
    let [now_tool, then_tool] = [&now, &then].map(|of| text(&of["tool_version"]));
    let of_options = [
        ("dialects", "a dialect"),
        ("agents", "an agent"),
        ("urls", "a URL"),
    ];
    let limits = of_options.into_iter().filter_map(|(name, one)| {
        let [now, then] = [&now, &then].map(|of| option(of, name));
        (now != then).then(|| {
            format!("{name} are {then} there and {now} in --data: {one} that only one of them has is compared with nothing")
        })
    });
    let mut notes: Vec<String> = limits.collect();
    if now_tool != then_tool {
        notes.push(format!(
            "it was made by robocensus {then_tool}, and --data by {now_tool}: a change may be one of the program"
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
