// What a process does when another one takes the pages of a mapped file away.
#include "core/base/mapped_file.h"

#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <string>
#include <unistd.h>

#include "core/base/file.h"
#include "core/base/write_file.h"
#include "tests/support/input_error.h"
#include "tests/support/temp_folder.h"

namespace ropescope {
namespace {

namespace fs = std::filesystem;
using test::input_error;
using testing::HasSubstr;

constexpr std::size_t kBytes = std::size_t{1} << 20;

/// A file of ones, mapped and then made shorter by somebody else.
MappedFile shortened(const fs::path& path, std::size_t left) {
    write_file_whole(path, std::string(kBytes, '\1'));
    MappedFile mapped = OpenedFile(path).map(true);
    fs::resize_file(path, left);
    return mapped;
}

int sum_of(const MappedFile& mapped) {
    int sum = 0;
    for (const std::byte& each : mapped.bytes) {
        sum += static_cast<int>(*const_cast<const volatile std::byte*>(&each));
    }
    return sum;
}

void end_and_say(const char* path) noexcept {
    std::ignore = ::write(STDERR_FILENO, path, std::strlen(path));
    ::_exit(7);
}

TEST(LostPages, EndTheProcessAsItChose) {
    const test::TempFolder folder;
    const auto read = [&] {
        on_lost_pages(end_and_say);
        std::exit(sum_of(shortened(folder / "lost\nfile", 0)));
    };
    EXPECT_EXIT(read(), testing::ExitedWithCode(7), "lost.*file");
}

TEST(LostPages, ReadAsZerosAndAreTold) {
    const test::TempFolder folder;
    const auto read = [&] {
        on_lost_pages(nullptr);
        const MappedFile lost = shortened(folder / "lost", kBytes / 2);
        bool right = sum_of(lost) == kBytes / 2;
        right = right && input_error([] { throw_if_pages_were_lost(); }).find("lost: lost bytes") !=
                             std::string::npos;
        throw_if_pages_were_lost();  // nothing is left to tell
        const MappedFile next = shortened(folder / "next", 0);
        right = right && sum_of(next) == 0 && input_error([] {
                                                  throw_if_pages_were_lost();
                                              }).find("next: lost bytes") != std::string::npos;
        std::exit(right ? 0 : 1);
    };
    EXPECT_EXIT(read(), testing::ExitedWithCode(0), "");
}

TEST(LostPages, OfNoFileAreNotKept) {
    const auto read = [] {
        on_lost_pages(nullptr);
        std::raise(SIGBUS);
    };
    EXPECT_EXIT(read(), testing::KilledBySignal(SIGBUS), "");
    const test::TempFolder folder;
    const auto read_after = [&] {
        on_lost_pages(nullptr);
        { const MappedFile gone = shortened(folder / "x", 0); }
        std::raise(SIGBUS);
    };
    EXPECT_EXIT(read_after(), testing::KilledBySignal(SIGBUS), "");
}

}  // namespace
}  // namespace ropescope
