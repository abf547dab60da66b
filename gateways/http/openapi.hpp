// The wire as an OpenAPI 3.1 document, generated from the table of routes and the shapes of
// answers. A plain function, any thread.
#pragma once

#include <string>

namespace gamehub::gateways::http {

// JSON, laid out for people. The same each time.
std::string openapi_document();

}  // namespace gamehub::gateways::http
