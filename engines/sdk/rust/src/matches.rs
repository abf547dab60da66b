//! One match: what is legal, and what its state is as the protocol has it.

use crate::state::digest;
use crate::{Board, Field, Game, Json, Kind, Options, Refused, ToMove, Viewer};

pub(crate) const CHANCE: i32 = 63;

/// A match of a game. Tests of rules make one with [`start`].
#[derive(Clone, Debug)]
pub struct Match<G> {
    pub players: usize,
    pub game: G,
}

/// Makes a match, for tests of the rules. `players` may be 0 for as few as possible; `options` is
/// an object of JSON.
pub fn start<G: Game>(players: usize, options: &str) -> Result<Match<G>, Refused> {
    Match::create(players as i64, options.as_bytes())
}

impl<G: Game> Match<G> {
    /// Plays these actions in turn, for tests of the rules. Where several seats move at once, the
    /// first of them plays.
    pub fn play(&mut self, actions: &[i64]) -> Result<(), Refused> {
        actions.iter().try_for_each(|action| {
            let seat = self.to_move().trailing_zeros();
            self.apply(seat as i32, *action)
        })
    }

    pub(crate) fn create(players: i64, options: &[u8]) -> Result<Self, Refused> {
        let about = G::ABOUT;
        let options = options_of(about.options, options).ok_or(Refused("bad-options"))?;
        let least = about.players_min;
        let players = if players == 0 { least } else { usize::try_from(players).unwrap_or(0) };
        if !(least..=about.players_max).contains(&players) {
            return Err(Refused("wrong-number-of-players"));
        }
        Ok(Match { players, game: G::new(players, &options)? })
    }

    pub(crate) fn save(&self) -> Vec<u8> {
        let mut out = vec![0; 8];
        (self.players as u8).save(&mut out);
        self.game.save(&mut out);
        let sum = digest(&out[8..]);
        out[..8].copy_from_slice(&sum.to_le_bytes());
        out
    }

    pub(crate) fn load(bytes: &[u8]) -> Option<Self> {
        let mut rest = bytes;
        let sum = u64::load(&mut rest)?;
        if sum != digest(rest) {
            return None;
        }
        let out = Match { players: u8::load(&mut rest)?.into(), game: G::load(&mut rest)? };
        rest.is_empty().then_some(out)
    }

    pub(crate) fn hash(&self) -> u64 {
        let saved = self.save();
        u64::load(&mut &saved[..]).unwrap_or_default()
    }

    /// A bit for each seat.
    pub(crate) fn to_move(&self) -> u64 {
        match self.game.to_move() {
            ToMove::Nobody => 0,
            ToMove::Seat(seat) => 1 << seat,
            ToMove::Seats(seats) => seats.iter().fold(0, |bits, seat| bits | 1 << seat),
            ToMove::Chance => 1 << CHANCE,
        }
    }

    fn is_moving(&self, seat: i32) -> bool {
        (0..=CHANCE).contains(&seat) && self.to_move() >> seat & 1 == 1
    }

    /// The draws of chance, or the actions of a seat, in their order.
    pub(crate) fn legal_actions(&self, seat: i32) -> Vec<i64> {
        if !self.is_moving(seat) {
            return Vec::new();
        }
        let mut out = match seat {
            CHANCE => self.game.chance_outcomes().iter().map(|draw| draw.0).collect(),
            _ => self.game.legal_actions(seat as usize),
        };
        out.sort_unstable();
        out
    }

    pub(crate) fn apply(&mut self, seat: i32, action: i64) -> Result<(), Refused> {
        if self.to_move() == 0 {
            return Err(Refused("game-over"));
        }
        if !self.is_moving(seat) {
            return Err(Refused("not-your-turn"));
        }
        if self.legal_actions(seat).binary_search(&action).is_err() {
            let known = seat != CHANCE && is_known::<G>(action);
            let why = || self.game.refusal(seat as usize, action);
            return Err(if known { why() } else { Refused("out-of-bounds") });
        }
        match seat {
            CHANCE => self.game.draw(action),
            _ => self.game.apply(seat as usize, action),
        }
        Ok(())
    }

    /// A bit for each viewer of an action.
    pub(crate) fn audience(&self, seat: i32, action: i64) -> u64 {
        let (viewers, actor) = match seat {
            0..=62 => (self.game.audience(seat as usize, action), 1 << seat),
            // Its bit is that of the spectators.
            CHANCE => (self.game.audience_of_draw(action), 0),
            _ => (None, 0),
        };
        viewers.map_or(u64::MAX, |viewers| {
            viewers.iter().fold(actor, |bits, viewer| match viewer {
                Viewer::Seat(other) => bits | 1 << other,
                Viewer::Spectator => bits | 1 << CHANCE,
            })
        })
    }

    /// The same, if the seat is to move, for the action that a client has named.
    pub(crate) fn audience_of_mover(&self, seat: i32, action: i64) -> u64 {
        if self.is_moving(seat) {
            self.audience(seat, action)
        } else {
            0
        }
    }

    pub(crate) fn viewer(&self, seat: i32) -> Viewer {
        match usize::try_from(seat) {
            Ok(seat) if seat < self.players => Viewer::Seat(seat),
            _ => Viewer::Spectator,
        }
    }

    /// A character for each cell of the board.
    pub(crate) fn glyphs(&self, viewer: Viewer) -> Vec<u8> {
        let board = G::ABOUT.board.expect("a game with a board");
        let cells = 0..board.rows * board.columns;
        cells.map(|cell| mark_of(&board, self.game.cell(viewer, cell)).unwrap_or(b'-')).collect()
    }
}

fn mark_of(board: &Board, seat: Option<usize>) -> Option<u8> {
    seat.map(|seat| board.marks.as_bytes()[seat])
}

pub(crate) fn view_of_board<G: Game>(game: &G, viewer: Viewer) -> Json {
    let board = G::ABOUT.board.expect("a game without a board has view()");
    let mark = |row: usize, column: usize| -> Json {
        let held = mark_of(&board, game.cell(viewer, row * board.columns + column));
        held.map(|mark| char::from(mark).to_string()).as_deref().into()
    };
    let rows =
        (0..board.rows).map(|row| Json::list((0..board.columns).map(|column| mark(row, column))));
    Json::object([("board", Json::list(rows))])
}

pub(crate) fn actions_end<G: Game>() -> i64 {
    let about = G::ABOUT;
    if about.actions_end == 0 { about.actions_max as i64 } else { about.actions_end as i64 }
}

fn is_known<G: Game>(action: i64) -> bool {
    (0..actions_end::<G>()).contains(&action)
}

pub(crate) fn known<G: Game>(action: i64) -> Result<i64, Refused> {
    if is_known::<G>(action) { Ok(action) } else { Err(Refused("out-of-bounds")) }
}

/// An action as text is its number.
pub(crate) fn action_from_text<G: Game>(text: &[u8]) -> Result<i64, Refused> {
    let digits = text.strip_prefix(b"-").unwrap_or(text);
    let number = std::str::from_utf8(text).ok().filter(|_| digits.iter().all(u8::is_ascii_digit));
    known::<G>(number.and_then(|text| text.parse().ok()).ok_or(Refused("malformed"))?)
}

pub(crate) fn action_from_json<G: Game>(text: &[u8]) -> Result<i64, Refused> {
    let given = Json::parse(text).ok_or(Refused("malformed"))?;
    let member = |name| given.get(name).and_then(Json::integer).ok_or(Refused("malformed"));
    match G::ABOUT.board {
        None => known::<G>(member("action")?),
        Some(board) => {
            let (row, column) = (member("row")?, member("column")?);
            let (rows, columns) = (board.rows as i64, board.columns as i64);
            if !(0..rows).contains(&row) || !(0..columns).contains(&column) {
                return Err(Refused("out-of-bounds"));
            }
            known::<G>(row * columns + column)
        }
    }
}

pub(crate) fn action_to_json<G: Game>(action: i64) -> String {
    match G::ABOUT.board {
        None => format!("{{\"type\":\"move\",\"action\":{action}}}"),
        Some(board) => {
            let (row, column) = (action / board.columns as i64, action % board.columns as i64);
            format!("{{\"type\":\"move\",\"row\":{row},\"column\":{column}}}")
        }
    }
}

fn fits(value: &Json, kind: &Kind) -> bool {
    match (kind, value) {
        (Kind::Integer { least, most, .. }, Json::Integer(value)) => (least..=most).contains(&value),
        (Kind::Boolean { .. }, Json::Boolean(_)) => true,
        (Kind::Word { words, .. }, Json::Text(value)) => words.contains(&value.as_str()),
        _ => false,
    }
}

fn default_of(kind: &Kind) -> Json {
    match *kind {
        Kind::Integer { default, .. } => default.into(),
        Kind::Boolean { default } => default.into(),
        Kind::Word { default, .. } => default.into(),
    }
}

/// The options of a match. Returns nothing if one is not in the schema, or no object is given.
fn options_of(about: &[crate::Setting], text: &[u8]) -> Option<Options> {
    let given = if text.is_empty() { Json::Object(vec![]) } else { Json::parse(text)? };
    let members = match &given {
        Json::Object(members) => members,
        _ => return None,
    };
    let known = |name: &str| about.iter().find(|setting| setting.name == name);
    if !members.iter().all(|(name, value)| known(name).map_or(false, |it| fits(value, &it.kind))) {
        return None;
    }
    let value_of = |setting: &crate::Setting| {
        let value = given.get(setting.name).cloned();
        (setting.name, value.unwrap_or_else(|| default_of(&setting.kind)))
    };
    Some(Options(about.iter().map(value_of).collect()))
}
