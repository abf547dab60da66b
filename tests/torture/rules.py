"""A second implementation of the rules of the games, so that logs are not checked by the code that wrote them.

A board is one string, row by row from the top: X, O and - for blank. An action is in the form of the log.
"""


class TicTacToe:
    engine = "tictactoe"
    cells, rows, columns = 9, 3, 3
    lines = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]

    @classmethod
    def legal(cls, board):
        return [cell for cell in range(cls.cells) if board[cell] == "-"]

    @classmethod
    def cell(cls, _board, action):
        return action

    @classmethod
    def payload(cls, action):
        return {"type": "move", "row": action // 3, "column": action % 3}


class ConnectFour:
    engine = "connect-four"
    cells, rows, columns = 42, 6, 7
    lines = [tuple((row + i * down) * 7 + column + i * right for i in range(4))
             for down, right in [(0, 1), (1, 0), (1, 1), (1, -1)]
             for row in range(6) for column in range(7)
             if row + 3 * down < 6 and 0 <= column + 3 * right < 7]

    @classmethod
    def legal(cls, board):
        return [column for column in range(7) if board[column] == "-"]

    @classmethod
    def cell(cls, board, action):
        return max(row * 7 + action for row in range(6) if board[row * 7 + action] == "-")

    @classmethod
    def payload(cls, action):
        return {"type": "move", "column": action}


GAMES = {game.engine: game for game in (TicTacToe, ConnectFour)}


def empty(game):
    return "-" * game.cells


def pieces(board):
    return len(board) - board.count("-")


def after(game, board, action):
    """The board after an action of the player to move, or None if there is no such move."""
    if action not in game.legal(board):
        return None
    cell = game.cell(board, action)
    return board[:cell] + "XO"[pieces(board) % 2] + board[cell + 1:]


def extends(board, before):
    """Whether a board has all pieces of another one, of the same game."""
    return before is not None and len(before) == len(board) and all(
        old in ("-", new) for old, new in zip(before, board, strict=True))


def winner(game, board):
    for line in game.lines:
        if board[line[0]] != "-" and all(board[cell] == board[line[0]] for cell in line):
            return board[line[0]]
    return None


def over(game, board):
    return "-" not in board or winner(game, board) is not None
