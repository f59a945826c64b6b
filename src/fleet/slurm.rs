//! A script for `sbatch`: an array of workers.

use super::{Crew, QUEUE};

/// The script. At most `at_once` workers run at a time; `hours` is the limit of each, after which Slurm starts it anew. `secrets` is
/// a file of shell assignments that only its owner can read.
pub fn slurm(crew: &Crew, at_once: u32, hours: u32, secrets: &str) -> String {
    let Crew { name, workers, .. } = crew;
    let (cores, memory, stop) = (crew.cores(), crew.memory_mib(), crew.stop_s());
    let (variables, arguments) = (variables(crew), crew.arguments().join(" "));
    let secrets = quoted(secrets);
    format!(
        r#"#!/bin/bash
#SBATCH --job-name={name}
#SBATCH --array=1-{workers}%{at_once}
#SBATCH --cpus-per-task={cores}
#SBATCH --mem={memory}M
#SBATCH --time={hours}:00:00
#SBATCH --requeue
#SBATCH --open-mode=append
#SBATCH --signal=B:TERM@{stop}
set -euo pipefail
secrets={secrets}
if [ -f "$secrets" ]; then
  set -a
  . "$secrets"
  set +a
fi
for variable in {variables}; do
  if [ -z "${{!variable:-}}" ]; then
    echo "the variable $variable is not set: put it into $secrets" >&2
    exit 3
  fi
done
worker=
stopped=
# Slurm tells this shell ahead of the limit; the worker drains then, and Slurm is asked to go on later.
stop() {{ stopped=1; [ -z "$worker" ] || kill -TERM "$worker" 2>/dev/null || true; }}
trap stop TERM
scratchbed {arguments} &
worker=$!
# It may have been told while there was no worker yet.
[ -z "$stopped" ] || stop
status=0
wait "$worker" || status=$?
while kill -0 "$worker" 2>/dev/null; do
  status=0
  wait "$worker" || status=$?
done
if [ -n "$stopped" ] && [ -n "${{SLURM_JOB_ID:-}}" ]; then
  scontrol requeue "$SLURM_JOB_ID" || true
fi
exit "$status"
"#
    )
}

fn variables(crew: &Crew) -> String {
    std::iter::once(QUEUE).chain(crew.keys.iter().map(String::as_str)).collect::<Vec<_>>().join(" ")
}

/// A text as one word of the shell.
fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt as _;
    use std::path::Path;
    use std::process::{Command, Output};
    use std::time::{Duration, Instant};

    use super::*;

    /// Runs the script with a worker that notes its arguments, waits for TERM, and ends with 7.
    fn run(folder: &Path, secrets: &str, is_stopped: bool) -> (Output, String) {
        let crew = Crew::new("table-1", 40, 8, 540, &["MY_KEY".to_owned()]).unwrap();
        let script = folder.join("script");
        let secrets_file = folder.join("it's secret");
        std::fs::write(&secrets_file, secrets).unwrap();
        std::fs::write(&script, slurm(&crew, 10, 12, &secrets_file.display().to_string())).unwrap();
        let program = folder.join("scratchbed");
        let noted = folder.join("noted");
        // It listens before it is seen.
        let (listens, waits) = if is_stopped {
            ("trap 'echo TERM >> noted; exit 7' TERM", "while true; do sleep 0.05; done")
        } else {
            ("", "exit 7")
        };
        let notes = "echo \"$* $SCRATCHBED_QUEUE $MY_KEY\" > noted";
        std::fs::write(&program, format!("#!/bin/bash\n{listens}\n{notes}\n{waits}\n")).unwrap();
        std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).unwrap();
        let path = format!("{}:{}", folder.display(), std::env::var("PATH").unwrap());
        let child = Command::new("bash")
            .arg(&script)
            .env_clear()
            .env("PATH", path)
            .current_dir(folder)
            .stderr(std::process::Stdio::piped())
            .spawn()
            .unwrap();
        let since = Instant::now();
        while is_stopped && !noted.is_file() {
            assert!(since.elapsed() < Duration::from_secs(20), "the worker does not start");
            std::thread::sleep(Duration::from_millis(20));
        }
        if is_stopped {
            assert!(Command::new("kill").args(["-TERM", &child.id().to_string()]).status().unwrap().success());
        }
        let output = child.wait_with_output().unwrap();
        (output, std::fs::read_to_string(noted).unwrap_or_default())
    }

    #[test]
    fn the_script_starts_a_worker_with_its_secrets_and_ends_as_it_does() {
        let folder = tempfile::tempdir().unwrap();
        let (output, noted) = run(folder.path(), "SCRATCHBED_QUEUE=postgres://x\nMY_KEY=y\n", false);
        assert_eq!(output.status.code(), Some(7), "{output:?}");
        assert_eq!(noted.trim(), "worker --queue env:SCRATCHBED_QUEUE --slots 8 --grace 540 postgres://x y");
    }

    #[test]
    fn the_worker_hears_of_the_end_and_is_waited_for() {
        let folder = tempfile::tempdir().unwrap();
        let (output, noted) = run(folder.path(), "SCRATCHBED_QUEUE=postgres://x\nMY_KEY=y\n", true);
        assert_eq!(output.status.code(), Some(7), "{output:?}");
        assert!(noted.ends_with("TERM\n"), "{noted}");
    }

    #[test]
    fn a_missing_secret_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let (output, noted) = run(folder.path(), "SCRATCHBED_QUEUE=postgres://x\n", false);
        assert_eq!((output.status.code(), noted.as_str()), (Some(3), ""));
        assert!(String::from_utf8_lossy(&output.stderr).contains("MY_KEY"), "{output:?}");
    }

    #[test]
    fn the_directives_stand_before_the_first_command() {
        let crew = Crew::new("table-1", 40, 8, 540, &[]).unwrap();
        let script = slurm(&crew, 10, 12, "/home/me/secrets");
        let directives: Vec<&str> = script.lines().skip(1).take_while(|line| line.starts_with("#SBATCH ")).collect();
        assert_eq!(directives.len(), script.matches("#SBATCH").count());
        assert!(directives.contains(&"#SBATCH --array=1-40%10") && directives.contains(&"#SBATCH --signal=B:TERM@600"));
    }
}
