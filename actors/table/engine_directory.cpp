#include "actors/table/engine_directory.hpp"

#include "engines/host/options.hpp"

#include <algorithm>
#include <utility>

namespace gamehub::actors::table {

namespace {

// The first of the engines that are meant, if there is one.
template <class Meant>
std::optional<std::uint16_t> first_of(const engine_directory& c, Meant meant) {
  std::uint16_t i = 0;
  for (const auto& e : c.engines) {
    if (meant(e)) return i;
    ++i;
  }
  return std::nullopt;
}

}  // namespace

std::variant<engine_traits, std::string> traits_for_options(const engine_entry& of,
                                                            const engines::host::engine& rules,
                                                            std::string_view options) {
  const auto schema = engines::host::schema_with_players(rules.options_schema(),
                                                         rules.players_min(), rules.players_max());
  if (auto wrong = engines::host::validate_options(options, schema)) return *std::move(wrong);
  auto traits = of.traits;
  traits.options = engines::host::canonical_options(options, schema);
  if (traits.options.empty()) return traits;
  auto created = rules.create(traits.options);
  if (const auto* why = std::get_if<std::string>(&created)) {
    if (*why == engines::reasons::engine_failure) throw rules.failure("create");
    return "the options do not go together: " + *why;
  }
  const auto& match = std::get<engines::host::match>(created);
  traits.players = match.players();
  const auto size = match.cells();
  traits.rows = size.rows;
  traits.columns = size.columns;
  match.glyphs(engines::spectator, traits.start);
  return traits;
}

std::optional<std::uint16_t> engine_directory::add(const engines::host::engine& rules,
                                                   engine_traits traits, std::string examples) {
  const auto known = find_engine(rules.id());
  if (engines.size() == engines.capacity()) return std::nullopt;
  const auto number = static_cast<std::uint16_t>(engines.size());
  const auto kind = known ? engines[*known].kind : kinds();
  auto& newest = (*newest_)[kind];
  // Who sees the first engine of a kind sees this, too; a later one must be there before.
  if (!known) newest.store(number, std::memory_order_relaxed);
  engines.push_back({rules, std::move(traits), kind, std::move(examples)});
  if (known && older(engines[*known].rules, rules)) newest.store(number, std::memory_order_release);
  return number;
}

std::optional<std::uint16_t> engine_directory::find_engine(std::string_view id) const {
  const auto one = first_of(*this, [id](const engine_entry& e) { return e.traits.id == id; });
  return one ? std::optional{newest(engines[*one].kind)} : std::nullopt;
}

std::optional<std::uint16_t> engine_directory::find_engine(std::string_view id,
                                                           std::string_view version) const {
  return first_of(*this, [&](const engine_entry& e) {
    return e.traits.id == id && e.rules.version_text() == version;
  });
}

std::string engine_directory::playable_engines(const wire_entry& wire) const {
  std::vector<std::string_view> ids;
  const auto count = kinds();
  for (std::uint16_t kind = 0; kind < count; ++kind)
    if (const auto& traits = engines[newest(kind)].traits; !wire.why_not(traits))
      ids.push_back(traits.id);
  std::sort(ids.begin(), ids.end());
  std::string out = ids.empty() ? "there are no games" : "there are ";
  for (const auto id : ids) (out += id) += id == ids.back() ? "" : ", ";
  return out;
}

std::uint16_t engine_directory::kinds() const {
  std::uint16_t count = 0;
  for (const auto& e : engines) count = std::max(count, static_cast<std::uint16_t>(e.kind + 1));
  return count;
}

}  // namespace gamehub::actors::table
