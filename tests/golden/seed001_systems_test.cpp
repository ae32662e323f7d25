// The systems of document 001 against what its own code gave, for every file of seed001/.
#include <cstdio>
#include <filesystem>
#include <gtest/gtest.h>

#include "core/systems/probe.h"
#include "core/systems/rotation_test.h"
#include "tests/support/golden_arrays.h"
#include "tests/support/paths.h"

namespace ropescope::test {
namespace {

std::vector<std::string> case_names() {
    std::vector<std::string> names;
    const std::filesystem::path folder =
        std::filesystem::path(source_dir()) / "tests/golden/seed001";
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
        if (entry.path().extension() == ".safetensors") {
            names.push_back(entry.path().stem().string());
        }
    }
    std::sort(names.begin(), names.end());
    return names;
}

/// d{head_dim}_s{positions}_b{base}_o{offset}
struct SystemCase {
    int head_dim = 0;
    int positions = 0;
    int base = 0;
    int offset = 0;
};

SystemCase parse(const std::string& name) {
    SystemCase c;
    EXPECT_EQ(
        std::sscanf(name.c_str(), "d%d_s%d_b%d_o%d", &c.head_dim, &c.positions, &c.base, &c.offset),
        4)
        << name;
    return c;
}

class Seed001 : public ::testing::TestWithParam<std::string> {};

/// `system` on `input` against the float64 truth and against PyTorch's own numbers.
void compare(const SystemCase& c, const SafetensorsFile& file, const std::string& system_id,
             const std::string& input, const std::string& output, const std::string& truth) {
    SCOPED_TRACE(system_id + " on " + input);
    const System& system = find_system(system_id);
    const nd::Array x = golden_array(file, input);
    const ProbeSetting setting{to_double(c.base), c.offset,
                               input == "k" ? QkvRole::key : QkvRole::query};
    const nd::Array y = array_of(run_bhld(system, x, setting));
    const double bound = rounding_bound(system, c.head_dim, c.base, c.offset + c.positions - 1,
                                        Arithmetic::as_written)
                             .total() *
                         pair_length(x);
    EXPECT_LE(largest_difference(y, golden_array(file, truth)), bound);
    // PyTorch's pow, sin and cos are within one ulp, ours within half: its bound is at most twice
    // as large.
    EXPECT_LE(largest_difference(y, golden_array(file, output)), 3.0 * bound);
}

TEST_P(Seed001, SystemsGiveWhatTheDocumentGave) {
    const SystemCase c = parse(GetParam());
    const SafetensorsFile file = open_golden("seed001/" + GetParam() + ".safetensors");
    for (const std::string x : {"q", "k"}) {
        if (file.find("meta_" + x) == nullptr) {
            continue;  // an excerpt, which holds the float64 results only
        }
        compare(c, file, "meta_llama", x, "meta_" + x, "f64_interleaved_" + x);
        compare(c, file, "hf_llama_offset", x, "hfllama_" + x, "f64_half_" + x);
        compare(c, file, "hf_llama_position_ids", x, "hfllama_" + x, "f64_half_" + x);
        if (file.find("roformer_" + x) != nullptr) {
            compare(c, file, "hf_roformer", x, "roformer_" + x, "f64_interleaved_" + x);
        }
    }
}

TEST_P(Seed001, RoFormerTableAndRotatedValues) {
    const SystemCase c = parse(GetParam());
    const SafetensorsFile file = open_golden("seed001/" + GetParam() + ".safetensors");
    if (file.find("roformer_table") == nullptr) {
        return;  // HF RoFormer has base 10000 written in; the file has another
    }
    SystemInput input;
    input.x = nd::make(NumberFormat::fp32, {1, c.positions, c.head_dim},
                       std::vector<double>(c.positions * c.head_dim));
    input.offset = c.offset;
    // Double angles rounded once to fp32; NumPy's sine may differ by an ulp of double.
    EXPECT_LE(largest_difference(array_of(find_system("roformer_sinusoidal").apply(input)),
                                 golden_array(file, "roformer_table")),
              0x1p-24);

    input.x = golden_array(file, "v");
    input.role = QkvRole::value;
    const System& roformer = find_system("hf_roformer");
    EXPECT_EQ(array_of(roformer.apply(input)).values, input.x.values)
        << "V stays without rotary_value";
    input.rotate_value = true;
    const double bound = rounding_bound(roformer, c.head_dim, c.base, c.offset + c.positions - 1,
                                        Arithmetic::as_written)
                             .total() *
                         pair_length(input.x);
    EXPECT_LE(largest_difference(array_of(roformer.apply(input)),
                                 golden_array(file, "roformer_v_rotary_value")),
              2.0 * bound);
}

INSTANTIATE_TEST_SUITE_P(Files, Seed001, ::testing::ValuesIn(case_names()),
                         [](const auto& each) { return each.param; });

}  // namespace
}  // namespace ropescope::test
