//! Where the files of attempts made on several machines come together: a folder, or a bucket of S3's kind. Each attempt is one
//! archive; what lies there is never written over.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use object_store::aws::AmazonS3Builder;
use object_store::local::LocalFileSystem;
use object_store::path::Path as Key;
use object_store::{ObjectStore, ObjectStoreExt as _, PutMode, PutOptions};

use crate::model::{Blame, Coded};

/// What can go wrong with artefacts.
#[derive(Debug, thiserror::Error)]
pub enum ArtefactsError {
    /// Neither a folder nor a bucket.
    #[error("`{0}` is neither a folder nor an address such as s3://bucket/prefix")]
    Address(String),
    /// The folder can't be made.
    #[error("{} can't be made", .path.display())]
    Folder { path: PathBuf, source: std::io::Error },
    /// The store refuses, or does not answer.
    #[error("the store of artefacts failed")]
    Store(#[from] object_store::Error),
}

impl Coded for ArtefactsError {
    fn code(&self) -> &str {
        match self {
            Self::Address(_) => "artefacts_address",
            Self::Folder { .. } => "artefacts_unwritable",
            Self::Store(object_store::Error::NotFound { .. }) => "artefact_missing",
            Self::Store(_) => "artefacts_unreachable",
        }
    }

    fn hint(&self) -> Option<String> {
        match self {
            Self::Address(_) => {
                Some("keys and endpoint of a bucket are read from AWS_ACCESS_KEY_ID and its like".to_owned())
            }
            Self::Store(object_store::Error::NotFound { .. }) => {
                Some("the worker that made it may have had another place for its artefacts".to_owned())
            }
            Self::Folder { .. } | Self::Store(_) => None,
        }
    }

    fn blame(&self) -> Blame {
        match self {
            Self::Address(_) => Blame::Input,
            Self::Folder { .. } | Self::Store(_) => Blame::Testbed,
        }
    }
}

/// A place for archives of attempts.
#[derive(Debug, Clone)]
pub struct Artefacts {
    store: Arc<dyn ObjectStore>,
    /// What stands before each name.
    prefix: String,
    address: String,
}

impl Artefacts {
    /// A folder, or `s3://bucket/prefix`; endpoint, region and keys of a bucket come from the environment (`AWS_ENDPOINT_URL`,
    /// `AWS_REGION`, `AWS_ACCESS_KEY_ID`, `AWS_SECRET_ACCESS_KEY`, `AWS_ALLOW_HTTP`).
    ///
    /// # Errors
    /// When the address makes no sense, or the folder can't be made.
    pub fn open(address: &str) -> Result<Self, ArtefactsError> {
        let wrong = || ArtefactsError::Address(address.to_owned());
        let Some(rest) = address.strip_prefix("s3://") else {
            if address.contains("://") {
                return Err(wrong());
            }
            return Self::in_folder(Path::new(address));
        };
        let (bucket, prefix) = rest.split_once('/').unwrap_or((rest, ""));
        if bucket.is_empty() || bucket.contains('@') {
            return Err(wrong());
        }
        // The client is built without a provider of its own; that one is installed already does not matter.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let store = AmazonS3Builder::from_env().with_bucket_name(bucket).build()?;
        let prefix = prefix.trim_end_matches('/');
        Ok(Self {
            store: Arc::new(store),
            prefix: if prefix.is_empty() { String::new() } else { format!("{prefix}/") },
            address: format!("s3://{bucket}"),
        })
    }

    fn in_folder(folder: &Path) -> Result<Self, ArtefactsError> {
        let refused = |source| ArtefactsError::Folder { path: folder.to_owned(), source };
        std::fs::create_dir_all(folder).map_err(refused)?;
        let folder = folder.canonicalize().map_err(refused)?;
        let store = LocalFileSystem::new_with_prefix(&folder)?.with_fsync(true);
        Ok(Self { store: Arc::new(store), prefix: String::new(), address: folder.display().to_string() })
    }

    fn key(&self, name: &str) -> Result<Key, ArtefactsError> {
        Key::parse(format!("{}{name}", self.prefix)).map_err(|error| object_store::Error::from(error).into())
    }

    /// Puts an archive under a name, where nothing may lie yet: the first one stays. Its address.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn put(&self, name: &str, bytes: Vec<u8>) -> Result<String, ArtefactsError> {
        let key = self.key(name)?;
        let options = PutOptions { mode: PutMode::Create, ..PutOptions::default() };
        match self.store.put_opts(&key, bytes.into(), options).await {
            Ok(_) | Err(object_store::Error::AlreadyExists { .. }) => Ok(format!("{}/{key}", self.address)),
            Err(error) => Err(error.into()),
        }
    }

    /// The archive of a name.
    ///
    /// # Errors
    /// When there is none, or the store fails.
    pub async fn get(&self, name: &str) -> Result<Vec<u8>, ArtefactsError> {
        Ok(self.store.get(&self.key(name)?).await?.bytes().await?.to_vec())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn what_lies_there_stays() {
        let folder = tempfile::tempdir().unwrap();
        let artefacts = Artefacts::open(folder.path().join("deep/er").to_str().unwrap()).unwrap();
        let first = artefacts.put("e/arm/item.1-1.zip", b"one".to_vec()).await.unwrap();
        assert!(first.ends_with("deep/er/e/arm/item.1-1.zip"), "{first}");
        assert_eq!(artefacts.put("e/arm/item.1-1.zip", b"two".to_vec()).await.unwrap(), first);
        assert_eq!(artefacts.get("e/arm/item.1-1.zip").await.unwrap(), b"one");
        assert_eq!(artefacts.get("e/arm/other").await.unwrap_err().code(), "artefact_missing");
    }

    #[test]
    fn a_bucket_needs_nothing_but_its_name_and_the_environment() {
        assert!(Artefacts::open("s3://bucket/prefix").is_ok());
    }

    #[test]
    fn other_addresses_are_refused() {
        for address in ["http://a/b", "s3://", "s3://key:secret@bucket/a"] {
            assert_eq!(Artefacts::open(address).unwrap_err().code(), "artefacts_address", "{address}");
        }
    }
}
