// From code addresses to lines of the submission, by elfutils' libdw out of the debug information
// that the build leaves in the library.

#include "Errors.h"
#include "State.h"

#include <algorithm>
#include <cstring>
#include <dlfcn.h>
#include <dwarf.h>
#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>
#include <map>
#include <mutex>
#include <sys/mman.h>
#include <unwind.h>
#include <vector>

namespace cupel::emu {

namespace {

struct Session {
  std::recursive_mutex Lock;
  Dwfl *Handle = nullptr;
  std::map<const void *, Dwfl_Module *> Modules; ///< By load address.
  std::map<const void *, SourcePlace> Known;
  std::map<const void *, CallChain> Chains;
};

Session &session() {
  static auto *S = new Session;
  return *S;
}

Dwfl_Module *moduleOf(Session &S, const void *Code) {
  Dl_info Info;
  if (!dladdr(Code, &Info) || !Info.dli_fname)
    return nullptr;
  if (const auto Old = S.Modules.find(Info.dli_fbase); Old != S.Modules.end())
    return Old->second;
  static const Dwfl_Callbacks Callbacks = {nullptr, dwfl_standard_find_debuginfo,
                                           dwfl_offline_section_address, nullptr};
  if (!S.Handle && !(S.Handle = dwfl_begin(&Callbacks)))
    return nullptr;
  dwfl_report_begin_add(S.Handle);
  Dwfl_Module *M = dwfl_report_elf(S.Handle, Info.dli_fname, Info.dli_fname, -1,
                                   reinterpret_cast<GElf_Addr>(Info.dli_fbase), false);
  dwfl_report_end(S.Handle, nullptr, nullptr);
  return S.Modules[Info.dli_fbase] = M;
}

// Headers are not where a person looks: those of CUDA, torch and our own.
bool isOwnText(const char *File) {
  return File && !std::strstr(File, "/include/") && !std::strstr(File, "/emulate/") &&
         !std::strstr(File, "/shadow/");
}

// Clang writes no .debug_aranges, which dwfl_module_addrdie needs.
Dwarf_Die *unitOf(Dwfl_Module *M, Dwarf_Addr Address, Dwarf_Addr &Bias) {
  for (Dwarf_Die *Unit = nullptr; (Unit = dwfl_module_nextcu(M, Unit, &Bias));)
    if (dwarf_haspc(Unit, Address - Bias) > 0)
      return Unit;
  return nullptr;
}

/// The scopes around an address, from inside out, each with those that it was inlined into.
/// dwarf_getscopes itself goes on with what lies around the text of an inlined function.
std::vector<Dwarf_Die> scopesAt(Dwarf_Die *Unit, Dwarf_Addr Address) {
  Dwarf_Die *Inner = nullptr, *Around = nullptr;
  std::vector<Dwarf_Die> Scopes;
  if (dwarf_getscopes(Unit, Address, &Inner) > 0)
    if (const int Count = dwarf_getscopes_die(&Inner[0], &Around); Count > 0)
      Scopes.assign(Around, Around + Count);
  free(Inner);
  free(Around);
  return Scopes;
}

SourcePlace placeIn(Session &S, const void *Return) {
  Dwfl_Module *M = moduleOf(S, Return);
  if (!M)
    return {};
  const Dwarf_Addr Address = reinterpret_cast<Dwarf_Addr>(Return) - 1;
  Dwarf_Addr Bias = 0;
  Dwarf_Die *Unit = unitOf(M, Address, Bias);
  if (!Unit)
    return {};
  int Line = 0;
  if (Dwarf_Line *L = dwarf_getsrc_die(Unit, Address - Bias))
    if (const char *File = dwarf_linesrc(L, nullptr, nullptr);
        dwarf_lineno(L, &Line) == 0 && Line && isOwnText(File))
      return {File, static_cast<unsigned>(Line)};
  // The code came from a header: where was the function called that it was inlined into?
  SourcePlace Found;
  Dwarf_Files *Files = nullptr;
  size_t FileCount = 0;
  dwarf_getsrcfiles(Unit, &Files, &FileCount);
  for (Dwarf_Die &Scope : scopesAt(Unit, Address - Bias)) {
    if (Found.Line)
      break;
    if (dwarf_tag(&Scope) != DW_TAG_inlined_subroutine)
      continue;
    Dwarf_Attribute A;
    Dwarf_Word CallFile = 0, CallLine = 0;
    if (dwarf_formudata(dwarf_attr(&Scope, DW_AT_call_file, &A), &CallFile) ||
        dwarf_formudata(dwarf_attr(&Scope, DW_AT_call_line, &A), &CallLine))
      continue;
    const char *File = Files ? dwarf_filesrc(Files, CallFile, nullptr, nullptr) : nullptr;
    if (isOwnText(File))
      Found = {File, static_cast<unsigned>(CallLine)};
  }
  return Found;
}

CallChain chainIn(Session &S, const void *Return) {
  Dwfl_Module *M = moduleOf(S, Return);
  if (!M)
    return {};
  const Dwarf_Addr Address = reinterpret_cast<Dwarf_Addr>(Return) - 1;
  Dwarf_Addr Bias = 0;
  Dwarf_Die *Unit = unitOf(M, Address, Bias);
  Dwarf_Line *L = Unit ? dwarf_getsrc_die(Unit, Address - Bias) : nullptr;
  int Line = 0, Column = 0;
  if (!L || dwarf_lineno(L, &Line) || dwarf_linecol(L, &Column) || !Line)
    return {};
  CallChain Chain{{Line, Column, isOwnText(dwarf_linesrc(L, nullptr, nullptr))}};
  Dwarf_Files *Files = nullptr;
  size_t FileCount = 0;
  dwarf_getsrcfiles(Unit, &Files, &FileCount);
  for (Dwarf_Die &Scope : scopesAt(Unit, Address - Bias)) {
    Dwarf_Attribute A;
    Dwarf_Word CallFile = 0, CallLine = 0, CallColumn = 0;
    if (dwarf_tag(&Scope) != DW_TAG_inlined_subroutine ||
        dwarf_formudata(dwarf_attr(&Scope, DW_AT_call_line, &A), &CallLine))
      continue;
    dwarf_formudata(dwarf_attr(&Scope, DW_AT_call_column, &A), &CallColumn);
    dwarf_formudata(dwarf_attr(&Scope, DW_AT_call_file, &A), &CallFile);
    const char *File = Files ? dwarf_filesrc(Files, CallFile, nullptr, nullptr) : nullptr;
    Chain.push_back({static_cast<int>(CallLine), static_cast<int>(CallColumn), isOwnText(File)});
  }
  return Chain;
}

/// libdw puts tables of lines on the stack, for which a fiber's is too small.
template <class Search> void onLargeStack(Search &&Job) {
  constexpr size_t Size = 8 << 20;
  void *Stack = mmap(nullptr, Size, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (Stack == MAP_FAILED)
    return;
  const auto Main = [](boost::context::detail::transfer_t From) {
    (*static_cast<std::remove_reference_t<Search> *>(From.data))();
    boost::context::detail::jump_fcontext(From.fctx, nullptr);
  };
  boost::context::detail::jump_fcontext(
      boost::context::detail::make_fcontext(static_cast<char *>(Stack) + Size, Size, Main), &Job);
  munmap(Stack, Size);
}

const SourcePlace &cachedPlace(Session &S, const void *Return) {
  const auto [At, New] = S.Known.try_emplace(Return);
  if (New)
    onLargeStack([&] { At->second = placeIn(S, Return); });
  return At->second;
}

} // namespace

// The callers of the function from which `Return` is a return address, from inside out: along the
// frames of a fiber, whose end no unwinder knows, that runs or waits; on the host's stack by its
// tables, since beyond the submission frames have no pointers to the next.
static std::vector<const void *> callersOf(const void *Return, const Thread *T) {
  constexpr size_t Most = 64;
  std::vector<const void *> Callers;
  if (T) {
    const bool Runs =
        reinterpret_cast<uintptr_t>(T->Base) - reinterpret_cast<uintptr_t>(FRAME) < StackSize;
    for (void **Frame = Runs ? FRAME : T->Frame; Frame && Callers.size() < Most;
         Frame = T->callerOf(Frame))
      Callers.push_back(Frame[1]);
  } else {
    _Unwind_Backtrace(
        [](_Unwind_Context *Frame, void *All) {
          auto &Callers = *static_cast<std::vector<const void *> *>(All);
          Callers.push_back(reinterpret_cast<const void *>(_Unwind_GetIP(Frame)));
          return Callers.size() < Most ? _URC_NO_REASON : _URC_END_OF_STACK;
        },
        &Callers);
  }
  const auto At = std::find(Callers.begin(), Callers.end(), Return);
  Callers.erase(Callers.begin(), At == Callers.end() ? At : At + 1);
  return Callers;
}

static SourcePlace findPlaceOf(const void *Return, const Thread *T) {
  if (!Return)
    return {};
  Session &S = session();
  const std::lock_guard<std::recursive_mutex> Guard(S.Lock);
  static const char InRuntime = 0;
  Dwfl_Module *const Runtime = moduleOf(S, &InRuntime);
  std::vector<const void *> Ways = callersOf(Return, T);
  Ways.insert(Ways.begin(), Return);
  // Behind the run-time, the submission's: code of a header that was not inlined has no place of
  // its own. What calls the submission is not looked at.
  auto Way = Ways.begin();
  while (Way != Ways.end() && moduleOf(S, *Way) == Runtime)
    ++Way;
  Dwfl_Module *const Own = Way == Ways.end() ? nullptr : moduleOf(S, *Way);
  for (; Way != Ways.end() && moduleOf(S, *Way) == Own; ++Way)
    if (const SourcePlace &P = cachedPlace(S, *Way); P.Line)
      return P;
  return {};
}

SourcePlace findPlace(const void *Return) { return findPlaceOf(Return, Here.Current); }
SourcePlace placeOfWaiting(const Thread &T) { return findPlaceOf(T.Where, &T); }

std::string symbolAt(const void *Code) {
  Session &S = session();
  const std::lock_guard<std::recursive_mutex> Guard(S.Lock);
  Dwfl_Module *M = moduleOf(S, Code);
  const char *Name = M ? dwfl_module_addrname(M, reinterpret_cast<GElf_Addr>(Code)) : nullptr;
  return Name ? Name : "";
}

const CallChain &findChain(const void *Return) {
  Session &S = session();
  const std::lock_guard<std::recursive_mutex> Guard(S.Lock);
  const auto [At, New] = S.Chains.try_emplace(Return);
  if (New)
    onLargeStack([&] { At->second = chainIn(S, Return); });
  return At->second;
}

std::string placeText(const void *Where) {
  const SourcePlace P = findPlace(Where);
  return P.Line ? " (line " + std::to_string(P.Line) + ")" : "";
}

} // namespace cupel::emu
