#include "gateways/http/schemas.hpp"

namespace gamehub::gateways::http::shapes {
namespace {

using kind = member::kind;
using is = member::presence;

constexpr member session_members[] = {
    {"client_id", kind::text, is::always, "the client's secret: made by the hub, or as it came"},
    {"name", kind::text, is::always, "under which others see this player"},
};

constexpr member seat_members[] = {
    {"game_id", kind::text, is::always, "of the game, for its updates"},
    {"player", kind::text, is::always, "X or O: which side this player is"},
    {"board", kind::text, is::always, "a letter a cell, row by row; _ is blank"},
    {"turn", kind::text, is::sometimes, "X or O: who moves"},
    {"winner", kind::text, is::sometimes, "X, O or D, in the place of turn: the game has ended"},
    {"opponent_name", kind::text, is::or_null, "null: nobody has come yet"},
    {"opponent_last_visit", kind::time, is::or_null, "when the opponent was last heard of"},
    {"status", kind::text, is::sometimes, "waiting: nobody has come yet"},
    {"engine", kind::text, is::always, "what is played"},
    {"invitation", kind::text, is::sometimes, "of a private game: what the other side joins with"},
    {"hub", kind::text, is::sometimes,
     "the URL of this hub, where it has one of its own: the game is there and nowhere else"},
    {"invitation_url", kind::text, is::sometimes, "where a browser joins a private game"},
    {"client_id", kind::text, is::sometimes, "where this call made the session"},
    {"name", kind::text, is::sometimes, "where this call made the session"},
};

constexpr member engine_members[] = {
    {"engine", kind::text, is::always, "its id, for play"},
    {"title", kind::text, is::always, "for people"},
    {"players", kind::integer, is::always, "seats at its table"},
    {"rows", kind::integer, is::always, "of its board; 0: it has none"},
    {"columns", kind::integer, is::always, "of its board; 0: it has none"},
    {"marks", kind::text, is::always, "a letter a seat"},
    {"options", kind::document, is::always, "a JSON schema of the options that it knows"},
    {"levels", kind::array_of_text, is::always,
     "of its own player, the weakest first; empty: people alone play it"},
};
constexpr member engine_list_members[] = {
    {"engines", kind::array_of, is::always, "all that can be played here", &engine},
};

constexpr member game_summary_members[] = {
    {"game_id", kind::text, is::always, "of the game"},
    {"engine", kind::text, is::always, "what is played"},
    {"options", kind::document, is::always, "of the engine"},
    {"status", kind::text, is::always, "waiting, running or ended"},
    {"players", kind::array_of_text, is::always, "names, by seat; an empty one: the seat is open"},
    {"winner", kind::text, is::sometimes, "X, O or D, once there is one"},
    {"last_update_id", kind::integer, is::always, "how many updates it has"},
};
constexpr member game_list_members[] = {
    {"games", kind::array_of, is::always, "the newest first", &game_summary},
    {"next", kind::text, is::or_null, "give it as after for the page that follows"},
};

constexpr member game_members[] = {
    {"game_id", kind::text, is::always, "of the game"},
    {"engine", kind::text, is::always, "what is played"},
    {"options", kind::document, is::always, "of the engine"},
    {"status", kind::text, is::always, "waiting, running or ended"},
    {"players", kind::array_of_text, is::always, "names, by seat"},
    {"player", kind::text, is::sometimes, "X or O: which side the asking client is"},
    {"board", kind::text, is::always, "a letter a cell, row by row; _ is blank"},
    {"rows", kind::integer, is::sometimes, "of the board, once there is one"},
    {"columns", kind::integer, is::sometimes, "of the board"},
    {"turn", kind::text, is::sometimes, "X or O: who moves"},
    {"winner", kind::text, is::sometimes, "X, O or D, in the place of turn"},
    {"view", kind::document, is::sometimes, "the engine's own account of the position"},
    {"actions", kind::array_of_text, is::sometimes, "what the asking client could play now"},
    {"positions", kind::array_of_integer, is::sometimes, "the cells of these, on a board"},
    {"turn_milliseconds", kind::integer, is::sometimes, "how long a turn may last, with a clock"},
    {"turn_milliseconds_left", kind::integer, is::sometimes, "of this one, while the clock runs"},
    {"last_update_id", kind::integer, is::always, "where a stream goes on from here"},
    {"history", kind::array_of, is::always, "its updates so far"},
};

constexpr member replay_members[] = {
    {"game_id", kind::text, is::always, "of the game"},
    {"engine", kind::text, is::always, "what was played"},
    {"engine_version", kind::text, is::always, "by whose rules"},
    {"options", kind::document, is::always, "of the engine"},
    {"players", kind::array_of_text, is::always, "names, by seat"},
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
};

constexpr member numbered_members[] = {
    {"update_id", kind::integer, is::always, "from 1 on, without gaps"},
    {"cursor", kind::integer, is::always, "the same, for older clients"},
    {"timestamp", kind::time, is::always, "UTC"},
};
constexpr member status_members[] = {
    {"board", kind::text, is::always, "as it is now; empty: there is none"},
    {"turn", kind::text, is::sometimes, "who moves"},
    {"winner", kind::text, is::sometimes, "X, O or D, in the place of turn"},
    {"playerX", kind::text, is::always, "the name of X"},
    {"playerO", kind::text, is::always, "the name of O"},
    {"view", kind::document, is::sometimes, "where there is no board: the engine's own account"},
};
constexpr member presence_members[] = {
    {"name", kind::text, is::always, "who it is"},
    {"player", kind::text, is::always, "X, O, or G for a guest"},
};
constexpr member move_members[] = {
    {"board", kind::text, is::always, "after the move"},
    {"player", kind::text, is::always, "who moved"},
    {"position", kind::integer, is::or_null, "where; null: the move has no place on the board"},
    {"turn", kind::text, is::sometimes, "who moves next"},
    {"winner", kind::text, is::sometimes, "X, O or D, in the place of turn"},
    {"action", kind::text, is::sometimes, "a move without position, in the engine's words"},
    {"view", kind::document, is::sometimes, "where there is no board: the engine's own account"},
};
constexpr member chat_members[] = {
    {"name", kind::text, is::always, "who says it"},
    {"message", kind::text, is::always, "what"},
};
constexpr member end_members[] = {
    {"reason", kind::text, is::always, "for people; nothing comes after it"},
};

constexpr schema update_shapes[] = {
    {"status_update", "The game begins, or stands otherwise by no player's open move.",
     status_members, "status"},
    {"connect_update", "Somebody is there.", presence_members, "connect"},
    {"move_update", "A move was made.", move_members, "move"},
    {"chat_update", "Somebody said something.", chat_members, "chat"},
    {"disconnect_update", "Somebody is gone.", presence_members, "disconnect"},
    {"end_update", "The game has ended.", end_members, "end"},
};

constexpr const schema* every_shape[] = {&session,     &seat,          &nothing,     &engine,
                                         &engine_list, &game_summary,  &game_list,   &game,
                                         &replay,      &ranked_player, &leaderboard, &failure};

}  // namespace

constexpr schema session{"session", "A client and its name.", session_members};
constexpr schema seat{"seat", "A place at a table.", seat_members};
constexpr schema nothing{"nothing", "It is done.", {}};
constexpr schema engine{"engine", "A game by its rules.", engine_members};
constexpr schema engine_list{"engine_list", "What can be played.", engine_list_members};
constexpr schema game_summary{"game_summary", "A game in a list.", game_summary_members};
constexpr schema game_list{"game_list", "A page of games.", game_list_members};
constexpr schema game{"game", "A game as the asking client may see it.", game_members};
constexpr schema replay{"replay", "A game that has ended, whole.", replay_members};
constexpr schema ranked_player{"ranked_player", "A bot, and how strong it is.",
                               ranked_player_members};
constexpr schema leaderboard{"leaderboard", "The best bots of an engine.", leaderboard_members};
constexpr schema failure{"failure", "Why something was not done.", failure_members};

constexpr std::span<const schema> updates{update_shapes};
constexpr std::span<const member> of_every_update{numbered_members};
constexpr std::span<const schema* const> all{every_shape};

}  // namespace gamehub::gateways::http::shapes
