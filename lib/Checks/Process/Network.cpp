//===- Network.cpp - process-network ---------------------------------------===//

#include "Network.h"
#include "../HostUses.h"
#include "cupel/Checks/CheckContext.h"

namespace cupel {

NetworkCheck::NetworkCheck()
    : Check("process-network", Level::Reject, "Use of the network: socket, connect, getaddrinfo") {}

void NetworkCheck::run(CheckContext &Context) const {
  reportNamedUses(Context, *this, Level::Reject,
                  {"socket", "socketpair", "connect", "bind", "listen", "accept", "accept4",
                   "sendto", "recvfrom", "sendmsg", "recvmsg", "getaddrinfo", "gethostbyname",
                   "inet_addr", "inet_pton"},
                  "uses the network");
}

} // namespace cupel
