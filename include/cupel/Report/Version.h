//===- Version.h - the version that records and --version print -------------===//
#ifndef CUPEL_REPORT_VERSION_H
#define CUPEL_REPORT_VERSION_H

namespace cupel {

/// `0.1.0`, of the project() line in CMakeLists.txt.
inline constexpr const char *CupelVersion = CUPEL_VERSION;

} // namespace cupel

#endif // CUPEL_REPORT_VERSION_H
