// What the admin server answers, without any network: a request's method and target in, a page out,
// or what has to be done before there is one. Called on the admin server's thread only.
#pragma once

#include <string>
#include <string_view>
#include <variant>

#include "hub/app/admin/admin.hpp"
#include "hub/core/ids.hpp"

namespace gamehub::app {

// Somebody wants a game to end.
struct end_request {
  game_id game;
  std::string reason;
};

// What of a request counts here.
struct admin_request {
  std::string_view method, target;
  bool from_web_page = false;  // a browser asks on behalf of a page, which may change nothing
  std::string_view authorization = {}, body = {};
};

// Never throws: a source that does is a page of status 500.
std::variant<page, end_request, operator_command> answer(const admin_sources&,
                                                         const admin_request&);

// The answer to an end_request.
page end_page(const end_request&, bool found);
// The answer to an operator_command.
page command_page(const command_answer&);

// What goes wrong before there is a request, or instead of an answer.
page complaint(int status, std::string_view sentence);

}  // namespace gamehub::app
