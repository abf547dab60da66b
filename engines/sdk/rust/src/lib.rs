//! The Rust SDK of gamehub: implement [`Game`] and call [`run`].
//!
//! The hub starts the program and speaks the protocol of engines/process/README.md on its standard
//! input and output. This crate hides it: what `println!` writes goes to the hub's log, and standard
//! input is empty. Standard library only; Rust 1.63 or later; Unix. One thread.

mod json;
mod matches;
mod serve;
mod state;
mod wire;

pub use json::Json;
pub use matches::{start, Match};
pub use serve::run;
pub use state::Field;

/// A lower-case word with dashes, such as "too-few-stones".
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Refused(pub &'static str);

/// Who moves in a state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ToMove {
    /// The match is over.
    Nobody,
    Seat(usize),
    /// Several seats at once.
    Seats(Vec<usize>),
    Chance,
}

/// Who looks at a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Viewer {
    Seat(usize),
    Spectator,
}

/// A board: an action is then a cell, counted by rows from 0, and JSON has its row and column.
#[derive(Clone, Copy, Debug)]
pub struct Board {
    pub rows: usize,
    pub columns: usize,
    /// One printable ASCII character for each seat, then those of other pieces.
    pub marks: &'static str,
}

impl Board {
    /// How many cells of the longest straight line through this one equal it. `cells` are those of
    /// the whole board.
    pub fn line_length<T: PartialEq>(&self, cells: &[T], cell: usize) -> usize {
        let run = |row_step: isize, column_step: isize| {
            let mut length = 0;
            let mut row = (cell / self.columns) as isize + row_step;
            let mut column = (cell % self.columns) as isize + column_step;
            while (0..self.rows as isize).contains(&row)
                && (0..self.columns as isize).contains(&column)
                && cells[row as usize * self.columns + column as usize] == cells[cell]
            {
                length += 1;
                row += row_step;
                column += column_step;
            }
            length
        };
        let steps = [(0, 1), (1, 0), (1, 1), (1, -1)];
        let lengths = steps.iter().map(|&(row, column)| run(row, column) + 1 + run(-row, -column));
        lengths.max().unwrap_or(1)
    }
}

/// An option of a match.
#[derive(Clone, Copy, Debug)]
pub struct Setting {
    pub name: &'static str,
    pub kind: Kind,
}

/// The values of an option.
#[derive(Clone, Copy, Debug)]
pub enum Kind {
    Integer { least: i64, most: i64, default: i64 },
    Boolean { default: bool },
    Word { words: &'static [&'static str], default: &'static str },
}

/// The options of a match: each of [`About::options`] has a value.
pub struct Options(Vec<(&'static str, Json)>);

impl Options {
    fn value(&self, name: &str) -> &Json {
        let found = self.0.iter().find(|(known, _)| *known == name);
        &found.unwrap_or_else(|| panic!("the game has no option {name}")).1
    }

    pub fn integer(&self, name: &str) -> i64 {
        match self.value(name) {
            Json::Integer(value) => *value,
            _ => panic!("the option {name} is no integer"),
        }
    }

    pub fn boolean(&self, name: &str) -> bool {
        match self.value(name) {
            Json::Boolean(value) => *value,
            _ => panic!("the option {name} is no boolean"),
        }
    }

    pub fn word(&self, name: &str) -> &str {
        match self.value(name) {
            Json::Text(value) => value,
            _ => panic!("the option {name} is no word"),
        }
    }
}

/// What a game is, the same for all of its matches.
#[derive(Clone, Copy, Debug)]
pub struct About {
    pub id: &'static str,
    pub title: &'static str,
    pub version: (u32, u32, u32),
    pub players_min: usize,
    pub players_max: usize,
    /// The most legal actions that one seat can have.
    pub actions_max: usize,
    /// Actions are 0 to `actions_end - 1`; 0: `actions_max`.
    pub actions_end: usize,
    /// The most actions of a match, draws of chance included.
    pub plies_max: usize,
    pub state_bytes_max: usize,
    pub perfect_information: bool,
    pub simultaneous: bool,
    pub has_chance: bool,
    pub options: &'static [Setting],
    /// The extension `face`, as JSON.
    pub face: Option<&'static str>,
    pub board: Option<Board>,
}

impl About {
    /// Two players with perfect information; the other values are to be set.
    pub const DEFAULT: About = About {
        id: "",
        title: "",
        version: (1, 0, 0),
        players_min: 2,
        players_max: 2,
        actions_max: 0,
        actions_end: 0,
        plies_max: 0,
        state_bytes_max: 64 * 1024,
        perfect_information: true,
        simultaneous: false,
        has_chance: false,
        options: &[],
        face: None,
        board: None,
    };
}

/// The rules: a value is the state of one match, which [`state!`] declares. The functions may use no
/// clock, file, thread or source of randomness. One that panics ends its match alone.
pub trait Game: Field + Clone {
    const ABOUT: About;

    /// Makes the first state. Refuses options that each are allowed, but not together.
    fn new(players: usize, options: &Options) -> Result<Self, Refused>;

    fn to_move(&self) -> ToMove;

    /// The legal actions of a seat that is to move.
    fn legal_actions(&self, seat: usize) -> Vec<i64>;

    /// Applies a legal action.
    fn apply(&mut self, seat: usize, action: i64);

    /// One score for each player of a match that is over: won 1, drawn 0, lost -1.
    fn scores(&self) -> Vec<f64>;

    /// What a viewer may see, an object: by default the board, its marks by rows.
    fn view(&self, viewer: Viewer) -> Json {
        matches::view_of_board(self, viewer)
    }

    /// Why this action, below `actions_end`, is not legal.
    fn refusal(&self, _seat: usize, _action: i64) -> Refused {
        Refused("out-of-bounds")
    }

    /// The draws of chance with their weights, while it is to move.
    fn chance_outcomes(&self) -> Vec<(i64, u32)> {
        Vec::new()
    }

    /// Applies a draw of chance.
    fn draw(&mut self, _outcome: i64) {
        unreachable!("a game with chance has draw()")
    }

    /// The viewers that may see an action besides its seat; none: everyone.
    fn audience(&self, _seat: usize, _action: i64) -> Option<Vec<Viewer>> {
        None
    }

    /// The viewers that may see a draw of chance; none: everyone.
    fn audience_of_draw(&self, _outcome: i64) -> Option<Vec<Viewer>> {
        None
    }

    /// The seat whose mark is on a cell of the board, or the place in `marks` of another piece.
    fn cell(&self, _viewer: Viewer, _cell: usize) -> Option<usize> {
        None
    }
}
