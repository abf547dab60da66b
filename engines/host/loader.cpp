#include "engines/host/loader.hpp"

#include "engines/host/shared_data.hpp"

#include <cstdlib>
#include <cxxabi.h>
#include <dlfcn.h>
#include <map>
#include <memory>
#include <mutex>
#include <system_error>
#include <vector>

namespace gamehub::engines::host {

namespace {

namespace fs = std::filesystem;

// Returns the last error of the dynamic linker. It begins with the name of the file.
std::string linker_says() {
  const char* text = dlerror();
  return text == nullptr ? "it can't be loaded" : text;
}

// Returns the name as in the source.
std::string in_source(const std::string& name) {
  int failed = 0;
  const std::unique_ptr<char, void (*)(void*)> text{
      abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &failed), std::free};
  return failed == 0 && text ? text.get() : name;
}

// Maps shared data to the plugin that loaded it first, for the lifetime of the program.
class data_owners {
 public:
  // Registers the shared data of a file, or returns why the file conflicts with a loaded plugin.
  std::optional<std::string> claim(const fs::path& file) {
    const auto names = shared_data_of(file);
    const std::lock_guard lock{guard_};
    for (const auto& name : names)
      if (const auto at = owners_.find(name); at != owners_.end() && at->second != file)
        return "it would share data (" + in_source(name) + ") with " +
               at->second.filename().string() +
               ", which was loaded before: build it with -fvisibility=hidden, as "
               "gamehub_add_engine does";
    for (const auto& name : names) owners_.emplace(name, file);
    return std::nullopt;
  }

  // Removes the data of a file whose load failed.
  void give_up(const fs::path& file) {
    const std::lock_guard lock{guard_};
    std::erase_if(owners_, [&](const auto& each) { return each.second == file; });
  }

 private:
  std::mutex guard_;
  std::map<std::string, fs::path> owners_;
};

}  // namespace

std::variant<engine, std::string> load(const fs::path& file) {
  static data_owners& owners = *new data_owners;
  std::error_code unknown;
  if (!fs::exists(file, unknown)) return file.string() + ": there is no such file";
  // dlopen() would search the system folders for a name without '/'.
  const auto path = fs::absolute(file, unknown);
  if (const auto why = owners.claim(path)) return file.string() + ": " + *why;
  void* plugin = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (plugin == nullptr) {
    owners.give_up(path);
    return linker_says();
  }
  const auto entry =
      reinterpret_cast<gamehub_engine_function>(dlsym(plugin, GAMEHUB_ENGINE_SYMBOL));
  if (entry == nullptr)
    return file.string() + ": it is no engine: it exports no function " GAMEHUB_ENGINE_SYMBOL;
  const gamehub_engine_abi* abi = nullptr;
  try {
    abi = entry();
  } catch (...) {
    return file.string() + ": its " GAMEHUB_ENGINE_SYMBOL " throws: " + current_failure().what();
  }
  auto adopted = engine::adopt(abi);
  if (const auto* wrong = std::get_if<std::string>(&adopted)) return file.string() + ": " + *wrong;
  return adopted;
}

}  // namespace gamehub::engines::host
