// The wire as an OpenAPI 3.1 document, generated from the table of routes and the shapes of
// answers. A plain function, any thread.
#pragma once

#include <string>
#include <string_view>

namespace gamehub::gateways::http {

// JSON, laid out for people. The same each time. The URL is the server's, if it has one of its own.
std::string openapi_document(std::string_view public_url = {});

}  // namespace gamehub::gateways::http
