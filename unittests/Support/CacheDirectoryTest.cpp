//===- CacheDirectoryTest.cpp - entries made by many at once ----------------===//

#include "cupel/Support/CacheDirectory.h"
#include "TestSupport.h"
#include "cupel/Support/File.h"
#include "llvm/Support/FileSystem.h"
#include "gtest/gtest.h"
#include <atomic>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace cupel;

namespace {

class CacheTest : public testing::Test {
protected:
  static llvm::Error fill(llvm::StringRef Folder) {
    for (int I = 0; I != 5; ++I) {
      if (llvm::Error Failed =
              writeFileAtomically((Folder + "/" + std::to_string(I)).str(), std::string(100, 'x')))
        return Failed;
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
    return llvm::Error::success();
  }
  static bool whole(llvm::StringRef Entry) {
    for (int I = 0; I != 5; ++I)
      if (!llvm::sys::fs::exists(Entry + "/" + std::to_string(I)))
        return false;
    return true;
  }
  /// As if the entry had been used so many hours ago.
  static void age(const std::string &Path, int Hours) {
    timespec Times[2] = {{::time(nullptr) - Hours * 3600, 0}, {::time(nullptr) - Hours * 3600, 0}};
    ::utimensat(AT_FDCWD, Path.c_str(), Times, 0);
  }
  unsigned hiddenFolders() {
    unsigned Count = 0;
    std::error_code Failed;
    for (llvm::sys::fs::directory_iterator At(Folder.path() + "/kind", Failed), End;
         At != End && !Failed; At.increment(Failed))
      Count += llvm::StringRef(At->path()).contains(".tmp-");
    return Count;
  }

  TemporaryDirectory Folder = llvm::cantFail(TemporaryDirectory::create("cupel-test"));
  CacheDirectory Cache{Folder.path().str()};
};

TEST_F(CacheTest, MakesOnceAndFindsAgain) {
  EXPECT_EQ(Cache.lookup("kind", "key"), std::nullopt);
  int Made = 0;
  auto Make = [&](llvm::StringRef Temporary) {
    ++Made;
    return fill(Temporary);
  };
  std::string First = llvm::cantFail(Cache.getOrCreate("kind", "key", Make));
  EXPECT_TRUE(whole(First));
  EXPECT_EQ(llvm::cantFail(Cache.getOrCreate("kind", "key", Make)), First);
  EXPECT_EQ(Cache.lookup("kind", "key"), First);
  EXPECT_EQ(Made, 1);
  llvm::cantFail(Cache.getOrCreate("kind", "other", Make));
  EXPECT_EQ(Made, 2);
  EXPECT_EQ(Cache.totalBytes(), 1000u);
  Cache.remove("kind", "key");
  EXPECT_EQ(Cache.lookup("kind", "key"), std::nullopt);
}

TEST_F(CacheTest, AFailedMakerLeavesNothing) {
  EXPECT_EQ(errorOf(Cache.getOrCreate("kind", "key",
                                      [](llvm::StringRef Temporary) {
                                        llvm::cantFail(fill(Temporary));
                                        return makeError("made-up", "failed");
                                      })),
            "made-up: failed");
  EXPECT_EQ(Cache.lookup("kind", "key"), std::nullopt);
  EXPECT_EQ(hiddenFolders(), 0u);
  EXPECT_TRUE(whole(llvm::cantFail(Cache.getOrCreate("kind", "key", fill))));
}

TEST_F(CacheTest, ManyProcessesAndThreadsMakeEachEntryOnce) {
  std::string Log = Folder.path().str() + "/log";
  auto Work = [&] {
    std::atomic<int> Bad = 0;
    std::vector<std::thread> Threads;
    for (int T = 0; T != 4; ++T)
      Threads.emplace_back([&] {
        for (int Key = 0; Key != 5; ++Key) {
          llvm::Expected<std::string> Entry =
              Cache.getOrCreate("kind", std::to_string(Key), [&](llvm::StringRef Temporary) {
                int File = ::open(Log.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0600);
                (void)!::write(File, "m", 1);
                ::close(File);
                return fill(Temporary);
              });
          Bad += !Entry || !whole(*Entry);
          if (!Entry)
            llvm::consumeError(Entry.takeError());
        }
      });
    for (std::thread &Thread : Threads)
      Thread.join();
    return Bad.load();
  };
  std::vector<pid_t> Children;
  for (int P = 0; P != 6; ++P) {
    pid_t Child = ::fork();
    if (Child == 0)
      ::_exit(Work());
    Children.push_back(Child);
  }
  for (pid_t Child : Children) {
    int Status = 1;
    ::waitpid(Child, &Status, 0);
    EXPECT_EQ(Status, 0);
  }
  EXPECT_EQ(llvm::cantFail(readFile(Log)), "mmmmm");
}

TEST_F(CacheTest, AKilledMakerIsFollowedByAnother) {
  int Ends[2];
  ASSERT_EQ(::pipe(Ends), 0);
  pid_t Maker = ::fork();
  if (Maker == 0) {
    llvm::consumeError(
        Cache
            .getOrCreate("kind", "key",
                         [&](llvm::StringRef Temporary) -> llvm::Error {
                           llvm::cantFail(writeFileAtomically((Temporary + "/0").str(), "half"));
                           (void)!::write(Ends[1], "x", 1);
                           ::pause();
                           return llvm::Error::success();
                         })
            .takeError());
    ::_exit(0);
  }
  char Ready;
  ASSERT_EQ(::read(Ends[0], &Ready, 1), 1);
  EXPECT_EQ(Cache.lookup("kind", "key"), std::nullopt);
  // Somebody waits already when the maker dies.
  std::thread Killer([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    ::kill(Maker, SIGKILL);
  });
  EXPECT_TRUE(whole(llvm::cantFail(Cache.getOrCreate("kind", "key", fill))));
  Killer.join();
  ::waitpid(Maker, nullptr, 0);
  ::close(Ends[0]);
  ::close(Ends[1]);

  // The next maker removes what the first one left.
  EXPECT_EQ(Cache.list().size(), 1u);
  EXPECT_EQ(hiddenFolders(), 0u);
}

TEST_F(CacheTest, PruneRemovesWhatKilledMakersLeft) {
  llvm::cantFail(Cache.getOrCreate("kind", "other", fill));
  for (const char *Left : {".dead.tmp-abcdef", ".key.tmp-abcdef", ".other.tmp-removed-7"})
    llvm::cantFail(writeFileAtomically((Folder.path() + "/kind/" + Left + "/0").str(), "half"));
  llvm::cantFail(writeFileAtomically((Folder.path() + "/kind/.dead.lock").str(), ""));
  llvm::cantFail(Cache.getOrCreate("kind", "key", [&](llvm::StringRef Temporary) {
    EXPECT_EQ(hiddenFolders(), 3u);
    // Two are of keys that nobody makes; in the third somebody works.
    EXPECT_EQ(Cache.prune(uint64_t(1) << 30), 8u);
    EXPECT_EQ(hiddenFolders(), 1u);
    EXPECT_TRUE(llvm::sys::fs::is_directory(Temporary));
    return fill(Temporary);
  }));
  EXPECT_EQ(hiddenFolders(), 0u);
  EXPECT_TRUE(Cache.lookup("kind", "key").has_value());
}

TEST_F(CacheTest, AFileThatAMakerCannotWriteIsTheCachesTrouble) {
  std::string Why = errorOf(Cache.getOrCreate("kind", "key", [](llvm::StringRef Temporary) {
    return makeError("file-unwritable", "no space", {(Temporary + "/x").str()});
  }));
  EXPECT_EQ(Why, "cache-unwritable: the cache folder '" + Folder.path().str() +
                     "' cannot be used: no space; set CUPEL_CACHE_DIR to a folder that can be "
                     "written");
  EXPECT_EQ(errorOf(Cache.getOrCreate(
                "kind", "key",
                [](llvm::StringRef) { return makeError("file-unwritable", "no space", {"/x"}); })),
            "file-unwritable: /x: no space");
}

TEST_F(CacheTest, PruneRemovesWhatWasUsedLongestAgo) {
  for (const char *Key : {"a", "b", "c", "d"})
    llvm::cantFail(Cache.getOrCreate("kind", Key, fill));
  age(Folder.path().str() + "/kind/b", 30);
  age(Folder.path().str() + "/kind/a", 20);
  age(Folder.path().str() + "/kind/c", 10);
  EXPECT_EQ(Cache.list().front().Key, "b");
  EXPECT_EQ(Cache.prune(1100), 1000u);
  EXPECT_EQ(Cache.lookup("kind", "a"), std::nullopt);
  EXPECT_EQ(Cache.lookup("kind", "b"), std::nullopt);
  EXPECT_TRUE(Cache.lookup("kind", "c").has_value());
  // Both that are left were used just now: somebody may be reading them.
  EXPECT_EQ(Cache.prune(0), 0u);
}

/// The cache may be a folder in which others keep theirs.
TEST_F(CacheTest, PruneLeavesWhatIsNotOurs) {
  age(llvm::cantFail(Cache.getOrCreate("kind", "a", fill)), 30);
  std::string Theirs = (Cache.root() + "/thesis/chapter").str();
  ASSERT_FALSE(llvm::sys::fs::create_directories(Theirs));
  age(Theirs, 40);
  EXPECT_EQ(Cache.list().size(), 1u);
  EXPECT_EQ(Cache.prune(0), 500u);
  EXPECT_TRUE(llvm::sys::fs::is_directory(Theirs));
}

TEST_F(CacheTest, KeepsToItsSizeByItself) {
  setenv("CUPEL_CACHE_MAX_GB", "0.0000011", 1);
  EXPECT_EQ(llvm::cantFail(CacheDirectory::sizeLimit()), 1100u);
  for (const char *Key : {"a", "b"})
    llvm::cantFail(Cache.getOrCreate("kind", Key, fill));
  age(Folder.path().str() + "/kind/a", 20);
  age(Folder.path().str() + "/kind/b", 10);
  // The last time was just now.
  llvm::cantFail(Cache.getOrCreate("kind", "c", fill));
  EXPECT_TRUE(llvm::sys::fs::exists(Folder.path() + "/kind/a"));
  age(Folder.path().str() + "/.pruned", 2);
  llvm::cantFail(Cache.getOrCreate("kind", "d", fill));
  EXPECT_FALSE(llvm::sys::fs::exists(Folder.path() + "/kind/a"));
  EXPECT_FALSE(llvm::sys::fs::exists(Folder.path() + "/kind/b"));
  EXPECT_TRUE(llvm::sys::fs::exists(Folder.path() + "/kind/c"));
  for (const char *Bad : {"none", "-1", "0", "nan", "20GB"}) {
    setenv("CUPEL_CACHE_MAX_GB", Bad, 1);
    EXPECT_EQ(errorOf(CacheDirectory::sizeLimit()),
              std::string("cache-bad-limit: CUPEL_CACHE_MAX_GB is '") + Bad +
                  "': give the cache's size in GB, more than 0 and less than 1000000")
        << Bad;
  }
  setenv("CUPEL_CACHE_MAX_GB", "", 1);
  EXPECT_EQ(llvm::cantFail(CacheDirectory::sizeLimit()), 20'000'000'000u);
  unsetenv("CUPEL_CACHE_MAX_GB");
}

TEST_F(CacheTest, TellsOfAFolderThatCannotBeUsed) {
  std::string File = Folder.path().str() + "/file";
  llvm::cantFail(writeFileAtomically(File, ""));
  CacheDirectory Under(File + "/cache");
  EXPECT_EQ(errorText(Under.prepare()).substr(0, 16), "cache-unwritable");
  EXPECT_EQ(errorText(CacheDirectory(Folder.path().str() + "/a/b").prepare()), "");
  EXPECT_EQ(errorOf(Under.getOrCreate("kind", "key", fill)),
            "cache-unwritable: the cache folder '" + File +
                "/cache' cannot be used: Not a directory; set CUPEL_CACHE_DIR to a folder that can "
                "be written");
  std::string Open = Folder.path().str() + "/open";
  llvm::cantFail(makeDirectories(Open));
  ::chmod(Open.c_str(), 0777);
  EXPECT_EQ(errorOf(CacheDirectory(Open).getOrCreate("kind", "key", fill)),
            "cache-unwritable: the cache folder '" + Open +
                "' cannot be used: everybody may write to it; set CUPEL_CACHE_DIR to a folder that "
                "can be written");
}

TEST_F(CacheTest, NothingOfAnotherUserIsUsed) {
  if (::geteuid() != 0)
    GTEST_SKIP() << "only root can give a folder away";
  std::string Root = Folder.path().str() + "/shared";
  CacheDirectory Cache(Root);
  std::string Entry = llvm::cantFail(Cache.getOrCreate("kind", "key", fill));
  // As in /tmp: everybody can make folders, nobody can rename those of others.
  ::chmod(Root.c_str(), 01777);
  EXPECT_EQ(Cache.lookup("kind", "key"), Entry);
  for (const std::string &Foreign : {Entry, Root + "/kind", Root}) {
    ASSERT_EQ(::chown(Foreign.c_str(), 12345, 12345), 0);
    EXPECT_EQ(Cache.lookup("kind", "key"), std::nullopt) << Foreign;
    llvm::Expected<std::string> Made = Cache.getOrCreate("kind", "key", fill);
    EXPECT_FALSE(bool(Made)) << Foreign;
    std::string Why = llvm::toString(Made.takeError());
    EXPECT_NE(
        Why.find("the cache folder '" + Foreign + "' cannot be used: it belongs to another user"),
        std::string::npos)
        << Why;
    ASSERT_EQ(::chown(Foreign.c_str(), 0, 0), 0);
  }
}

TEST_F(CacheTest, StandardPlace) {
  ::setenv("CUPEL_CACHE_DIR", "some/where", 1);
  llvm::SmallString<256> Here;
  llvm::sys::fs::current_path(Here);
  EXPECT_EQ(CacheDirectory::standard().root(), (Here + "/some/where").str());
  ::setenv("CUPEL_CACHE_DIR", "/one", 1);
  EXPECT_EQ(CacheDirectory::standard().root(), "/one");
  ::unsetenv("CUPEL_CACHE_DIR");
  ::setenv("XDG_CACHE_HOME", "/two", 1);
  EXPECT_EQ(CacheDirectory::standard().root(), "/two/cupel");
  ::setenv("XDG_CACHE_HOME", "relative", 1);
  ::setenv("HOME", Folder.path().str().c_str(), 1);
  EXPECT_EQ(CacheDirectory::standard().root(), Folder.path().str() + "/.cache/cupel");
  ::setenv("HOME", "/no/such/home", 1);
  EXPECT_TRUE(CacheDirectory::standard().root().ends_with("/cupel-" + std::to_string(::getuid())));
}

} // namespace
