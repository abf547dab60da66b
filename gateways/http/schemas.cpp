#include "gateways/http/schemas.hpp"

namespace gamehub::gateways::http::shapes {
namespace {

using kind = member::kind;
using is = member::presence;

// The symbols of the players; a draw and a guest beside them.
constexpr std::string_view player = "^(X|O|[3-9]|[1-5][0-9]|6[0-2])$",
                           player_or_draw = "^(X|O|D|[3-9]|[1-5][0-9]|6[0-2])$",
                           player_or_guest = "^(X|O|G|[3-9]|[1-5][0-9]|6[0-2])$";
constexpr std::string_view statuses = "waiting running ended",
                           end_codes =
                               "rules draw agreed left clock operator failed interrupted drained",
                           offers = "draw takeback rematch",
                           seat_kinds = "^(player|bot|engine|substitute)?$";

constexpr member session_members[] = {
    {"client_id", kind::text, is::always, "the client's secret: made by the hub, or as it came"},
    {"name", kind::text, is::always, "under which others see this player"},
};

constexpr std::string_view clock_rule_says =
    "as in play: of a game with another clock than the hub's time for each turn";

constexpr member clock_members[] = {
    {"milliseconds_left", kind::array_of_integer, is::always, "of each player's time, by seat"},
    {"runs", kind::array_of_text, is::always,
     "the players whose clock runs; none: it stands still, as after a restart until all are back",
     nullptr, player},
    {"periods", kind::array_of_integer, is::sometimes,
     "of byo-yomi, by seat: the periods that follow the time that is left"},
};
constexpr member absent_player_members[] = {
    {"player", kind::text, is::always, "X, O, or a number from 3 on", nullptr, player},
    {"milliseconds_left", kind::integer, is::sometimes,
     "how long its seat is kept; missing: without a limit"},
    {"claim_milliseconds", kind::integer, is::sometimes,
     "until when another player has to wait to claim the win; missing: it can't be claimed"},
};

constexpr member accepting_members[] = {
    {"player", kind::text, is::always, "X, O, or a number from 3 on", nullptr, player},
    {"name", kind::text, is::always, "of that player"},
};
constexpr schema accepting{"accepting", "A player that has accepted an offer.", accepting_members};
constexpr member offer_members[] = {
    {"what", kind::text, is::always,
     "draw, takeback, or rematch: another game, with sides exchanged", nullptr, offers},
    {"player", kind::text, is::always, "X, O, or a number from 3 on: who offers it", nullptr,
     player},
    {"name", kind::text, is::always, "of that player"},
    {"accepted", kind::array_of, is::sometimes,
     "of three seats or more: the players that have accepted it; it waits for the others",
     &accepting},
};

constexpr member player_name_members[] = {
    {"name", kind::text, is::always, "under which others see this player now"},
};

constexpr member invitation_members[] = {
    {"status", kind::text, is::always,
     "waiting: it can be accepted; taken: it was; gone: the host took it back, or it never was",
     nullptr, "waiting taken gone"},
    {"yours", kind::boolean, is::always, "whether the asking client is its host"},
    {"game_id", kind::text, is::sometimes, "of the game; this and what follows unless it is gone"},
    {"engine", kind::text, is::sometimes, "what is played"},
    {"options", kind::document, is::sometimes, "of the engine"},
    {"clock_rule", kind::text, is::sometimes, clock_rule_says},
    {"host", kind::text, is::sometimes, "the name of who invites"},
    {"seats", kind::integer, is::sometimes, "of the game"},
    {"side", kind::text, is::sometimes, "X or O: the side of who accepts it, in a game of two",
     nullptr, "X O"},
    {"rows", kind::integer, is::sometimes, "of the board"},
    {"columns", kind::integer, is::sometimes, "of the board"},
};

constexpr member opponent_members[] = {
    {"player", kind::text, is::always, "X, O, or a number from 3 on", nullptr, player},
    {"name", kind::text, is::always, "who it is"},
    {"last_visit", kind::time, is::sometimes, "when the player was last heard of"},
};

constexpr member seat_members[] = {
    {"game_id", kind::text, is::always, "of the game, for its updates"},
    {"player", kind::text, is::always, "X, O, or a number from 3 on: which side this player is",
     nullptr, player},
    {"board", kind::text, is::always,
     "a letter a cell, row by row; _ is blank; of a waiting game the position that it begins with"},
    {"substitutes", kind::array_of_text, is::sometimes,
     "the players for whom an engine plays on, if there are any", nullptr, player},
    {"turn", kind::text, is::sometimes, "who moves", nullptr, player},
    {"winner", kind::text, is::sometimes,
     "X, O, a number or D, in the place of turn: the game has ended", nullptr, player_or_draw},
    {"opponent_name", kind::text, is::or_null,
     "null: nobody has come yet; of three or more, the next in turn"},
    {"opponent_last_visit", kind::time, is::or_null, "when the opponent was last heard of"},
    {"seats", kind::integer, is::always, "of the game"},
    {"opponents", kind::array_of, is::always, "all other players, once the game runs", &opponent},
    {"status", kind::text, is::sometimes, "waiting: nobody has come yet", nullptr, "waiting"},
    {"engine", kind::text, is::always, "what is played"},
    {"clock_rule", kind::text, is::sometimes, clock_rule_says},
    {"clock", kind::one_of, is::sometimes, "of a running game with a clock", &clock},
    {"invitation", kind::text, is::sometimes, "of a private game: what the other side joins with"},
    {"hub", kind::text, is::sometimes,
     "the URL of this hub, where it has one of its own: the game is there and nowhere else"},
    {"invitation_url", kind::text, is::sometimes, "where a browser joins a private game"},
    {"client_id", kind::text, is::sometimes, "where this call made the session"},
    {"name", kind::text, is::sometimes, "where this call made the session"},
};

constexpr member move_example_members[] = {
    {"action", kind::text, is::always, "in the engine's words: action of a move"},
    {"position", kind::integer, is::sometimes, "the cell that it marks: position of a move"},
    {"json", kind::document, is::always, "payload of JSON turns, move of bots"},
};
constexpr member example_members[] = {
    {"player", kind::text, is::always, "who is to move: X, O, a number from 3 on, or chance"},
    {"view", kind::document, is::always, "what this player sees; of chance what spectators see"},
    {"legal", kind::integer, is::always, "how many moves are legal"},
    {"moves", kind::array_of, is::always, "some of them", &move_example},
};
constexpr member engine_members[] = {
    {"engine", kind::text, is::always, "its id, for play"},
    {"title", kind::text, is::always, "for people"},
    {"players", kind::integer, is::always, "seats at its table"},
    {"rows", kind::integer, is::always, "of its board; 0: it has none"},
    {"columns", kind::integer, is::always, "of its board; 0: it has none"},
    {"marks", kind::text, is::always, "a letter a seat, as on boards of this protocol"},
    {"options", kind::document, is::always, "a JSON schema of the options that it knows"},
    {"levels", kind::array_of_text, is::always,
     "at which the hub plays a seat of it, the weakest first", nullptr, "random medium perfect"},
    {"takeback", kind::boolean, is::always, "whether moves can be taken back in its games"},
    {"face", kind::document, is::sometimes, "how its games look to people, as the engine says it"},
    {"examples", kind::array_of, is::sometimes,
     "of one engine alone: positions of a game in which a player has moves of a new form",
     &example},
};
constexpr member clock_bounds_members[] = {
    {"milliseconds_min", kind::integer, is::always, "of a move, of a game, or of a period"},
    {"move_milliseconds_max", kind::integer, is::always,
     "of a move, and of what a clock adds to it"},
    {"game_milliseconds_max", kind::integer, is::always, "for all moves of a player"},
    {"none", kind::boolean, is::always, "whether games without a clock may be chosen"},
};
constexpr member engine_list_members[] = {
    {"engines", kind::array_of, is::always, "all that can be played here", &engine},
    {"clocks", kind::one_of, is::always, "which clocks a player may choose", &clock_bounds},
};

constexpr member game_summary_members[] = {
    {"game_id", kind::text, is::always, "of the game"},
    {"engine", kind::text, is::always, "what is played"},
    {"options", kind::document, is::always, "of the engine"},
    {"clock_rule", kind::text, is::sometimes, clock_rule_says},
    {"status", kind::text, is::always, "waiting, running or ended", nullptr, statuses},
    {"seats", kind::integer, is::always, "of the game"},
    {"players", kind::array_of_text, is::always, "names, by seat; an empty one: the seat is open"},
    {"kinds", kind::array_of_text, is::always,
     "by seat: player, bot, engine, or substitute: an engine plays on; empty: the seat is open",
     nullptr, seat_kinds},
    {"reserved_for", kind::text, is::sometimes, "who alone may take the open seat"},
    {"opened", kind::time, is::always, "when it was opened"},
    {"winner", kind::text, is::sometimes, "X, O, a number or D, once there is one", nullptr,
     player_or_draw},
    {"code", kind::text, is::sometimes, "how it ended, as in the update end", nullptr, end_codes},
    {"clock", kind::one_of, is::sometimes, "of a running game with a clock", &clock},
    {"last_update_id", kind::integer, is::always, "how many updates it has"},
};
constexpr member own_game_members[] = {
    {"game_id", kind::text, is::always, "of the game"},
    {"engine", kind::text, is::always, "what is played"},
    {"status", kind::text, is::always, "waiting, running or ended", nullptr, statuses},
    {"player", kind::text, is::always, "X, O, or a number from 3 on: which side the client is",
     nullptr, player},
    {"seats", kind::integer, is::always, "of the game"},
    {"opponents", kind::array_of, is::always, "all other players, once the game runs", &opponent},
    {"substitutes", kind::array_of_text, is::sometimes,
     "the players for whom an engine plays on, if there are any", nullptr, player},
    {"turn", kind::text, is::sometimes, "who moves", nullptr, player},
    {"winner", kind::text, is::sometimes, "X, O, a number or D, in the place of turn", nullptr,
     player_or_draw},
    {"your_turn", kind::boolean, is::always, "whether the client is to move"},
    {"clock_rule", kind::text, is::sometimes, clock_rule_says},
    {"milliseconds_left", kind::integer, is::sometimes,
     "of the turn, while a clock runs: the client's own, or the first of the others"},
    {"turn_until", kind::time, is::sometimes, "the same as a time"},
};
constexpr member own_games_members[] = {
    {"games", kind::array_of, is::always, "the most urgent first", &own_game},
};
constexpr member webhook_members[] = {
    {"url", kind::text, is::always, "what the hub calls"},
    {"on", kind::boolean, is::always, "false: it gets no calls until it is registered again"},
    {"why", kind::text, is::sometimes, "why it is off, in words"},
    {"failures", kind::integer, is::always, "calls that failed since the last one that did not"},
    {"waiting", kind::integer, is::always, "events that are still to be sent"},
};
constexpr member notice_members[] = {
    {"message", kind::text, is::always, "what an operator has said"},
    {"timestamp", kind::time, is::always, "when"},
};
constexpr member notice_line_members[] = {
    {"type", kind::text, is::always, "notice", nullptr, "notice"},
    {"message", kind::text, is::always, "what an operator has said"},
    {"timestamp", kind::time, is::always, "when"},
    {"milliseconds_left", kind::integer, is::always, "how long it is still shown"},
};
constexpr member game_list_members[] = {
    {"games", kind::array_of, is::always, "the newest first", &game_summary},
    {"next", kind::text, is::or_null, "give it as after for the page that follows"},
    {"notice", kind::one_of, is::sometimes, "said to all players in the last five minutes",
     &notice},
};

constexpr member game_members[] = {
    {"game_id", kind::text, is::always, "of the game"},
    {"engine", kind::text, is::always, "what is played"},
    {"options", kind::document, is::always, "of the engine"},
    {"clock_rule", kind::text, is::sometimes, clock_rule_says},
    {"status", kind::text, is::always, "waiting, running or ended", nullptr, statuses},
    {"seats", kind::integer, is::always, "of the game"},
    {"players", kind::array_of_text, is::always, "names, by seat"},
    {"kinds", kind::array_of_text, is::always,
     "by seat: player, bot, engine, or substitute: an engine plays on; empty: the seat is open",
     nullptr, seat_kinds},
    {"reserved_for", kind::text, is::sometimes, "who alone may take the open seat"},
    {"player", kind::text, is::sometimes,
     "X, O, or a number from 3 on: which side the asking client is", nullptr, player},
    {"board", kind::text, is::always,
     "a letter a cell, row by row; _ is blank; of a waiting game the position that it begins with"},
    {"rows", kind::integer, is::sometimes, "of the board, if there is one"},
    {"columns", kind::integer, is::sometimes, "of the board"},
    {"substitutes", kind::array_of_text, is::sometimes,
     "the players for whom an engine plays on, if there are any", nullptr, player},
    {"turn", kind::text, is::sometimes, "who moves", nullptr, player},
    {"winner", kind::text, is::sometimes, "X, O, a number or D, in the place of turn", nullptr,
     player_or_draw},
    {"score", kind::array_of_number_or_null, is::sometimes,
     "by seat: what each has won so far, if the engine counts it"},
    {"scores", kind::array_of_number, is::sometimes, "by seat, of an ended game of three or more"},
    {"ranks", kind::array_of_integer, is::sometimes, "with scores: the place of each seat"},
    {"forfeits", kind::array_of_text, is::sometimes,
     "with scores: who lost by leaving or by the clock, while an engine played on", nullptr,
     player},
    {"summary", kind::text, is::sometimes, "a sentence of the engine about the position"},
    {"view", kind::document, is::sometimes,
     "the engine's own account of the position, as the asking client sees it"},
    {"actions", kind::array_of_text, is::sometimes, "what the asking client could play now"},
    {"positions", kind::array_of_integer, is::sometimes, "the cells of these, on a board"},
    {"turn_milliseconds", kind::integer, is::sometimes, "how long a turn may last, with a clock"},
    {"turn_milliseconds_left", kind::integer, is::sometimes, "of this one, while the clock runs"},
    {"clock", kind::one_of, is::sometimes, "of a running game with a clock", &clock},
    {"away", kind::array_of, is::sometimes,
     "of a running game: the players whose last connection or stream has ended", &absent_player},
    {"offers", kind::array_of, is::sometimes,
     "what is offered now: a draw or a takeback of a running game; a rematch of an ended one, for "
     "its players",
     &offer},
    {"last_update_id", kind::integer, is::always, "where a stream goes on from here"},
    {"history", kind::array_of, is::always, "its updates so far"},
};

constexpr member replay_members[] = {
    {"game_id", kind::text, is::always, "of the game"},
    {"engine", kind::text, is::always, "what was played"},
    {"engine_version", kind::text, is::always, "by whose rules"},
    {"options", kind::document, is::always, "of the engine"},
    {"clock_rule", kind::text, is::sometimes, clock_rule_says},
    {"seats", kind::integer, is::always, "of the game"},
    {"players", kind::array_of_text, is::always, "names, by seat"},
    {"kinds", kind::array_of_text, is::always,
     "by seat: player, bot, engine, or substitute: an engine plays on; empty: the seat is open",
     nullptr, seat_kinds},
    {"updates", kind::array_of, is::always, "all there were, the last is its end"},
};

constexpr member ranked_player_members[] = {
    {"rank", kind::integer, is::always, "from 1 on"},
    {"name", kind::text, is::always, "of the bot"},
    {"rating", kind::number, is::always, "1500 is somebody new"},
    {"deviation", kind::number, is::always,
     "how sure that is: the true value lies within twice as much of it in 95 of 100 cases"},
    {"games", kind::integer, is::always, "that were rated"},
    {"wins", kind::integer, is::always, "of those"},
    {"draws", kind::integer, is::always, "of those"},
    {"losses", kind::integer, is::always, "of those"},
    {"online", kind::boolean, is::always, "whether it plays now"},
};
constexpr member leaderboard_members[] = {
    {"engine", kind::text, is::always, "what is played"},
    {"players", kind::array_of, is::always, "the best first", &ranked_player},
};

constexpr member failure_members[] = {
    {"code", kind::integer, is::always, "from 100 on: what kind of error it is"},
    {"message", kind::text, is::always, "for people"},
    {"cause", kind::text, is::sometimes, "of a refused name: a word for the cause"},
};

constexpr member numbered_members[] = {
    {"update_id", kind::integer, is::always, "from 1 on, without gaps"},
    {"cursor", kind::integer, is::always, "the same, for older clients"},
    {"timestamp", kind::time, is::always, "UTC"},
    {"clock", kind::one_of, is::sometimes,
     "of a game with a clock, in the latest update and in state: at the moment of sending", &clock},
};
constexpr member status_members[] = {
    {"board", kind::text, is::always, "as it is now; empty: there is none"},
    {"substitutes", kind::array_of_text, is::sometimes,
     "the players for whom an engine plays on, if there are any", nullptr, player},
    {"turn", kind::text, is::sometimes, "who moves", nullptr, player},
    {"winner", kind::text, is::sometimes, "X, O, a number or D, in the place of turn", nullptr,
     player_or_draw},
    {"score", kind::array_of_number_or_null, is::sometimes,
     "by seat: what each has won so far, if the engine counts it"},
    {"summary", kind::text, is::sometimes, "a sentence of the engine about the position"},
    {"playerX", kind::text, is::always, "the name of X"},
    {"playerO", kind::text, is::always, "the name of O"},
    {"action", kind::text, is::sometimes,
     "after a draw of chance that everyone may see: what was drawn, in the engine's words"},
    {"taken_back", kind::integer, is::sometimes,
     "after a takeback: the number of the first update whose move is undone"},
    {"player", kind::text, is::sometimes, "after a takeback: X or O, who asked for it", nullptr,
     player},
    {"name", kind::text, is::sometimes, "of that player"},
    {"seats", kind::integer, is::sometimes, "of three seats or more: how many"},
    {"players", kind::array_of_text, is::sometimes, "of three seats or more: names, by seat"},
    {"view", kind::document, is::sometimes,
     "where there is no board, and for a player: the engine's own account"},
    {"actions", kind::array_of_text, is::sometimes, "what the reader could play now"},
    {"positions", kind::array_of_integer, is::sometimes, "the cells of these, on a board"},
};
constexpr member state_members[] = {
    {"board", kind::text, is::always, "the present one; empty: the game has no board"},
    {"substitutes", kind::array_of_text, is::sometimes,
     "the players for whom an engine plays on, if there are any", nullptr, player},
    {"turn", kind::text, is::sometimes, "who moves", nullptr, player},
    {"view", kind::document, is::sometimes,
     "where there is no board, and for a player: the engine's own account"},
    {"actions", kind::array_of_text, is::sometimes, "what the reader could play now"},
    {"positions", kind::array_of_integer, is::sometimes, "the cells of these, on a board"},
    {"seats", kind::integer, is::sometimes, "of a game of three seats or more that waits"},
    {"players", kind::array_of_text, is::sometimes,
     "with seats: the names of the players so far, by seat; empty: the seat is open"},
};
constexpr member away_members[] = {
    {"player", kind::text, is::always, "X, O, or a number from 3 on", nullptr, player},
    {"name", kind::text, is::always, "who it is"},
    {"milliseconds_left", kind::integer, is::sometimes,
     "how long its seat is kept; missing: without a limit"},
    {"claim_milliseconds", kind::integer, is::sometimes,
     "until when another player has to wait to claim the win; missing: it can't be claimed"},
};
constexpr member back_members[] = {
    {"player", kind::text, is::always, "X, O, or a number from 3 on", nullptr, player},
    {"name", kind::text, is::always, "who it is"},
};
constexpr member presence_members[] = {
    {"name", kind::text, is::always, "who it is"},
    {"player", kind::text, is::always, "X, O, a number from 3 on, or G for a guest", nullptr,
     player_or_guest},
};
constexpr member move_members[] = {
    {"board", kind::text, is::always, "after the move"},
    {"player", kind::text, is::always, "who moved", nullptr, player},
    {"position", kind::integer, is::or_null, "where; null: the move has no place on the board"},
    {"substitutes", kind::array_of_text, is::sometimes,
     "the players for whom an engine plays on, if there are any", nullptr, player},
    {"turn", kind::text, is::sometimes, "who moves next", nullptr, player},
    {"winner", kind::text, is::sometimes, "X, O, a number or D, in the place of turn", nullptr,
     player_or_draw},
    {"score", kind::array_of_number_or_null, is::sometimes,
     "by seat: what each has won so far, if the engine counts it"},
    {"summary", kind::text, is::sometimes, "a sentence of the engine about the position"},
    {"action", kind::text, is::sometimes, "a move without position, in the engine's words"},
    {"view", kind::document, is::sometimes,
     "where there is no board, and for a player: the engine's own account"},
    {"actions", kind::array_of_text, is::sometimes, "what the reader could play now"},
    {"positions", kind::array_of_integer, is::sometimes, "the cells of these, on a board"},
};
constexpr member substitute_members[] = {
    {"name", kind::text, is::always, "for whom an engine plays from now on"},
    {"player", kind::text, is::always, "X, O, or a number from 3 on", nullptr, player},
    {"cause", kind::text, is::always, "quit, disconnected, banned, clock or bot-error", nullptr,
     "quit disconnected banned clock bot-error"},
};
constexpr member return_members[] = {
    {"name", kind::text, is::always, "who plays again"},
    {"player", kind::text, is::always, "X, O, or a number from 3 on", nullptr, player},
};
constexpr member chat_members[] = {
    {"name", kind::text, is::always, "who says it"},
    {"message", kind::text, is::always, "what"},
};
constexpr member rename_members[] = {
    {"player", kind::text, is::always, "X, O, or a number from 3 on", nullptr, player},
    {"name", kind::text, is::always, "the name from now on"},
    {"old_name", kind::text, is::always, "the name until now"},
};
constexpr member end_members[] = {
    {"reason", kind::text, is::always, "for people; nothing comes after it"},
    {"code", kind::text, is::always,
     "rules, draw, agreed, left, clock, operator, failed, interrupted or drained", nullptr,
     end_codes},
    {"winner", kind::text, is::or_null,
     "X, O, a number or D; null: there is no result, or no single winner", nullptr, player_or_draw},
    {"scores", kind::array_of_number, is::always, "by seat"},
    {"ranks", kind::array_of_integer, is::sometimes,
     "of three seats or more, with a result: the place of each seat"},
    {"forfeits", kind::array_of_text, is::sometimes,
     "of three seats or more: who lost by leaving or by the clock, while an engine played on",
     nullptr, player},
};

constexpr member offer_update_members[] = {
    {"what", kind::text, is::always, "draw, takeback or rematch", nullptr, offers},
    {"player", kind::text, is::always, "X, O, or a number from 3 on: who offers it", nullptr,
     player},
    {"name", kind::text, is::always, "of that player"},
};
constexpr member answer_update_members[] = {
    {"what", kind::text, is::always, "draw, takeback or rematch", nullptr, offers},
    {"answer", kind::text, is::always, "accepted, declined or withdrawn", nullptr,
     "accepted declined withdrawn"},
    {"player", kind::text, is::always,
     "X, O, or a number from 3 on: who answers, or withdraws the own offer", nullptr, player},
    {"name", kind::text, is::always, "of that player"},
    {"cause", kind::text, is::sometimes,
     "left: the player has gone; elsewhere: it has taken another seat; moved: a move was made",
     nullptr, "left elsewhere moved"},
    {"game_id", kind::text, is::sometimes, "of the new game, once all have accepted the rematch"},
};

constexpr schema update_shapes[] = {
    {"status_update", "The game begins, or stands otherwise by no player's open move.",
     status_members, "status"},
    {"connect_update", "Somebody is there.", presence_members, "connect"},
    {"move_update", "A move was made.", move_members, "move"},
    {"chat_update", "Somebody said something.", chat_members, "chat"},
    {"disconnect_update", "Somebody is gone.", presence_members, "disconnect"},
    {"rename_update", "A player has another name.", rename_members, "rename"},
    {"substitute_update",
     "In a game of three or more: a player left, or its time ran out, and an engine plays on.",
     substitute_members, "substitute"},
    {"return_update", "A player whose time had run out plays again.", return_members, "return"},
    {"end_update", "The game has ended.", end_members, "end"},
    {"state_update", "How the game stands now; it has the number of the last update.",
     state_members, "state"},
    {"away_update", "A player's last connection or stream has ended; not numbered, either.",
     away_members, "away"},
    {"back_update", "The player is there again; not numbered, either.", back_members, "back"},
    {"offer_update",
     "A player offers something. Not numbered, and for a stream with offers only, if it is a "
     "rematch.",
     offer_update_members, "offer"},
    {"answer_update", "What became of an offer; numbered as the offer was.", answer_update_members,
     "answer"},
};

constexpr const schema* every_shape[] = {
    &session,     &player_name,   &invitation,   &seat,         &nothing,   &engine,
    &engine_list, &example,       &move_example, &game_summary, &game_list, &game,
    &replay,      &ranked_player, &leaderboard,  &failure,      &clock,     &absent_player,
    &accepting,   &offer,         &notice,       &notice_line,  &opponent,  &own_game,
    &own_games,   &clock_bounds,  &webhook};

}  // namespace

constexpr schema session{"session", "A client and its name.", session_members};
constexpr schema player_name{"player_name", "The name of a client.", player_name_members};
constexpr schema invitation{"invitation", "What an invitation leads to.", invitation_members};
constexpr schema seat{"seat", "A place at a table.", seat_members};
constexpr schema nothing{"nothing", "It is done.", {}};
constexpr schema engine{"engine", "A game by its rules.", engine_members};
constexpr schema clock_bounds{"clock_bounds", "The bounds of clocks that players choose.",
                              clock_bounds_members};
constexpr schema example{"example", "A position with some of its moves.", example_members};
constexpr schema move_example{"move_example", "A move as clients send it.", move_example_members};
constexpr schema engine_list{"engine_list", "What can be played.", engine_list_members};
constexpr schema game_summary{"game_summary", "A game in a list.", game_summary_members};
constexpr schema game_list{"game_list", "A page of games.", game_list_members};
constexpr schema own_game{"own_game", "A game of the asking client.", own_game_members};
constexpr schema own_games{"own_games", "The games of the asking client.", own_games_members};
constexpr schema webhook{"webhook", "The webhook of the asking client.", webhook_members};
constexpr schema game{"game", "A game as the asking client may see it.", game_members};
constexpr schema replay{"replay", "A game that has ended, whole.", replay_members};
constexpr schema ranked_player{"ranked_player", "A bot, and how strong it is.",
                               ranked_player_members};
constexpr schema leaderboard{"leaderboard", "The best bots of an engine.", leaderboard_members};
constexpr schema clock{"clock", "What is left of the players' time.", clock_members};
constexpr schema absent_player{"absent_player", "A player that is away.", absent_player_members};
constexpr schema offer{"offer", "What a player offers the other one.", offer_members};
constexpr schema notice{"notice", "A word of the operator.", notice_members};
constexpr schema notice_line{"notice_line", "A notice, as a line of the stream of several games.",
                             notice_line_members};
constexpr schema opponent{"opponent", "Another player of the game.", opponent_members};
constexpr schema failure{"failure", "Why something was not done.", failure_members};

constexpr std::span<const schema> updates{update_shapes};
constexpr std::span<const member> of_every_update{numbered_members};
constexpr std::span<const schema* const> all{every_shape};

}  // namespace gamehub::gateways::http::shapes
