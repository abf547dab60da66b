//! JSON: what views are made of, and what a client sends as a move.

use std::fmt::{Display, Formatter, Write};

/// A value of JSON. Make one with [`Json::object`], [`Json::list`] and `into()`.
#[derive(Clone, Debug, PartialEq)]
pub enum Json {
    Null,
    Boolean(bool),
    Integer(i64),
    Real(f64),
    Text(String),
    List(Vec<Json>),
    /// Its members in their order.
    Object(Vec<(String, Json)>),
}

impl Json {
    pub fn object<const SIZE: usize>(members: [(&str, Json); SIZE]) -> Json {
        Json::Object(members.into_iter().map(|(name, value)| (name.to_string(), value)).collect())
    }

    pub fn list<T: Into<Json>>(all: impl IntoIterator<Item = T>) -> Json {
        Json::List(all.into_iter().map(Into::into).collect())
    }

    /// The last member of this name of an object.
    pub fn get(&self, name: &str) -> Option<&Json> {
        match self {
            Json::Object(members) => {
                members.iter().rev().find(|(known, _)| known == name).map(|(_, value)| value)
            }
            _ => None,
        }
    }

    /// An integer that is written without a fraction and an exponent.
    pub fn integer(&self) -> Option<i64> {
        match self {
            Json::Integer(value) => Some(*value),
            _ => None,
        }
    }

    /// Reads one value. Returns nothing for a text that is not JSON, or nested too deeply.
    pub fn parse(text: &[u8]) -> Option<Json> {
        let mut parser = Parser { text: std::str::from_utf8(text).ok()? };
        let value = parser.value(DEPTH_MAX)?;
        parser.blanks();
        parser.text.is_empty().then_some(value)
    }
}

macro_rules! json_from_integer {
    ($($kind:ty),*) => {$(
        impl From<$kind> for Json {
            fn from(value: $kind) -> Json {
                Json::Integer(value as i64)
            }
        }
    )*};
}
json_from_integer!(u8, u16, u32, u64, usize, i8, i16, i32, i64, isize);

impl From<bool> for Json {
    fn from(value: bool) -> Json {
        Json::Boolean(value)
    }
}
impl From<f64> for Json {
    fn from(value: f64) -> Json {
        Json::Real(value)
    }
}
impl From<&str> for Json {
    fn from(value: &str) -> Json {
        Json::Text(value.to_string())
    }
}
impl<T: Into<Json>> From<Option<T>> for Json {
    fn from(value: Option<T>) -> Json {
        value.map_or(Json::Null, Into::into)
    }
}

fn write_text(text: &str, out: &mut Formatter) -> std::fmt::Result {
    out.write_char('"')?;
    for c in text.chars() {
        match c {
            '"' | '\\' => write!(out, "\\{c}")?,
            c if c < ' ' => write!(out, "\\u{:04x}", c as u32)?,
            c => out.write_char(c)?,
        }
    }
    out.write_char('"')
}

impl Display for Json {
    fn fmt(&self, out: &mut Formatter) -> std::fmt::Result {
        match self {
            Json::Null => out.write_str("null"),
            Json::Boolean(value) => write!(out, "{value}"),
            Json::Integer(value) => write!(out, "{value}"),
            // JSON has no infinity.
            Json::Real(value) if !value.is_finite() => out.write_str("null"),
            Json::Real(value) => write!(out, "{value}"),
            Json::Text(value) => write_text(value, out),
            Json::List(all) => {
                out.write_char('[')?;
                for (number, each) in all.iter().enumerate() {
                    write!(out, "{}{each}", if number > 0 { "," } else { "" })?;
                }
                out.write_char(']')
            }
            Json::Object(members) => {
                out.write_char('{')?;
                for (number, (name, value)) in members.iter().enumerate() {
                    out.write_str(if number > 0 { "," } else { "" })?;
                    write_text(name, out)?;
                    write!(out, ":{value}")?;
                }
                out.write_char('}')
            }
        }
    }
}

/// A client may nest as deeply as it likes, and the stack has a bound.
const DEPTH_MAX: usize = 32;

struct Parser<'a> {
    text: &'a str,
}

impl<'a> Parser<'a> {
    fn blanks(&mut self) {
        self.text = self.text.trim_start_matches(|c| matches!(c, ' ' | '\t' | '\n' | '\r'));
    }

    /// Takes these characters if they come next.
    fn take(&mut self, what: &str) -> Option<()> {
        self.text = self.text.strip_prefix(what)?;
        Some(())
    }

    fn value(&mut self, depth: usize) -> Option<Json> {
        self.blanks();
        match self.text.as_bytes().first()? {
            b'n' => self.take("null").map(|_| Json::Null),
            b't' => self.take("true").map(|_| Json::Boolean(true)),
            b'f' => self.take("false").map(|_| Json::Boolean(false)),
            b'"' => self.string().map(Json::Text),
            b'[' => self.elements(depth, ']', |parser| parser.value(depth - 1)).map(Json::List),
            b'{' => self.elements(depth, '}', |parser| parser.member(depth - 1)).map(Json::Object),
            _ => self.number(),
        }
    }

    fn member(&mut self, depth: usize) -> Option<(String, Json)> {
        self.blanks();
        let name = self.string()?;
        self.blanks();
        self.take(":")?;
        Some((name, self.value(depth)?))
    }

    fn elements<T>(
        &mut self,
        depth: usize,
        end: char,
        mut each: impl FnMut(&mut Self) -> Option<T>,
    ) -> Option<Vec<T>> {
        if depth == 0 {
            return None;
        }
        self.text = &self.text[1..];
        let mut out = Vec::new();
        self.blanks();
        if let Some(rest) = self.text.strip_prefix(end) {
            self.text = rest;
            return Some(out);
        }
        loop {
            out.push(each(self)?);
            self.blanks();
            if let Some(rest) = self.text.strip_prefix(end) {
                self.text = rest;
                return Some(out);
            }
            self.take(",")?;
        }
    }

    fn string(&mut self) -> Option<String> {
        self.take("\"")?;
        let mut out = String::new();
        loop {
            let end = self.text.find(|c| c == '"' || c == '\\' || c < ' ')?;
            out.push_str(&self.text[..end]);
            let stop = self.text.as_bytes()[end];
            self.text = &self.text[end + 1..];
            match stop {
                b'"' => return Some(out),
                b'\\' => out.push(self.escaped()?),
                _ => return None,
            }
        }
    }

    fn escaped(&mut self) -> Option<char> {
        let kind = self.text.chars().next()?;
        self.text = &self.text[kind.len_utf8()..];
        Some(match kind {
            '"' | '\\' | '/' => kind,
            'b' => '\u{8}',
            'f' => '\u{c}',
            'n' => '\n',
            'r' => '\r',
            't' => '\t',
            'u' => {
                let first = self.code_unit()?;
                if !(0xd800..0xe000).contains(&first) {
                    return char::from_u32(first);
                }
                self.take("\\u")?;
                let second = self.code_unit()?;
                return char::decode_utf16([first as u16, second as u16]).next()?.ok();
            }
            _ => return None,
        })
    }

    fn code_unit(&mut self) -> Option<u32> {
        let digits = self.text.get(..4)?;
        if !digits.bytes().all(|c| c.is_ascii_hexdigit()) {
            return None;
        }
        self.text = &self.text[4..];
        u32::from_str_radix(digits, 16).ok()
    }

    fn digits(&mut self) -> Option<()> {
        let rest = self.text.trim_start_matches(|c: char| c.is_ascii_digit());
        if rest.len() == self.text.len() {
            return None;
        }
        self.text = rest;
        Some(())
    }

    fn number(&mut self) -> Option<Json> {
        let all = self.text;
        let _ = self.take("-");
        if self.take("0").is_none() {
            self.digits()?;
        }
        let mut whole = true;
        if self.take(".").is_some() {
            whole = false;
            self.digits()?;
        }
        if self.take("e").or_else(|| self.take("E")).is_some() {
            whole = false;
            let _ = self.take("+").or_else(|| self.take("-"));
            self.digits()?;
        }
        let written = &all[..all.len() - self.text.len()];
        match written.parse() {
            Ok(value) if whole => Some(Json::Integer(value)),
            _ => written.parse().ok().map(Json::Real),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_again() {
        let value = Json::object([
            ("stones", 12.into()),
            ("board", Json::list([Json::list([Some("X"), None]), Json::List(vec![])])),
            ("say \"\\\n\u{1}é🎲", Json::object([])),
            ("share", 0.5.into()),
            ("open", true.into()),
        ]);
        let text = value.to_string();
        assert_eq!(
            text,
            "{\"stones\":12,\"board\":[[\"X\",null],[]],\"say \\\"\\\\\\u000a\\u0001é🎲\":{},\
             \"share\":0.5,\"open\":true}"
        );
        assert_eq!(Json::parse(text.as_bytes()), Some(value));
        assert_eq!(Json::from(f64::NAN).to_string(), "null");
    }

    #[test]
    fn numbers_and_escapes_are_those_of_json() {
        let integer = |text: &str| Json::parse(text.as_bytes()).and_then(|value| value.integer());
        assert_eq!(integer(" -12\n"), Some(-12));
        assert_eq!(integer("0"), Some(0));
        for text in ["1.0", "1e3", "99999999999999999999", "\"1\"", "true"] {
            assert!(Json::parse(text.as_bytes()).is_some());
            assert_eq!(integer(text), None, "{text}");
        }
        let text = Json::parse(br#""\u0041\ud83c\udfb2\/\n""#);
        assert_eq!(text, Some("A🎲/\n".into()));
        let twice = Json::parse(br#"{"a":1,"a":2}"#);
        assert_eq!(twice.unwrap().get("a"), Some(&Json::Integer(2)));
    }

    #[test]
    fn what_is_not_json_is_refused() {
        let bad: [&[u8]; 26] = [
            b"", b" ", b"{", b"[1", b"[1,]", b"[,1]", b"{\"a\"}", b"{\"a\":}", b"{\"a\":1,}",
            b"{a:1}", b"01", b"-", b"+1", b"1.", b".5", b"1e", b"nul", b"truer", b"\"a", b"\"\x01\"",
            b"\"\\x\"", b"\"\\u12\"", b"\"\\ud800\"", b"\"\\ud800\\u0041\"", b"\xff", b"1 2",
        ];
        for text in bad {
            assert_eq!(Json::parse(text), None, "{}", String::from_utf8_lossy(text));
        }
        assert_eq!(Json::parse("[".repeat(100_000).as_bytes()), None);
        let deep = |depth: usize| "[".repeat(depth) + &"]".repeat(depth);
        assert!(Json::parse(deep(DEPTH_MAX).as_bytes()).is_some());
        assert_eq!(Json::parse(deep(DEPTH_MAX + 1).as_bytes()), None);
    }
}
