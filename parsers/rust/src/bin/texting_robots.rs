//! The crate texting_robots.

use robocensus_adapters::{AdapterResult, Verdict, locked_version, serve};
use texting_robots::Robot;

fn main() -> AdapterResult<()> {
    let version = locked_version("texting_robots");
    serve("texting_robots", version, |body, agent, queries| {
        let robot = Robot::new(agent, body);
        let decide = |url: &str| match &robot {
            Ok(robot) => Verdict::allow_if(robot.allowed(url)),
            Err(_) => Verdict::Error,
        };
        queries.iter().map(|query| decide(&query.url)).collect()
    })
}
