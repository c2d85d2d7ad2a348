//! What DuckDB needs to read a dataset in S3: its extension httpfs, and the configuration and the
//! credentials of this program.

use std::{path::Path, sync::OnceLock};

use robocensus::archive::remote::s3_access;

/// What discards output, and has no content.
pub const NOWHERE: &str = if cfg!(windows) { "NUL" } else { "/dev/null" };

/// The variables by which DuckDB gets the credentials, whatever this program has them from.
static VARIABLES: OnceLock<Vec<(&str, String)>> = OnceLock::new();

/// Returns those variables with their values, once [`access`] was called.
pub fn variables() -> impl Iterator<Item = (&'static str, &'static str)> {
    let variables = VARIABLES.get().into_iter().flatten();
    variables.map(|(name, value)| (*name, value.as_str()))
}

/// Returns the statements before those that read the bucket of a dataset. They name the variables
/// of credentials, not their values, so that no message can show them.
pub fn access(root: &Path) -> anyhow::Result<String> {
    let (bucket, credentials) = s3_access(&root.to_string_lossy())?;
    let mut options = vec![
        "TYPE s3".to_owned(),
        format!("REGION {}", quoted(&bucket.region)),
    ];
    let mut variables = Vec::new();
    if let Some(credentials) = &credentials {
        for (option, name, value) in [
            ("KEY_ID", "AWS_ACCESS_KEY_ID", Some(&credentials.key_id)),
            (
                "SECRET",
                "AWS_SECRET_ACCESS_KEY",
                Some(&credentials.secret_key),
            ),
            (
                "SESSION_TOKEN",
                "AWS_SESSION_TOKEN",
                credentials.token.as_ref(),
            ),
        ] {
            if let Some(value) = value {
                options.push(format!("{option} getenv('{name}')"));
                variables.push((name, value.clone()));
            }
        }
    }
    // All buckets have the same credentials.
    let _ = VARIABLES.set(variables);
    if let Some(endpoint) = &bucket.endpoint {
        options.extend(of_endpoint(endpoint));
    }
    // The statement has a row of its own.
    Ok(format!(
        "LOAD httpfs;\n.output {NOWHERE}\nCREATE OR REPLACE TEMPORARY SECRET robocensus ({});\n.output\n",
        options.join(", ")
    ))
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
