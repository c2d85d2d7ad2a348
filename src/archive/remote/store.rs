//! Buckets of S3, and the runtime on which requests run.
//!
//! A bucket is configured by the variables that the AWS CLI reads, among them `AWS_ACCESS_KEY_ID`,
//! `AWS_SECRET_ACCESS_KEY`, `AWS_SESSION_TOKEN`, `AWS_REGION`, `AWS_DEFAULT_REGION`,
//! `AWS_ENDPOINT_URL` and `AWS_ENDPOINT_URL_S3`, and by its [profiles](super::profile). Without
//! credentials requests are not signed, as public buckets allow: the service that hands out
//! credentials on an instance of EC2 is asked only where `AWS_EC2_METADATA_DISABLED` is `false`,
//! since outside of one each run would wait for an answer that never comes.

use std::{
    collections::HashMap,
    env,
    pin::pin,
    sync::{
        Arc, LazyLock, Mutex, Once, PoisonError,
        atomic::{AtomicBool, Ordering::Relaxed},
    },
    time::Duration,
};

use futures_util::future::{Either, select};
#[cfg(feature = "cli")]
use object_store::aws::AwsCredential;
use object_store::{
    ClientOptions, RetryConfig,
    aws::{AmazonS3, AmazonS3Builder, AmazonS3ConfigKey},
    client::{HttpClient, HttpConnector},
    path::Path,
    signer::Signer,
};

use super::{
    profile::{self, Profile},
    url::{RemoteUrl, without_secrets},
};
use crate::archive::error::Error;

/// The name under which requests are made.
const USER_AGENT: &str = concat!("robocensus/", env!("CARGO_PKG_VERSION"));
/// Threads for requests: they copy bytes and decrypt, while the workers parse.
const THREADS: usize = 2;
/// The region where the environment names none. Common Crawl's bucket is there.
const DEFAULT_REGION: &str = "us-east-1";
/// How long a signed URL is good for: as long as a request may wait before it is sent.
const SIGNED_FOR: Duration = Duration::from_secs(15 * 60);
/// How long a request to a bucket is repeated where nothing answers, or 500 or 503 does.
const REPEATED_FOR: Duration = Duration::from_secs(60);
/// How long a connection may take: TCP itself would wait for minutes.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(30);
/// How long one request to a bucket may take, which is as long as for `object_store`.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(30);
/// Variables of credentials that precede those of a profile.
const BEFORE_PROFILE: [&str; 3] = [
    "AWS_ACCESS_KEY_ID",
    "AWS_SECRET_ACCESS_KEY",
    "AWS_WEB_IDENTITY_TOKEN_FILE",
];
/// Variables of credentials that count where a profile has none.
const AFTER_PROFILE: [&str; 2] = [
    "AWS_CONTAINER_CREDENTIALS_RELATIVE_URI",
    "AWS_CONTAINER_CREDENTIALS_FULL_URI",
];
/// The variable that, with the value `false`, says that this is an instance of EC2.
const NO_METADATA: &str = "AWS_EC2_METADATA_DISABLED";

/// Time between two checks of whether the run is stopped.
const TICK: Duration = Duration::from_millis(50);

static RUNTIME: LazyLock<tokio::runtime::Runtime> = LazyLock::new(|| {
    tokio::runtime::Builder::new_multi_thread()
        .worker_threads(THREADS)
        .thread_name("network")
        .enable_all()
        .build()
        .expect("threads can be started")
});

/// A bucket.
#[cfg_attr(
    not(feature = "cli"),
    allow(dead_code, reason = "only the command line runs other programs")
)]
#[derive(Clone)]
pub(crate) struct Bucket {
    pub(super) s3: Arc<AmazonS3>,
    is_anonymous: bool,
    pub(crate) region: String,
    /// The URL of a store other than that of AWS.
    pub(crate) endpoint: Option<String>,
}

/// Returns the bucket of a URL for a program that requests its objects by itself, and the
/// credentials by which it signs the requests; `None` where they are not signed.
///
/// # Errors
///
/// Those of [`open_bucket`], and credentials that a service does not give.
#[cfg(feature = "cli")]
pub(crate) fn s3_access(url: &str) -> Result<(Bucket, Option<Arc<AwsCredential>>), Error> {
    let url = RemoteUrl::parse(url)?;
    let (bucket, _) = open_bucket(&url)?;
    if bucket.is_anonymous {
        return Ok((bucket, None));
    }
    let credentials = block_on(bucket.s3.credentials().get_credential());
    let credentials = credentials
        .map_err(|e| Error::usage(format!("{url}: cannot get credentials of AWS: {e}")))?;
    Ok((bucket, Some(credentials)))
}

/// Waits for a future on the runtime of requests.
pub(crate) fn block_on<F: Future>(future: F) -> F::Output {
    RUNTIME.block_on(future)
}

/// Waits for a future until `stop` is set; `None` if that came first.
pub(super) async fn unless_stopped<F: Future>(future: F, stop: &AtomicBool) -> Option<F::Output> {
    let stopped = async {
        while !stop.load(Relaxed) {
            tokio::time::sleep(TICK).await;
        }
    };
    match select(pin!(future), pin!(stopped)).await {
        Either::Left((done, _)) => Some(done),
        Either::Right(_) => None,
    }
}

/// Runs a future on the runtime of requests.
pub(super) fn spawn<F>(future: F) -> tokio::task::JoinHandle<F::Output>
where
    F: Future<Output: Send + 'static> + Send + 'static,
{
    RUNTIME.spawn(future)
}

/// Returns the options of clients: none follows redirects, or tells a server of another.
pub(super) fn client_builder() -> reqwest::ClientBuilder {
    // A client for HTTPS expects a provider of cryptography.
    static INSTALLED: Once = Once::new();
    INSTALLED.call_once(|| {
        // An application that uses this library may have installed one before.
        let _ = rustls::crypto::ring::default_provider().install_default();
    });
    reqwest::Client::builder()
        .user_agent(USER_AGENT)
        .connect_timeout(CONNECT_TIMEOUT)
        .redirect(reqwest::redirect::Policy::none())
        .referer(false)
}

/// Returns true if and only if requests to S3 are not signed.
pub(super) fn is_anonymous() -> bool {
    let has_keys = profile().is_ok_and(|profile| profile.credentials.is_some());
    let mut variables = BEFORE_PROFILE.iter().chain(&AFTER_PROFILE);
    !has_keys && !variables.any(is_set) && !is_on_ec2()
}

fn is_on_ec2() -> bool {
    env::var(NO_METADATA).is_ok_and(|value| value.eq_ignore_ascii_case("false"))
}

/// Returns the profile of the AWS CLI, which is read once.
fn profile() -> Result<&'static Profile, String> {
    static PROFILE: LazyLock<Result<Profile, String>> = LazyLock::new(profile::read);
    PROFILE.as_ref().map_err(Clone::clone)
}

fn is_set(name: &&str) -> bool {
    env::var_os(name).is_some_and(|value| !value.is_empty())
}

/// Returns the URL at which `method` is allowed on an object of S3.
pub(super) async fn signed_url(
    url: &RemoteUrl,
    method: reqwest::Method,
) -> Result<reqwest::Url, Error> {
    let (bucket, path) = open_bucket(url)?;
    let signed = bucket.s3.signed_url(method, &path, SIGNED_FOR).await;
    let mut signed =
        signed.map_err(|e| Error::usage(format!("{url}: cannot sign a request: {e}")))?;
    if bucket.is_anonymous {
        signed.set_query(None);
    }
    Ok(signed)
}

/// Returns the bucket of a URL and the path in it; each bucket is opened once.
///
/// # Errors
///
/// A URL that is not in S3, a key that no file can have, and a configuration that cannot be used.
pub(super) fn open_bucket(url: &RemoteUrl) -> Result<(Bucket, Path), Error> {
    static BUCKETS: LazyLock<Mutex<HashMap<String, Bucket>>> = LazyLock::new(Mutex::default);
    let RemoteUrl::S3 { bucket: name, key } = url else {
        return Err(Error::usage(format!("{url}: expected s3://BUCKET/KEY")));
    };
    let path = Path::parse(key).map_err(|e| {
        Error::usage(format!(
            "{url}: expected a key of S3 without empty parts: {e}"
        ))
    })?;
    let mut buckets = BUCKETS.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(bucket) = buckets.get(name) {
        return Ok((bucket.clone(), path));
    }
    let bucket = build(name).map_err(|e| Error::usage(format!("{url}: cannot use S3: {e}")))?;
    buckets.insert(name.clone(), bucket.clone());
    Ok((bucket, path))
}

fn build(name: &str) -> Result<Bucket, String> {
    if is_set(&"AWS_ACCESS_KEY_ID") != is_set(&"AWS_SECRET_ACCESS_KEY") {
        return Err(
            "expected AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, but only one of them is set"
                .to_owned(),
        );
    }
    let profile = profile()?;
    let is_anonymous = is_anonymous();
    let mut builder = AmazonS3Builder::new();
    // As the builder reads the environment, but for variables that are empty: to the AWS CLI they
    // are not set.
    for (name, value) in env::vars_os() {
        if let (Some(name), Some(value)) = (name.to_str(), value.to_str())
            && name.starts_with("AWS_")
            && !value.is_empty()
            && let Ok(key) = name.to_ascii_lowercase().parse()
        {
            builder = builder.with_config(key, value);
        }
    }
    builder = builder
        .with_bucket_name(name)
        .with_retry(RetryConfig {
            retry_timeout: REPEATED_FOR,
            ..RetryConfig::default()
        })
        .with_http_connector(Connector);
    // `AWS_REGION` precedes `AWS_DEFAULT_REGION`, as in the AWS CLI; the builder takes the one that
    // it happens to read last.
    let region = first_set(&["AWS_REGION", "AWS_DEFAULT_REGION"]);
    let region = region.map(|(_, region)| region);
    let region = region.or_else(|| profile.region.clone());
    let region = region.unwrap_or_else(|| DEFAULT_REGION.to_owned());
    builder = builder.with_region(&region);
    let endpoint = ["AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL", "AWS_ENDPOINT"];
    let endpoint = first_set(&endpoint);
    let of_profile = || Some(("endpoint_url", profile.endpoint.clone()?));
    let endpoint = endpoint.or_else(of_profile);
    if let Some((variable, endpoint)) = &endpoint {
        let is_http = endpoint.starts_with("http://");
        let is_url = is_http || endpoint.starts_with("https://");
        if !is_url || endpoint.parse::<reqwest::Url>().is_err() {
            return Err(format!(
                "{variable}: expected a URL such as https://storage.example.com, but found {}",
                without_secrets(endpoint)
            ));
        }
        builder = builder.with_endpoint(endpoint).with_allow_http(is_http);
    }
    if is_anonymous {
        // With credentials of any kind the builder asks for no others.
        builder = builder
            .with_config(AmazonS3ConfigKey::AccessKeyId, "anonymous")
            .with_config(AmazonS3ConfigKey::SecretAccessKey, "anonymous")
            .with_skip_signature(true);
    } else if let Some(credentials) = &profile.credentials
        && !BEFORE_PROFILE.iter().any(is_set)
    {
        builder = builder.with_credentials(credentials.clone());
    }
    let s3 = builder.build().map_err(|e| e.to_string())?;
    Ok(Bucket {
        s3: Arc::new(s3),
        is_anonymous,
        region,
        endpoint: endpoint.map(|(_, endpoint)| endpoint),
    })
}

/// Makes the requests to S3 that are signed in their headers: those of a redirect would take the
/// token of a session along.
#[derive(Debug)]
struct Connector;

impl HttpConnector for Connector {
    fn connect(&self, _options: &ClientOptions) -> object_store::Result<HttpClient> {
        let client = client_builder()
            .http1_only()
            .timeout(REQUEST_TIMEOUT)
            .build();
        let client = client.map_err(|e| object_store::Error::Generic {
            store: "S3",
            source: e.into(),
        })?;
        Ok(HttpClient::new(client))
    }
}

/// Returns the first of some variables that is set, and its value.
fn first_set(names: &[&'static str]) -> Option<(&'static str, String)> {
    let name = *names.iter().find(|name| is_set(name))?;
    Some((name, env::var(name).ok()?))
}
