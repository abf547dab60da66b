// What the admin server answers, without any network: a request's method and target in, a page out.
// Called on the admin server's thread only.
#pragma once

#include <string>
#include <string_view>

#include "hub/app/admin/admin.hpp"

namespace gamehub::app {

struct page {
  int status = 200;
  std::string type;
  std::string body;
};

// Never throws: a source that does is a page of status 500.
page answer(const admin_sources&, std::string_view method, std::string_view target);

// What goes wrong before there is a request.
page complaint(int status, std::string_view sentence);

}  // namespace gamehub::app
