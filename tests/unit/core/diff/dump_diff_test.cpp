// Two dumps side by side: one planted difference is found at every place, and right codes of other
// arithmetic are not told apart.
#include "core/diff/dump_diff.h"

#include <algorithm>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <limits>
#include <nlohmann/json.hpp>
#include <numeric>

#include "core/rope/layout.h"
#include "tests/support/input_error.h"
#include "tests/unit/core/diff/planted_dump.h"

namespace ropescope::diff {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

DumpDifference difference_of(const MadeDump& a, const MadeDump& b) {
    return compare_dumps(a.file("reference"), b.file("mine"));
}

class OnePlace : public ::testing::TestWithParam<Dtype> {};

TEST_P(OnePlace, IsFoundWhereverItIs) {
    const Recipe recipe{.dtype = GetParam()};
    MadeDump right = made(recipe), wrong = right;
    for (Index layer = 0; layer < recipe.layers; ++layer) {
        for (const std::string name : {"q", "k", "q_rot", "k_rot"}) {
            std::vector<double>& values = wrong.at("layers." + std::to_string(layer) + "." + name);
            for (std::size_t place = 0; place < values.size(); ++place) {
                const double kept = values[place];
                values[place] += 0.5;
                const DumpDifference found = difference_of(right, wrong);
                values[place] = kept;
                const auto at = static_cast<Index>(place);
                const Spot spot{.row = 0,
                                .token = at / recipe.channels % recipe.tokens,
                                .head = at / (recipe.channels * recipe.tokens),
                                .channel = at % recipe.channels};
                ASSERT_THAT(found.layers, SizeIs(2));
                ASSERT_EQ(found.layers[1 - layer].sameness, Sameness::equal);
                const LayerDifference& here = found.layers[layer];
                ASSERT_EQ(here.sameness, Sameness::different) << name << place;
                ASSERT_THAT(here.different, SizeIs(1)) << name << place;
                const TensorDifference& tensor = here.different.front();
                EXPECT_EQ(tensor.name, name);
                EXPECT_EQ(tensor.different, 1);
                EXPECT_EQ(tensor.first->spot, spot) << name << place;
                EXPECT_THAT(tensor.channels, ElementsAre(spot.channel));
                EXPECT_THAT(tensor.tokens, ElementsAre(spot.token));
                EXPECT_THAT(tensor.heads, ElementsAre(spot.head));
                if (name.ends_with("_rot")) {
                    EXPECT_EQ(here.pair, spot.channel % (recipe.channels / 2));
                }
            }
        }
    }
    EXPECT_EQ(report_of(difference_of(right, wrong)).verdict, Sameness::equal);
}

INSTANTIATE_TEST_SUITE_P(Dtypes, OnePlace, ::testing::Values(Dtype::f32, Dtype::bf16),
                         [](const auto& dtype) { return std::string(to_string(dtype.param)); });

TEST(DumpDiff, RightCodesOfOtherArithmeticAreEqual) {
    constexpr Dtype kDtypes[] = {Dtype::f64, Dtype::f32, Dtype::f16, Dtype::bf16};
    for (const Index step : {1, 37, 4000}) {
        for (const Dtype reference : kDtypes) {
            for (const Dtype mine : kDtypes) {
                Recipe recipe{.layers = 1, .heads = 3, .tokens = 33, .channels = 64, .step = step};
                recipe.dtype = reference;
                const MadeDump a = made(recipe);
                recipe.dtype = mine;
                recipe.in_float = true;
                const DumpDifference found = difference_of(a, made(recipe));
                EXPECT_EQ(found.layers[0].sameness, Sameness::equal)
                    << to_string(reference) << to_string(mine) << step << "\n"
                    << report_text(report_of(found));
            }
        }
    }
}

TEST(DumpDiff, TheFirstTokenThatDiffersIsFound) {
    const Recipe recipe{.heads = 4, .tokens = 64, .channels = 32};
    MadeDump right = made(recipe), wrong = right;
    std::vector<double>& values = wrong.at("layers.1.k_rot");
    // Pair 3 of head 2 from token 40 on, and head 0 from token 41 on.
    for (Index token = 40; token < 64; ++token) {
        values[((2 * 64) + token) * 32 + 3] += 0.01;
        if (token > 40) {
            values[token * 32 + 3] += 0.01;
        }
    }
    const DiffReport report = report_of(difference_of(right, wrong));
    EXPECT_EQ(report.verdict, Sameness::different);
    EXPECT_THAT(report.summary, HasSubstr("they part in the rotation: layer 1, k_rot, head 2, "
                                          "token 40, pair 3, channel 3"));
    const auto json = nlohmann::json::parse(report_json(report));
    EXPECT_EQ(json.at("first").at("token"), 40);
    EXPECT_EQ(json.at("first").at("pair"), 3);
    EXPECT_EQ(json.at("differences")[0].at("tokens"), nlohmann::json::parse("[[40, 63]]"));
    EXPECT_THAT(report_text(report), HasSubstr("next: ropescope diagnose mine"));
}

TEST(DumpDiff, SaysThatWhatComesBeforeTheRotationDiffers) {
    MadeDump right = made({}), wrong = right;
    wrong.at("layers.0.q")[3] += 1.0;
    wrong.at("layers.0.q_rot")[3] += 1.0;
    EXPECT_THAT(report_of(difference_of(right, wrong)).summary,
                HasSubstr("they part before the rotation: layer 0, q, head 0, token 0, channel 3"));
    wrong.at("positions")[2] = 7.0;
    EXPECT_THAT(report_of(difference_of(right, wrong)).summary,
                HasSubstr("they part in the positions: layer 0, positions, token 2"));
}

TEST(DumpDiff, NumbersThatAreNoneAreADifference) {
    MadeDump right = made({}), wrong = right;
    wrong.at("layers.1.q_rot")[11] = std::numeric_limits<double>::quiet_NaN();
    const DumpDifference found = difference_of(right, wrong);
    ASSERT_THAT(found.layers[1].different, SizeIs(1));
    EXPECT_EQ(found.layers[1].different[0].first->spot.channel, 3);
    EXPECT_EQ(report_of(difference_of(wrong, wrong)).verdict, Sameness::equal);
}

/// The same dump with the channels, or the heads, of some tensors in another order.
MadeDump in_order(MadeDump dump, const std::vector<Index>& order, bool of_heads,
                  const std::vector<std::string>& names) {
    for (MadeDump::Values& tensor : dump.tensors) {
        const bool meant = std::ranges::any_of(
            names, [&](const std::string& name) { return tensor.name.ends_with("." + name); });
        if (!meant) {
            continue;
        }
        const std::vector<double> kept = tensor.values;
        const Index channels = tensor.shape[3], vectors = tensor.shape[2];
        for (Index i = 0; i < std::ssize(kept); ++i) {
            const Index head = i / (vectors * channels), channel = i % channels;
            tensor.values[i] =
                of_heads ? kept[order[head] * vectors * channels + i % (vectors * channels)]
                         : kept[i - channel + order[channel]];
        }
    }
    return dump;
}

const Recipe kWide{.heads = 4, .tokens = 12, .channels = 16};
const std::vector<std::string> kAll = {"q", "q_rot", "k", "k_rot"};

TEST(DumpDiff, WeightsInTheOtherLayoutAreEquivalentIfTheRotationIsToo) {
    const MadeDump right = made(kWide);
    const auto order = layout_permutation(Layout::half_split, Layout::interleaved, 16, 16);
    const DiffReport report = report_of(difference_of(right, in_order(right, order, false, kAll)));
    EXPECT_EQ(report.verdict, Sameness::equivalent) << report_text(report);
    EXPECT_THAT(report.summary,
                HasSubstr("q has channels in interleaved order where A has half-split order"));
    EXPECT_THAT(report.rows, IsEmpty());
    EXPECT_EQ(json_of(report.facts).at("orders")[0].at("order"), nlohmann::json(order));
}

TEST(DumpDiff, WeightsThatWereNotPermutedAreNamed) {
    const MadeDump right = made(kWide);
    const auto order = layout_permutation(Layout::half_split, Layout::interleaved, 16, 16);
    // q and k as Meta orders them, turned as Hugging Face pairs channels.
    MadeDump wrong = in_order(right, order, false, {"q", "k"});
    for (const std::string side : {"layers.0.q", "layers.0.k", "layers.1.q", "layers.1.k"}) {
        std::vector<double> turned = wrong.at(side);
        for (Index row = 0; row < std::ssize(turned) / 16; ++row) {
            for (Index pair = 0; pair < 8; ++pair) {
                turn_pair<double>(turned[row * 16 + pair], turned[row * 16 + pair + 8],
                                  to_double(row % 12), to_double(pair), 16.0);
            }
        }
        wrong.at(side + "_rot") = turned;
    }
    const DiffReport report = report_of(difference_of(right, wrong));
    EXPECT_EQ(report.verdict, Sameness::different);
    EXPECT_THAT(report_text(report),
                HasSubstr("q has channels in interleaved order where A has half-split order"));
    EXPECT_THAT(report_text(report), HasSubstr("were permuted for one layout in one of the two"));
}

TEST(DumpDiff, HeadsInAnotherOrderAreNamed) {
    const MadeDump right = made(kWide);
    const std::vector<Index> exchanged = {0, 3, 2, 1};
    DiffReport report = report_of(difference_of(right, in_order(right, exchanged, true, kAll)));
    EXPECT_EQ(report.verdict, Sameness::equivalent) << report_text(report);
    EXPECT_THAT(report.summary, HasSubstr("q has heads 1 and 3 exchanged"));
    report = report_of(difference_of(right, in_order(right, exchanged, true, {"k_rot"})));
    EXPECT_EQ(report.verdict, Sameness::different);
    EXPECT_THAT(report.summary, HasSubstr("layer 0: k_rot has heads 1 and 3 exchanged"));
}

TEST(DumpDiff, OneSideInAnotherOrderChangesScores) {
    const MadeDump right = made(kWide);
    const auto order = layout_permutation(Layout::interleaved, Layout::half_split, 16, 16);
    const DiffReport both =
        report_of(difference_of(right, in_order(right, order, false, {"q_rot", "k_rot"})));
    EXPECT_EQ(both.verdict, Sameness::equivalent);
    EXPECT_THAT(report_text(both),
                HasSubstr("The rotation returns q and k in the same other order"));
    const DiffReport one =
        report_of(difference_of(right, in_order(right, order, false, {"k_rot"})));
    EXPECT_EQ(one.verdict, Sameness::different);
    EXPECT_THAT(report_text(one), HasSubstr("the products of q and k are other ones"));
}

TEST(DumpDiff, AxesMayComeInAnotherOrder) {
    const MadeDump right = made(kWide);
    MadeDump other = right;
    for (MadeDump::Values& tensor : other.tensors) {
        if (tensor.shape.size() == 4) {
            const std::vector<double> kept = tensor.values;
            for (Index i = 0; i < std::ssize(kept); ++i) {
                const Index head = i / (12 * 16), token = i / 16 % 12, channel = i % 16;
                tensor.values[(token * 4 + head) * 16 + channel] = kept[i];
            }
            tensor.shape = {1, 12, 4, 16};
        }
    }
    const DumpDifference found = difference_of(right, other);
    EXPECT_EQ(found.layers[0].sameness, Sameness::equal) << report_text(report_of(found));
}

TEST(DumpDiff, RefusesWhatCannotBeCompared) {
    Recipe shorter = kWide;
    shorter.tokens = 11;
    EXPECT_THAT(test::input_error([&] { difference_of(made(kWide), made(shorter)); }),
                HasSubstr("dump the same tokens"));
    shorter.with_positions = false;
    EXPECT_THAT(test::input_error([&] { difference_of(made(kWide), made(shorter)); }),
                HasSubstr("do not hold the same tokens, heads and channels"));
    MadeDump other = made(kWide);
    for (MadeDump::Values& tensor : other.tensors) {
        if (tensor.name.starts_with("layers.")) {
            tensor.name[7] = static_cast<char>(tensor.name[7] + 5);
        }
    }
    EXPECT_THAT(test::input_error([&] { difference_of(made(kWide), other); }),
                HasSubstr("have no layer in common; the first ones are 0 and 5"));
}

/// The tensors of the first layer under names without a number, but those of these names.
MadeDump one_layer_without(const std::vector<std::string>& names) {
    MadeDump dump = made(kWide);
    const std::string front = "layers.0.";
    std::erase_if(dump.tensors, [&](const MadeDump::Values& tensor) {
        return tensor.name.starts_with("layers.") && !tensor.name.starts_with(front);
    });
    for (MadeDump::Values& tensor : dump.tensors) {
        tensor.name =
            tensor.name.starts_with(front) ? tensor.name.substr(front.size()) : tensor.name;
    }
    std::erase_if(dump.tensors, [&](const MadeDump::Values& tensor) {
        return std::ranges::find(names, tensor.name) != names.end();
    });
    return dump;
}

/// The same queries say nothing about two rotations.
TEST(DumpDiff, RefusesDumpsThatHaveNothingOfTheRotationInCommon) {
    const MadeDump whole = one_layer_without({}), before = one_layer_without({"q_rot", "k_rot"});
    EXPECT_EQ(difference_of(whole, whole).layers[0].sameness, Sameness::equal);
    EXPECT_THAT(test::input_error([&] { difference_of(before, whole); }),
                HasSubstr("reference has neither q_rot nor k_rot"));
    EXPECT_THAT(test::input_error([&] { difference_of(whole, before); }),
                HasSubstr("mine has neither q_rot nor k_rot"));
    EXPECT_THAT(test::input_error([&] { difference_of(before, before); }),
                HasSubstr("neither file has q_rot or k_rot"));
    EXPECT_THAT(test::input_error([&] {
                    difference_of(one_layer_without({"q_rot"}), one_layer_without({"k_rot"}));
                }),
                HasSubstr("one has q_rot and the other k_rot"));
}

TEST(DumpDiff, LayersOfOneDumpAloneAreSaid) {
    Recipe three = kWide;
    three.layers = 3;
    const DiffReport report = report_of(difference_of(made(three), made(kWide)));
    EXPECT_EQ(report.verdict, Sameness::equal);
    EXPECT_THAT(report_text(report),
                HasSubstr("not compared: layers 2, which reference has and mine has not"));
}

}  // namespace
}  // namespace ropescope::diff
