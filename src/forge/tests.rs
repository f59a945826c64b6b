//! Pure parts of the forge.
