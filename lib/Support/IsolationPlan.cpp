//===- IsolationPlan.cpp - isolation, made ready before the fork ------------===//

#include "IsolationPlan.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <atomic>
#include <climits>
#include <sys/stat.h>
#include <unistd.h>

using namespace cupel;
using llvm::StringRef;
namespace fs = llvm::sys::fs;

namespace {

/// Programs and libraries of the system. NixOS and Guix keep theirs, and the driver, in places of
/// their own.
constexpr const char *SystemFolders[] = {"/usr",
                                         "/lib",
                                         "/lib32",
                                         "/lib64",
                                         "/libx32",
                                         "/bin",
                                         "/sbin",
                                         "/opt",
                                         "/sys",
                                         "/nix/store",
                                         "/gnu/store",
                                         "/run/opengl-driver",
                                         "/run/current-system"};

/// What the loader, libc and the driver read. The rest of /etc is nobody's business: it has keys,
/// and says which machine this is.
constexpr const char *SystemFiles[] = {
    "/etc/ld.so.cache",  "/etc/ld.so.conf", "/etc/ld.so.conf.d", "/etc/ld.so.preload",
    "/etc/alternatives", "/etc/passwd",     "/etc/group",        "/etc/nsswitch.conf",
    "/etc/localtime",    "/etc/nvidia",     "/etc/vulkan",       "/etc/OpenCL",
    "/etc/cufile.json"};

constexpr const char *Devices[] = {"/dev/null", "/dev/zero", "/dev/full", "/dev/random",
                                   "/dev/urandom"};

bool lies(StringRef Path, StringRef Folder) {
  return Path.consume_front(Folder) && (Path.empty() || Path.front() == '/');
}

/// No number of a user that a system hands out, nor one of the ranges that are kept for containers
/// (systemd's "Users, Groups, UIDs and GIDs"). Each child has another one, so that even without
/// namespaces none can touch the next.
uid_t freshUser() {
  static std::atomic<unsigned> Count{0};
  return 0x7000'0000u + unsigned(::getpid()) % (1u << 22) * 16 + Count++ % 16;
}

} // namespace

PreparedIsolation::PreparedIsolation(const IsolationOptions &Options, StringRef Program) {
  Plan.Wanted = Options.Layers;
  Plan.OwnEntries = Options.Gpu;
  Plan.User = ::geteuid();
  Plan.Group = ::getegid();
  Plan.Root = Plan.User == 0;
  if (Plan.Root) {
    Plan.ChildsUser = freshUser();
    std::string Inside = std::to_string(UserInside);
    UserMap = "0 0 1\n" + Inside + " " + std::to_string(Plan.ChildsUser) + " 1\n";
    GroupMap = UserMap;
  } else {
    auto Self = [](unsigned Id) { return std::to_string(Id) + " " + std::to_string(Id) + " 1\n"; };
    UserMap = Self(Plan.User);
    GroupMap = Self(Plan.Group);
  }
  Plan.UserMap = UserMap.c_str();
  Plan.GroupMap = GroupMap.c_str();

  addSystem(Options);
  for (const std::string &Path : Options.Readable)
    addWithTarget(Path, /*Writable=*/false, /*Needed=*/true);
  if (Program.starts_with("/"))
    addWithTarget(Program, /*Writable=*/false, /*Needed=*/true);
  for (const std::string &Path : Options.Writable)
    addWithTarget(Path, /*Writable=*/true, /*Needed=*/true);
  for (auto [Part, Path] : llvm::zip(Parts, PartPaths))
    Part.Path = Path.c_str();
  for (const auto &[Path, Text] : LinkTexts)
    Links.push_back({Path.c_str(), Text.c_str()});
  Plan.Parts = Parts.data();
  Plan.PartCount = unsigned(Parts.size());
  Plan.Links = Links.data();
  Plan.LinkCount = unsigned(Links.size());

  if (!Options.Scratch.empty()) {
    Scratch = Options.Scratch;
    // Inodes are memory too; the default is one for every two pages.
    ScratchOptions = "mode=0700,nr_inodes=65536,size=" + std::to_string(Options.ScratchBytes);
    Plan.Scratch = Scratch.c_str();
    Plan.ScratchOptions = ScratchOptions.c_str();
  }
  if (Plan.wants(IsolationLayer::SystemCalls))
    Plan.FilterErrno = makeSystemCallFilter(Filter);
  Plan.Filter = Filter.data();
  Plan.FilterLength = static_cast<unsigned short>(Filter.size());
}

void PreparedIsolation::addSystem(const IsolationOptions &Options) {
  for (const char *Path : SystemFolders)
    add(Path, /*Writable=*/false, /*Needed=*/false);
  for (const char *Path : SystemFiles)
    add(Path, /*Writable=*/false, /*Needed=*/false);
  for (const char *Path : Devices)
    add(Path, /*Writable=*/true, /*Needed=*/false);
  if (!Options.Gpu)
    return;
  std::error_code EC;
  for (fs::directory_iterator I("/dev", EC), End; I != End && !EC; I.increment(EC))
    if (StringRef Name = llvm::sys::path::filename(I->path());
        Name.starts_with("nvidia") || Name == "dxg")
      add(I->path(), /*Writable=*/true, /*Needed=*/false);
}

void PreparedIsolation::addLink(const std::string &Path, const std::string &Text) {
  LinkTexts.emplace_back(Path, Text);
}

/// Adds \p Path, or the link that it is, unless something that is there already holds it.
void PreparedIsolation::add(StringRef Path, bool Writable, bool Needed) {
  const std::string Name = Path.str();
  struct stat Info;
  if (::lstat(Name.c_str(), &Info) != 0)
    return;
  for (auto [Part, Known] : llvm::zip(Parts, PartPaths))
    if (lies(Name, Known) && Part.Writable >= Writable) {
      Part.Needed |= Needed && Name == Known;
      return;
    }
  if (S_ISLNK(Info.st_mode)) {
    char Text[PATH_MAX];
    ssize_t Length = ::readlink(Name.c_str(), Text, sizeof(Text));
    if (Length > 0 && llvm::none_of(LinkTexts, [&](const auto &L) { return L.first == Name; }))
      addLink(Name, std::string(Text, size_t(Length)));
    return;
  }
  PartPaths.push_back(Name);
  Parts.push_back({nullptr, S_ISDIR(Info.st_mode), Writable, Needed});
}

/// Adds \p Path with what it is a link to, at every step of the way, so that it can be reached by
/// this name.
void PreparedIsolation::addWithTarget(StringRef Path, bool Writable, bool Needed) {
  llvm::SmallString<256> Real;
  if (fs::real_path(Path, Real))
    return;
  add(Real, Writable, Needed);
  // A link among its parents: each one's first link is made, and points to what was added or to
  // something that is made below.
  llvm::SmallString<256> Clean(Path);
  llvm::sys::path::remove_dots(Clean, /*remove_dot_dot=*/false);
  for (unsigned Step = 0; Step != 40 && StringRef(Clean) != StringRef(Real); ++Step) {
    llvm::SmallString<256> Prefix("/");
    bool Followed = false;
    for (auto I = ++llvm::sys::path::begin(Clean), End = llvm::sys::path::end(Clean); I != End;
         ++I) {
      llvm::sys::path::append(Prefix, *I);
      char Text[PATH_MAX];
      ssize_t Length = ::readlink(Prefix.c_str(), Text, sizeof(Text));
      if (Length <= 0)
        continue;
      StringRef Target(Text, size_t(Length));
      add(Prefix, false, false);
      llvm::SmallString<256> Next(Target.starts_with("/") ? StringRef()
                                                          : llvm::sys::path::parent_path(Prefix));
      llvm::sys::path::append(Next, Target);
      for (++I; I != End; ++I)
        llvm::sys::path::append(Next, *I);
      llvm::sys::path::remove_dots(Next, /*remove_dot_dot=*/true);
      Clean = Next;
      Followed = true;
      break;
    }
    if (!Followed)
      return;
  }
}
