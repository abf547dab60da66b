//! Saves and restores states. Bytes that were damaged are no state: a digest finds it, so that
//! restored values need no further check.

/// A value that a state can have. Numbers, booleans, texts, options, tuples of two, arrays, vectors
/// and what [`state!`](crate::state) declares are such values.
pub trait Field: Sized {
    fn save(&self, out: &mut Vec<u8>);
    /// Returns nothing for bytes that `save` did not write.
    fn load(from: &mut &[u8]) -> Option<Self>;
}

/// Declares a structure whose values are states. It can be cloned, saved and restored.
///
/// ```
/// gamehub_engine::state! {
///     pub struct Heap {
///         stones: u32,
///         mover: usize,
///     }
/// }
/// ```
#[macro_export]
macro_rules! state {
    ($(#[$about:meta])* $shown:vis struct $name:ident {
        $($(#[$note:meta])* $field_shown:vis $field:ident: $kind:ty),* $(,)?
    }) => {
        $(#[$about])*
        #[derive(Clone, Debug, PartialEq)]
        $shown struct $name {
            $($(#[$note])* $field_shown $field: $kind),*
        }

        impl $crate::Field for $name {
            fn save(&self, out: &mut ::std::vec::Vec<u8>) {
                $($crate::Field::save(&self.$field, out);)*
            }
            fn load(from: &mut &[u8]) -> ::std::option::Option<Self> {
                ::std::option::Option::Some($name {
                    $($field: $crate::Field::load(from)?),*
                })
            }
        }
    };
}

fn take<const SIZE: usize>(from: &mut &[u8]) -> Option<[u8; SIZE]> {
    let bytes = from.get(..SIZE)?.try_into().ok()?;
    *from = &from[SIZE..];
    Some(bytes)
}

macro_rules! number_field {
    ($($kind:ty as $saved:ty),*) => {$(
        impl Field for $kind {
            fn save(&self, out: &mut Vec<u8>) {
                out.extend_from_slice(&(*self as $saved).to_le_bytes());
            }
            fn load(from: &mut &[u8]) -> Option<Self> {
                Some(<$saved>::from_le_bytes(take(from)?) as $kind)
            }
        }
    )*};
}

number_field!(u8 as u8, u16 as u16, u32 as u32, u64 as u64, usize as u64, f64 as f64);
number_field!(i8 as i8, i16 as i16, i32 as i32, i64 as i64, isize as i64);

impl Field for bool {
    fn save(&self, out: &mut Vec<u8>) {
        out.push(u8::from(*self));
    }
    fn load(from: &mut &[u8]) -> Option<Self> {
        Some(u8::load(from)? != 0)
    }
}

impl Field for String {
    fn save(&self, out: &mut Vec<u8>) {
        self.len().save(out);
        out.extend_from_slice(self.as_bytes());
    }
    fn load(from: &mut &[u8]) -> Option<Self> {
        String::from_utf8(Vec::load(from)?).ok()
    }
}

impl<T: Field> Field for Option<T> {
    fn save(&self, out: &mut Vec<u8>) {
        self.is_some().save(out);
        if let Some(value) = self {
            value.save(out);
        }
    }
    fn load(from: &mut &[u8]) -> Option<Self> {
        Some(if bool::load(from)? { Some(T::load(from)?) } else { None })
    }
}

impl<A: Field, B: Field> Field for (A, B) {
    fn save(&self, out: &mut Vec<u8>) {
        self.0.save(out);
        self.1.save(out);
    }
    fn load(from: &mut &[u8]) -> Option<Self> {
        Some((A::load(from)?, B::load(from)?))
    }
}

impl<T: Field> Field for Vec<T> {
    fn save(&self, out: &mut Vec<u8>) {
        self.len().save(out);
        for each in self {
            each.save(out);
        }
    }
    fn load(from: &mut &[u8]) -> Option<Self> {
        // Grows with the elements that are there, so that a count alone allocates nothing.
        let mut out = Vec::new();
        for _ in 0..usize::load(from)? {
            out.push(T::load(from)?);
        }
        Some(out)
    }
}

impl<T: Field, const SIZE: usize> Field for [T; SIZE] {
    fn save(&self, out: &mut Vec<u8>) {
        for each in self {
            each.save(out);
        }
    }
    fn load(from: &mut &[u8]) -> Option<Self> {
        let mut out = Vec::with_capacity(SIZE);
        for _ in 0..SIZE {
            out.push(T::load(from)?);
        }
        out.try_into().ok()
    }
}

/// A digest that is the same for all versions of compiler and crate: FNV-1a, and the last mixing of
/// MurmurHash3, which spreads each bit.
pub(crate) fn digest(bytes: &[u8]) -> u64 {
    let mut sum = bytes.iter().fold(0xcbf2_9ce4_8422_2325_u64, |sum, byte| {
        (sum ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3)
    });
    sum = (sum ^ sum >> 33).wrapping_mul(0xff51_afd7_ed55_8ccd);
    sum = (sum ^ sum >> 33).wrapping_mul(0xc4ce_b9fe_1a85_ec53);
    sum ^ sum >> 33
}

#[cfg(test)]
mod tests {
    use super::*;

    crate::state! {
        struct All {
            numbers: (u8, i64),
            list: Vec<Option<usize>>,
            grid: [[u16; 2]; 2],
            word: String,
            ratio: f64,
            flag: bool,
        }
    }

    #[test]
    fn a_state_is_restored_from_its_bytes_and_from_no_part_of_them() {
        let all = All {
            numbers: (7, -9),
            list: vec![None, Some(3)],
            grid: [[1, 2], [3, 65535]],
            word: "wörd".to_string(),
            ratio: 0.1,
            flag: true,
        };
        let mut bytes = Vec::new();
        all.save(&mut bytes);
        let mut rest = &bytes[..];
        assert_eq!(All::load(&mut rest), Some(all));
        assert!(rest.is_empty());
        for size in 0..bytes.len() {
            assert_eq!(All::load(&mut &bytes[..size]), None);
        }
    }

    #[test]
    fn a_count_alone_allocates_nothing() {
        let mut bytes = Vec::new();
        u64::MAX.save(&mut bytes);
        assert_eq!(Vec::<u64>::load(&mut &bytes[..]), None);
    }

    #[test]
    fn digests_are_the_same_in_all_releases() {
        assert_eq!(digest(b""), 0xefd0_1f60_ba99_2926);
        assert_ne!(digest(b"a"), digest(b"b"));
    }
}
