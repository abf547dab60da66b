//! The program: its first message, and the replies to the hub's requests.

use crate::matches::{
    action_from_json, action_from_text, action_to_json, actions_end, known, Match, CHANCE,
};
use crate::wire::{Reader, Writer};
use crate::{Game, Json, Kind, Refused, Setting};
use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::fs::File;
use std::io::{Read, Write};
use std::os::unix::io::{AsFd, AsRawFd, OwnedFd};
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::process::exit;

const MESSAGE_BYTES_MAX: usize = 8 * 1024 * 1024;
const FAILURE_BYTES_MAX: usize = 256;

/// The functions of abi.h that answer the queries, by their numbers.
const QUERIES: [&str; 14] = [
    "legal_actions",
    "audience",
    "action_from_text",
    "action_from_json",
    "action_at",
    "action_to_text",
    "action_to_json",
    "glyphs",
    "cell_of",
    "view_json",
    "save",
    "choose",
    "score",
    "summary",
];

const REQUESTS: [&str; 6] = ["create", "load", "clone", "apply", "ask", "play"];

/// Why a request or a query has no result.
enum Fault {
    Refused(Refused),
    /// There is no such match.
    Lost,
    Panicked(&'static str, String),
}

impl From<Refused> for Fault {
    fn from(why: Refused) -> Fault {
        Fault::Refused(why)
    }
}

thread_local! {
    static LAST_PANIC: RefCell<String> = RefCell::new(String::new());
    /// The function of abi.h that needs the rules now, if not the requested one.
    static CALLING: Cell<Option<&'static str>> = Cell::new(None);
}

/// Calls a function of the rules, whose panic is the failure of this function of abi.h.
fn calling<T>(function: &'static str, call: impl FnOnce() -> T) -> T {
    CALLING.with(|now| now.set(Some(function)));
    let out = call();
    CALLING.with(|now| now.set(None));
    out
}

/// Carries out a request or a query of this function of abi.h.
fn guarded<T>(
    function: &'static str,
    call: impl FnOnce() -> Result<T, Fault>,
) -> Result<T, Fault> {
    catch_unwind(AssertUnwindSafe(call)).unwrap_or_else(|_| {
        let text = LAST_PANIC.with(|last| last.take());
        Err(Fault::Panicked(CALLING.with(|now| now.take()).unwrap_or(function), text))
    })
}

/// Keeps where and why the rules panicked, in one line of ASCII.
fn remember_panics() {
    std::panic::set_hook(Box::new(|panic| {
        eprintln!("{panic}");
        let words = panic.payload();
        let why = match (words.downcast_ref::<&str>(), words.downcast_ref::<String>()) {
            (Some(text), _) => *text,
            (_, Some(text)) => text,
            _ => "panicked",
        };
        let place = panic.location().map_or(String::new(), |at| format!(" ({at})"));
        let line = |c: char| if (' '..='~').contains(&c) { c } else { '?' };
        let text = format!("{why}{place}").chars().map(line).take(FAILURE_BYTES_MAX).collect();
        LAST_PANIC.with(|last| last.replace(text));
    }));
}

/// A query about a match.
struct Query<'a> {
    kind: usize,
    seat: i32,
    number: i64,
    text: &'a [u8],
}

impl<'a> Query<'a> {
    fn read(from: &mut Reader<'a>) -> Option<Query<'a>> {
        let kind = from.u8()?.into();
        let (seat, number, text) = (from.i32()?, from.i64()?, from.text()?);
        // Level, seed and budget are for the extension `player`.
        from.bytes(20)?;
        (kind < QUERIES.len()).then_some(Query { kind, seat, number, text })
    }
}

#[derive(Default)]
struct Answer {
    number: i64,
    audience: u64,
    bytes: Vec<u8>,
    actions: Vec<i64>,
}

fn schema_of(options: &[Setting]) -> String {
    let property = |setting: &Setting| {
        let schema = match setting.kind {
            Kind::Integer { least, most, default } => Json::object([
                ("type", "integer".into()),
                ("minimum", least.into()),
                ("maximum", most.into()),
                ("default", default.into()),
            ]),
            Kind::Boolean { default } => {
                Json::object([("type", "boolean".into()), ("default", default.into())])
            }
            Kind::Word { words, default } => Json::object([
                ("type", "string".into()),
                ("enum", Json::list(words.iter().copied())),
                ("default", default.into()),
            ]),
        };
        (setting.name.to_string(), schema)
    };
    let properties = Json::Object(options.iter().map(property).collect());
    let object = [
        ("type", "object".into()),
        ("properties", properties),
        ("additionalProperties", false.into()),
    ];
    Json::object(object).to_string()
}

pub(crate) fn first_message<G: Game>() -> Vec<u8> {
    let about = G::ABOUT;
    let mut out = Writer(b"GHENGINE".to_vec());
    out.u16(1);
    out.u16(1);
    let flag = |on: bool, bit: u32| if on { bit } else { 0 };
    out.u32(
        flag(about.perfect_information, 1) | flag(about.simultaneous, 2) | flag(about.has_chance, 4),
    );
    out.text(about.id.as_bytes());
    out.text(about.title.as_bytes());
    let schema = schema_of(about.options);
    out.maybe((!about.options.is_empty()).then_some(schema.as_str()));
    let (major, minor, patch) = about.version;
    out.u32(major);
    out.u32(minor);
    out.u32(patch);
    out.i32(about.players_min as i32);
    out.i32(about.players_max as i32);
    out.u64(about.actions_max as u64);
    out.u64(about.plies_max as u64);
    out.u64(about.state_bytes_max as u64);
    out.maybe(about.board.map(|board| board.marks));
    out.maybe(about.face);
    // No score, summary and player.
    for _ in 0..4 {
        out.u8(0);
    }
    out.0
}

struct Engine<G> {
    matches: HashMap<u64, Match<G>>,
}

impl<G: Game> Engine<G> {
    /// Returns the reply, or nothing if the request is malformed.
    fn reply(&mut self, request: &[u8]) -> Option<Vec<u8>> {
        let mut from = Reader(request);
        let kind = usize::from(from.u8()?);
        for released in from.list(|from| from.u64())? {
            self.matches.remove(&released);
        }
        let (number, seat, value) = (from.u64()?, from.i32()?, from.i64()?);
        let (text, queries) = (from.text()?, from.list(|from| Query::read(from))?);
        if kind >= REQUESTS.len() || !from.0.is_empty() {
            return None;
        }
        if REQUESTS[kind] == "play" {
            return self.play(number, value as u64, &queries);
        }
        let mut out = Writer::default();
        let done = guarded(REQUESTS[kind], || {
            self.carry_out(REQUESTS[kind], number, seat, value, text)?;
            let found = self.matches.get(&number).ok_or(Fault::Lost)?;
            write_outcome(&mut out, None);
            out.u8(u8::from(REQUESTS[kind] != "ask"));
            if REQUESTS[kind] != "ask" {
                write_state(&mut out, found);
            }
            Ok(())
        });
        if let Err(fault) = done {
            return Some(reply_without_state(Some(fault), None));
        }
        let found = self.matches.get(&number)?;
        out.u32(queries.len() as u32);
        for query in &queries {
            write_answer(&mut out, found, query);
        }
        Some(out.0)
    }

    /// The first query is a move that a client has named: it is applied to a copy, which gets this
    /// number and answers the other queries.
    fn play(&mut self, number: u64, copy: u64, queries: &[Query]) -> Option<Vec<u8>> {
        let found = match self.matches.get(&number) {
            Some(found) => found,
            None => return Some(reply_without_state(Some(Fault::Lost), None)),
        };
        let (first, others) = queries.split_first()?;
        let mut out = Writer::default();
        let mut read = Writer::default();
        let action = match write_answer(&mut read, found, first) {
            Some(action) => action,
            None => return Some(reply_without_state(None, Some(read))),
        };
        let done = guarded("apply", || {
            let mut next = found.clone();
            next.apply(first.seat, action)?;
            write_outcome(&mut out, None);
            out.u8(1);
            write_state(&mut out, &next);
            Ok(next)
        });
        let next = match done {
            Ok(next) => next,
            Err(Fault::Refused(why)) => {
                return Some(reply_without_state(Some(Fault::Refused(why)), Some(read)))
            }
            Err(fault) => return Some(reply_without_state(Some(fault), None)),
        };
        out.u32(queries.len() as u32);
        out.0.append(&mut read.0);
        for query in others {
            write_answer(&mut out, &next, query);
        }
        self.matches.insert(copy, next);
        Some(out.0)
    }

    fn carry_out(
        &mut self,
        kind: &str,
        number: u64,
        seat: i32,
        value: i64,
        text: &[u8],
    ) -> Result<(), Fault> {
        let made = match kind {
            "create" => Match::create(value, text)?,
            "load" => Match::load(text).ok_or(Refused("malformed"))?,
            "clone" => self.matches.get(&(value as u64)).ok_or(Fault::Lost)?.clone(),
            "apply" => {
                let found = self.matches.get_mut(&number).ok_or(Fault::Lost)?;
                return Ok(found.apply(seat, value)?);
            }
            _ => return Ok(()),
        };
        self.matches.insert(number, made);
        Ok(())
    }
}

fn reply_without_state(fault: Option<Fault>, answer: Option<Writer>) -> Vec<u8> {
    let mut out = Writer::default();
    write_outcome(&mut out, fault);
    out.u8(0);
    out.u32(u32::from(answer.is_some()));
    out.0.append(&mut answer.unwrap_or_default().0);
    out.0
}

/// Returns the number of the answer, or nothing if the query failed or was refused.
fn write_answer<G: Game>(out: &mut Writer, of: &Match<G>, query: &Query) -> Option<i64> {
    let (said, fault) = match guarded(QUERIES[query.kind], || Ok(answer(of, query)?)) {
        Ok(said) => (said, None),
        Err(fault) => (Answer::default(), Some(fault)),
    };
    let number = fault.is_none().then_some(said.number);
    write_outcome(out, fault);
    out.i64(said.number);
    out.u64(said.audience);
    out.text(&said.bytes);
    out.list(&said.actions, Writer::i64);
    out.u32(0);
    number
}

fn write_outcome(out: &mut Writer, fault: Option<Fault>) {
    let (failed, function, text, reason) = match fault {
        None => (false, "", String::new(), ""),
        Some(Fault::Refused(why)) => (false, "", String::new(), why.0),
        Some(Fault::Lost) => (true, "", String::new(), ""),
        Some(Fault::Panicked(function, text)) => {
            (true, if function == "ask" { "" } else { function }, text, "")
        }
    };
    out.u8(u8::from(failed));
    out.text(function.as_bytes());
    out.text(text.as_bytes());
    out.text(reason.as_bytes());
}

fn write_state<G: Game>(out: &mut Writer, of: &Match<G>) {
    let moving = calling("to_move", || of.to_move());
    out.i32(of.players as i32);
    out.u64(moving);
    out.u64(of.hash());
    out.i32(G::ABOUT.board.map_or(0, |board| board.rows as i32));
    out.i32(G::ABOUT.board.map_or(0, |board| board.columns as i32));
    let scores = if moving == 0 { calling("scores", || of.game.scores()) } else { Vec::new() };
    out.list(&scores, Writer::f64);
    let at_chance = moving == 1 << CHANCE;
    let mut draws =
        if at_chance { calling("chance_outcomes", || of.game.chance_outcomes()) } else { Vec::new() };
    draws.sort_unstable();
    out.list(&draws, |out, draw| out.i64(draw.0));
    out.list(&draws, |out, draw| out.u32(draw.1));
}

fn answer<G: Game>(of: &Match<G>, query: &Query) -> Result<Answer, Refused> {
    let mut out = Answer::default();
    let viewer = of.viewer(query.seat);
    match QUERIES[query.kind] {
        "legal_actions" => out.actions = of.legal_actions(query.seat),
        "audience" => out.audience = of.audience(query.seat, query.number),
        kind @ ("action_from_text" | "action_from_json" | "action_at") => {
            out.number = match kind {
                "action_from_text" => action_from_text::<G>(query.text)?,
                "action_from_json" => action_from_json::<G>(query.text)?,
                _ => known::<G>(query.number)?,
            };
            out.audience = of.audience_of_mover(query.seat, out.number);
        }
        "action_to_text" => out.bytes = query.number.to_string().into_bytes(),
        "action_to_json" => out.bytes = action_to_json::<G>(query.number).into_bytes(),
        "glyphs" => out.bytes = of.glyphs(viewer),
        "cell_of" => {
            let on_board = (0..actions_end::<G>()).contains(&query.number);
            out.number = if G::ABOUT.board.is_some() && on_board { query.number } else { -1 };
        }
        "view_json" => out.bytes = of.game.view(viewer).to_string().into_bytes(),
        "save" => out.bytes = of.save(),
        other => panic!("the SDK has no {other}"),
    }
    Ok(out)
}

extern "C" {
    fn dup2(from: i32, to: i32) -> i32;
    fn isatty(descriptor: i32) -> i32;
}

fn duplicate(of: &impl AsFd) -> File {
    let copy: std::io::Result<OwnedFd> = of.as_fd().try_clone_to_owned();
    File::from(copy.expect("standard input and output are open"))
}

/// Where the hub's messages come from, and where the replies go. From now on what the rules print
/// is for the log, and they find no input.
fn take_channel() -> (File, File) {
    let (source, channel) = (duplicate(&std::io::stdin()), duplicate(&std::io::stdout()));
    let nothing = File::open("/dev/null").expect("/dev/null can be opened");
    // SAFETY: dup2 reads no memory. Standard input and output stay open.
    unsafe {
        dup2(nothing.as_raw_fd(), 0);
        dup2(2, 1);
    }
    (source, channel)
}

fn stop(why: &str) -> ! {
    eprintln!("{why}");
    exit(1)
}

fn receive(from: &mut File) -> Option<Vec<u8>> {
    let mut size = [0; 4];
    from.read_exact(&mut size).ok()?;
    let size = u32::from_le_bytes(size) as usize;
    if size > MESSAGE_BYTES_MAX {
        stop("a message of the hub is too long");
    }
    let mut message = vec![0; size];
    from.read_exact(&mut message).ok()?;
    Some(message)
}

fn send(to: &mut File, message: &[u8]) {
    if message.len() > MESSAGE_BYTES_MAX {
        stop("an answer is longer than 8 MiB");
    }
    let mut bytes = (message.len() as u32).to_le_bytes().to_vec();
    bytes.extend_from_slice(message);
    if to.write_all(&bytes).is_err() {
        exit(0);
    }
}

/// Serves the hub until it closes the channel.
pub fn run<G: Game>() {
    // SAFETY: isatty reads no memory.
    if unsafe { isatty(0) } == 1 {
        stop("this is an engine: gamehub-tools engine check PROGRAM");
    }
    remember_panics();
    let (mut source, mut channel) = take_channel();
    send(&mut channel, &first_message::<G>());
    let mut engine = Engine::<G> { matches: HashMap::new() };
    while let Some(request) = receive(&mut source) {
        match engine.reply(&request) {
            Some(reply) => send(&mut channel, &reply),
            None => stop("a request of the hub is malformed"),
        }
    }
}
