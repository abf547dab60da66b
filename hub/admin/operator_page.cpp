#include "hub/admin/operator_page.hpp"

#include <iterator>
#include <string>
#include <utility>

namespace gamehub::admin {
namespace {

constexpr std::pair<std::string_view, std::string_view> security_fields[] = {
    {"Content-Security-Policy", base::page_policy},
    {"Cross-Origin-Opener-Policy", "same-origin"},
    {"Cross-Origin-Resource-Policy", "same-origin"},
    {"X-Content-Type-Options", "nosniff"},
    {"Referrer-Policy", "no-referrer"},
};

}  // namespace

std::optional<page> operator_page(std::string_view path, std::string_view accept_encoding,
                                  std::string_view if_none_match) {
  const auto* const file = base::find_file(operator_page_files(), path);
  if (file == nullptr) return std::nullopt;
  page out;
  out.type = file->content_type;
  // The browser revalidates its copy each time, so that a new hub shows its new page.
  out.cache_control = "no-cache";
  auto answer = base::answer_with(*file, accept_encoding, if_none_match);
  out.status = answer.status;
  out.fields = std::move(answer.fields);
  out.body = answer.body;
  out.fields.insert(out.fields.end(), std::begin(security_fields), std::end(security_fields));
  return out;
}

}  // namespace gamehub::admin
