//! What DuckDB needs to read a dataset in S3: its extension httpfs, and the configuration that this
//! program reads from the environment.

use std::env;

/// What discards output.
const NOWHERE: &str = if cfg!(windows) { "NUL" } else { "/dev/null" };
/// The region where the environment names none, as for all requests of this program.
const DEFAULT_REGION: &str = "us-east-1";

/// Returns the statements before those that read S3. They name the variables of credentials, not
/// their values, so that no message can show them.
pub fn access() -> String {
    let is_set = |name: &&&str| env::var_os(name).is_some_and(|value| !value.is_empty());
    let first = |names: &[&str]| {
        let name = names.iter().find(is_set)?;
        env::var(name).ok()
    };
    let region = first(&["AWS_REGION", "AWS_DEFAULT_REGION"]);
    let mut options = vec![
        "TYPE s3".to_owned(),
        format!(
            "REGION {}",
            quoted(region.as_deref().unwrap_or(DEFAULT_REGION))
        ),
    ];
    for (option, name) in [
        ("KEY_ID", "AWS_ACCESS_KEY_ID"),
        ("SECRET", "AWS_SECRET_ACCESS_KEY"),
        ("SESSION_TOKEN", "AWS_SESSION_TOKEN"),
    ] {
        if is_set(&&name) {
            options.push(format!("{option} getenv('{name}')"));
        }
    }
    let endpoint = first(&["AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL", "AWS_ENDPOINT"]);
    if let Some(endpoint) = endpoint {
        options.extend(of_endpoint(&endpoint));
    }
    // The statement has a row of its own.
    format!(
        "LOAD httpfs;\n.output {NOWHERE}\nCREATE OR REPLACE TEMPORARY SECRET robocensus ({});\n.output\n",
        options.join(", ")
    )
}

/// Returns the options for a service other than that of Amazon, by its URL.
fn of_endpoint(url: &str) -> [String; 3] {
    let (scheme, rest) = url.split_once("://").unwrap_or(("https", url));
    [
        format!("ENDPOINT {}", quoted(rest.trim_end_matches('/'))),
        "URL_STYLE 'path'".to_owned(),
        format!("USE_SSL {}", !scheme.eq_ignore_ascii_case("http")),
    ]
}

fn quoted(value: &str) -> String {
    format!("'{}'", value.replace('\'', "''"))
}

#[cfg(test)]
mod tests {
    #[test]
    fn an_endpoint_is_given_without_its_scheme() {
        let options = |url| super::of_endpoint(url).join(", ");
        assert_eq!(
            options("http://127.0.0.1:9000/"),
            "ENDPOINT '127.0.0.1:9000', URL_STYLE 'path', USE_SSL false"
        );
        assert_eq!(
            options("https://s3.example"),
            "ENDPOINT 's3.example', URL_STYLE 'path', USE_SSL true"
        );
    }
}
