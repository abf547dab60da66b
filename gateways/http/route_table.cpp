// The route table: every path with its parameters and errors.
#include "gateways/http/routes.hpp"
#include "hub/core/clock_rule.hpp"
#include "hub/core/leaderboard.hpp"

namespace gamehub::gateways::http {
namespace {

using type = parameter_type;
using code = error_code;

constexpr bool required = true;
constexpr bool optional = false;

constexpr parameter_spec me{"client_id", type::client_id, required, "the client's secret"};
constexpr parameter_spec my_game{
    "game_id", type::text, optional,
    "of a running game of the client; its latest one if this is missing",
    limits::http_game_id_bytes_max};

constexpr parameter_spec of_connect[] = {
    {"client_id", type::new_client_id, optional,
     "16 to 64 visible characters, not all the same, that only the client knows; the hub makes one "
     "if there is none"},
    {"name", type::name, optional, "up to 64 bytes; the hub finds one if there is none"},
};
constexpr parameter_spec of_play[] = {
    {"client_id", type::client_id, optional, "without one a session is made, as by connect"},
    {"name", type::name, optional, "of the session that is made"},
    {"resume", type::boolean, optional, "true: the running game again, or error 110"},
    {"new_game", type::boolean, optional,
     "true: another game in the place of the one in which the client waits"},
    {"keep", type::boolean, optional,
     "true: the running game goes on beside the new one, if it is one of days; up to 32 do"},
    {"engine", type::text, optional, "its id; tictactoe if there is none", 64},
    {"options", type::document, optional, "of the engine, as its schema has them"},
    {"clock", type::text, optional,
     "of the game: move:SECONDS, days:DAYS, sudden:SECONDS, fischer:SECONDS+SECONDS, "
     "bronstein:SECONDS+SECONDS, byoyomi:SECONDS+PERIODSxSECONDS or none; without it the hub's own",
     clock_rule::text_bytes_max},
    {"seat", type::text, optional, "the mark of the side to play: X, O, or a number from 3 on", 8},
    {"opponent", type::text, optional,
     "any, which is usual: whoever comes; engine, or engine:LEVEL: the engine's own player; bot: "
     "and "
     "a bot's name: that one, if it is online; or somebody's name",
     limits::name_bytes_max + 4},
    {"opponents", type::list, optional,
     "of a game for three or more: who takes the further seats, in their order, with commas "
     "between "
     "them, in JSON also as an array: any, engine, engine:LEVEL, or bot: and a bot's name; missing "
     "ones are any"},
    {"private", type::boolean, optional, "true: only who has the invitation may join"},
    {"invitation", type::text, optional, "joins the private game that it is of", 64},
    {"game_id", type::text, optional, "joins this game that waits, which decides what is played",
     limits::http_game_id_bytes_max},
};
constexpr parameter_spec of_rename[] = {
    me,
    {"name", type::name, required, "up to 64 bytes"},
};
constexpr parameter_spec of_invitation[] = {
    {"invitation", type::text, required, "of a private game", 64},
    {"client_id", type::any_client_id, optional, "tells the host that the game is its own"},
};
constexpr parameter_spec of_quit[] = {me, my_game};
constexpr parameter_spec of_mine[] = {me};
constexpr parameter_spec of_webhook[] = {
    me,
    {"url", type::text, required, "http or https; the hub calls it by POST", 1'024},
    {"secret", type::text, required,
     "16 to 128 visible characters of ASCII, which sign the calls: only the receiver and this "
     "client know them",
     128},
};
constexpr parameter_spec of_move[] = {
    me,
    {"position", type::integer, optional, "the cell, counted from 0 row by row"},
    {"action", type::text, optional,
     "in the place of position: the move in the engine's own words, for those without a board"},
    my_game,
    {"last_update_id", type::integer, optional,
     "the latest update that the client has read: if the player has moved after it, that was this "
     "move, which is answered and not made again",
     32, 0},
};
constexpr parameter_spec of_chat[] = {
    me,
    {"message", type::text, required, "one line of text", limits::http_chat_bytes_max},
    my_game,
};
constexpr parameter_spec of_rematch[] = {
    me,
    {"game_id", type::text, optional, "of the ended game; the client's last one if there is none",
     limits::http_game_id_bytes_max},
};
constexpr parameter_spec of_decline[] = {
    me,
    {"game_id", type::text, optional, "of the ended game; by default the client's last one",
     limits::http_game_id_bytes_max},
};
constexpr parameter_spec of_offer[] = {
    me,
    {"what", type::text, required, "draw or takeback", 16},
    {"answer", type::text, optional,
     "accepted or declined, of what another player offers; withdrawn, of the own offer; none: "
     "offers it",
     16},
    my_game,
};
constexpr parameter_spec of_updates[] = {
    {"client_id", type::any_client_id, optional, "marks the player as present; others are guests"},
    {"last_update_id", type::integer, optional, "only what comes after it", 32, 0},
    {"cursor", type::integer, optional,
     "the same, and a long poll of 30 seconds: as older clients have it", 32, 0},
    {"wait", type::integer, optional,
     "a long poll of so many seconds, at most 60: one update, or an empty body", 32, 0},
    {"offers", type::boolean, optional,
     "true: the stream of a player stays open for ten minutes after the end, and has what is "
     "offered"},
};
constexpr parameter_spec of_follow[] = {
    {"games", type::text, optional,
     "up to 32 ids with commas between them; 12.40: of game 12 only what comes after update 40; "
     "may be left out with notices",
     1'024},
    {"client_id", type::any_client_id, optional, "marks the player as present in its game"},
    {"offers", type::boolean, optional, "true: as in the stream of one game"},
    {"notices", type::boolean, optional,
     "true: lines of type notice have what an operator says to all, and the stream does not end"},
};
constexpr parameter_spec of_games[] = {
    {"engine", type::text, optional, "only games of this one", 64},
    {"status", type::text, optional, "only those waiting, running or ended", 16},
    {"player", type::text, optional, "only games in which this name has a seat",
     limits::name_bytes_max},
    {"after", type::text, optional, "the member next of the page before", 64},
    {"limit", type::integer, optional, "games of a page; 50 if there is none", 32, 1, 100},
};
constexpr parameter_spec of_game[] = {
    {"client_id", type::any_client_id, optional,
     "of a player, who sees more than others, and alone a private game"},
    {"history", type::boolean, optional, "false: without its updates so far"},
};
constexpr parameter_spec of_replay[] = {of_game[0]};

constexpr parameter_spec of_leaderboard[] = {
    {"engine", type::text, optional, "its id; tictactoe if there is none", 64},
    {"limit", type::integer, optional, "players at most; 50 if there is none", 32, 1,
     std::int64_t{leaderboard_max}},
};

constexpr code connect_errors[] = {code::name_refused, code::hub_full, code::body_too_large};
constexpr code play_errors[] = {code::unknown_client, code::unknown_game,   code::name_refused,
                                code::hub_full,       code::body_too_large, code::cannot_resume,
                                code::seat_taken};
constexpr code rename_errors[] = {code::unknown_client, code::name_refused, code::body_too_large};
constexpr code game_errors[] = {code::unknown_client, code::unknown_game, code::body_too_large};
constexpr code move_errors[] = {code::unknown_client, code::unknown_game, code::invalid_move,
                                code::body_too_large};
constexpr code rematch_errors[] = {code::unknown_client, code::unknown_game, code::invalid_move,
                                   code::hub_full, code::body_too_large};
constexpr code read_errors[] = {code::unknown_game};
constexpr code replay_errors[] = {code::unknown_game, code::hub_full};
constexpr code full_errors[] = {code::hub_full};
constexpr code client_errors[] = {code::unknown_client};
constexpr code webhook_errors[] = {code::unknown_client, code::unknown_game};
constexpr code set_webhook_errors[] = {code::unknown_client, code::unknown_game, code::hub_full,
                                       code::body_too_large};
constexpr code common_errors[] = {code::bad_request, code::too_many_requests, code::wrong_method,
                                  code::not_allowed};

constexpr route table[] = {
    {operation::connect, "POST", "/api/connect", "Open a session",
     "A client_id that the hub knows already finds its session again.", of_connect, medium::object,
     &shapes::session, connect_errors},
    {operation::play, "POST", "/api/play", "Take a place at a table",
     "Answers at once, also while nobody else is there. While this client waits it gets the same "
     "answer, unless it joins another game, or new_game is true. The running game is quit, unless "
     "resume or keep is true. The "
     "place "
     "that the client has is given up when the new one is certain; an error changes nothing, and "
     "leaves no session that was not there.",
     of_play, medium::object, &shapes::seat, play_errors},
    {operation::quit, "POST", "/api/quit", "Give the game up", "The other side wins.", of_quit,
     medium::object, &shapes::nothing, game_errors},
    {operation::move, "POST", "/api/move", "Make a move", "Either position or action is needed.",
     of_move, medium::object, &shapes::nothing, move_errors},
    {operation::chat, "POST", "/api/chat", "Say something to the table",
     "Everyone who reads the game's updates hears it.", of_chat, medium::object, &shapes::nothing,
     move_errors},
    {operation::rematch, "POST", "/api/rematch", "Play the same players again",
     "The game opens once all have asked; each player sits one seat further. The first request is "
     "an offer to the other players, whose requests accept it; quit of the new game withdraws it.",
     of_rematch, medium::object, &shapes::seat, rematch_errors},
    {operation::decline, "POST", "/api/decline", "Decline the rematch that is offered",
     "The place of who offers it is given back.", of_decline, medium::object, &shapes::nothing,
     game_errors},
    {operation::offer, "POST", "/api/offer", "Offer a draw or a takeback, or answer",
     "The game's updates say so to all its players. A draw needs all of them; a takeback brings "
     "back "
     "the position before the latest move of the player. An offer falls with a move. Offering a "
     "draw "
     "that another player offers accepts it.",
     of_offer, medium::object, &shapes::nothing, move_errors},
    {operation::claim, "POST", "/api/claim", "Claim the win from who is away",
     "Possible once the player has been away for the time that its update away says.", of_quit,
     medium::object, &shapes::nothing, move_errors},
    {operation::rename, "POST", "/api/rename", "Take another name",
     "Session, secret and games stay. Three times in a minute.", of_rename, medium::object,
     &shapes::player_name, rename_errors},
    {operation::invitation,
     "GET",
     "/api/invitation",
     "Look at an invitation",
     "It is not used by that.",
     of_invitation,
     medium::object,
     &shapes::invitation,
     {}},
    {operation::updates, "GET", "/api/updates/{game_id}", "Follow a game",
     "A line of JSON an update until the end; server-sent events if they are accepted; or a long "
     "poll.",
     of_updates, medium::updates, nullptr, read_errors},
    {operation::follow,
     "GET",
     "/api/updates",
     "Follow several games over one connection",
     "The lines of each game's own stream, each with game, its id. A line of type done says that "
     "nothing "
     "more comes of a game; one with error, that it can't be read. Every game costs a request. "
     "A line of type notice has no game.",
     of_follow,
     medium::lines,
     nullptr,
     {}},
    {operation::engines,
     "GET",
     "/api/engines",
     "What can be played",
     "",
     {},
     medium::object,
     &shapes::engine_list,
     {}},
    {operation::engine,
     "GET",
     "/api/engines/{engine}",
     "One engine, with examples of its moves",
     "The examples are from a game that was played at random when the engine was loaded.",
     {},
     medium::object,
     &shapes::engine,
     read_errors},
    {operation::games, "GET", "/api/games", "Games that run or have ended",
     "Private ones are not "
     "listed.",
     of_games, medium::object, &shapes::game_list, full_errors},
    {operation::mine, "GET", "/api/me/games", "The client's own games",
     "The most urgent first: its turn, and the nearest end of a turn. Also those that wait, and "
     "some that have ended.",
     of_mine, medium::object, &shapes::own_games, client_errors},
    {operation::webhook, "GET", "/api/me/webhook", "The client's webhook",
     "Error 102: the client has no webhook, or the hub has them off.", of_mine, medium::object,
     &shapes::webhook, webhook_errors},
    {operation::set_webhook, "PUT", "/api/me/webhook", "Register a webhook",
     "The hub calls it when the client is away from a game of days, and it is its turn or the game "
     "has ended. It takes the place of the former one. The receiver has to answer a challenge "
     "first; error 100 says why it is not registered.",
     of_webhook, medium::object, &shapes::webhook, set_webhook_errors},
    {operation::remove_webhook, "DELETE", "/api/me/webhook", "Remove the webhook", "", of_mine,
     medium::object, &shapes::webhook, webhook_errors},
    {operation::game, "GET", "/api/games/{game_id}", "A game as it stands", "", of_game,
     medium::object, &shapes::game, read_errors},
    {operation::replay, "GET", "/api/replays/{game_id}", "A game that has ended, move by move",
     "Of a running game error 102.", of_replay, medium::object, &shapes::replay, replay_errors},
    {operation::leaderboard,
     "GET",
     "/api/leaderboard",
     "The best bots of an engine",
     "Rated by Glicko-2 from the games that they play against each other.",
     of_leaderboard,
     medium::object,
     &shapes::leaderboard,
     {}},
    {operation::openapi,
     "GET",
     "/api/openapi.json",
     "This description",
     "",
     {},
     medium::document,
     nullptr,
     {}},
    {operation::socket,
     "GET",
     "/api/ws",
     "JSON turns over a WebSocket",
     "A text frame holds what a line does in the protocol of JSON turns.",
     {},
     medium::socket,
     nullptr,
     full_errors},
    {operation::page, "GET", "/{file}", "The page to play on", "", {}, medium::file, nullptr, {}},
};
static_assert(std::size(table) == operation_count);

}  // namespace

std::span<const route> routes() { return table; }
std::span<const error_code> any_errors() { return common_errors; }

}  // namespace gamehub::gateways::http
