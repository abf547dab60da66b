// The protocol as an OpenAPI 3.1 document, generated from the route table and the schemas. A plain
// function, any thread.
#pragma once

#include <string>
#include <string_view>

namespace gamehub::gateways::http {

// Returns the document as indented JSON, always the same. `public_url` is the server's URL if it
// has its own.
std::string openapi_document(std::string_view public_url = {});

}  // namespace gamehub::gateways::http
