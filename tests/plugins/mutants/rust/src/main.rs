//! Engines that each violate the contract once: mutants NAME. They are those of mutants.py, but
//! for what the SDK prevents; tests/system/mutants_test.cpp has the finding for each name.

use gamehub_engine::{
    run, state, About, Board as Cells, Field, Game, Json, Options, Refused, ToMove, Viewer,
};
use std::collections::hash_map::RandomState;
use std::fs::File;
use std::hash::{BuildHasher, Hasher};
use std::io::{Read, Write};
use std::os::unix::io::{AsFd, FromRawFd};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::{sleep, spawn};
use std::time::{Duration, SystemTime};

fn is(name: &str) -> bool {
    std::env::args().nth(1).as_deref() == Some(name)
}

fn throw_in(function: &str) {
    assert!(!is(&format!("throws-in-{function}")), "boom");
}

fn random(below: u64) -> u64 {
    RandomState::new().build_hasher().finish() % below
}

static SHARED: AtomicUsize = AtomicUsize::new(0);

fn count() -> usize {
    SHARED.fetch_add(1, Ordering::Relaxed)
}

const CELLS: Cells = Cells { rows: 3, columns: 3, marks: "XO" };

const BOARD: About = About {
    id: "mutant",
    title: "Mutant",
    actions_max: 9,
    plies_max: 9,
    board: Some(CELLS),
    ..About::DEFAULT
};

state! {
    struct BoardState {
        cells: [Option<usize>; 9],
        mover: usize,
        winner: Option<usize>,
        more: u64,
    }
}

/// Three in a line on nine cells, with the bounds of this number.
#[derive(Clone)]
struct Board<const BOUNDS: usize>(BoardState);

impl<const BOUNDS: usize> Field for Board<BOUNDS> {
    fn save(&self, out: &mut Vec<u8>) {
        self.0.save(out);
    }
    fn load(from: &mut &[u8]) -> Option<Self> {
        Some(Board(BoardState::load(from)?))
    }
}

impl<const BOUNDS: usize> Board<BOUNDS> {
    fn over(&self) -> bool {
        self.0.winner.is_some() || !self.0.cells.contains(&None)
    }
}

impl<const BOUNDS: usize> Game for Board<BOUNDS> {
    const ABOUT: About = match BOUNDS {
        1 => About { actions_max: 8, actions_end: 9, ..BOARD },
        2 => About { plies_max: 6, ..BOARD },
        3 => About { state_bytes_max: 30, ..BOARD },
        _ => BOARD,
    };

    fn new(_players: usize, _options: &Options) -> Result<Self, Refused> {
        throw_in("set-up");
        let more = if is("other-process") { std::process::id().into() } else { 0 };
        Ok(Board(BoardState { cells: [None; 9], mover: 0, winner: None, more }))
    }

    fn to_move(&self) -> ToMove {
        throw_in("to-move");
        if is("never-begins") {
            return ToMove::Nobody;
        }
        if self.over() && !is("never-ends") {
            return ToMove::Nobody;
        }
        if is("seat-that-is-not-there") && self.0.cells[4].is_some() {
            return ToMove::Seat(2);
        }
        if is("both") {
            return ToMove::Seats(vec![0, 1]);
        }
        if is("at-random") {
            return ToMove::Seat(random(2) as usize);
        }
        ToMove::Seat(self.0.mover)
    }

    fn legal_actions(&self, _seat: usize) -> Vec<i64> {
        throw_in("legal-actions");
        let free = (0..9).filter(|at| self.0.cells[*at].is_none()).map(|at| at as i64);
        let mut out: Vec<i64> = free.collect();
        if is("twice") {
            out.extend(out.clone());
        }
        if is("none-legal") {
            out.truncate(out.len().saturating_sub(3));
        }
        out
    }

    fn refusal(&self, _seat: usize, _action: i64) -> Refused {
        throw_in("refusal");
        Refused(if is("reason-is-no-word") { "Space not empty!" } else { "space-not-empty" })
    }

    fn audience(&self, _seat: usize, _action: i64) -> Option<Vec<Viewer>> {
        throw_in("audience");
        is("secret-in-the-open").then(Vec::new)
    }

    fn apply(&mut self, seat: usize, action: i64) {
        throw_in("apply");
        if is("slow") {
            sleep(Duration::from_millis(300));
        }
        if is("prints") {
            println!("hello");
        }
        if is("exits") {
            std::process::exit(3);
        }
        while is("hangs") {
            std::hint::spin_loop();
        }
        if is("hash-unchanged") {
            return;
        }
        let mut cell = action as usize;
        if is("random-apply") {
            let free = self.legal_actions(seat);
            cell = free[random(free.len() as u64) as usize] as usize;
        }
        let state = &mut self.0;
        if is("clock") {
            let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
            state.more = now.map_or(0, |time| time.as_nanos() as u64);
        }
        state.cells[cell] = Some(seat);
        state.mover = 1 - seat;
        if CELLS.line_length(&state.cells, cell) >= 3 || (is("shared-state") && count() % 50 == 49) {
            state.winner = Some(seat);
        }
    }

    fn scores(&self) -> Vec<f64> {
        throw_in("scores");
        if is("too-many") {
            return vec![0.0; 3];
        }
        if is("no-number") {
            return vec![f64::NAN, 0.0];
        }
        if is("scores-change") {
            return vec![(count() % 2) as f64, 0.0];
        }
        let of = |seat| self.0.winner.map_or(0.0, |winner| if winner == seat { 1.0 } else { -1.0 });
        vec![of(0), of(1)]
    }

    fn view(&self, viewer: Viewer) -> Json {
        throw_in("view");
        if is("recurses") {
            return Json::list([self.view(viewer)]);
        }
        let cells = Json::list(self.0.cells);
        if is("no-object") {
            return cells;
        }
        let seen = if is("view-changes-state") { count() } else { 0 };
        Json::object([("board", cells), ("seen", (seen as i64).into())])
    }

    fn cell(&self, _viewer: Viewer, cell: usize) -> Option<usize> {
        throw_in("cell");
        if is("mark-of-no-seat") && cell == 8 { Some(2) } else { self.0.cells[cell] }
    }
}

state! {
    /// Chance deals each of two seats one of four cards, both bet or pass, the higher card wins.
    struct Cards {
        cards: Vec<i64>,
        said: Vec<i64>,
    }
}

impl Game for Cards {
    const ABOUT: About = About {
        id: "mutant",
        title: "Mutant",
        actions_max: 4,
        plies_max: 4,
        perfect_information: false,
        has_chance: true,
        ..About::DEFAULT
    };

    fn new(_players: usize, _options: &Options) -> Result<Self, Refused> {
        Ok(Cards { cards: vec![], said: vec![] })
    }

    fn to_move(&self) -> ToMove {
        match (self.cards.len(), self.said.len()) {
            (0 | 1, _) => ToMove::Chance,
            (_, said @ (0 | 1)) => ToMove::Seat(said),
            _ => ToMove::Nobody,
        }
    }

    fn chance_outcomes(&self) -> Vec<(i64, u32)> {
        throw_in("chance-outcomes");
        if is("no-draws") {
            return vec![];
        }
        let left = (0..4).filter(|card| !self.cards.contains(card));
        left.map(|card| (card, if is("no-weight") { card as u32 } else { 1 })).collect()
    }

    fn legal_actions(&self, seat: usize) -> Vec<i64> {
        if is("leaks-by-actions") && self.cards[1 - seat] >= 2 { vec![0] } else { vec![0, 1] }
    }

    fn draw(&mut self, outcome: i64) {
        self.cards.push(outcome);
    }

    fn audience_of_draw(&self, _outcome: i64) -> Option<Vec<Viewer>> {
        if is("tells-everyone") { None } else { Some(vec![Viewer::Seat(self.cards.len())]) }
    }

    fn apply(&mut self, _seat: usize, action: i64) {
        self.said.push(action);
    }

    fn scores(&self) -> Vec<f64> {
        if self.cards[0] > self.cards[1] { vec![1.0, -1.0] } else { vec![-1.0, 1.0] }
    }

    fn view(&self, viewer: Viewer) -> Json {
        let own = match viewer {
            Viewer::Seat(1) if is("leaks-card") => self.cards.first(),
            Viewer::Seat(seat) => self.cards.get(seat),
            Viewer::Spectator if is("leaks-to-spectators") => self.cards.first(),
            Viewer::Spectator => None,
        };
        let dealt = (self.cards.len() as i64).into();
        let said = Json::list(self.said.iter().copied());
        Json::object([("card", own.copied().into()), ("dealt", dealt), ("said", said)])
    }
}

state! {
    struct HandsState {
        before: Vec<(i64, i64)>,
        chosen: [Option<i64>; 2],
    }
}

/// Both seats choose one of three at the same time, twice.
#[derive(Clone)]
struct Hands(HandsState);

impl Field for Hands {
    fn save(&self, out: &mut Vec<u8>) {
        self.0.before.save(out);
        for chosen in self.0.chosen {
            let known = if is("hash-misses-field") { chosen.map(|_| 0) } else { chosen };
            known.save(out);
        }
    }
    fn load(from: &mut &[u8]) -> Option<Self> {
        Some(Hands(HandsState::load(from)?))
    }
}

impl Game for Hands {
    const ABOUT: About = About {
        id: "mutant",
        title: "Mutant",
        actions_max: 3,
        plies_max: 4,
        simultaneous: true,
        ..About::DEFAULT
    };

    fn new(_players: usize, _options: &Options) -> Result<Self, Refused> {
        Ok(Hands(HandsState { before: vec![], chosen: [None; 2] }))
    }

    fn to_move(&self) -> ToMove {
        let state = &self.0;
        if state.before.len() == 2 {
            return ToMove::Nobody;
        }
        ToMove::Seats((0..2).filter(|seat| state.chosen[*seat].is_none()).collect())
    }

    fn legal_actions(&self, _seat: usize) -> Vec<i64> {
        vec![0, 1, 2]
    }

    fn apply(&mut self, seat: usize, action: i64) {
        let state = &mut self.0;
        state.chosen[seat] = Some(action);
        if let [Some(first), Some(second)] = state.chosen {
            state.before.push((first, second));
            state.chosen = [None; 2];
        }
    }

    fn audience(&self, seat: usize, _action: i64) -> Option<Vec<Viewer>> {
        if self.0.chosen[1 - seat].is_none() { Some(vec![]) } else { None }
    }

    fn scores(&self) -> Vec<f64> {
        vec![0.0; 2]
    }

    fn view(&self, viewer: Viewer) -> Json {
        let state = &self.0;
        let shown = |seat: usize| {
            if is("leaks-choice") || viewer == Viewer::Seat(seat) { state.chosen[seat] } else { None }
        };
        let before = state.before.iter().map(|both| Json::list([both.0, both.1]));
        Json::object([("chosen", Json::list([shown(0), shown(1)])), ("before", Json::list(before))])
    }
}

extern "C" {
    fn pipe(ends: *mut i32) -> i32;
    fn dup2(from: i32, to: i32) -> i32;
}

fn message(from: &mut File) -> Option<Vec<u8>> {
    let mut out = vec![0; 4];
    from.read_exact(&mut out).ok()?;
    let size = u32::from_le_bytes([out[0], out[1], out[2], out[3]]) as usize;
    out.resize(4 + size, 0);
    from.read_exact(&mut out[4..]).ok()?;
    Some(out)
}

/// The SDK gets each request `play` for the other seat: its play is another than its single requests.
fn play_for_another() {
    let mut source = File::from(std::io::stdin().as_fd().try_clone_to_owned().expect("a descriptor"));
    let mut ends = [0; 2];
    // SAFETY: pipe writes two numbers. The descriptor has no other owner.
    let mut sdk = unsafe {
        assert!(pipe(ends.as_mut_ptr()) == 0 && dup2(ends[0], 0) == 0);
        File::from_raw_fd(ends[1])
    };
    spawn(move || {
        while let Some(mut bytes) = message(&mut source) {
            if bytes[4] == 5 {
                let released = u32::from_le_bytes([bytes[5], bytes[6], bytes[7], bytes[8]]) as usize;
                bytes[4 + 1 + (4 + 8 * released) + 8 + 4 + 8 + 4 + 4 + 1] ^= 1;
            }
            sdk.write_all(&bytes).expect("the SDK reads");
        }
        std::process::exit(0);
    });
}

const OF_CARDS: [&str; 8] = [
    "none-cards",
    "leaks-card",
    "leaks-to-spectators",
    "leaks-by-actions",
    "tells-everyone",
    "no-weight",
    "no-draws",
    "throws-in-chance-outcomes",
];

fn main() {
    if is("play-of-another") {
        play_for_another();
    }
    if OF_CARDS.iter().any(|name| is(name)) {
        return run::<Cards>();
    }
    if ["none-hands", "leaks-choice", "hash-misses-field"].iter().any(|name| is(name)) {
        return run::<Hands>();
    }
    match ["actions-max", "plies-max", "state-bytes-max"].iter().position(|name| is(name)) {
        Some(0) => run::<Board<1>>(),
        Some(1) => run::<Board<2>>(),
        Some(_) => run::<Board<3>>(),
        None => run::<Board<0>>(),
    }
}
