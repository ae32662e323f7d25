// The packs of test vectors: right answers by the engine's own route pass, every wrong answer is
// told from the right one, and the bytes are the same everywhere.
#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <numeric>
#include <set>

#include "core/base/digest.h"
#include "core/base/file.h"
#include "core/formats/model_config.h"
#include "core/formats/presets.h"
#include "core/models/model.h"
#include "core/schemes/part.h"
#include "core/vectors/pack_file.h"
#include "tests/support/input_error.h"
#include "tests/support/temp_folder.h"

namespace ropescope::vectors {
namespace {

using testing::HasSubstr;

const Pack& made(std::string_view name) {
    static const std::map<std::string, Pack, std::less<>> all = [] {
        std::map<std::string, Pack, std::less<>> packs_by_name;
        for (const PackFacts& facts : packs()) {
            packs_by_name.emplace(facts.name, facts.make());
        }
        return packs_by_name;
    }();
    return all.find(name)->second;
}

std::vector<RotationCase> rotations() {
    std::vector<RotationCase> all = made("text").rotations;
    all.insert(all.end(), made("axes").rotations.begin(), made("axes").rotations.end());
    return all;
}

/// The case's scheme from the text of its configuration.
RotaryScheme scheme_of_case(const RotationCase& test) {
    return parse_model(test.config_json, test.id).part(test.part).at_length(test.seq_len).scheme;
}

/// By the table in fp32 and the engine's loops.
std::vector<double> turned_by_the_engine(const RotationCase& test) {
    const RotaryScheme scheme = scheme_of_case(test);
    const faults::HeadShape& size = test.plan.shape;
    std::vector<float> x(test.input.begin(), test.input.end());
    const RotationTable table =
        make_rotation_table(scheme, AxisPositions{test.plan.positions, test.plan.axes});
    std::vector<Index> rows(static_cast<std::size_t>(size.batch * size.length));
    std::iota(rows.begin(), rows.end(), 0);
    rotate_in_place(bhld_view(x.data(), size.batch, size.heads, size.length, size.head_dim),
                    table.view(), rotate_options(scheme, rows));
    return {x.begin(), x.end()};
}

TEST(VectorPacks, TheEngineInFp32PassesEveryCase) {
    for (const RotationCase& test : rotations()) {
        EXPECT_TRUE(within(turned_by_the_engine(test), test.expected, test.tolerance[1]))
            << test.id;
    }
}

/// A kernel in fp32: sums, the root and every product are rounded.
std::vector<double> normalised_in_fp32(const RotationCase& test, std::vector<double> x) {
    const auto channels = static_cast<std::size_t>(test.plan.shape.head_dim);
    for (std::size_t first = 0; first < x.size(); first += channels) {
        float sum = 0.0F, squares = 0.0F;
        for (std::size_t c = 0; c < channels; ++c) {
            const auto each = static_cast<float>(x[first + c]);
            sum += each;
            squares += each * each;
        }
        const NormOfRow norm =
            norm_of_sums(*test.norm, double{sum}, double{squares}, test.plan.shape.head_dim);
        const auto scale = static_cast<float>(norm.scale), shift = static_cast<float>(norm.shift);
        for (std::size_t c = 0; c < channels; ++c) {
            const auto weight = static_cast<float>(factor_of_weight(*test.norm, test.weight[c]));
            x[first + c] = (static_cast<float>(x[first + c]) - shift) * scale * weight;
        }
    }
    return x;
}

TEST(VectorPacks, AFusedKernelInFp32PassesEveryCaseAndNoWrongAnswerDoes) {
    std::set<std::string> codes;
    for (const RotationCase& test : made("fused").rotations) {
        RotationCase turned = test;
        const bool before = test.norm->order == NormOrder::before;
        turned.input = before ? normalised_in_fp32(test, test.input) : test.input;
        std::vector<double> answer = turned_by_the_engine(turned);
        answer = before ? answer : normalised_in_fp32(test, answer);
        EXPECT_TRUE(within(answer, test.expected, test.tolerance[1])) << test.id;
        for (const WrongAnswer& wrong : test.wrong) {
            EXPECT_FALSE(within(wrong.values, test.expected, test.tolerance[1]))
                << test.id << ": " << wrong.code;
            codes.insert(wrong.code);
        }
    }
    EXPECT_THAT(codes,
                testing::IsSupersetOf({"norm.eps", "norm.plus_one", "norm.weights", "norm.order",
                                       "norm.width", "norm.kind", "norm.missing",
                                       "norm.low_precision", "layout.interleaved"}));
}

TEST(VectorPacks, NoWrongAnswerPassesInFp32) {
    std::size_t wrong = 0;
    for (const RotationCase& test : rotations()) {
        for (const WrongAnswer& answer : test.wrong) {
            EXPECT_FALSE(within(answer.values, test.expected, test.tolerance[1]))
                << test.id << ": " << answer.code << ": " << answer.text;
            ++wrong;
        }
        EXPECT_GE(test.wrong.size(), 10U) << test.id;
    }
    EXPECT_GT(wrong, 3000U);
}

TEST(VectorPacks, EveryFaultIsAnsweredInSomeCase) {
    std::set<std::string> answered;
    for (const RotationCase& test : rotations()) {
        for (const WrongAnswer& answer : test.wrong) {
            answered.insert(answer.text);
        }
    }
    for (const faults::RotationFault& fault : faults::rotation_faults()) {
        EXPECT_TRUE(answered.contains(std::string(fault.text))) << fault.code << ": " << fault.text;
    }
    std::set<std::string> ids;
    for (const PositionCase& test : made("positions").positions) {
        for (const WrongIds& answer : test.wrong) {
            EXPECT_TRUE(answer.ids.ids != test.expected.ids ||
                        answer.ids.deltas != test.expected.deltas);
            ids.insert(answer.code);
        }
    }
    EXPECT_GE(ids.size(), 20U);
}

TEST(VectorPacks, InputsAreExactInEveryFormat) {
    for (const RotationCase& test : rotations()) {
        for (const double number : test.input) {
            ASSERT_NE(number, 0) << test.id;
            ASSERT_EQ(number * 64, std::round(number * 64)) << test.id;
            ASSERT_LE(std::abs(number), 2) << test.id;
        }
    }
}

TEST(VectorPacks, CoverFamiliesAndEverySchemeInLittleSpace) {
    std::set<std::string> families;
    for (const RotationCase& test : made("text").rotations) {
        families.insert(test.config_json.substr(test.config_json.find("model_type")));
    }
    EXPECT_GE(families.size(), 80U);
    EXPECT_EQ(made("axes").rotations.size(), 2 * several_axes_presets().size());
    std::int64_t bytes = 0;
    for (const PackFacts& facts : packs()) {
        for (const Tensor& tensor : pack_tensors(made(facts.name))) {
            bytes += std::ssize(tensor.bytes);
        }
        bytes += std::ssize(index_json(made(facts.name), "data.safetensors", "0123456789abcdef"));
    }
    EXPECT_LT(bytes, 25'000'000);
}

// A new case or preset changes a hash on purpose; a machine must not.
TEST(VectorPacks, AreTheSameBytesOnEveryMachine) {
    const test::TempFolder folder;
    const std::map<std::string_view, std::string_view> known = {{"text", "92be22207540aa59"},
                                                                {"axes", "262074efdc8a282e"},
                                                                {"positions", "0ad9eceeae3bb08b"},
                                                                {"fused", "855bacb08eacffe1"}};
    for (const PackFacts& facts : packs()) {
        write_pack(folder / "pack", made(facts.name));
        const std::string data = std::string(facts.name) + ".safetensors";
        const std::string both =
            read_file(folder / "pack/index.json") + read_file(folder / "pack" / data);
        EXPECT_EQ(fnv1a(both), known.at(facts.name)) << facts.name;
    }
}

TEST(VectorPacks, OfAModelHaveItsParts) {
    const Pack pack = pack_of_model(open_model("qwen2-vl-7b"));
    ASSERT_FALSE(pack.rotations.empty());
    EXPECT_EQ(pack.rotations.front().axes, (std::vector<std::string>{"t", "h", "w"}));
    EXPECT_THAT(test::input_error([] { pack_of_model(open_model(kMixedStart)); }),
                HasSubstr("has no config.json"));
    EXPECT_THAT(test::input_error([] { pack_named("tex"); }), HasSubstr("give text, axes"));
}

}  // namespace
}  // namespace ropescope::vectors
