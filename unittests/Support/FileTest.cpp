//===- FileTest.cpp - files that are missing, odd or half written -----------===//

#include "cupel/Support/File.h"
#include "TestSupport.h"
#include "llvm/Support/FileSystem.h"
#include "gtest/gtest.h"
#include <cstdlib>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace cupel;

namespace {

class FileTest : public testing::Test {
protected:
  std::string make(llvm::StringRef Name, llvm::StringRef Contents) {
    std::string Path = at(Name);
    llvm::cantFail(writeFileAtomically(Path, Contents));
    return Path;
  }
  std::string at(llvm::StringRef Name) { return Folder.path().str() + "/" + Name.str(); }

  TemporaryDirectory Folder = llvm::cantFail(TemporaryDirectory::create("cupel-test"));
};

TEST_F(FileTest, ReadsWhatWasWritten) {
  std::string Path = make("deep/er/file", "text\n");
  EXPECT_EQ(llvm::cantFail(readTextFile(Path)), "text\n");
  EXPECT_EQ(llvm::cantFail(readTextFile(make("empty", ""))), "");
  EXPECT_FALSE(llvm::cantFail(readFile("/proc/self/status")).empty());
}

TEST_F(FileTest, TellsWhatIsWrong) {
  EXPECT_EQ(errorOf(readTextFile(at("no"))), "file-missing: " + at("no") + ": no such file");
  EXPECT_EQ(errorOf(readTextFile(at(""))),
            "file-is-directory: " + at("") + ": is a folder, not a file");
  EXPECT_EQ(errorOf(readTextFile(make("big", std::string(2000, 'x')), 1000)),
            "file-too-big: " + at("big") + ": has 1.95 KiB, more than the limit of 1000 B");
  EXPECT_EQ(errorOf(readTextFile(make("nul", llvm::StringRef("a\nb\0c", 5)))),
            "file-binary: " + at("nul") + ":2: is not a text file: it holds a NUL byte");
  EXPECT_EQ(errorOf(readTextFile(make("wide", llvm::StringRef("\xff\xfe"
                                                              "a\0",
                                                              4)))),
            "file-utf16: " + at("wide") + ": is UTF-16; save it as UTF-8");
  ASSERT_EQ(::mkfifo(at("pipe").c_str(), 0600), 0);
  EXPECT_EQ(errorOf(readTextFile(at("pipe"))),
            "file-not-regular: " + at("pipe") + ": is a pipe or device, not a regular file");
  EXPECT_EQ(errorOf(readTextFile("/dev/zero")),
            "file-not-regular: /dev/zero: is a pipe or device, not a regular file");
  // The size that it tells is 0.
  EXPECT_EQ(errorOf(readFile("/proc/self/status", 10)),
            "file-too-big: /proc/self/status: is larger than the limit of 10 B");
  if (::geteuid() != 0) {
    ::chmod(make("secret", "x").c_str(), 0);
    EXPECT_EQ(errorOf(readTextFile(at("secret"))),
              "file-unreadable: " + at("secret") + ": cannot be read: Permission denied");
  }
}

TEST_F(FileTest, WritesWholeOrNotAtAll) {
  std::string Path = make("file", "old");
  ASSERT_EQ(::symlink(Path.c_str(), at("link").c_str()), 0);
  llvm::cantFail(writeFileAtomically(at("link"), "new"));
  EXPECT_EQ(llvm::cantFail(readTextFile(Path)), "new");
  EXPECT_TRUE(llvm::sys::fs::is_symlink_file(at("link")));

  EXPECT_EQ(errorText(writeFileAtomically(Folder.path(), "x")),
            "file-unwritable: " + Folder.path().str() + ": cannot be written: Is a directory");
  EXPECT_EQ(errorText(writeFileAtomically(Path + "/below", "x")),
            "file-unwritable: " + Path + "/below: cannot be written: Not a directory");
  EXPECT_EQ(errorText(writeFileAtomically("/dev/full", "x")),
            "file-unwritable: /dev/full: cannot be written: No space left on device");
  llvm::cantFail(writeFileAtomically("/dev/null", "x"));
  EXPECT_EQ(errorText(makeDirectories(Path + "/below")),
            "folder-unwritable: the folder '" + Path + "/below' cannot be made: Not a directory");

  unsigned Files = 0;
  std::error_code Failed;
  for (llvm::sys::fs::directory_iterator At(Folder.path(), Failed), End; At != End;
       At.increment(Failed))
    ++Files;
  EXPECT_EQ(Files, 2u); // No temporary file is left.
}

TEST_F(FileTest, TemporaryDirectoriesGoAway) {
  std::string Path;
  {
    TemporaryDirectory Inner = llvm::cantFail(TemporaryDirectory::create("x", Folder.path()));
    Path = Inner.path().str();
    llvm::cantFail(writeFileAtomically(Path + "/a/b", "x"));
    ASSERT_EQ(::mkfifo((Path + "/a/pipe").c_str(), 0600), 0);
    struct stat Status;
    ASSERT_EQ(::stat(Path.c_str(), &Status), 0);
    EXPECT_EQ(Status.st_mode & 0777, 0700u);
  }
  EXPECT_FALSE(llvm::sys::fs::exists(Path));
  EXPECT_EQ(errorOf(TemporaryDirectory::create("x", at("missing"))),
            "folder-unwritable: no temporary folder can be made in '" + at("missing") +
                "': No such file or directory");
}

// What a killed process left; what is in use, or was made just now, stays.
TEST_F(FileTest, TemporaryDirectoriesOfTheDeadGoAway) {
  const char *Before = std::getenv("TMPDIR");
  const std::string Old = Before ? Before : "";
  setenv("TMPDIR", Folder.path().str().c_str(), 1);
  for (const char *Name : {"x-dead00", "x-used00", "x-young0", "x-dead-other", "y-dead00"}) {
    llvm::cantFail(writeFileAtomically(at(Name) + "/file", ""));
    struct timespec Times[2] = {{1000, 0}, {1000, 0}};
    if (Name != llvm::StringRef("x-young0"))
      ASSERT_EQ(::utimensat(AT_FDCWD, at(Name).c_str(), Times, 0), 0);
  }
  int Used = ::open(at("x-used00").c_str(), O_RDONLY | O_DIRECTORY);
  ASSERT_EQ(::flock(Used, LOCK_EX), 0);
  TemporaryDirectory Mine = llvm::cantFail(TemporaryDirectory::create("x"));
  ::close(Used);
  Before ? setenv("TMPDIR", Old.c_str(), 1) : unsetenv("TMPDIR");
  EXPECT_FALSE(llvm::sys::fs::exists(at("x-dead00")));
  for (const char *Name : {"x-used00", "x-young0", "x-dead-other", "y-dead00"})
    EXPECT_TRUE(llvm::sys::fs::exists(at(Name))) << Name;
  // And the new one is in use.
  int Other = ::open(Mine.path().str().c_str(), O_RDONLY | O_DIRECTORY);
  EXPECT_NE(::flock(Other, LOCK_EX | LOCK_NB), 0);
  ::close(Other);
}

} // namespace
