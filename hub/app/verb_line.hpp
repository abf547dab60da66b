// What the command lines of verbs have in common: help as an answer, mistakes as one sentence.
// Plain functions; used once, when the program starts.
#pragma once

#include <CLI/CLI.hpp>

#include <optional>
#include <string>

#include "hub/app/setting_sources.hpp"

namespace gamehub::app {

// Reads the line into what was added to the app; the help, if that was asked for. Throws
// operator_mistake, which names the verb as in "gamehub engine new".
inline std::optional<reply> read_line(CLI::App& app, int argc, const char* const* argv,
                                      const std::string& verb) {
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    auto help = app.help();
    while (!help.empty() && help.back() == '\n') help.pop_back();
    return reply{help, 0};
  } catch (const CLI::ParseError& e) {
    throw operator_mistake{std::string{e.what()} + "; " + verb + " --help tells more"};
  }
  return std::nullopt;
}

// For verbs that let the line hold more than they know.
inline void refuse_extras(const CLI::App& of, const std::string& verb) {
  if (const auto more = of.remaining(); !more.empty())
    throw operator_mistake{shown(more.front()) + " is not for " + verb + ": leave it out, " + verb +
                           " --help lists what is"};
}

}  // namespace gamehub::app
