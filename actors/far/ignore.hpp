// The handler of a message that a proxy has in its interface and never gets.
#pragma once

namespace gamehub::actors::far {

template <class Message>
struct ignore {
  void operator()(const Message&) const {}
};

}  // namespace gamehub::actors::far
