//! A unit of systemd: one worker on one machine, from its start on.

use super::Crew;

/// The unit. `program` is the path of the program, `folder` the checkout it works in, `user` whom it runs as, `secrets` a file of
/// assignments with the database's URL (`SCRATCHBED_QUEUE`) and the keys.
pub fn systemd(crew: &Crew, program: &str, folder: &str, user: &str, secrets: &str) -> String {
    let (arguments, stop, memory) = (crew.arguments().join(" "), crew.stop_s(), crew.memory_mib());
    let [program, folder, user, secrets] = [program, folder, user, secrets].map(escaped);
    format!(
        "[Unit]\n\
         Description=scratchbed worker {name}\n\
         Wants=network-online.target\n\
         After=network-online.target\n\
         \n\
         [Service]\n\
         Type=exec\n\
         User={user}\n\
         WorkingDirectory={folder}\n\
         EnvironmentFile={secrets}\n\
         ExecStart=\"{program}\" {arguments}\n\
         Restart=on-failure\n\
         RestartSec=10\n\
         # The worker alone is told to drain; whatever is left then is killed with it.\n\
         KillMode=mixed\n\
         TimeoutStopSec={stop}\n\
         MemoryMax={memory}M\n\
         NoNewPrivileges=yes\n\
         PrivateTmp=yes\n\
         ProtectSystem=full\n\
         \n\
         [Install]\n\
         WantedBy=multi-user.target\n",
        name = crew.name,
    )
}

/// A value of a unit: percent signs name things there, and a line ends a value.
fn escaped(value: &str) -> String {
    value.replace('%', "%%").replace(['\n', '\r', '"'], "")
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    /// Values by section and name, as systemd reads them.
    fn parsed(unit: &str) -> BTreeMap<(String, String), String> {
        let mut section = String::new();
        let mut values = BTreeMap::new();
        for line in unit.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
            if let Some(name) = line.strip_prefix('[').and_then(|line| line.strip_suffix(']')) {
                name.clone_into(&mut section);
            } else {
                let (name, value) = line.split_once('=').unwrap();
                values.insert((section.clone(), name.to_owned()), value.to_owned());
            }
        }
        values
    }

    #[test]
    fn the_unit_drains_before_it_stops_and_no_value_makes_a_line() {
        let crew = Crew::new("table-1", 1, 8, 540, &[]).unwrap();
        let unit = systemd(&crew, "/opt/scratchbed", "/srv/100%\nUser=root", "agent", "/etc/scratchbed.env");
        let values = parsed(&unit);
        let value = |section: &str, name: &str| values[&(section.to_owned(), name.to_owned())].as_str();
        assert_eq!(value("Service", "User"), "agent");
        assert_eq!(value("Service", "WorkingDirectory"), "/srv/100%%User=root");
        assert_eq!(value("Service", "TimeoutStopSec"), "600");
        assert_eq!(
            value("Service", "ExecStart"),
            "\"/opt/scratchbed\" worker --queue env:SCRATCHBED_QUEUE --slots 8 --grace 540"
        );
        assert_eq!(value("Install", "WantedBy"), "multi-user.target");
    }
}
