//===- BuildRecordTest.cpp - the build record as JSON -----------------------===//

#include "cupel/Build/BuildRecord.h"
#include "gtest/gtest.h"

using namespace cupel;

static BuildRecord sample() {
  BuildRecord R;
  R.State = BuildState::Failed;
  R.Strategy = "nvcc-full";
  R.Seconds = 1.5;
  R.Command = {"nvcc", "-c"};
  R.LibraryHash = std::string(32, 'f');
  R.Key = "0123456789abcdef0123456789abcdef";
  R.Diagnostics = {{"error", {"a.cu", 3, 7}, "no"}, {"note", {}, "2 more messages are not shown"}};
  R.Kernels = {{"_Z1kv", "k()", "sm_90a", 32, 400, 360, 8, 4, 12}};
  R.Attempts = {{"nvcc-slim", "compile-error: no", 0.5}};
  R.Reasons = {{"compile-error", "a.cu:3: no"}};
  return R;
}

TEST(BuildRecord, SurvivesJson) {
  llvm::json::Value Json = toJson(sample());
  llvm::Expected<BuildRecord> Back = buildRecordFromJson(Json);
  ASSERT_TRUE(bool(Back)) << llvm::toString(Back.takeError());
  EXPECT_EQ(toJson(*Back), Json);
  EXPECT_EQ(Back->State, BuildState::Failed);
  EXPECT_EQ(Back->Kernels[0].SpillLoadBytes, 12u);
}

TEST(BuildRecord, HasTheKeysOfTheDesign) {
  llvm::json::Value Value = toJson(sample());
  const llvm::json::Object &O = *Value.getAsObject();
  EXPECT_EQ(O.getString("state"), "failed");
  EXPECT_EQ(O.getNumber("seconds"), 1.5);
  EXPECT_EQ(O.getArray("command")->size(), 2u);
  const llvm::json::Object &D = *(*O.getArray("diagnostics"))[0].getAsObject();
  EXPECT_EQ(D.getInteger("line"), 3);
  EXPECT_EQ(D.getInteger("column"), 7);
  // A diagnostic without a place claims none.
  EXPECT_EQ((*O.getArray("diagnostics"))[1].getAsObject()->get("line"), nullptr);
}

static std::string readError(const char *Text) {
  llvm::Expected<BuildRecord> R = buildRecordFromJson(llvm::cantFail(llvm::json::parse(Text)));
  return R ? "no error" : llvm::toString(R.takeError());
}

TEST(BuildRecord, TellsWhatIsWrong) {
  EXPECT_NE(readError("[]").find("expected object"), std::string::npos);
  EXPECT_NE(readError("{}").find("missing value"), std::string::npos);
  std::string State = readError(R"({"state": "done", "seconds": 1, "command": []})");
  EXPECT_NE(State.find("expected built, cached, failed or skipped"), std::string::npos) << State;
  EXPECT_NE(State.find("build.state"), std::string::npos) << State;
  for (const char *Key : {"key", "library_hash"})
    for (const char *Bad :
         {"abc", "../../../../../../../../../../etc", "0123456789ABCDEF0123456789ABCDEF"}) {
      std::string Text = std::string(R"({"state": "built", "seconds": 1, "command": [], ")") + Key +
                         "\": \"" + Bad + "\"}";
      std::string Error = readError(Text.c_str());
      EXPECT_NE(Error.find(std::string("expected 32 hexadecimal digits at build.") + Key),
                std::string::npos)
          << Error;
    }
  std::string Kernel =
      readError(R"({"state": "built", "seconds": 1, "command": [], "kernels": [{"name": 3}]})");
  EXPECT_NE(Kernel.find("build.kernels[0]"), std::string::npos) << Kernel;
}
