//! The program on a terminal.

use std::process::{Command, Stdio};

/// A terminal of 60 columns that shows what is written to it and answers nothing, as those of build
/// servers do.
const TERMINAL: &str = "
import fcntl, os, pty, struct, sys, termios
child, terminal = pty.fork()
if child == 0:
    fcntl.ioctl(1, termios.TIOCSWINSZ, struct.pack('HHHH', 24, 60, 0, 0))
    os.execv(sys.argv[1], sys.argv[1:])
try:
    while part := os.read(terminal, 65536):
        sys.stdout.buffer.write(part)
except OSError:
    pass
sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
";

/// Runs the program with variables of the environment, and returns what the terminal shows, or
/// nothing where there is no Python.
pub fn on_a_terminal(words: &[&str], variables: &[(&str, &str)]) -> Option<String> {
    let mut python = Command::new("python3");
    python
        .args(["-c", TERMINAL, env!("CARGO_BIN_EXE_robocensus")])
        .args(words)
        .stdin(Stdio::null())
        .env_remove("NO_COLOR")
        .env_remove("CLICOLOR_FORCE")
        .env("TERM", "xterm-256color")
        .envs(variables.iter().copied());
    let Ok(shown) = python.output() else {
        eprintln!("skipped: no python3");
        return None;
    };
    assert!(shown.status.success(), "{shown:?}");
    // A terminal writes line ends as two characters.
    let text = String::from_utf8(shown.stdout).unwrap();
    Some(text.replace("\r\n", "\n"))
}
