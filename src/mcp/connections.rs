//! The connections of clients that keep one (protocols before 2026-07-28): how many there may be, who owns each, and
//! how much of the client's description of itself is kept.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use axum::body::Bytes;
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use serde::Deserialize;
use serde_json::{Map, Value, json};

/// Connections of one owner, at least; as many as sessions may live where those are more.
const EACH: usize = 4;
/// Connections in all, at least.
const ALL: usize = 64;
/// Bytes of one parameter that a client sends when it connects. They are kept for as long as the connection.
const KEPT_BYTES: usize = 1024;

/// The owner of a connection: the holder of a token, or all callers without one.
type Owner = Option<String>;

/// The living connections; clones share them.
#[derive(Debug, Clone)]
pub(super) struct Connections {
    each: usize,
    all: usize,
    managers: Vec<Arc<LocalSessionManager>>,
    owners: Arc<Mutex<Owners>>,
}

#[derive(Debug, Default)]
struct Owners {
    living: HashMap<String, Owner>,
    /// Owners of those that are being made.
    pending: Vec<Owner>,
}

/// Room for a connection that is being made; dropping it gives the room back.
#[derive(Debug)]
pub(super) struct PendingConnection {
    owner: Owner,
    owners: Arc<Mutex<Owners>>,
}

impl Connections {
    /// Connections of these managers, for a server with this limit on sessions.
    pub(super) fn of(managers: Vec<Arc<LocalSessionManager>>, sessions: usize) -> Self {
        Self { each: EACH.max(sessions), all: ALL.max(sessions), managers, owners: Arc::default() }
    }

    /// Whether this caller owns a connection of this name.
    pub(super) fn belongs(&self, name: &str, owner: &Owner) -> bool {
        lock(&self.owners).living.get(name) == Some(owner)
    }

    /// Reserves room for another connection; `None` when the owner, or the server, has too many.
    pub(super) async fn reserve(&self, owner: &Owner) -> Option<PendingConnection> {
        // The library ends connections that were idle for too long without notice.
        let mut names = std::collections::HashSet::new();
        for manager in &self.managers {
            names.extend(manager.sessions.read().await.keys().map(ToString::to_string));
        }
        let mut owners = lock(&self.owners);
        owners.living.retain(|name, _| names.contains(name));
        let all = owners.living.len() + owners.pending.len();
        let each = owners.living.values().chain(&owners.pending).filter(|one| *one == owner).count();
        if each >= self.each || all >= self.all {
            return None;
        }
        owners.pending.push(owner.clone());
        Some(PendingConnection { owner: owner.clone(), owners: Arc::clone(&self.owners) })
    }
}

impl PendingConnection {
    /// The connection is there, under this name.
    pub(super) fn established(self, name: &str) {
        lock(&self.owners).living.insert(name.to_owned(), self.owner.clone());
    }
}

impl Drop for PendingConnection {
    fn drop(&mut self) {
        let mut owners = lock(&self.owners);
        if let Some(place) = owners.pending.iter().position(|owner| *owner == self.owner) {
            owners.pending.swap_remove(place);
        }
    }
}

fn lock(owners: &Mutex<Owners>) -> std::sync::MutexGuard<'_, Owners> {
    owners.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The method of a message.
#[derive(Debug, Deserialize)]
struct Message {
    #[serde(default)]
    method: String,
}

/// Whether a message begins a connection.
pub(super) fn begins(message: &[u8]) -> bool {
    serde_json::from_slice::<Message>(message).is_ok_and(|message| message.method == "initialize")
}

/// The message that begins a connection, without parts that are too long to keep.
pub(super) fn brief(message: Bytes) -> Bytes {
    if message.len() <= KEPT_BYTES {
        return message;
    }
    let Ok(mut value) = serde_json::from_slice::<Map<String, Value>>(&message) else { return message };
    if let Some(Value::Object(params)) = value.get_mut("params") {
        params.retain(|name, _| ["protocolVersion", "clientInfo", "capabilities"].contains(&name.as_str()));
        for (name, value) in params.iter_mut().filter(|(_, value)| value.to_string().len() > KEPT_BYTES) {
            *value = if name == "clientInfo" { json!({"name": "unnamed", "version": "0"}) } else { json!({}) };
        }
    }
    serde_json::to_vec(&value).map_or(message, Bytes::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_client_parameters_are_not_kept() {
        let message = |name: &str| {
            let params = json!({
                "protocolVersion": "2025-06-18", "capabilities": {"sampling": {}}, "more": "x".repeat(2000),
                "clientInfo": {"name": name, "version": "1"},
            });
            Bytes::from(json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params}).to_string())
        };
        let kept = |name: &str| serde_json::from_slice::<Value>(&brief(message(name))).unwrap()["params"].clone();
        assert!(begins(&message("a client")) && !begins(b"{\"method\": \"tools/list\"}") && !begins(b"["));
        assert_eq!(kept("a client")["clientInfo"]["name"], "a client");
        let long = kept(&"n".repeat(1 << 20));
        assert_eq!(long["clientInfo"]["name"], "unnamed");
        assert_eq!((&long["capabilities"], &long["more"]), (&json!({"sampling": {}}), &Value::Null));
    }

    #[tokio::test]
    async fn each_owner_has_few_connections_of_its_own() {
        let manager = Arc::new(LocalSessionManager::default());
        let connections = Connections { each: 2, all: 3, ..Connections::of(vec![manager.clone()], 0) };
        let (mine, yours, third) = (Some("me".to_owned()), Some("you".to_owned()), None);
        let (one, other) = (connections.reserve(&mine).await.unwrap(), connections.reserve(&mine).await.unwrap());
        assert!(connections.reserve(&mine).await.is_none());
        let _theirs = connections.reserve(&yours).await.unwrap();
        assert!(connections.reserve(&third).await.is_none(), "there are too many in all");
        drop(other);
        one.established("a");
        assert!(connections.belongs("a", &mine) && !connections.belongs("a", &yours));
        // The library does not know it (any more), so it does not count.
        let _third = connections.reserve(&third).await.unwrap();
        assert!(!connections.belongs("a", &mine));
    }
}
