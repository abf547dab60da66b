//! The bytes of the engine protocol: numbers with the least byte first, texts and lists after their
//! count.

pub(crate) struct Reader<'a>(pub &'a [u8]);

impl<'a> Reader<'a> {
    pub fn bytes(&mut self, size: usize) -> Option<&'a [u8]> {
        let found = self.0.get(..size)?;
        self.0 = &self.0[size..];
        Some(found)
    }

    fn array<const SIZE: usize>(&mut self) -> Option<[u8; SIZE]> {
        self.bytes(SIZE)?.try_into().ok()
    }

    pub fn u8(&mut self) -> Option<u8> {
        self.array().map(u8::from_le_bytes)
    }
    pub fn u32(&mut self) -> Option<u32> {
        self.array().map(u32::from_le_bytes)
    }
    pub fn u64(&mut self) -> Option<u64> {
        self.array().map(u64::from_le_bytes)
    }
    pub fn i32(&mut self) -> Option<i32> {
        self.array().map(i32::from_le_bytes)
    }
    pub fn i64(&mut self) -> Option<i64> {
        self.array().map(i64::from_le_bytes)
    }
    pub fn text(&mut self) -> Option<&'a [u8]> {
        let size = self.u32()?;
        self.bytes(size as usize)
    }

    /// Each element has at least one byte, so that a count alone allocates nothing.
    pub fn list<T>(&mut self, each: impl Fn(&mut Self) -> Option<T>) -> Option<Vec<T>> {
        let count = self.u32()? as usize;
        if count > self.0.len() {
            return None;
        }
        (0..count).map(|_| each(self)).collect()
    }
}

macro_rules! numbers {
    ($($kind:ident),*) => {$(
        pub fn $kind(&mut self, value: $kind) {
            self.0.extend_from_slice(&value.to_le_bytes());
        }
    )*};
}

#[derive(Default)]
pub(crate) struct Writer(pub Vec<u8>);

impl Writer {
    pub fn u8(&mut self, value: u8) {
        self.0.push(value);
    }
    numbers!(u16, u32, u64, i32, i64, f64);
    pub fn text(&mut self, value: &[u8]) {
        self.u32(value.len() as u32);
        self.0.extend_from_slice(value);
    }
    pub fn maybe(&mut self, value: Option<&str>) {
        self.u8(u8::from(value.is_some()));
        if let Some(value) = value {
            self.text(value.as_bytes());
        }
    }
    pub fn list<T: Copy>(&mut self, all: &[T], each: impl Fn(&mut Self, T)) {
        self.u32(all.len() as u32);
        for &value in all {
            each(self, value);
        }
    }
}
