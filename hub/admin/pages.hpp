// The pages of the admin server, without network: maps a request to a page, or to the command that
// has to run before there is one. Called on the admin server's thread.
#pragma once

#include "hub/admin/admin.hpp"
#include "hub/base/time.hpp"
#include "hub/core/ids.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <variant>

namespace gamehub::admin {

// A request to end a game.
struct end_request {
  game_id game;
  std::string reason;
};

// The parts of an HTTP request that the pages use.
struct admin_request {
  std::string_view method, target;
  bool from_web_page = false;  // of another origin: such pages may not change anything
  std::string_view authorization = {}, body = {};
  std::optional<std::string_view> host = {};  // without one (HTTP/1.0) it is not checked
  std::string_view accept_encoding = {}, if_none_match = {};
};

// Returns true if a web page sent the request that is not this server's own. Browsers add Origin to
// each request that can change something, and Sec-Fetch-Site on loopback and over TLS; scripts can
// set neither. A page of this server has the request's Host as its origin. Empty: the field is
// missing; a field that occurs twice has to be passed as one with another value.
bool is_from_foreign_page(std::optional<std::string_view> host,
                          std::optional<std::string_view> origin, std::string_view fetch_site);

// Answers a request. GET serves the operators' page at /, /metrics, /status.json (the JSON of
// hub_status, always with status 200), /healthz, /readyz, /servingz, /startupz and /arena. Never
// throws: an exception of a source becomes a page of status 500.
std::variant<page, end_request, operator_command, league_request> answer(const admin_sources&,
                                                                         const admin_request&);

// Returns the page for an end_request.
page end_page(const end_request&, std::optional<bool> found);
// Returns the page with the order that the request is.
page arena_order_page(const league_request&, page);
// Returns the page for an operator_command.
page command_page(const command_answer&);

// Returns the page for a request with a token, if the sender has sent too many wrong ones.
page too_many_guesses(base::duration wait);

// Returns the page for an error before or during a request.
page complaint(int status, std::string_view sentence);

}  // namespace gamehub::admin
