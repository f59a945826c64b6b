//! Where the files of attempts made on several machines come together: a folder, or a bucket of S3's kind. Each attempt is one
//! archive; what lies there is never written over.

use std::fs::DirBuilder;
use std::os::unix::fs::{DirBuilderExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use object_store::aws::AmazonS3Builder;
use object_store::local::LocalFileSystem;
use object_store::path::Path as Key;
use object_store::{ObjectStore, ObjectStoreExt as _, PutMode, PutOptions};

use crate::files::make_private_folders;
use crate::model::{Blame, Coded};

/// What the group of a folder may do.
const GROUP: u32 = 0o070;

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
    /// Where it lies; absent for a bucket.
    folder: Option<PathBuf>,
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
            folder: None,
        })
    }

    fn in_folder(folder: &Path) -> Result<Self, ArtefactsError> {
        let refused = |source| ArtefactsError::Folder { path: folder.to_owned(), source };
        make_private_folders(folder).map_err(refused)?;
        let folder = folder.canonicalize().map_err(refused)?;
        let store = LocalFileSystem::new_with_prefix(&folder)?.with_fsync(true);
        let address = folder.display().to_string();
        Ok(Self { store: Arc::new(store), prefix: String::new(), address, folder: Some(folder) })
    }

    fn key(&self, name: &str) -> Result<Key, ArtefactsError> {
        Key::parse(format!("{}{name}", self.prefix)).map_err(|error| object_store::Error::from(error).into())
    }

    /// Makes the folders of an archive, where archives lie in folders.
    fn make_folders_of(&self, key: &Key) -> Result<(), ArtefactsError> {
        let Some(folder) = &self.folder else { return Ok(()) };
        let file = folder.join(key.to_string());
        let above = file.parent().unwrap_or(folder);
        let refused = |source| ArtefactsError::Folder { path: above.to_owned(), source };
        // Workers of several users may share a store: the group that its owner lets in is let into what is made in it.
        let mode = std::fs::metadata(folder).map_err(refused)?.permissions().mode() & GROUP | 0o700;
        DirBuilder::new().recursive(true).mode(mode).create(above).map_err(refused)
    }

    /// Puts an archive under a name, where nothing may lie yet: the first one stays. Its address. An archive has the secret seed of its
    /// run, so folders that are made for it are for their owner alone, and for the group that the store is open to.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn put(&self, name: &str, bytes: Vec<u8>) -> Result<String, ArtefactsError> {
        let key = self.key(name)?;
        self.make_folders_of(&key)?;
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

    #[tokio::test]
    async fn folders_of_archives_are_for_their_owner_alone() {
        let folder = tempfile::tempdir().unwrap();
        let place = folder.path().join("artefacts");
        let artefacts = Artefacts::open(place.to_str().unwrap()).unwrap();
        artefacts.put("e/arm/item.1-1.zip", b"with a seed".to_vec()).await.unwrap();
        for made in [place.clone(), place.join("e"), place.join("e/arm")] {
            let mode = std::fs::metadata(&made).unwrap().permissions().mode() & 0o777;
            assert_eq!(mode, 0o700, "{}", made.display());
        }
        assert!(place.join("e/arm/item.1-1.zip").is_file());
    }

    #[tokio::test]
    async fn a_group_that_may_use_a_store_may_use_what_is_made_in_it() {
        let folder = tempfile::tempdir().unwrap();
        let place = folder.path().join("shared");
        std::fs::create_dir(&place).unwrap();
        std::fs::set_permissions(&place, std::fs::Permissions::from_mode(0o777)).unwrap();
        let artefacts = Artefacts::open(place.to_str().unwrap()).unwrap();
        artefacts.put("e/arm/item.1-1.zip", b"with a seed".to_vec()).await.unwrap();
        let mode = std::fs::metadata(place.join("e/arm")).unwrap().permissions().mode() & 0o007;
        assert_eq!(mode, 0, "nobody else");
        // What the group may do is also what the mask of this process leaves it.
        let mask = !std::fs::metadata(plain_folder(&place)).unwrap().permissions().mode() & GROUP;
        let group = std::fs::metadata(place.join("e/arm")).unwrap().permissions().mode() & GROUP;
        assert_eq!(group, GROUP & !mask);
    }

    /// A folder with the rights that the mask of this process leaves.
    fn plain_folder(place: &Path) -> PathBuf {
        let folder = place.join("plain");
        std::fs::create_dir(&folder).unwrap();
        folder
    }

    #[test]
    fn other_addresses_are_refused() {
        for address in ["http://a/b", "s3://", "s3://key:secret@bucket/a"] {
            assert_eq!(Artefacts::open(address).unwrap_err().code(), "artefacts_address", "{address}");
        }
    }
}
