//===- MountCalls.h - mount(2) beside linux/mount.h -------------------------===//
#ifndef CUPEL_SUPPORT_MOUNTCALLS_H
#define CUPEL_SUPPORT_MOUNTCALLS_H

#include <linux/mount.h>

// glibc's sys/mount.h has some of linux/mount.h's names in other versions.
extern "C" int mount(const char *, const char *, const char *, unsigned long,
                     const void *) noexcept;
extern "C" int umount2(const char *, int) noexcept;

namespace cupel::mounts {

constexpr unsigned long ReadOnly = 1;                        // MS_RDONLY.
constexpr unsigned long NoSuidNoDev = 2 | 4;                 // MS_NOSUID | MS_NODEV.
constexpr unsigned long NoSuidNoDevNoExec = NoSuidNoDev | 8; // and MS_NOEXEC.
constexpr unsigned long BindRecursive = 0x1000 | 0x4000;     // MS_BIND | MS_REC.
constexpr unsigned long RecursivePrivate = 0x4000 | 0x40000; // MS_REC | MS_PRIVATE.
constexpr int Detach = 2;                                    // MNT_DETACH.

} // namespace cupel::mounts

#endif // CUPEL_SUPPORT_MOUNTCALLS_H
