#include "hub/journal/sqlite_writer.hpp"

namespace gamehub::journal {

std::unique_ptr<durable_journal> open_sqlite_journal(
    const sqlite_settings& settings, std::function<void(std::string_view)> log_trouble) {
  try {
    return std::make_unique<sqlite_writer>(settings, sqlite_tuning{}, std::move(log_trouble));
  } catch (const sqlite::error& e) {
    throw unusable_file{why_unusable(settings.file, e)};
  }
}

}  // namespace gamehub::journal
