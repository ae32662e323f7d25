// Every input of the corpora, and every reproducer of a mended fault that is added there, through
// the entry functions of the fuzzer.
#include <filesystem>
#include <gtest/gtest.h>

#include "core/base/file.h"
#include "tests/fuzz/targets.h"
#include "tests/support/paths.h"

namespace ropescope::fuzz {
namespace {

class Replay : public testing::TestWithParam<Target> {};

TEST_P(Replay, ReadsOrRefuses) {
    const std::filesystem::path corpus =
        test::source_dir() + "/tests/fuzz/corpus/" + std::string(GetParam().name);
    int inputs = 0;
    for (const auto& entry : std::filesystem::directory_iterator(corpus)) {
        SCOPED_TRACE(entry.path());
        EXPECT_NO_THROW(GetParam().run(read_file(entry.path())));
        ++inputs;
    }
    EXPECT_GT(inputs, 0);
}

INSTANTIATE_TEST_SUITE_P(Corpus, Replay, testing::ValuesIn(kTargets),
                         [](const auto& target) { return std::string(target.param.name); });

}  // namespace
}  // namespace ropescope::fuzz
