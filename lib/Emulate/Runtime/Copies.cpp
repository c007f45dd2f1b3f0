// cp.async: a copy has no effect before its thread waits for it, so that a forgotten wait is seen.

#include "State.h"

#include <cstring>

namespace cupel::emu {

static void write(const AsyncCopy &C) {
  std::memcpy(C.To, C.From, C.Size);
  std::memset(static_cast<char *>(C.To) + C.Size, 0, C.Zeroed);
}

// What is wrong with it shows where it begins, which is the line that a person looks for.
static void begin(const AsyncCopy &C) {
  checkRead(C.From, C.Size, C.Return);
  if (isShared(C.To))
    Here.Current->Owner->Shared.beginCopy(sharedOffset(C.To), C.Size, C.Zeroed, C.From,
                                          Here.Current->Linear, C.Return);
  else
    checkWrite(C.To, C.Size + C.Zeroed, C.Return);
}

static void end(const AsyncCopy &C, const Thread &T) {
  // Until now, its source may not change either.
  if (isShared(C.From))
    checkRead(C.From, C.Size, C.Return);
  if (isShared(C.To))
    T.Owner->Shared.endCopy(sharedOffset(C.To), C.Size + C.Zeroed, T.Linear);
  write(C);
}

static void performFirst(Thread &T, unsigned Count) {
  for (unsigned I = 0; I < Count; ++I)
    end(T.Copies[I], T);
  T.Copies.erase(T.Copies.begin(), T.Copies.begin() + Count);
}

void copyAsync(void *To, const void *From, size_t Size, size_t Zeroed) {
  const AsyncCopy Copy{To, From, Size, Zeroed, __builtin_return_address(0)};
  if (!Here.Current || Here.Current->Owner->Of->Where.Wait == Waits::Never) {
    checkRead(From, Size, Copy.Return);
    checkWrite(To, Size + Zeroed, Copy.Return);
    return write(Copy);
  }
  begin(Copy);
  Here.Current->Copies.push_back(Copy);
}

void commitCopies() {
  if (Thread *T = Here.Current) {
    T->Groups.push_back(T->Copies.size() - T->Committed);
    T->Committed = T->Copies.size();
  }
}

void waitCopies(unsigned Pending) {
  Thread *T = Here.Current;
  while (T && T->Groups.size() > Pending) {
    performFirst(*T, T->Groups.front());
    T->Committed -= T->Groups.front();
    T->Groups.erase(T->Groups.begin());
  }
}

void waitAllCopies() {
  if (Thread *T = Here.Current) {
    performFirst(*T, T->Copies.size());
    T->Groups.clear();
    T->Committed = 0;
  }
}

void finishCopies(Thread &T) {
  if (!T.Copies.empty())
    waitAllCopies();
}

void dropCopies(Thread &T) {
  for (const AsyncCopy &C : T.Copies) {
    const uintptr_t At = static_cast<char *>(C.To) - T.Owner->Shared.base();
    if (At < SharedWindow::WindowSize)
      T.Owner->Shared.endCopy(At, C.Size + C.Zeroed, T.Linear);
  }
  T.Copies.clear();
  T.Groups.clear();
  T.Committed = 0;
}

} // namespace cupel::emu
