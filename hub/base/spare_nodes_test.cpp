#include "hub/base/spare_nodes.hpp"

#include "tests/support/catch.hpp"

#include <map>
#include <set>
#include <string>

namespace gamehub::base {
namespace {

TEST_CASE("spare_nodes: an entry of a map takes the node of one that was erased") {
  std::map<int, std::string> all;
  spare_nodes<std::map<int, std::string>, 2> spare;
  spare.insert(all, 1, "one");
  const auto* const where = &all.at(1);
  spare.keep(all.extract(1));
  CHECK(all.empty());
  spare.append(all, 7, "seven");
  CHECK(&all.at(7) == where);
  CHECK(all == std::map<int, std::string>{{7, "seven"}});
  CHECK(spare.insert(all, 3, "three")->second == "three");
  CHECK(spare.insert(all, 5, "five")->second == "five");
  CHECK(all == std::map<int, std::string>{{3, "three"}, {5, "five"}, {7, "seven"}});
}

TEST_CASE("spare_nodes: an entry that is there stays, and a key that is not there has no node") {
  std::map<int, std::string> all{{1, "one"}, {2, "two"}};
  spare_nodes<std::map<int, std::string>, 2> spare;
  spare.keep(all.extract(9));
  spare.keep(all.extract(2));
  CHECK(spare.insert(all, 1, "other")->second == "one");
  CHECK(all == std::map<int, std::string>{{1, "one"}});
}

TEST_CASE("spare_nodes: also of sets, and not more than its bound") {
  std::set<int> all{1, 2, 3};
  spare_nodes<std::set<int>, 2> spare;
  for (const int each : {1, 2, 3}) spare.keep(all.extract(each));
  CHECK(all.empty());
  for (const int each : {4, 6, 5, 4}) spare.append(all, each);
  CHECK(all == std::set<int>{4, 5, 6});
}

}  // namespace
}  // namespace gamehub::base
