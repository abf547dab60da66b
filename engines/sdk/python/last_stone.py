"""Last Stone: players take one, two or three of 15 stones; the player of the last one wins."""

from gamehub_engine import Game, run


class LastStone(Game):
    id = "last-stone"
    title = "Last Stone"
    actions_max = 3
    actions_end = 4  # an action is the number of stones: 1 to 3
    plies_max = 15

    def set_up(self, options):
        self.stones = 15
        self.mover = 0

    def to_move(self):
        return self.mover if self.stones else ()

    def legal_actions(self, seat):
        return range(1, min(3, self.stones) + 1)

    def refusal(self, seat, action):
        return "too-few-stones" if action > 0 else "out-of-bounds"

    def apply(self, seat, action):
        self.stones -= action
        self.mover = 1 - seat

    def scores(self):
        return [-1, 1] if self.mover == 0 else [1, -1]

    def view(self, viewer):
        return {"stones": self.stones}


if __name__ == "__main__":
    run(LastStone)
