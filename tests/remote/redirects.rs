//! Redirects: what they may not take along, and where they may not lead.

use super::{Act, Object, Server, archive, reason, run};
use crate::util::{Dir, TestCommand, assert_says};

/// Returns a run over an archive of a host outside, which a proxy on the loopback address answers.
fn run_outside(dir: &Dir, proxy: &Server, words: &[&str]) -> TestCommand {
    let inside = "127.0.0.1,localhost,::1,[::1],::ffff:127.0.0.1,::ffff:7f00:1";
    run(&["http://archive.example/a.warc.gz"], &dir.path("census"))
        .words(words)
        .env("http_proxy", &proxy.url(""))
        .env("NO_PROXY", inside)
}

fn redirect(to: impl Into<String>) -> Object {
    Object::new("").always(Act::Redirect(to.into()))
}

#[test]
fn a_redirect_takes_neither_the_url_nor_credentials_to_another_host() {
    let (dir, first, second) = (Dir::new(), Server::start(), Server::start());
    first.put("/a.warc.gz", redirect(second.url("/b.warc.gz")));
    let cut = Object::new(archive(1)).script([Act::Cut(500)]);
    second.put("/b.warc.gz", cut);
    let url = first.url("/a.warc.gz?X-Amz-Signature=secret&X-Amz-Security-Token=secret");
    let url = url.replace("http://", "http://user:secret@");
    run(&[&url], &dir.path("census")).succeed();
    let to_first = &first.all_requests()[0].headers;
    assert!(to_first.contains_key("authorization"));
    let requests = second.all_requests();
    assert_eq!(requests.len(), 3);
    for request in requests {
        assert_eq!(request.path, "/b.warc.gz");
        let known = "accept accept-encoding host if-match range user-agent";
        for (name, value) in request.headers {
            assert!(known.split(' ').any(|known| known == name), "{name}");
            let is_secret = value.contains("secret") || value.contains("user");
            assert!(!is_secret, "{name}: {value}");
        }
    }
    // On the same host they are needed.
    first.put("/a.warc.gz", redirect("/c.warc.gz"));
    first.put("/c.warc.gz", Object::new(archive(1)));
    run(&[&url], &dir.path("census")).succeed();
    let requests = first.requests("GET", "/c.warc.gz");
    assert!(requests[0].headers.contains_key("authorization"));
    assert!(!requests[0].headers.contains_key("referer"));
}

#[test]
fn a_server_outside_does_not_redirect_to_an_address_inside() {
    let (dir, proxy, inside) = (Dir::new(), Server::start(), Server::start());
    inside.put("/secret", Object::new("TOKEN=secret of this machine"));
    inside.put("/a.warc.gz", Object::new(archive(1)));
    let port = inside.url("").rsplit_once(':').unwrap().1.to_owned();
    let lead = |to: &str| proxy.put("http://archive.example/a.warc.gz", redirect(to));
    for host in ["localhost", "2130706433"] {
        lead(&format!("http://{host}:{port}/secret"));
        let ran = run_outside(&dir, &proxy, &[]).end_with(1);
        let reason = reason(&dir, "census", 0);
        let says = "an address inside this network, which only the option allow-private permits";
        assert_says(&reason, says);
        assert!(!ran.stderr.contains("TOKEN"), "{host}: {}", ran.stderr);
    }
    assert_eq!(inside.all_requests().len(), 0);
    // By way of another host outside.
    lead("http://other.example/x");
    proxy.put("http://other.example/x", redirect(inside.url("/secret")));
    run_outside(&dir, &proxy, &[]).end_with(1);
    assert_eq!(inside.all_requests().len(), 0);
    let by_name = format!("http://localhost:{port}/a.warc.gz");
    for url in [inside.url("/a.warc.gz"), by_name] {
        lead(&url);
        run_outside(&dir, &proxy, &["--allow-private"]).succeed();
    }
    // What is not an archive is not quoted.
    lead(&inside.url("/secret"));
    let ran = run_outside(&dir, &proxy, &["--allow-private"]).end_with(1);
    let reason = reason(&dir, "census", 0);
    assert_says(&reason, "but found other text");
    assert!(!format!("{reason}{}", ran.stderr).contains("TOKEN"));
}

#[test]
fn a_redirect_to_what_is_not_http_is_refused_at_once() {
    let (dir, server) = (Dir::new(), Server::start());
    let of_scheme = |name| format!("to a URL of {name}://, expected https:// or http://");
    for (to, says) in [
        ("s3://bucket/a.warc.gz?secret", &*of_scheme("s3")),
        ("file:///etc/passwd", &of_scheme("file")),
        ("http://[", "to what is no URL"),
        ("/a.warc.gz", "more than 10 times"),
    ] {
        server.put("/a.warc.gz", redirect(to));
        run(&[&server.url("/a.warc.gz")], &dir.path("census")).end_with(1);
        let reason = reason(&dir, "census", 0);
        assert_says(&reason, &format!("redirects {says}"));
        let is_bad = reason.contains("secret") || reason.contains("in a row");
        assert!(!is_bad, "{reason}");
    }
}
