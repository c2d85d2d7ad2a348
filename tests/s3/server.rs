//! A server of S3 on the loopback address (moto, in Python), and buckets as the tests see them.

use std::{
    collections::BTreeMap,
    io::{BufRead, BufReader, Read, Write},
    net::TcpStream,
    process::{Child, Stdio},
    sync::{
        LazyLock,
        atomic::{AtomicUsize, Ordering::Relaxed},
    },
};

use crate::util::{TestCommand, needed, package, python, run};

/// The credentials of the tests; no message may show the second.
pub const KEY_ID: &str = "AKIATESTTESTTESTTEST";
pub const SECRET: &str = "secret-of-the-tests";

/// A server, which ends with the process that started it.
pub struct Server {
    pub port: u16,
    /// Its standard input: the server ends when that is closed.
    _child: Child,
}

/// Returns the server that the tests share; `None`, with a line that says so, where moto is not
/// installed.
pub fn server() -> Option<&'static Server> {
    static SERVER: LazyLock<Option<Server>> = LazyLock::new(|| Server::begin(&[]));
    needed(SERVER.is_some(), "moto for Python")?;
    SERVER.as_ref()
}

impl Server {
    pub fn begin(variables: &[(&str, &str)]) -> Option<Self> {
        let mut child = python()
            .arg(package().join("tests/s3/server.py"))
            .envs(variables.iter().copied())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .ok()?;
        let mut line = String::new();
        let output = child.stdout.take().unwrap();
        BufReader::new(output).read_line(&mut line).unwrap();
        Some(Self {
            port: line.trim().parse().ok()?,
            _child: child,
        })
    }

    /// Makes a bucket that no other test has.
    pub fn bucket(&'static self) -> Bucket {
        static NUMBER: AtomicUsize = AtomicUsize::new(0);
        let name = format!("bucket-{}", NUMBER.fetch_add(1, Relaxed));
        let bucket = Bucket { server: self, name };
        assert_eq!(bucket.request("PUT", "", b"").0, 200);
        bucket
    }

    /// Returns a command with the variables by which this server is reached.
    pub fn environment(&self, mut command: TestCommand) -> TestCommand {
        for (name, value) in self.variables() {
            command = command.env(name, &value);
        }
        command
    }

    pub fn variables(&self) -> [(&'static str, String); 3] {
        let endpoint = format!("http://127.0.0.1:{}", self.port);
        [
            ("AWS_ENDPOINT_URL", endpoint),
            ("AWS_ACCESS_KEY_ID", KEY_ID.to_owned()),
            ("AWS_SECRET_ACCESS_KEY", SECRET.to_owned()),
        ]
    }
}

pub struct Bucket {
    server: &'static Server,
    name: String,
}

impl Bucket {
    /// Returns a bucket that is not there.
    pub fn absent(server: &'static Server) -> Self {
        let name = "absent".to_owned();
        Self { server, name }
    }

    pub fn url(&self, prefix: &str) -> String {
        format!("s3://{}/{prefix}", self.name)
    }

    /// Returns the program with words that are separated by spaces.
    pub fn line(&self, words: &str) -> TestCommand {
        self.server.environment(TestCommand::line(words))
    }

    /// Returns the program with a command on a prefix.
    pub fn on(&self, prefix: &str, command: &str) -> TestCommand {
        self.line(&format!("{command} {}", self.url(prefix)))
    }

    /// Returns `robocensus run` into a prefix.
    pub fn run<S: AsRef<str>>(&self, words: &[S], prefix: &str) -> TestCommand {
        let command = run(words).words(&["--out", &self.url(prefix)]);
        self.server.environment(command)
    }

    pub fn names(&self, prefix: &str) -> Vec<String> {
        let (_, answer) = self.request("GET", &format!("?list-type=2&prefix={prefix}/"), b"");
        let answer = String::from_utf8(answer).unwrap();
        assert!(!answer.contains("<IsTruncated>true"), "more than 1,000");
        let keys = answer.split("<Key>").skip(1);
        let names = keys.filter_map(|key| key.split('<').next()?.strip_prefix(prefix));
        names.map(|name| name[1..].to_owned()).collect()
    }

    pub fn files(&self, prefix: &str) -> BTreeMap<String, Vec<u8>> {
        let read = |name: String| {
            let (status, bytes) = self.request("GET", &format!("{prefix}/{name}"), b"");
            assert_eq!(status, 200, "{name}");
            (name, bytes)
        };
        self.names(prefix).into_iter().map(read).collect()
    }

    pub fn put(&self, key: &str, bytes: &[u8]) {
        assert_eq!(self.request("PUT", key, bytes).0, 200, "{key}");
    }

    pub fn delete(&self, key: &str) {
        assert_eq!(self.request("DELETE", key, b"").0, 204, "{key}");
    }

    /// Returns the number of uploads in parts that have begun and not ended.
    pub fn n_uploads(&self) -> usize {
        let (_, answer) = self.request("GET", "?uploads", b"");
        let answer = String::from_utf8(answer).unwrap();
        answer.matches("<UploadId>").count()
    }

    fn request(&self, method: &str, key: &str, body: &[u8]) -> (u16, Vec<u8>) {
        let port = self.server.port;
        let mut stream = TcpStream::connect(("127.0.0.1", port)).unwrap();
        // The server looks for a signature, and does not check it.
        let head = format!(
            "{method} /{}/{key} HTTP/1.0\r\nHost: 127.0.0.1:{port}\r\nContent-Length: {}\r\n\
             Authorization: AWS4-HMAC-SHA256 Credential={KEY_ID}/20260101/us-east-1/s3/aws4_request, \
             SignedHeaders=host, Signature=0\r\n\r\n",
            self.name,
            body.len()
        );
        stream.write_all(head.as_bytes()).unwrap();
        stream.write_all(body).unwrap();
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).unwrap();
        let end = memchr::memmem::find(&answer, b"\r\n\r\n").unwrap();
        let body = answer.split_off(end + 4);
        let head = String::from_utf8(answer).unwrap();
        (head.split(' ').nth(1).unwrap().parse().unwrap(), body)
    }
}
