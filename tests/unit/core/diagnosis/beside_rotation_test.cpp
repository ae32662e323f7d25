// Right rotations with a transform or a bias beside them, and computations that are none and are
// published: known by name, and other numbers are not taken for them.
#include <cmath>
#include <functional>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <memory>
#include <random>

#include "core/diagnosis/expectation.h"
#include "core/diagnosis/read_dump.h"
#include "core/rope/routes.h"

namespace ropescope::diagnosis {
namespace {

using ::testing::HasSubstr;

constexpr Index kHeadsBeside = 2, kTokensBeside = 9;
const RopeSpec kSpecBeside{.head_dim = 64, .rotary_dim = 64, .base = 1e4};

using Row = std::vector<double>;
/// What comes out for a vector of a side, a head and a token.
using Compute = std::function<Row(char side, Index head, Index token, const Row& x)>;

Dump dump_beside(Index channels, const Compute& compute,
                 const std::vector<std::vector<double>>& positions = {}) {
    std::mt19937_64 random(7);
    std::normal_distribution<double> normal;
    const std::vector<std::int64_t> shape = {1, kHeadsBeside, kTokensBeside, channels};
    auto stored = std::make_shared<std::vector<Tensor>>();
    for (const char side : {'q', 'k'}) {
        std::vector<double> before, after;
        for (Index head = 0; head < kHeadsBeside; ++head) {
            for (Index token = 0; token < kTokensBeside; ++token) {
                Row x(static_cast<std::size_t>(channels));
                for (double& each : x) {
                    each = to_float(normal(random));
                }
                const Row y = compute(side, head, token, x);
                before.insert(before.end(), x.begin(), x.end());
                after.insert(after.end(), y.begin(), y.end());
            }
        }
        stored->push_back(make_tensor_as(Dtype::f32, std::string(1, side), shape, before));
        stored->push_back(make_tensor_as(Dtype::f32, std::string(1, side) + "_rot", shape, after));
    }
    if (!positions.empty()) {
        std::vector<double> flat;
        for (const auto& axis : positions) {
            flat.insert(flat.end(), axis.begin(), axis.end());
        }
        stored->push_back(
            make_tensor_as(Dtype::f64, "positions", {std::ssize(positions), kTokensBeside}, flat));
    }
    std::vector<TensorBytes> views;
    for (const Tensor& each : *stored) {
        views.push_back(each.view());
    }
    return make_dump(views, stored, "made");
}

Row turned(const Row& x, Index token) {
    return rotate_by_elements(kSpecBeside, x, token);
}

/// By the definition: the sign is that of the number of ones that both indices have.
Row transformed(const Row& x, double factor) {
    Row y(x.size());
    for (std::size_t i = 0; i < x.size(); ++i) {
        for (std::size_t j = 0; j < x.size(); ++j) {
            y[i] += (__builtin_popcountll(i & j) % 2 == 0 ? factor : -factor) * x[j];
        }
    }
    return y;
}

Row bias_of(Index head) {
    Row bias(64);
    for (std::size_t c = 0; c < bias.size(); ++c) {
        bias[c] = std::sin(1.0 + static_cast<double>(c * c) + to_double(head));
    }
    return bias;
}

Row plus(Row x, const Row& y) {
    for (std::size_t c = 0; c < x.size(); ++c) {
        x[c] += y[c];
    }
    return x;
}

Diagnosis expected_diagnosis(const Dump& dump) {
    const Expectation expectation = expectation_of(part_of(kSpecBeside), "the model");
    return diagnose(dump, &expectation);
}

TEST(BesideARotation, ATransformOfBothLeavesScores) {
    const Diagnosis found =
        expected_diagnosis(dump_beside(64, [](char, Index, Index token, const Row& x) {
            return transformed(turned(x, token), 0.125);
        }));
    EXPECT_EQ(found.verdict, Verdict::equivalent) << found.summary();
    EXPECT_TRUE(found.mismatches.empty());
    EXPECT_THAT(found.summary(), HasSubstr("A Hadamard transform of 64 channels stands behind"));
}

TEST(BesideARotation, ATransformOfOneIsAFault) {
    const Diagnosis found =
        expected_diagnosis(dump_beside(64, [](char side, Index, Index token, const Row& x) {
            return side == 'k' ? transformed(turned(x, token), 0.125) : turned(x, token);
        }));
    EXPECT_EQ(found.verdict, Verdict::invalid);
    EXPECT_EQ(found.findings.front().code, "beside.transform");
    EXPECT_THAT(found.summary(), HasSubstr("the rotation of k alone"));
}

TEST(BesideARotation, ATransformOfAnotherRotationIsNotTakenForIt) {
    RopeSpec other = kSpecBeside;
    other.base = 1.1e4;
    const Diagnosis found =
        expected_diagnosis(dump_beside(64, [&](char, Index, Index token, const Row& x) {
            return transformed(rotate_by_elements(other, x, token), 0.125);
        }));
    EXPECT_EQ(found.verdict, Verdict::invalid);
    EXPECT_NE(found.findings.front().code, "beside.transform");
}

TEST(BesideARotation, ABiasIsEquivalentBeforeAndAFaultBehind) {
    const Diagnosis before =
        expected_diagnosis(dump_beside(64, [](char side, Index head, Index token, const Row& x) {
            return turned(side == 'q' ? plus(x, bias_of(head)) : x, token);
        }));
    EXPECT_EQ(before.verdict, Verdict::equivalent) << before.summary();
    EXPECT_EQ(before.findings.front().code, "beside.bias");
    const Diagnosis behind =
        expected_diagnosis(dump_beside(64, [](char side, Index head, Index token, const Row& x) {
            return side == 'q' ? plus(turned(x, token), bias_of(head)) : turned(x, token);
        }));
    EXPECT_EQ(behind.verdict, Verdict::invalid);
    EXPECT_EQ(behind.findings.front().code, "beside.bias");
    EXPECT_THAT(behind.summary(), HasSubstr("added to q behind the rotation"));
}

TEST(BesideARotation, WhatChangesWithTheTokenIsNoBias) {
    const Diagnosis found =
        expected_diagnosis(dump_beside(64, [](char, Index head, Index token, const Row& x) {
            Row bias = bias_of(head);
            bias[3] += token == 5 ? 1e-3 : 0.0;
            return plus(turned(x, token), bias);
        }));
    EXPECT_EQ(found.verdict, Verdict::invalid);
    EXPECT_NE(found.findings.front().code, "beside.bias");
}

TEST(BesideARotation, IsRecognisedWithoutAnExpectation) {
    const auto alone = [](const Compute& compute) { return diagnose(dump_beside(64, compute)); };
    const Diagnosis both = alone([](char, Index, Index token, const Row& x) {
        return transformed(turned(x, token), 0.125);
    });
    EXPECT_EQ(both.verdict, Verdict::equivalent) << both.summary();
    EXPECT_THAT(both.summary(), HasSubstr("behind the rotation of q and k, which is right"));
    EXPECT_EQ(both.base, 1e4);
    const Diagnosis one = alone([](char side, Index, Index token, const Row& x) {
        return side == 'k' ? transformed(turned(x, token), 0.125) : turned(x, token);
    });
    EXPECT_EQ(one.verdict, Verdict::invalid);
    EXPECT_THAT(one.summary(), HasSubstr("the rotation of k alone"));
    const Diagnosis before = alone([](char side, Index head, Index token, const Row& x) {
        return turned(side == 'q' ? plus(x, bias_of(head)) : x, token);
    });
    EXPECT_EQ(before.verdict, Verdict::equivalent) << before.summary();
    EXPECT_EQ(before.findings.front().code, "beside.bias");
    const Diagnosis behind = alone([](char, Index head, Index token, const Row& x) {
        return plus(turned(x, token), bias_of(head));
    });
    EXPECT_EQ(behind.verdict, Verdict::invalid);
    EXPECT_THAT(behind.summary(), HasSubstr("added to q behind the rotation"));
}

TEST(BesideARotation, IsNotRecognisedWhereOneNumberIsAnother) {
    for (const bool is_bias : {false, true}) {
        const Diagnosis found =
            diagnose(dump_beside(64, [&](char side, Index head, Index token, const Row& x) {
                Row y = is_bias ? plus(turned(x, token), bias_of(head))
                                : transformed(turned(x, token), 0.125);
                y[7] += side == 'k' && head == 1 && token == 6 ? 1e-3 : 0.0;
                return y;
            }));
        for (const Finding& finding : found.findings) {
            EXPECT_FALSE(finding.code.starts_with("beside.")) << found.summary();
        }
        EXPECT_NE(found.verdict, Verdict::valid);
        EXPECT_NE(found.verdict, Verdict::equivalent);
    }
}

/// Time, height and width of nine tokens.
std::vector<std::vector<double>> three_axes() {
    std::vector<std::vector<double>> axes(3);
    for (Index token = 0; token < kTokensBeside; ++token) {
        axes[0].push_back(to_double(token / 6));
        axes[1].push_back(to_double(token / 3 % 2));
        axes[2].push_back(to_double(token % 3));
    }
    return axes;
}

/// A part of a head with its table twice under pairs of neighbours.
void tiled(const Row& x, std::size_t first, std::size_t width, double position, Row& y) {
    const std::size_t half = width / 2;
    for (std::size_t j = 0; j < width; ++j) {
        const double angle =
            position * std::pow(1e4, -static_cast<double>(j % half) / static_cast<double>(half));
        const std::size_t c = first + j;
        const double other = j % 2 == 0 ? -x[c + 1] : x[c - 1];
        y[c] = x[c] * std::cos(angle) + other * std::sin(angle);
    }
}

Compute vjepa2(double off) {
    return [off](char, Index, Index token, const Row& x) {
        const auto axes = three_axes();
        Row y = x;
        for (std::size_t axis = 0; axis < 3; ++axis) {  // 64 channels: three times 20, and 4 stay
            tiled(x, 20 * axis, 20, axes[axis][static_cast<std::size_t>(token)] + off, y);
        }
        return y;
    };
}

TEST(PublishedComputations, AreKnownWithAndWithoutTheirModel) {
    const Dump dump = dump_beside(64, vjepa2(0.0), three_axes());
    const Diagnosis alone = diagnose(dump);
    EXPECT_EQ(alone.verdict, Verdict::equivalent) << alone.summary();
    EXPECT_THAT(alone.summary(), HasSubstr("This is no rotation; it is what V-JEPA 2 computes"));
    const Expectation model = parse_expectation(R"({"model_type": "vjepa2"})", "config.json");
    const Diagnosis held = diagnose(dump, &model);
    EXPECT_EQ(held.verdict, Verdict::equivalent);
    EXPECT_TRUE(held.mismatches.empty());
}

TEST(PublishedComputations, OtherPositionsAreOthers) {
    const Dump dump = dump_beside(64, vjepa2(1e-3), three_axes());
    EXPECT_EQ(diagnose(dump).verdict, Verdict::invalid);
    const Expectation model = parse_expectation(R"({"model_type": "vjepa2"})", "config.json");
    const Diagnosis held = diagnose(dump, &model);
    ASSERT_FALSE(held.mismatches.empty());
    EXPECT_THAT(held.mismatches.front().text(), HasSubstr("This is not what V-JEPA 2 computes"));
}

TEST(PublishedComputations, MageVlHasOneTableOfTheWholeHeadTwice) {
    const Compute mage = [](char, Index, Index token, const Row& x) {
        const auto axes = three_axes();
        const std::size_t sizes[] = {8, 12, 12};
        std::vector<double> angles;
        for (std::size_t axis = 0; axis < 3; ++axis) {
            for (std::size_t i = 0; i < sizes[axis]; ++i) {
                angles.push_back(
                    axes[axis][static_cast<std::size_t>(token)] *
                    std::pow(1e4, -static_cast<double>(i) / static_cast<double>(sizes[axis])));
            }
        }
        Row y(64);
        for (std::size_t c = 0; c < y.size(); ++c) {
            const double other = c % 2 == 0 ? -x[c + 1] : x[c - 1];
            y[c] = x[c] * std::cos(angles[c % 32]) + other * std::sin(angles[c % 32]);
        }
        return y;
    };
    EXPECT_THAT(diagnose(dump_beside(64, mage, three_axes())).summary(),
                HasSubstr("it is what Mage-VL computes"));
}

}  // namespace
}  // namespace ropescope::diagnosis
