// From code addresses to lines of the submission, by elfutils' libdw out of the debug information
// that the build leaves in the library.

#include "Errors.h"
#include "State.h"

#include <cstring>
#include <dlfcn.h>
#include <dwarf.h>
#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>
#include <map>
#include <mutex>
#include <sys/mman.h>

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

SourcePlace placeIn(Session &S, const void *Return) {
  Dwfl_Module *M = moduleOf(S, Return);
  if (!M)
    return {};
  const Dwarf_Addr Address = reinterpret_cast<Dwarf_Addr>(Return) - 1;
  Dwarf_Addr Bias = 0;
  Dwarf_Die *Unit = unitOf(M, Address, Bias), *Scopes = nullptr;
  if (!Unit)
    return {};
  int Line = 0;
  if (Dwarf_Line *L = dwarf_getsrc_die(Unit, Address - Bias))
    if (const char *File = dwarf_linesrc(L, nullptr, nullptr);
        dwarf_lineno(L, &Line) == 0 && Line && isOwnText(File))
      return {File, static_cast<unsigned>(Line)};
  // The code came from a header: where was the function called that it was inlined into?
  const int Count = dwarf_getscopes(Unit, Address - Bias, &Scopes);
  SourcePlace Found;
  Dwarf_Files *Files = nullptr;
  size_t FileCount = 0;
  dwarf_getsrcfiles(Unit, &Files, &FileCount);
  for (int I = 0; I < Count && !Found.Line; ++I) {
    if (dwarf_tag(&Scopes[I]) != DW_TAG_inlined_subroutine)
      continue;
    Dwarf_Attribute A;
    Dwarf_Word CallFile = 0, CallLine = 0;
    if (dwarf_formudata(dwarf_attr(&Scopes[I], DW_AT_call_file, &A), &CallFile) ||
        dwarf_formudata(dwarf_attr(&Scopes[I], DW_AT_call_line, &A), &CallLine))
      continue;
    const char *File = Files ? dwarf_filesrc(Files, CallFile, nullptr, nullptr) : nullptr;
    if (isOwnText(File))
      Found = {File, static_cast<unsigned>(CallLine)};
  }
  free(Scopes);
  return Found;
}

CallChain chainIn(Session &S, const void *Return) {
  Dwfl_Module *M = moduleOf(S, Return);
  if (!M)
    return {};
  const Dwarf_Addr Address = reinterpret_cast<Dwarf_Addr>(Return) - 1;
  Dwarf_Addr Bias = 0;
  Dwarf_Die *Unit = unitOf(M, Address, Bias), *Scopes = nullptr;
  Dwarf_Line *L = Unit ? dwarf_getsrc_die(Unit, Address - Bias) : nullptr;
  int Line = 0, Column = 0;
  if (!L || dwarf_lineno(L, &Line) || dwarf_linecol(L, &Column) || !Line)
    return {};
  CallChain Chain{{Line, Column, isOwnText(dwarf_linesrc(L, nullptr, nullptr))}};
  Dwarf_Files *Files = nullptr;
  size_t FileCount = 0;
  dwarf_getsrcfiles(Unit, &Files, &FileCount);
  const int Count = dwarf_getscopes(Unit, Address - Bias, &Scopes);
  for (int I = 0; I < Count; ++I) {
    Dwarf_Attribute A;
    Dwarf_Word CallFile = 0, CallLine = 0, CallColumn = 0;
    if (dwarf_tag(&Scopes[I]) != DW_TAG_inlined_subroutine ||
        dwarf_formudata(dwarf_attr(&Scopes[I], DW_AT_call_line, &A), &CallLine))
      continue;
    dwarf_formudata(dwarf_attr(&Scopes[I], DW_AT_call_column, &A), &CallColumn);
    dwarf_formudata(dwarf_attr(&Scopes[I], DW_AT_call_file, &A), &CallFile);
    const char *File = Files ? dwarf_filesrc(Files, CallFile, nullptr, nullptr) : nullptr;
    Chain.push_back({static_cast<int>(CallLine), static_cast<int>(CallColumn), isOwnText(File)});
  }
  free(Scopes);
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

SourcePlace findPlace(const void *Return) {
  if (!Return)
    return {};
  Session &S = session();
  const std::lock_guard<std::recursive_mutex> Guard(S.Lock);
  if (const SourcePlace &P = cachedPlace(S, Return); P.Line || !Here.Current)
    return P;
  // Code of a header that was not inlined: the callers, along the frames of this fiber.
  auto *Frame = static_cast<void **>(__builtin_frame_address(0));
  bool Reached = false;
  const auto InStack = [](void **F) {
    return reinterpret_cast<uintptr_t>(F) - Here.StackLow < StackSize - 16;
  };
  for (int Depth = 0; Depth < 64 && InStack(Frame); ++Depth) {
    const void *Caller = Frame[1];
    if (Reached)
      if (const SourcePlace &P = cachedPlace(S, Caller); P.Line)
        return P;
    Reached |= Caller == Return;
    auto *Next = static_cast<void **>(Frame[0]);
    if (Next <= Frame)
      break;
    Frame = Next;
  }
  return {};
}

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
