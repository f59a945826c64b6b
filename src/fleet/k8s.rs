//! A job of Kubernetes, as JSON, which `kubectl apply -f -` takes as well as YAML.

use serde_json::{Value, json};

use super::{Crew, QUEUE};

/// How often a worker's pod is replaced before its place is given up.
const REPLACED: u32 = 20;

/// The job. `image` has the program and Chromium; `secret` names the secret with the database's URL (`SCRATCHBED_QUEUE`) and the keys.
pub fn k8s(crew: &Crew, image: &str, secret: &str) -> Value {
    let variables = std::iter::once(QUEUE).chain(crew.keys.iter().map(String::as_str));
    let from_secret = |name: &str| json!({"name": name, "valueFrom": {"secretKeyRef": {"name": secret, "key": name}}});
    let memory = format!("{}Mi", crew.memory_mib());
    json!({
        "apiVersion": "batch/v1",
        "kind": "Job",
        "metadata": {"name": crew.name, "labels": {"app.kubernetes.io/name": "scratchbed", "app.kubernetes.io/component": "worker"}},
        "spec": {
            "completionMode": "Indexed",
            "parallelism": crew.workers,
            "completions": crew.workers,
            "backoffLimitPerIndex": REPLACED,
            "template": {
                "metadata": {"labels": {"app.kubernetes.io/name": "scratchbed", "app.kubernetes.io/component": "worker"}},
                "spec": {
                    "restartPolicy": "Never",
                    "terminationGracePeriodSeconds": crew.stop_s(),
                    "automountServiceAccountToken": false,
                    "securityContext": {"runAsNonRoot": true, "seccompProfile": {"type": "RuntimeDefault"}},
                    "containers": [{
                        "name": "worker",
                        "image": image,
                        "command": ["scratchbed"],
                        "args": crew.arguments(),
                        "env": variables.map(from_secret).collect::<Vec<_>>(),
                        "resources": {
                            "requests": {"cpu": crew.cores().to_string(), "memory": memory},
                            "limits": {"memory": memory},
                        },
                        "securityContext": {"allowPrivilegeEscalation": false, "capabilities": {"drop": ["ALL"]}},
                        // Chromium shares pictures between its processes there, and the usual 64 MB are too few.
                        "volumeMounts": [{"name": "shm", "mountPath": "/dev/shm"}],
                    }],
                    "volumes": [{"name": "shm", "emptyDir": {"medium": "Memory"}}],
                },
            },
        },
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_job_has_a_place_for_each_worker_its_secrets_by_name_and_time_to_drain() {
        let crew = Crew::new("table-1", 12, 8, 540, &["MY_KEY".to_owned()]).unwrap();
        let job = k8s(&crew, "registry.example/scratchbed:1", "fleet");
        let text = serde_json::to_string_pretty(&job).unwrap();
        let job: Value = serde_json::from_str(&text).unwrap();
        let spec = &job["spec"];
        assert_eq!(
            (&spec["parallelism"], &spec["completions"], &spec["completionMode"]),
            (&json!(12), &json!(12), &json!("Indexed"))
        );
        let pod = &spec["template"]["spec"];
        assert_eq!(pod["terminationGracePeriodSeconds"], 600);
        let container = &pod["containers"][0];
        assert_eq!(
            container["args"],
            json!(["worker", "--queue", "env:SCRATCHBED_QUEUE", "--slots", "8", "--grace", "540"])
        );
        let names: Vec<&str> =
            container["env"].as_array().unwrap().iter().map(|one| one["name"].as_str().unwrap()).collect();
        assert_eq!(names, ["SCRATCHBED_QUEUE", "MY_KEY"]);
        assert!(
            container["env"].as_array().unwrap().iter().all(|one| one.get("value").is_none()),
            "no secret is in the text"
        );
        assert_eq!(container["resources"]["limits"]["memory"], "3904Mi");
        assert_eq!(container["volumeMounts"][0]["name"], pod["volumes"][0]["name"]);
    }
}
