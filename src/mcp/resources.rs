//! Tasks as resources: `task://ID` is the instruction with the project that an agent starts from. Goldens, evaluation
//! scripts and oracle lists are no resources and can't be reached.

use std::fmt::Write as _;

use rmcp::ErrorData;
use rmcp::model::{
    ListResourceTemplatesResult, ListResourcesResult, ReadResourceResult, Resource, ResourceContents, ResourceTemplate,
};

use super::backend::Backend;
use crate::model::{Mode, Task};
use crate::taskset::{TaskEntry, is_sb3};

const SCHEME: &str = "task://";
const MEDIA_TYPE: &str = "text/markdown";

fn uri(task: &Task) -> String {
    format!("{SCHEME}{}", task.id)
}

pub fn list(backend: &Backend) -> ListResourcesResult {
    let resource = |entry: &TaskEntry| {
        Resource::new(uri(&entry.task), entry.task.id.to_string())
            .with_title(entry.task.title.clone())
            .with_description(format!("A {} task: its instruction and the project to start from.", entry.task.category))
            .with_mime_type(MEDIA_TYPE)
    };
    ListResourcesResult::with_all_items(backend.tasks.all().iter().map(resource).collect())
}

/// The one form of address that there is.
pub fn templates() -> ListResourceTemplatesResult {
    let template = ResourceTemplate::new(format!("{SCHEME}{{id}}"), "task")
        .with_description("A task: its instruction and the project to start from.")
        .with_mime_type(MEDIA_TYPE);
    ListResourceTemplatesResult::with_all_items(vec![template])
}

/// One task, for an agent that acts in this mode.
pub fn read(backend: &Backend, wanted: &str, mode: Mode) -> Result<ReadResourceResult, ErrorData> {
    let unknown = || ErrorData::resource_not_found(format!("there is no resource {wanted}"), None);
    let id = wanted.strip_prefix(SCHEME).ok_or_else(unknown)?;
    let entry = backend.tasks.find(id).map_err(|_| unknown())?;
    let text = describe(entry, mode).map_err(|error| {
        tracing::error!(%error, task = id, "a task's text can't be read");
        ErrorData::internal_error("the task's text can't be read", None)
    })?;
    Ok(ReadResourceResult::new(vec![ResourceContents::TextResourceContents {
        uri: uri(&entry.task),
        mime_type: Some(MEDIA_TYPE.to_owned()),
        text,
        meta: None,
    }]))
}

fn describe(entry: &TaskEntry, mode: Mode) -> std::io::Result<String> {
    let Task { title, category, instruction, limits, .. } = &entry.task;
    let mut text = format!("# {title}\n\n{instruction}\n\n");
    // Writing to a String can't fail.
    let (steps, seconds) = (limits.steps.of(mode), limits.wall_s);
    let _ = writeln!(text, "Category: {category}. Limits: {steps} steps, {seconds} seconds.");
    let initial = entry.initial();
    if !is_sb3(&initial) {
        let project = std::fs::read_to_string(initial)?;
        let _ = write!(text, "\n## The project to start from\n\n```text\n{}\n```\n", project.trim_end());
    }
    Ok(text)
}
