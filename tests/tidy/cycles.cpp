// Finds a cycle in the graph of folders by depth-first search.
#include "tests/tidy/rules.hpp"

#include <map>

namespace gamehub::tests::tidy {
namespace {

class cycle_search {
 public:
  explicit cycle_search(const std::vector<use>& uses) {
    for (const auto& each : uses) uses_of_[each.from].push_back(&each);
  }

  std::vector<violation> run() {
    for (const auto& [folder, uses] : uses_of_)
      if (visit(folder)) return {report()};
    return {};
  }

 private:
  enum class mark { none, on_path, done };

  // Whether a cycle is reachable; then its uses are at the end of path_.
  bool visit(const std::string& folder) {
    if (marks_[folder] == mark::done) return false;
    if (marks_[folder] == mark::on_path) return true;
    marks_[folder] = mark::on_path;
    if (const auto found = uses_of_.find(folder); found != uses_of_.end()) {
      for (const auto* each : found->second) {
        path_.push_back(each);
        if (visit(each->to)) return true;
        path_.pop_back();
      }
    }
    marks_[folder] = mark::done;
    return false;
  }

  violation report() const {
    auto first = path_.size() - 1;
    while (path_[first]->from != path_.back()->to) --first;
    std::string what = "closes a cycle of folders: ";
    for (auto at = first; at < path_.size(); ++at)
      what += path_[at]->from + " -> " + path_[at]->to + " (" + path_[at]->path + ":" +
              std::to_string(path_[at]->line) + ")" + (at + 1 < path_.size() ? ", " : "");
    return {path_.back()->path, path_.back()->line, what + ": remove one of these uses"};
  }

  std::map<std::string, std::vector<const use*>> uses_of_;
  std::map<std::string, mark> marks_;
  std::vector<const use*> path_;
};

}  // namespace

std::vector<violation> check_cycles(const std::vector<use>& uses) {
  return cycle_search{uses}.run();
}

}  // namespace gamehub::tests::tidy
