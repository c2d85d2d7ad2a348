//! Parsers in Python, which answer the protocol of `compare`.

use super::{Dir, package};

/// Writes a parser of version 7 and returns it as a side of a comparison. `answer` is an expression
/// of `body` and of `asked`, all bodies so far: whether anyone may fetch anything, or a verdict.
pub fn parser(dir: &Dir, name: &str, answer: &str) -> String {
    let adapter = package().join("parsers/python");
    let script = format!(
        "import sys, time
sys.path.insert(0, {adapter:?})
from adapter import serve
asked = []
def parse(body):
    asked.append(body)
    answer = {answer}
    return lambda agent, url: answer
serve('{name}', '7', parse)
"
    );
    let path = dir.write(&format!("{name}.py"), script);
    format!("exec:python3 -B '{path}'")
}
