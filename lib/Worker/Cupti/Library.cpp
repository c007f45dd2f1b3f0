//===- Library.cpp - CUPTI, loaded when it is asked for ---------------------===//

#include "Library.h"
#include <dlfcn.h>

using namespace cupel::worker;

static CuptiApi load() {
  // The records' layouts belong to the headers' major version.
  std::string Name = "libcupti.so." + std::to_string(CUDA_VERSION / 1000);
  void *Library = dlopen(Name.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!Library)
    throw NotMeasured("no-cupti", dlerror());
  CuptiApi Api;
#define CUPEL_CUPTI_LOAD(Function)                                                                 \
  Api.Function = reinterpret_cast<decltype(Api.Function)>(dlsym(Library, #Function));              \
  if (!Api.Function)                                                                               \
    throw NotMeasured("no-cupti", Name + " has no function " #Function);
  CUPEL_CUPTI_FUNCTIONS(CUPEL_CUPTI_LOAD)
#undef CUPEL_CUPTI_LOAD
  uint32_t Version = 0;
  Api.check(Api.cuptiGetVersion(&Version), "asking for CUPTI's version");
  if (Version < CUPTI_API_VERSION)
    throw NotMeasured("no-cupti", Name + " has the version " + std::to_string(Version) +
                                      ", the worker was built for " +
                                      std::to_string(CUPTI_API_VERSION));
  return Api;
}

const CuptiApi &CuptiApi::get() {
  static const CuptiApi Api = load();
  return Api;
}

void CuptiApi::check(CUptiResult Result, const char *What) const {
  if (Result == CUPTI_SUCCESS)
    return;
  const char *Text = nullptr;
  if (cuptiGetResultString(Result, &Text) != CUPTI_SUCCESS || !Text)
    Text = "unknown";
  std::string Message = std::string(What) + ": " + Text;
  if (Result == CUPTI_ERROR_INSUFFICIENT_PRIVILEGES ||
      Result == CUPTI_ERROR_VIRTUALIZED_DEVICE_INSUFFICIENT_PRIVILEGES)
    throw NotMeasured(
        "counters-forbidden",
        "ERR_NVGPUCTRPERM: the driver lets only administrators read counters. As root, "
        "put 'options nvidia NVreg_RestrictProfilingToAdminUsers=0' into "
        "/etc/modprobe.d/nvidia-profiling.conf and load the driver anew, or run with "
        "CAP_SYS_ADMIN (" +
            Message + ")");
  throw NotMeasured("cupti-error", Message);
}
