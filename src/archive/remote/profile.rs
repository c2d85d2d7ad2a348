//! Profiles of the AWS CLI: credentials, a region and a store by the name of an account.
//!
//! They are in two files: `~/.aws/credentials` (`AWS_SHARED_CREDENTIALS_FILE`) has sections such as
//! `[name]`, `~/.aws/config` (`AWS_CONFIG_FILE`) such as `[profile name]`. `AWS_PROFILE` names the
//! profile; `default` is read otherwise. Keys stand in the files; what a profile says of roles and
//! single sign-on, by which keys are requested, is not followed.

use std::{collections::HashMap, env, fs, path::PathBuf, sync::Arc};

use object_store::{
    StaticCredentialProvider,
    aws::{AwsCredential, AwsCredentialProvider},
};

/// The profile where the environment names none.
const DEFAULT: &str = "default";

/// What is read of a profile.
pub(super) struct Profile {
    pub(super) credentials: Option<AwsCredentialProvider>,
    pub(super) region: Option<String>,
    /// The URL of a store other than that of AWS.
    pub(super) endpoint: Option<String>,
}

type Section = HashMap<String, String>;

/// Reads the profile that the environment names, or the default one, which may be absent.
///
/// # Errors
///
/// A profile that is named and is not there.
pub(super) fn read() -> Result<Profile, String> {
    let named = ["AWS_PROFILE", "AWS_DEFAULT_PROFILE"]
        .into_iter()
        .find_map(variable);
    let name = named.as_deref().unwrap_or(DEFAULT);
    let files = [
        ("AWS_SHARED_CREDENTIALS_FILE", "credentials"),
        ("AWS_CONFIG_FILE", "config"),
    ]
    .map(|(file, usual)| path(file, usual));
    let [credentials, config] = files.each_ref().map(|path| {
        let text = path.as_ref().and_then(|path| fs::read_to_string(path).ok());
        text.unwrap_or_default()
    });
    let of_credentials = section(&credentials, |title| title == name);
    let of_config = section(&config, |title| {
        let profile = title.strip_prefix("profile");
        let profile = profile.filter(|rest| rest.starts_with([' ', '\t']));
        profile.map(str::trim_start) == Some(name) || name == DEFAULT && title == DEFAULT
    });
    if let (Some(name), None, None) = (&named, &of_credentials, &of_config) {
        let files = files
            .iter()
            .flatten()
            .map(|path| path.display().to_string());
        return Err(format!(
            "expected the profile {name}, which AWS_PROFILE names, in {}, but found none",
            files.collect::<Vec<_>>().join(" or ")
        ));
    }
    let sections = [of_credentials, of_config].map(Option::unwrap_or_default);
    Ok(Profile::from_sections(&sections))
}

impl Profile {
    /// Returns the profile of some sections, of which the first that has keys counts.
    fn from_sections(sections: &[Section]) -> Self {
        let value = |section: &Section, key: &str| {
            let value = section.get(key).filter(|value| !value.is_empty());
            value.cloned()
        };
        let credentials = sections.iter().find_map(|section| {
            let credentials = AwsCredential {
                key_id: value(section, "aws_access_key_id")?,
                secret_key: value(section, "aws_secret_access_key")?,
                token: value(section, "aws_session_token"),
            };
            Some(Arc::new(StaticCredentialProvider::new(credentials)) as _)
        });
        // The AWS CLI writes all but keys to the other file.
        let setting = |key| {
            let mut sections = sections.iter().rev();
            sections.find_map(|section| value(section, key))
        };
        Self {
            credentials,
            region: setting("region"),
            endpoint: setting("endpoint_url"),
        }
    }
}

fn variable(name: &str) -> Option<String> {
    env::var(name).ok().filter(|value| !value.is_empty())
}

fn path(variable_name: &str, usual: &str) -> Option<PathBuf> {
    let named = variable(variable_name).map(PathBuf::from);
    named.or_else(|| Some(env::home_dir()?.join(".aws").join(usual)))
}

/// Returns the values of the first section whose title is the one that is wanted.
fn section(text: &str, is_wanted: impl Fn(&str) -> bool) -> Option<Section> {
    let mut lines = text.lines();
    lines.find(|line| title(line).is_some_and(&is_wanted))?;
    let mut section = Section::new();
    let mut is_last_empty = false;
    for line in lines.take_while(|line| title(line).is_none()) {
        let is_nested = is_last_empty && line.starts_with([' ', '\t']);
        let is_comment = line.trim_start().starts_with(['#', ';']);
        if is_nested || is_comment {
            continue;
        }
        if let Some((key, value)) = line.split_once('=') {
            let value = value.trim();
            is_last_empty = value.is_empty();
            section.insert(key.trim().to_ascii_lowercase(), value.to_owned());
        }
    }
    Some(section)
}

/// Returns the title of a line that begins a section.
fn title(line: &str) -> Option<&str> {
    let (title, _) = line.trim_start().strip_prefix('[')?.split_once(']')?;
    Some(title.trim())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::archive::remote::store::block_on;

    #[test]
    fn a_section_has_its_own_values_only() {
        let text = "[default]\nregion=eu-west-1\n# [team]\n[profile  team] # ours\n\
                    AWS_Access_Key_Id = AKI\naws_secret_access_key=s/e+c=r\n\
                    s3 =\n  region = nested\nregion = eu-west-3\nendpoint_url = http://s3.example\n[other]\nregion=x\n";
        let team = section(text, |title| title == "profile  team").unwrap();
        let profile = Profile::from_sections(&[Section::new(), team]);
        let credentials = profile.credentials.unwrap();
        let credentials = block_on(credentials.get_credential()).unwrap();
        assert_eq!(credentials.key_id, "AKI");
        assert_eq!(credentials.secret_key, "s/e+c=r");
        assert_eq!(credentials.token, None);
        assert_eq!(profile.region.as_deref(), Some("eu-west-3"));
        assert_eq!(profile.endpoint.as_deref(), Some("http://s3.example"));
        assert!(section(text, |title| title == "team").is_none());
        let default = section(text, |title| title == "default").unwrap();
        let profile = Profile::from_sections(&[default]);
        assert!(profile.credentials.is_none());
        assert_eq!(profile.region.as_deref(), Some("eu-west-1"));
    }
}
