//===- Subprocess.cpp - process-subprocess ---------------------------------===//

#include "Subprocess.h"
#include "../HostUses.h"
#include "cupel/Checks/CheckContext.h"

namespace cupel {

SubprocessCheck::SubprocessCheck()
    : Check("process-subprocess", Level::Reject,
            "Program or process that is started: system, popen, exec, fork") {}

void SubprocessCheck::run(CheckContext &Context) const {
  reportNamedUses(Context, *this, Level::Reject,
                  {"system", "popen", "pclose", "execl", "execlp", "execle", "execv", "execvp",
                   "execvpe", "execve", "execveat", "fexecve", "fork", "vfork", "clone", "clone3",
                   "posix_spawn", "posix_spawnp", "wordexp"},
                  "starts another process");
  reportNamedUses(Context, *this, Level::Reject, {"syscall"},
                  "calls the operating system by number, which can start another process");
}

} // namespace cupel
