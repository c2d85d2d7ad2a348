//! HTTPS: a certificate must be trusted.

use std::{path::PathBuf, sync::Arc};

use rustls::{
    ServerConfig, ServerConnection, StreamOwned,
    crypto::ring,
    pki_types::{CertificateDer, PrivateKeyDer, pem::PemObject},
};

use super::{Object, Server, archive, reason, run};
use crate::util::{Dir, assert_says_all, package};

fn certificate(name: &str) -> PathBuf {
    package().join("tests/testdata/certificates").join(name)
}

/// Starts a server with the certificate of `localhost` that no system trusts.
fn server() -> Server {
    let chain = CertificateDer::from_pem_file(certificate("server.pem")).unwrap();
    let key = PrivateKeyDer::from_pem_file(certificate("server.key")).unwrap();
    let config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(vec![chain], key)
        .unwrap();
    let config = Arc::new(config);
    Server::start_with(move |connection| {
        StreamOwned::new(ServerConnection::new(config.clone()).unwrap(), connection)
    })
}

#[test]
fn a_certificate_is_trusted_where_its_authority_is() {
    let dir = Dir::new();
    let server = server();
    server.put("/a.warc.gz", Object::new(archive(1)));
    let url = server.url("/a.warc.gz");
    let url = url.replace("http://127.0.0.1", "https://localhost");
    run(&[&url], &dir.path("census")).end_with(1);
    let says = format!("the server's certificate is not trusted | {url} | SSL_CERT_FILE");
    assert_says_all(&reason(&dir, "census", 0), &says);
    let authority = certificate("authority.pem");
    run(&[&url], &dir.path("census"))
        .env("SSL_CERT_FILE", authority.to_str().unwrap())
        .succeed();
}
