//===- Descriptor.cpp - process-descriptor ---------------------------------===//

#include "Descriptor.h"
#include "../HostUses.h"
#include "cupel/Checks/CheckContext.h"

namespace cupel {

DescriptorCheck::DescriptorCheck()
    : Check("process-descriptor", Level::Reject,
            "Output to descriptors that the process inherited: write, dup2, fdopen") {}

void DescriptorCheck::run(CheckContext &Context) const {
  reportNamedUses(Context, *this, Level::Reject,
                  {"write", "writev", "pwrite", "pwrite64", "pwritev", "send", "sendfile", "splice",
                   "dup", "dup2", "dup3", "fdopen", "dprintf", "vdprintf", "fcntl", "ioctl",
                   "close", "close_range", "closefrom"},
                  "handles a descriptor that this file did not open");
}

} // namespace cupel
