// cp.async: a copy has no effect before its thread waits for it, so that a forgotten wait is seen.

#include "State.h"

#include <cstring>

namespace cupel::emu {

static void perform(const AsyncCopy &C) {
  checkRead(C.From, C.Size);
  checkWrite(C.To, C.Size + C.Zeroed);
  std::memcpy(C.To, C.From, C.Size);
  std::memset(static_cast<char *>(C.To) + C.Size, 0, C.Zeroed);
}

static void performFirst(Thread &T, unsigned Count) {
  for (unsigned I = 0; I < Count; ++I)
    perform(T.Copies[I]);
  T.Copies.erase(T.Copies.begin(), T.Copies.begin() + Count);
}

void copyAsync(void *To, const void *From, size_t Size, size_t Zeroed) {
  if (!Here.Current || Here.Current->Owner->Of->Where.Wait == Waits::Never)
    return perform({To, From, Size, Zeroed});
  Here.Current->Copies.push_back({To, From, Size, Zeroed});
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

} // namespace cupel::emu
