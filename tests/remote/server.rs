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
#[derive(Clone, Debug)]
pub enum Act {
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
    /// Sends the bytes in chunks, without their length.
    Chunked,
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
    /// Sends so many bytes in chunks, with their end.
    ChunkedCut(usize),
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
    let mut request = Request {
        method: words.next().unwrap_or_default(),
        path: words.next().unwrap_or_default(),
        headers: BTreeMap::new(),
        at: Instant::now(),
    };
    loop {
        let mut line = String::new();
        connection.read_line(&mut line)?;
        let Some((name, value)) = line.trim_end().split_once(':') else {
            break;
        };
        let name = name.to_ascii_lowercase();
        request.headers.insert(name, value.trim().to_owned());
    }
    let is_head = request.method == "HEAD";
    let (object, act) = {
        let mut state = state.lock().unwrap();
        state.requests.push(request.clone());
        let path = request.path.split('?').next().unwrap_or_default();
        let Some(object) = state.objects.get_mut(path) else {
            return refuse(connection.get_mut(), 404, "", is_head);
        };
        let scripted = (!is_head).then(|| object.script.pop_front()).flatten();
        let act = object.always.clone().or(scripted);
        if let Some(Act::Replace(bytes)) = &act {
            object.etag = object.etag.as_ref().map(|_| etag(bytes));
            object.bytes.clone_from(bytes);
        }
        (object.clone(), act)
    };
    let connection = connection.get_mut();
    if is_head && object.has_no_head {
        return refuse(connection, 405, "", true);
    }
    send(connection, &request, &object, act)
}

fn refuse(to: &mut impl Write, status: u16, fields: &str, is_head: bool) -> std::io::Result<()> {
    let body = if is_head { "" } else { "no" };
    write!(
        to,
        "HTTP/1.1 {status} No\r\nContent-Length: 2\r\nConnection: close\r\n{fields}\r\n{body}"
    )?;
    to.flush()
}

fn send(
    to: &mut impl Write,
    request: &Request,
    object: &Object,
    act: Option<Act>,
) -> std::io::Result<()> {
    let is_head = request.method == "HEAD";
    let header = |name: &str| request.headers.get(name);
    if let Some(Act::Refuse(status, fields)) = act {
        return refuse(to, status, fields, is_head);
    }
    if let Some(Act::Redirect(url)) = act {
        return refuse(to, 302, &format!("Location: {url}\r\n"), is_head);
    }
    if header("if-match").is_some_and(|tag| Some(tag) != object.etag.as_ref()) {
        return refuse(to, 412, "", is_head);
    }
    let mut body = object.bytes.clone();
    let total = body.len();
    let has_ranges = !matches!(act, Some(Act::IgnoreRange | Act::ChunkedCut(_)));
    let range = header("range").filter(|_| has_ranges);
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
    let mut head = match range {
        Some((first, last)) => {
            let late = usize::from(matches!(act, Some(Act::WrongRange)));
            body = body[first + late..=last].to_vec();
            format!(
                "HTTP/1.1 206 Partial\r\nContent-Range: bytes {}-{last}/{total}\r\n",
                first + late
            )
        }
        None => "HTTP/1.1 200 OK\r\n".to_owned(),
    };
    let mut content_type = "application/octet-stream";
    let mut most = usize::MAX;
    match act {
        Some(Act::Page) => {
            body = b"<html>Sign in</html>".to_vec();
            content_type = "text/html; charset=utf-8";
        }
        Some(Act::OtherBytes) => body.fill(b'x'),
        Some(Act::ChunkedCut(bytes)) => body.truncate(bytes),
        Some(Act::Cut(bytes) | Act::Stall(bytes) | Act::NoLength(bytes)) => most = bytes,
        Some(Act::Gzip(bytes)) => {
            body = crate::util::gzip(&body);
            most = bytes;
        }
        _ => {}
    }
    most = most.min(body.len());
    if let Some(etag) = &object.etag {
        head.push_str(&format!("ETag: {etag}\r\n"));
    }
    if let Some(date) = object.last_modified {
        head.push_str(&format!("Last-Modified: {date}\r\n"));
    }
    match act {
        Some(Act::Chunked | Act::ChunkedCut(_)) => {
            head.push_str("Transfer-Encoding: chunked\r\n");
        }
        Some(Act::NoLength(_)) => {}
        Some(Act::Length(bytes)) => head.push_str(&format!("Content-Length: {bytes}\r\n")),
        _ => head.push_str(&format!("Content-Length: {}\r\n", body.len())),
    }
    if let Some(Act::Gzip(_)) = act {
        head.push_str("Content-Encoding: gzip\r\n");
    }
    write!(
        to,
        "{head}Content-Type: {content_type}\r\nConnection: close\r\n\r\n"
    )?;
    if is_head {
        return to.flush();
    }
    if let Some(Act::Drip) = act {
        for byte in body.chunks(1).take(300) {
            to.write_all(byte)?;
            to.flush()?;
            thread::sleep(Duration::from_millis(50));
        }
        return Ok(());
    }
    if let Some(Act::Chunked | Act::ChunkedCut(_)) = act {
        for chunk in body.chunks(1000) {
            write!(to, "{:x}\r\n", chunk.len())?;
            to.write_all(chunk)?;
            to.write_all(b"\r\n")?;
        }
        to.write_all(b"0\r\n\r\n")?;
    } else {
        to.write_all(&body[..most])?;
    }
    to.flush()?;
    if let Some(Act::Stall(_)) = act {
        thread::sleep(Duration::from_secs(5));
    }
    Ok(())
}
