//===- ProcessTable.cpp - who descends from whom, from /proc ----------------===//
//
// /proc/PID/task/TID/children would be cheaper, but many kernels are built without it.
//
//===----------------------------------------------------------------------===//

#include "ProcessTable.h"
#include <algorithm>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

using namespace cupel;

namespace {
/// The kernel's record of getdents64(2); opendir and readdir allocate.
struct DirectoryEntry {
  uint64_t Inode;
  int64_t Offset;
  unsigned short Length;
  unsigned char Type;
  char Name[];
};
} // namespace

/// Reads a decimal number and the blanks before it; moves \p At behind it.
static int64_t number(const char *&At) {
  while (*At == ' ')
    ++At;
  bool Negative = *At == '-';
  if (Negative)
    ++At;
  int64_t Value = 0;
  for (; *At >= '0' && *At <= '9'; ++At)
    Value = Value * 10 + (*At - '0');
  return Negative ? -Value : Value;
}

static void skipFields(const char *&At, unsigned Fields) {
  for (; Fields != 0; --Fields)
    number(At);
}

/// Takes /proc/PID/stat apart. The second field is the program's name in parentheses, which may
/// hold anything, also parentheses: so fields are counted from the last one.
static bool parseStat(const char *Text, ProcessEntry &Entry) {
  const char *At = std::strrchr(Text, ')');
  if (!At || At[1] != ' ' || At[2] == '\0')
    return false;
  Entry.State = At[2];
  At += 3;
  Entry.Parent = pid_t(number(At));
  Entry.Group = pid_t(number(At));
  Entry.Session = pid_t(number(At));
  skipFields(At, 13); // tty_nr (7) to nice (19).
  Entry.Threads = uint32_t(number(At));
  skipFields(At, 3); // itrealvalue, starttime, vsize.
  const long PageBytes = ::sysconf(_SC_PAGESIZE);
  int64_t Pages = number(At);
  Entry.RssBytes = Pages > 0 ? uint64_t(Pages) * uint64_t(PageBytes) : 0;
  Entry.Descendant = false;
  return true;
}

static bool readStat(int Proc, const char *Name, ProcessEntry &Entry) {
  char Path[32];
  size_t Length = std::strlen(Name);
  if (Length + sizeof("/stat") > sizeof(Path))
    return false;
  std::memcpy(Path, Name, Length);
  std::memcpy(Path + Length, "/stat", sizeof("/stat"));
  int File = ::openat(Proc, Path, O_RDONLY | O_CLOEXEC);
  if (File < 0)
    return false;
  char Text[1024];
  ssize_t Got = ::read(File, Text, sizeof(Text) - 1);
  ::close(File);
  if (Got <= 0)
    return false;
  Text[Got] = '\0';
  const char *Digits = Name;
  Entry.Pid = pid_t(number(Digits));
  return parseStat(Text, Entry);
}

size_t cupel::readProcessTable(ProcessEntry *Entries, size_t Capacity) {
  int Proc = ::open("/proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (Proc < 0)
    return 0;
  size_t Count = 0;
  alignas(DirectoryEntry) char Buffer[1 << 14];
  while (true) {
    long Bytes = ::syscall(SYS_getdents64, Proc, Buffer, sizeof(Buffer));
    if (Bytes <= 0)
      break;
    for (long At = 0; At < Bytes && Count < Capacity;) {
      const auto *Entry = reinterpret_cast<const DirectoryEntry *>(Buffer + At);
      At += Entry->Length;
      if (Entry->Name[0] >= '1' && Entry->Name[0] <= '9')
        Count += readStat(Proc, Entry->Name, Entries[Count]);
    }
  }
  ::close(Proc);
  std::sort(Entries, Entries + Count,
            [](const ProcessEntry &A, const ProcessEntry &B) { return A.Pid < B.Pid; });
  return Count;
}

size_t cupel::markDescendantsOfMarked(ProcessEntry *Entries, size_t Count) {
  auto IsMarked = [&](pid_t Pid) {
    const ProcessEntry *End = Entries + Count;
    const ProcessEntry *Found = std::lower_bound(
        Entries, Entries + Count, Pid, [](const ProcessEntry &E, pid_t P) { return E.Pid < P; });
    return Found != End && Found->Pid == Pid && Found->Descendant;
  };
  // A child mostly has a greater id than its parent, so two passes do.
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (ProcessEntry *Entry = Entries; Entry != Entries + Count; ++Entry)
      if (!Entry->Descendant && IsMarked(Entry->Parent))
        Entry->Descendant = Changed = true;
  }
  return size_t(std::count_if(Entries, Entries + Count, [](const ProcessEntry &Entry) {
    return Entry.Descendant && Entry.State != 'Z';
  }));
}

size_t cupel::markDescendants(ProcessEntry *Entries, size_t Count, pid_t Ancestor) {
  for (size_t I = 0; I != Count; ++I)
    Entries[I].Descendant |= Entries[I].Parent == Ancestor;
  return markDescendantsOfMarked(Entries, Count);
}

void cupel::killDescendants(const ProcessEntry *Entries, size_t Count) {
  const pid_t OwnGroup = ::getpgrp();
  for (size_t I = 0; I != Count; ++I) {
    const ProcessEntry &Entry = Entries[I];
    if (!Entry.Descendant || Entry.State == 'Z')
      continue;
    if (Entry.Group > 1 && Entry.Group != OwnGroup)
      ::kill(-Entry.Group, SIGKILL);
    ::kill(Entry.Pid, SIGKILL);
  }
}
