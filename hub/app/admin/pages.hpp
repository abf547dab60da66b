// What the admin server answers, without any network: a request's method and target in, a page out,
// or what has to be done before there is one. Called on the admin server's thread only.
#pragma once

#include <string>
#include <string_view>
#include <variant>

#include "hub/app/admin/admin.hpp"
#include "hub/core/ids.hpp"

namespace gamehub::app {

struct page {
  int status = 200;
  std::string type;
  std::string body;
  std::string_view allow = {};  // of status 405: the methods that there are
};

// Somebody wants a game to end.
struct end_request {
  game_id game;
  std::string reason;
};

// Never throws: a source that does is a page of status 500. `from_web_page` says that a browser
// asks on behalf of a page, which may read nothing here and must not change anything.
std::variant<page, end_request> answer(const admin_sources&, std::string_view method,
                                       std::string_view target, bool from_web_page = false);

// The answer to an end_request.
page end_page(const end_request&, bool found);

// What goes wrong before there is a request, or instead of an answer.
page complaint(int status, std::string_view sentence);

}  // namespace gamehub::app
