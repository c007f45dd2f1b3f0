//===- Memory.cpp - process-memory -----------------------------------------===//

#include "Memory.h"
#include "../HostUses.h"
#include "cupel/Checks/CheckContext.h"

namespace cupel {

MemoryCheck::MemoryCheck()
    : Check("process-memory", Level::Reject,
            "Memory of the process is remapped or read from outside: mprotect, ptrace") {}

void MemoryCheck::run(CheckContext &Context) const {
  reportNamedUses(Context, *this, Level::Reject,
                  {"mprotect", "pkey_mprotect", "mremap", "process_vm_readv", "process_vm_writev",
                   "ptrace", "memfd_create", "userfaultfd", "remap_file_pages", "mmap", "mmap64",
                   "shm_open", "shmget", "shmat"},
                  "changes or reads memory behind the allocator");
}

} // namespace cupel
