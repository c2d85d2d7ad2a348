//! A server of HTTP/1.1 on the loopback address that does what it is told, also what it must not.

use std::{
    collections::{BTreeMap, VecDeque},
    io::{BufRead, BufReader, Read, Write},
    net::{Shutdown, TcpListener, TcpStream},
    sync::{Arc, Mutex},
    thread,
    time::{Duration, Instant},
};

/// What the server does with one request for bytes.
#[derive(Clone, Debug, Default)]
pub enum Act {
    /// Does as it should.
    #[default]
    Send,
    /// Closes the connection after so many bytes of the body.
    Cut(usize),
    /// Sends so many bytes and then nothing for a while.
    Stall(usize),
    /// Answers with a status and further header fields, and a body that says no.
    Refuse(u16, &'static str),
    /// Sends all bytes, whatever range is requested.
    IgnoreRange,
    /// Sends a part that begins one byte too late.
    WrongRange,
    /// Sends other bytes of the length that is requested.
    OtherBytes,
    /// Has another version from now on.
    Replace(Vec<u8>),
    /// Sends so many bytes without any length and closes the connection.
    NoLength(usize),
    /// Sends a byte now and then.
    Drip,
    /// Sends a page.
    Page,
    /// Redirects to a URL.
    Redirect(String),
    /// States a length that the bytes have not.
    Length(i128),
    /// Sends so many bytes in chunks with their end, whatever range is requested, and no length.
    Chunked(usize),
    /// Sends the bytes compressed, and cut after so many.
    Gzip(usize),
}

/// What is at a path.
#[derive(Clone, Default)]
pub struct Object {
    pub bytes: Vec<u8>,
    /// What identifies the version; replaced with it.
    pub etag: Option<String>,
    pub last_modified: Option<&'static str>,
    /// One for each request for bytes; then the server does as it should.
    pub script: VecDeque<Act>,
    /// Instead of the script, for every request.
    pub always: Option<Act>,
    /// Whether requests for the length are refused.
    pub has_no_head: bool,
}

/// A request that was made.
#[derive(Clone, Debug)]
pub struct Request {
    pub method: String,
    /// With the query.
    pub path: String,
    /// By names in lower case.
    pub headers: BTreeMap<String, String>,
    pub at: Instant,
}

#[derive(Default)]
struct State {
    objects: BTreeMap<String, Object>,
    requests: Vec<Request>,
}

/// A server, until the process ends.
pub struct Server {
    port: u16,
    state: Arc<Mutex<State>>,
}

impl Object {
    pub fn new(bytes: impl Into<Vec<u8>>) -> Self {
        let bytes = bytes.into();
        Self {
            etag: Some(etag(&bytes)),
            last_modified: Some("Sun, 06 Nov 1994 08:49:37 GMT"),
            bytes,
            ..Self::default()
        }
    }

    pub fn script(mut self, acts: impl IntoIterator<Item = Act>) -> Self {
        self.script = acts.into_iter().collect();
        self
    }

    pub fn always(mut self, act: Act) -> Self {
        self.always = Some(act);
        self
    }
}

/// Returns a tag that is that of no other bytes of the tests.
pub fn etag(bytes: &[u8]) -> String {
    let sum = bytes.iter().fold(0_u64, |sum, &byte| {
        sum.wrapping_mul(31).wrapping_add(byte.into())
    });
    format!("\"{}-{sum:x}\"", bytes.len())
}

impl Server {
    /// Starts a server; `wrap` makes of a connection what is spoken on it, such as TLS.
    pub fn start_with<S: Read + Write + 'static>(
        wrap: impl Fn(TcpStream) -> S + Send + Sync + 'static,
    ) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let state = Arc::new(Mutex::new(State::default()));
        let (shared, wrap) = (state.clone(), Arc::new(wrap));
        thread::spawn(move || {
            for connection in listener.incoming().map_while(Result::ok) {
                let (state, wrap) = (shared.clone(), wrap.clone());
                thread::spawn(move || {
                    let raw = connection.try_clone().unwrap();
                    // A client that leaves is no failure of a test.
                    let _ = answer(wrap(connection), &state);
                    let _ = raw.shutdown(Shutdown::Both);
                });
            }
        });
        Self { port, state }
    }

    pub fn start() -> Self {
        Self::start_with(|connection| connection)
    }

    pub fn put(&self, path: &str, object: Object) {
        let mut state = self.state.lock().unwrap();
        state.objects.insert(path.to_owned(), object);
    }

    pub fn url(&self, path: &str) -> String {
        format!("http://127.0.0.1:{}{path}", self.port)
    }

    /// Returns all requests, in their order.
    pub fn all_requests(&self) -> Vec<Request> {
        self.state.lock().unwrap().requests.clone()
    }

    /// Returns the requests of a method for a path.
    pub fn requests(&self, method: &str, path: &str) -> Vec<Request> {
        let mut requests = self.all_requests();
        requests.retain(|request| {
            // With any query.
            request.method == method && request.path.split('?').next() == Some(path)
        });
        requests
    }
}

fn answer<S: Read + Write>(connection: S, state: &Mutex<State>) -> std::io::Result<()> {
    let mut connection = BufReader::new(connection);
    let mut line = String::new();
    connection.read_line(&mut line)?;
    let mut words = line.split(' ').map(str::to_owned);
    let fields = connection.by_ref().lines().map_while(|line| {
        let line = line.ok()?;
        let (name, value) = line.split_once(':')?;
        Some((name.to_ascii_lowercase(), value.trim().to_owned()))
    });
    let request = Request {
        method: words.next().unwrap_or_default(),
        path: words.next().unwrap_or_default(),
        headers: fields.collect(),
        at: Instant::now(),
    };
    let is_head = request.method == "HEAD";
    let (object, act) = {
        let mut state = state.lock().unwrap();
        state.requests.push(request.clone());
        let path = request.path.split('?').next().unwrap_or_default();
        let Some(object) = state.objects.get_mut(path) else {
            return refuse(connection.get_mut(), 404, "", is_head);
        };
        let scripted = (!is_head).then(|| object.script.pop_front()).flatten();
        let act = object.always.clone().or(scripted).unwrap_or_default();
        if let Act::Replace(bytes) = &act {
            object.etag = object.etag.as_ref().map(|_| etag(bytes));
            object.bytes.clone_from(bytes);
        }
        (object.clone(), act)
    };
    let connection = connection.get_mut();
    if is_head && object.has_no_head {
        return refuse(connection, 405, "", true);
    }
    send(connection, &request, &object, &act)
}

fn refuse(to: &mut impl Write, status: u16, fields: &str, is_head: bool) -> std::io::Result<()> {
    let body = if is_head { "" } else { "no" };
    let head =
        format!("HTTP/1.1 {status} No\r\nContent-Length: 2\r\nConnection: close\r\n{fields}");
    write!(to, "{head}\r\n{body}")?;
    to.flush()
}

fn send(to: &mut impl Write, request: &Request, object: &Object, act: &Act) -> std::io::Result<()> {
    let is_head = request.method == "HEAD";
    let header = |name: &str| request.headers.get(name);
    match act {
        Act::Refuse(status, fields) => return refuse(to, *status, fields, is_head),
        Act::Redirect(url) => return refuse(to, 302, &format!("Location: {url}\r\n"), is_head),
        _ => {}
    }
    if header("if-match").is_some_and(|tag| Some(tag) != object.etag.as_ref()) {
        return refuse(to, 412, "", is_head);
    }
    let mut body = object.bytes.clone();
    let total = body.len();
    let range = header("range").filter(|_| !matches!(act, Act::IgnoreRange | Act::Chunked(_)));
    let range = range.and_then(|range| {
        let (first, last) = range.strip_prefix("bytes=")?.split_once('-')?;
        let last = last.parse().unwrap_or(usize::MAX).min(total - 1);
        Some((first.parse::<usize>().ok()?, last))
    });
    // Without a stated end, no bytes are a part too.
    let has_end = header("range").is_some_and(|range| !range.ends_with('-'));
    if has_end && range.is_some_and(|(first, _)| first >= total) {
        let size = format!("Content-Range: bytes */{total}\r\n");
        return refuse(to, 416, &size, is_head);
    }
    let mut head = "HTTP/1.1 200 OK\r\nConnection: close\r\n".to_owned();
    if let Some((first, last)) = range {
        let first = first + usize::from(matches!(act, Act::WrongRange));
        body = body[first..=last].to_vec();
        head = head.replace("200 OK", "206 Partial");
        head += &format!("Content-Range: bytes {first}-{last}/{total}\r\n");
    }
    let mut content_type = "application/octet-stream";
    let mut most = usize::MAX;
    match act {
        Act::Page => {
            body = b"<html>Sign in</html>".to_vec();
            content_type = "text/html; charset=utf-8";
        }
        Act::OtherBytes => body.fill(b'x'),
        Act::Chunked(bytes) => body.truncate(*bytes),
        Act::Cut(bytes) | Act::Stall(bytes) | Act::NoLength(bytes) => most = *bytes,
        Act::Gzip(bytes) => {
            body = crate::util::gzip(&body);
            most = *bytes;
            head += "Content-Encoding: gzip\r\n";
        }
        _ => {}
    }
    let fields = [
        ("Content-Type", Some(content_type)),
        ("ETag", object.etag.as_deref()),
        ("Last-Modified", object.last_modified),
    ];
    for (name, value) in fields {
        head += &value.map_or(String::new(), |value| format!("{name}: {value}\r\n"));
    }
    match act {
        Act::Chunked(_) => head += "Transfer-Encoding: chunked\r\n",
        Act::NoLength(_) => {}
        Act::Length(bytes) => head += &format!("Content-Length: {bytes}\r\n"),
        _ => head += &format!("Content-Length: {}\r\n", body.len()),
    }
    write!(to, "{head}\r\n")?;
    match act {
        _ if is_head => {}
        Act::Drip => {
            for byte in body.chunks(1).take(300) {
                to.write_all(byte)?;
                to.flush()?;
                thread::sleep(Duration::from_millis(50));
            }
        }
        Act::Chunked(_) => {
            for chunk in body.chunks(1000) {
                write!(to, "{:x}\r\n", chunk.len())?;
                to.write_all(&[chunk, b"\r\n"].concat())?;
            }
            to.write_all(b"0\r\n\r\n")?;
        }
        _ => to.write_all(&body[..most.min(body.len())])?,
    }
    to.flush()?;
    if matches!(act, Act::Stall(_)) && !is_head {
        thread::sleep(Duration::from_secs(5));
    }
    Ok(())
}
