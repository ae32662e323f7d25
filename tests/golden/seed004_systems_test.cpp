// The LLaMA code of document 004 as written and repaired, and its sinusoidal table.
#include <gtest/gtest.h>

#include "core/systems/probe.h"
#include "core/systems/properties.h"
#include "core/systems/rotation_test.h"
#include "tests/support/golden_arrays.h"

namespace ropescope::test {
namespace {

const SafetensorsFile& file() {
    static const SafetensorsFile opened = open_golden("seed004/cases.safetensors");
    return opened;
}

nd::Array run(const std::string& system, const std::string& x) {
    SystemInput input;
    input.x = golden_array(file(), x);
    input.positions = {to_i64(file().at("position_ids")), {1, 6}};
    input.table_rows = 32;
    return array_of(find_system(system).apply(input));
}

/// Both sides are fp32 with fp32 angles at positions 3 to 8. The channels that meet in the broken
/// code need not be a pair, but the sum of two products is bounded alike.
double bound(const std::string& x) {
    return 3.0 * pair_length(golden_array(file(), x)) *
           rounding_bound(find_system("strided_llama_repaired"), 8, 1e4, 8, Arithmetic::as_written)
               .total();
}

TEST(Seed004, AsWritten) {
    for (const std::string x : {"q", "k"}) {
        EXPECT_LE(largest_difference(run("strided_llama_as_written", x),
                                     golden_array(file(), "seed_wrong_" + x)),
                  bound(x));
    }
}

TEST(Seed004, Repaired) {
    for (const std::string x : {"q", "k"}) {
        EXPECT_LE(largest_difference(run("strided_llama_repaired", x),
                                     golden_array(file(), "fixed_" + x)),
                  bound(x));
        EXPECT_GT(largest_difference(run("strided_llama_as_written", x),
                                     golden_array(file(), "fixed_" + x)),
                  0.5);
    }
}

/// Smallest and largest singular value of the operator as written, d = 4, 8, 64, 128 at positions
/// 1, 10, 100, 1000, base 1e4 (float64, NumPy).
TEST(Seed004, SingularValuesAsWritten) {
    struct Expected {
        int head_dim;
        std::int64_t position;
        double smallest, largest;
    };
    const Expected cases[] = {
        {4, 1, 0.20863545741346964, 1.3987391629284829},
        {4, 1000, 0.014362967874608825, 1.4141406242498773},
        {8, 10, 0.3036817899711866, 1.3812231428845578},
        {8, 1000, 0.07208725432088763, 1.4123751016512842},
        {64, 100, 0.03423458261551046, 1.413799134726408},
        {64, 1000, 1.989147868005745e-05, 1.4142135622332048},
        {128, 1, 0.12276037279487984, 1.4088753993420644},
        {128, 1000, 4.168692649195789e-05, 1.41421356175869},
    };
    for (const Expected& expected : cases) {
        const std::vector<double> values = singular_values(
            find_system("strided_llama_as_written"), expected.head_dim, 1e4, expected.position);
        // The operators agree to 1000 rad * (ln base + 3) * 2^-52 = 3e-12; a singular value moves
        // by no more than the operator's norm of the difference, d times that at worst.
        EXPECT_NEAR(values.back(), expected.smallest, 3e-12 * expected.head_dim);
        EXPECT_NEAR(values.front(), expected.largest, 3e-12 * expected.head_dim);
    }
}

TEST(Seed004, SinusoidalTable) {
    const nd::Array expected = golden_array(file(), "d2l_P");
    const nd::Array exact = golden_array(file(), "d2l_P_f64");
    SystemInput input;
    input.x = nd::make(NumberFormat::fp32, {1, 64, 32}, std::vector<double>(64 * 32, 0.0));
    const System& d2l = find_system("d2l_sinusoidal");
    const double bound = rounding_bound(d2l, 32, 1e4, 63, Arithmetic::as_written).total();
    EXPECT_LE(largest_difference(array_of(d2l.apply(input)), expected), 3.0 * bound);
    input.arithmetic = Arithmetic::real_numbers;
    EXPECT_LE(largest_difference(nd::view(array_of(d2l.apply(input)), {64, 32}), exact),
              rounding_bound(d2l, 32, 1e4, 63, Arithmetic::real_numbers).total() * 2.0);
}

}  // namespace
}  // namespace ropescope::test
