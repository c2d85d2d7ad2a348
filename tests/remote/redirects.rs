//! Redirects: what they may not take along, and where they may not lead.

use super::{Act, Object, Server, archive, run};
use crate::util::{Census, Dir, TestCommand};

/// Returns a run over an archive of a host outside, which a proxy on the loopback address answers.
fn run_outside(dir: &Dir, proxy: &Server, words: &[&str]) -> TestCommand {
    run(&["http://archive.example/a.warc.gz"], &dir.path("census"))
        .words(words)
        .env("http_proxy", &proxy.url(""))
        .env(
            "NO_PROXY",
            "127.0.0.1,localhost,::1,[::1],::ffff:127.0.0.1,::ffff:7f00:1",
        )
}

fn reason(dir: &Dir) -> String {
    let rows = Census(dir.path("census")).table("archives");
    rows.texts("incomplete_reason")[0].clone().unwrap()
}

#[test]
fn a_redirect_takes_neither_the_url_nor_credentials_to_another_host() {
    let (dir, first, second) = (Dir::new(), Server::start(), Server::start());
    let redirect = Object::new("").always(Act::Redirect(second.url("/b.warc.gz")));
    first.put("/a.warc.gz", redirect);
    second.put(
        "/b.warc.gz",
        Object::new(archive(1)).script([Act::Cut(500)]),
    );
    let url = first.url("/a.warc.gz?X-Amz-Signature=secret&X-Amz-Security-Token=secret");
    let url = url.replace("http://", "http://user:secret@");
    run(&[&url], &dir.path("census")).succeed();
    assert!(
        first.all_requests()[0]
            .headers
            .contains_key("authorization")
    );
    let requests = second.all_requests();
    assert_eq!(requests.len(), 3);
    for request in requests {
        assert_eq!(request.path, "/b.warc.gz");
        let names: Vec<&str> = request.headers.keys().map(String::as_str).collect();
        let known = [
            "accept",
            "accept-encoding",
            "host",
            "if-match",
            "range",
            "user-agent",
        ];
        assert!(names.iter().all(|name| known.contains(name)), "{names:?}");
        let values: Vec<_> = request.headers.values().collect();
        let is_secret = |value: &&&String| value.contains("secret") || value.contains("user");
        assert_eq!(values.iter().find(is_secret), None);
    }
    // On the same host they are needed.
    first.put(
        "/a.warc.gz",
        Object::new("").always(Act::Redirect("/c.warc.gz".to_owned())),
    );
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
    let redirect = |to: &str| {
        let object = Object::new("").always(Act::Redirect(to.to_owned()));
        proxy.put("http://archive.example/a.warc.gz", object);
    };
    for host in ["localhost", "2130706433"] {
        redirect(&format!("http://{host}:{port}/secret"));
        let ran = run_outside(&dir, &proxy, &[]).end_with(1);
        let reason = reason(&dir);
        let says = "an address inside this network, which only the option allow-private permits";
        assert!(reason.contains(says), "{host}: {reason}");
        assert!(!ran.stderr.contains("TOKEN"), "{host}: {}", ran.stderr);
    }
    assert_eq!(inside.all_requests().len(), 0);
    // By way of another host outside.
    redirect("http://other.example/x");
    let object = Object::new("").always(Act::Redirect(inside.url("/secret")));
    proxy.put("http://other.example/x", object);
    run_outside(&dir, &proxy, &[]).end_with(1);
    assert_eq!(inside.all_requests().len(), 0);
    for url in [
        inside.url("/a.warc.gz"),
        format!("http://localhost:{port}/a.warc.gz"),
    ] {
        redirect(&url);
        run_outside(&dir, &proxy, &["--allow-private"]).succeed();
    }
    // What is not an archive is not quoted.
    redirect(&inside.url("/secret"));
    let ran = run_outside(&dir, &proxy, &["--allow-private"]).end_with(1);
    let reason = reason(&dir);
    assert!(reason.contains("but found other text"), "{reason}");
    assert!(!format!("{reason}{}", ran.stderr).contains("TOKEN"));
}

#[test]
fn a_redirect_to_what_is_not_http_is_refused_at_once() {
    let (dir, server) = (Dir::new(), Server::start());
    for (to, says) in [
        (
            "s3://bucket/a.warc.gz?secret",
            "redirects to a URL of s3://, expected https:// or http://",
        ),
        (
            "file:///etc/passwd",
            "redirects to a URL of file://, expected https:// or http://",
        ),
        ("http://[", "redirects to what is no URL"),
        ("/a.warc.gz", "redirects more than 10 times"),
    ] {
        server.put(
            "/a.warc.gz",
            Object::new("").always(Act::Redirect(to.to_owned())),
        );
        run(&[&server.url("/a.warc.gz")], &dir.path("census")).end_with(1);
        let reason = reason(&dir);
        assert!(reason.contains(says), "{reason}");
        assert!(
            !reason.contains("secret") && !reason.contains("in a row"),
            "{reason}"
        );
    }
}
