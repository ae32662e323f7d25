// The protections of cmake/Hardening.cmake, read from the program that was built.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/paths.h"
#include "tests/support/run_program.h"

namespace ropescope {
namespace {

#ifdef ROPESCOPE_HARDENED  // Release; other builds serve to find faults

using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;

std::string read_program(const std::string& what) {
    const test::RunResult read =
        test::run_command({"readelf", "--wide", what, test::program_path()});
    EXPECT_EQ(read.exit_code, 0) << read.err;
    return read.out;
}

TEST(Hardening, TheProgramLoadsAtARandomAddress) {
    EXPECT_THAT(read_program("--file-header"), HasSubstr("DYN (Position-Independent Executable"));
}

TEST(Hardening, TablesOfFunctionsAreReadOnlyFromTheStart) {
    EXPECT_THAT(read_program("--program-headers"), HasSubstr("GNU_RELRO"));
    EXPECT_THAT(read_program("--dynamic"), ContainsRegex("FLAGS_1[^\n]*NOW"));
}

TEST(Hardening, TheStackHoldsNoCode) {
    EXPECT_THAT(read_program("--program-headers"), ContainsRegex("GNU_STACK[^\n]* RW "));
    EXPECT_THAT(read_program("--program-headers"), Not(ContainsRegex("LOAD[^\n]* RWE")));
}

TEST(Hardening, StacksAndCopiesAreChecked) {
    const std::string symbols = read_program("--dyn-syms");
    EXPECT_THAT(symbols, HasSubstr("__stack_chk_fail"));
    EXPECT_THAT(symbols, ContainsRegex(" __[a-z_]+_chk@"));
}

#endif

}  // namespace
}  // namespace ropescope
