// Beast, compiled once, as Asio is in asio.cpp (BOOST_BEAST_SEPARATE_COMPILATION).
#include <boost/beast/src.hpp>
