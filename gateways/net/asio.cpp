// Asio, compiled once: everything else sees declarations only (BOOST_ASIO_SEPARATE_COMPILATION).
#include <boost/asio/impl/src.hpp>
