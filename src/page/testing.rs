//! What unit tests share that read pages.

use super::{Page, Statement};

/// Returns a statement as a line, in which `!` precedes one that cannot be read.
pub(crate) fn shown(page: &Page, statement: &Statement) -> String {
    let mark = if statement.is_valid { "" } else { "!" };
    let value = statement
        .value
        .map(|value| format!("={}", page.text(value)));
    let finding = statement
        .finding
        .map(|finding| format!(" {}", finding.as_str()));
    format!(
        "{mark}{} {} {} {}{}{}",
        statement.source.as_str(),
        statement.place.as_str(),
        page.text(statement.agent_token),
        page.text(statement.directive_name),
        value.unwrap_or_default(),
        finding.unwrap_or_default(),
    )
}
