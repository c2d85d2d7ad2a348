//! Credentials of S3: variables, and profiles of the AWS CLI.

use super::{Object, Server, archive, reason, run};
use crate::util::{Dir, TestCommand, assert_says_all};

const CREDENTIALS: &str = "[default]
aws_access_key_id = AKIDEFAULT
aws_secret_access_key = secret

[team] # of two files
aws_access_key_id=AKITEAM
aws_secret_access_key=sec/r+et=
aws_session_token=token
";
const CONFIG: &str = "[default]\nregion = eu-west-1\n\n[profile team]\nregion = eu-west-3\n\n[profile role]\nrole_arn = x\n";

/// Returns a run over an archive of a bucket with two files of profiles.
fn run_on_s3(dir: &Dir, server: &Server) -> TestCommand {
    let credentials = dir.write("credentials", CREDENTIALS);
    run(&["s3://bucket/a.warc.gz"], &dir.path("census"))
        .env("AWS_ENDPOINT_URL", &server.url(""))
        .env("AWS_SHARED_CREDENTIALS_FILE", &credentials)
        .env("AWS_CONFIG_FILE", &dir.write("config", CONFIG))
}

/// Returns a folder, and a server with the archive of the bucket.
fn dir_and_server() -> (Dir, Server) {
    let server = Server::start();
    server.put("/bucket/a.warc.gz", Object::new(archive(1)));
    (Dir::new(), server)
}

/// Variables, and what the request then has.
const SIGNED: &str = "\
: =AKIDEFAULT%2F | %2Feu-west-1%2F
AWS_PROFILE=team: =AKITEAM%2F | %2Feu-west-3%2F | Security-Token=token
AWS_PROFILE=team AWS_REGION=eu-north-1: =AKITEAM%2F | %2Feu-north-1%2F
AWS_ACCESS_KEY_ID=AKIVAR AWS_SECRET_ACCESS_KEY=s: =AKIVAR%2F | %2Feu-west-1%2F";

#[test]
fn keys_and_region_are_those_of_the_profile_unless_variables_name_others() {
    let (dir, server) = dir_and_server();
    let mut n_requests = 0;
    let mut signature_of = |variables: &str| {
        let mut command = run_on_s3(&dir, &server);
        for variable in variables.split_whitespace() {
            let (name, value) = variable.split_once('=').unwrap();
            command = command.env(name, value);
        }
        command.succeed();
        let requests = server.requests("GET", "/bucket/a.warc.gz");
        n_requests += 1;
        assert_eq!(requests.len(), n_requests);
        requests[n_requests - 1].path.clone()
    };
    for line in SIGNED.lines() {
        let (variables, says) = line.split_once(": ").unwrap();
        assert_says_all(&signature_of(variables), says);
    }
    // One without keys, as of single sign-on.
    assert!(!signature_of("AWS_PROFILE=role").contains("X-Amz"));
}

#[test]
fn a_profile_that_is_not_there_is_named_with_the_files() {
    let (dir, server) = dir_and_server();
    let command = run_on_s3(&dir, &server).env("AWS_PROFILE", "absent");
    let ran = command.end_with(1);
    let says = "the profile absent | AWS_PROFILE | /credentials | /config";
    assert_says_all(&reason(&dir, "census", 0), says);
    assert!(!ran.stderr.contains("sec"), "{}", ran.stderr);
}

#[test]
fn an_instance_of_ec2_is_asked_for_its_role_where_the_environment_says_that_it_is_one() {
    let (dir, server) = dir_and_server();
    let roles = "/latest/meta-data/iam/security-credentials/";
    let keys = r#"{"AccessKeyId": "AKIROLE", "SecretAccessKey": "s", "Token": "token",
                   "Expiration": "2099-01-01T00:00:00Z"}"#;
    server.put("/latest/api/token", Object::new("session"));
    server.put(roles, Object::new("role"));
    server.put(&format!("{roles}role"), Object::new(keys));
    let run = || {
        let command = run_on_s3(&dir, &server).env("AWS_PROFILE", "role");
        command.env("AWS_METADATA_ENDPOINT", &server.url(""))
    };
    run().succeed();
    assert!(server.requests("PUT", "/latest/api/token").is_empty());
    run().env("AWS_EC2_METADATA_DISABLED", "false").succeed();
    let requests = server.requests("GET", "/bucket/a.warc.gz").into_iter();
    let signed = requests.map(|request| request.path.contains("=AKIROLE%2F"));
    assert_eq!(signed.collect::<Vec<_>>(), [false, true]);
}
