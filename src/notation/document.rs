//! The parsed text of a project: targets with their properties, and scripts as unparsed notation.

use serde_json::Value;

/// A whole project; the first target is the stage.
#[derive(Debug, Clone, PartialEq)]
pub struct Document {
    /// Stage, then sprites in the order of the sprite pane.
    pub targets: Vec<TextTarget>,
}

/// The stage or a sprite.
#[derive(Debug, Clone, PartialEq)]
pub struct TextTarget {
    /// The sprite's name; `Stage` for the stage.
    pub name: String,
    /// Properties that only one of the two kinds has.
    pub state: TargetState,
    pub costumes: Vec<Costume>,
    /// Number of the costume shown, from 1.
    pub current: usize,
    pub sounds: Vec<Sound>,
    pub volume: f64,
    pub variables: Vec<Variable>,
    pub lists: Vec<Listed>,
    /// Comments that belong to no block.
    pub comments: Vec<Comment>,
    /// Values shown on the stage that belong to this target.
    pub monitors: Vec<Monitor>,
    /// Scripts in the order in which they run.
    pub scripts: Vec<Script>,
}

/// Properties that differ between the stage and a sprite.
#[derive(Debug, Clone, PartialEq)]
pub enum TargetState {
    Stage(StageState),
    Sprite(SpriteState),
}

/// Properties that only the stage has.
#[derive(Debug, Clone, PartialEq)]
pub struct StageState {
    pub tempo: f64,
    /// `on`, `off` or `on-flipped`, as project.json has it.
    pub video: String,
    pub video_transparency: f64,
    /// Language code of the text-to-speech blocks.
    pub speech_language: Option<String>,
}

impl Default for StageState {
    fn default() -> Self {
        Self { tempo: 60.0, video: "on".to_owned(), video_transparency: 50.0, speech_language: None }
    }
}

/// Properties that only a sprite has.
#[derive(Debug, Clone, PartialEq)]
pub struct SpriteState {
    /// Starting place in stage steps from the middle.
    pub position: (f64, f64),
    pub size: f64,
    /// Degrees, 90 is to the right.
    pub direction: f64,
    /// `all around`, `left-right` or `don't rotate`, as project.json has it.
    pub rotation: String,
    /// Whether it is seen.
    pub visible: bool,
    /// Whether it can be dragged in the player.
    pub draggable: bool,
    /// Rank from the back, from 1; none when the order in the file decides.
    pub layer: Option<usize>,
}

impl Default for SpriteState {
    fn default() -> Self {
        Self {
            position: (0.0, 0.0),
            size: 100.0,
            direction: 90.0,
            rotation: "all around".to_owned(),
            visible: true,
            draggable: false,
            layer: None,
        }
    }
}

#[derive(Debug, Clone, PartialEq)]
pub struct Costume {
    pub name: String,
    /// Path relative to the text.
    pub file: String,
    /// Rotation centre in costume pixels.
    pub center: Option<(f64, f64)>,
    /// Bitmap pixels a costume pixel; none means 1.
    pub resolution: Option<f64>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Sound {
    pub name: String,
    /// Path relative to the text.
    pub file: String,
    /// Samples a second and number of samples, when they are not to be read from the file.
    pub samples: Option<(f64, f64)>,
}

/// A variable with its first value.
#[derive(Debug, Clone, PartialEq)]
pub struct Variable {
    pub name: String,
    /// From 1: which one it is of those of the target with its name. Only projects that the editor did not make have several.
    pub number: usize,
    pub value: Value,
    /// Whether it is kept on a server, where there is one.
    pub cloud: bool,
}

/// A list with its first items.
#[derive(Debug, Clone, PartialEq)]
pub struct Listed {
    pub name: String,
    /// As of a variable.
    pub number: usize,
    pub items: Vec<Value>,
}

/// A comment in the script area.
#[derive(Debug, Clone, PartialEq)]
pub struct Comment {
    pub text: String,
    pub position: (f64, f64),
    pub size: (f64, f64),
    /// Whether only its first line shows.
    pub minimized: bool,
}

/// A value shown on the stage.
#[derive(Debug, Clone, PartialEq)]
pub struct Monitor {
    pub kind: MonitorKind,
    /// Left and top in stage pixels; the editor finds a place for one that has none.
    pub position: Option<(f64, f64)>,
    /// Its rank among all monitors, from 1; later ones lie on top. In the order of the text if none has it.
    pub layer: Option<usize>,
    /// Whether it is seen from the start; a hidden one keeps what a block shows later.
    pub visible: bool,
}

/// What a monitor shows, and how.
#[derive(Debug, Clone, PartialEq)]
pub enum MonitorKind {
    Variable {
        name: String,
        /// Which one of those with this name.
        number: usize,
        /// `default`, `large` or `slider`, as project.json has it.
        mode: String,
        /// Bounds of the slider and whether it moves in whole steps.
        slider: Option<(f64, f64, bool)>,
    },
    List {
        name: String,
        /// Which one of those with this name.
        number: usize,
        /// Width and height; 0 is the player's own choice.
        size: (f64, f64),
    },
    Block {
        opcode: String,
        fields: Vec<(String, Value)>,
        /// `default` or `large`.
        mode: String,
    },
}

#[derive(Debug, Clone, PartialEq, Default)]
pub struct Script {
    /// The line of the text, from 1, of each line of the notation; empty when it comes from a project file.
    pub lines: Vec<usize>,
    /// Place in the script area; none for the automatic one.
    pub at: Option<(f64, f64)>,
    /// Whether a definition runs without screen refresh.
    pub without_refresh: bool,
    /// The notation, without the indentation of the text.
    pub text: String,
}

/// Automatic layout: left edge, and top edge of the first script, in workspace units.
const FIRST_PLACE: (f64, f64) = (40.0, 40.0);
/// Estimated height of a line of notation: a stack block is 48 to 56 units high, with a reporter
/// inside 64 at most.
const LINE_HEIGHT: f64 = 64.0;
const GAP: f64 = 48.0;

impl Script {
    /// Lines that hold something.
    fn height(&self) -> f64 {
        let lines = self.text.lines().filter(|line| !line.trim().is_empty()).count();
        // Scripts have far fewer than 2^32 lines, so the conversion is exact.
        LINE_HEIGHT * f64::from(u32::try_from(lines).unwrap_or(u32::MAX)) + GAP
    }
}

/// Default positions of a target's scripts: below one another.
pub fn automatic_places(scripts: &[Script]) -> Vec<(f64, f64)> {
    let (x, mut y) = FIRST_PLACE;
    scripts
        .iter()
        .map(|script| {
            let place = (x, y);
            y += script.height();
            place
        })
        .collect()
}

impl TextTarget {
    pub fn stage() -> Self {
        Self::new("Stage".to_owned(), TargetState::Stage(StageState::default()))
    }

    pub fn sprite(name: String) -> Self {
        Self::new(name, TargetState::Sprite(SpriteState::default()))
    }

    const fn new(name: String, state: TargetState) -> Self {
        Self {
            name,
            state,
            costumes: Vec::new(),
            current: 1,
            sounds: Vec::new(),
            volume: 100.0,
            variables: Vec::new(),
            lists: Vec::new(),
            comments: Vec::new(),
            monitors: Vec::new(),
            scripts: Vec::new(),
        }
    }
}
