//! Last Stone: players take one, two or three of 15 stones; the player of the last one wins.

use gamehub_engine::{run, state, About, Game, Json, Options, Refused, ToMove, Viewer};

state! {
    struct LastStone {
        stones: i64,
        mover: usize,
    }
}

impl Game for LastStone {
    const ABOUT: About = About {
        id: "last-stone",
        title: "Last Stone",
        actions_max: 3,
        actions_end: 4, // an action is the number of stones: 1 to 3
        plies_max: 15,
        ..About::DEFAULT
    };

    fn new(_players: usize, _options: &Options) -> Result<Self, Refused> {
        Ok(LastStone { stones: 15, mover: 0 })
    }

    fn to_move(&self) -> ToMove {
        if self.stones > 0 {
            ToMove::Seat(self.mover)
        } else {
            ToMove::Nobody
        }
    }

    fn legal_actions(&self, _seat: usize) -> Vec<i64> {
        (1..=self.stones.min(3)).collect()
    }

    fn refusal(&self, _seat: usize, action: i64) -> Refused {
        Refused(if action > 0 { "too-few-stones" } else { "out-of-bounds" })
    }

    fn apply(&mut self, seat: usize, action: i64) {
        self.stones -= action;
        self.mover = 1 - seat;
    }

    fn scores(&self) -> Vec<f64> {
        vec![if self.mover == 0 { -1.0 } else { 1.0 }, if self.mover == 1 { -1.0 } else { 1.0 }]
    }

    fn view(&self, _viewer: Viewer) -> Json {
        Json::object([("stones", self.stones.into())])
    }
}

fn main() {
    run::<LastStone>();
}
