// NaN and infinities in a dump are a finding with the place where they begin.
#include "core/diagnosis/measure/not_finite.h"

#include <cmath>
#include <functional>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <limits>

#include "core/diagnosis/expectation.h"
#include "core/diagnosis/read_dump.h"
#include "core/diagnosis/report.h"
#include "core/faults/codes.h"
#include "core/rope/routes.h"
#include "tests/support/random.h"

namespace ropescope::diagnosis {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::Field;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;

constexpr Index kBadRows = 2, kBadHeads = 3, kBadTokens = 24, kBadChannels = 32;
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kBadInfinity = std::numeric_limits<double>::infinity();
const RopeSpec kBadSpec{.head_dim = kBadChannels, .rotary_dim = kBadChannels};

/// Where a number of a tensor stands.
struct BadSpot {
    Index row, head, token, channel;
};
/// In place of the right one.
using BadChange = std::function<double(const BadSpot&, double right)>;
const BadChange kUnchanged = [](const BadSpot&, double right) { return right; };

void add_changed_side(const std::string& name, Dtype dtype, const BadChange& before,
                      const BadChange& behind, double first_position,
                      std::vector<Tensor>& tensors) {
    const std::vector<double> x =
        test::Random(name == "q" ? 7 : 8)
            .normal<double>(kBadRows * kBadHeads * kBadTokens * kBadChannels);
    std::vector<double> given, turned;
    for (Index at = 0; at < kBadRows * kBadHeads * kBadTokens; ++at) {
        const Index token = at % kBadTokens;
        std::vector<double> row;
        for (Index c = 0; c < kBadChannels; ++c) {
            row.push_back(dtype == Dtype::f32 ? to_float(x[at * kBadChannels + c])
                                              : x[at * kBadChannels + c]);
        }
        const std::vector<double> y =
            rotate_by_elements(kBadSpec, row, static_cast<Index>(first_position) + token);
        for (Index c = 0; c < kBadChannels; ++c) {
            const BadSpot spot{at / (kBadHeads * kBadTokens), at / kBadTokens % kBadHeads, token,
                               c};
            given.push_back(before(spot, row[c]));
            turned.push_back(behind(spot, y[c]));
        }
    }
    const std::vector<std::int64_t> shape = {kBadRows, kBadHeads, kBadTokens, kBadChannels};
    tensors.push_back(make_tensor_as(dtype, name, shape, given));
    tensors.push_back(make_tensor_as(dtype, name + "_rot", shape, turned));
}

/// q_rot and q as they are changed, and k right.
Diagnosis with_numbers(const BadChange& behind, const BadChange& before = kUnchanged,
                       Dtype dtype = Dtype::f32, const Expectation* expectation = nullptr,
                       double first_position = 0.0) {
    std::vector<Tensor> tensors;
    add_changed_side("q", dtype, before, behind, first_position, tensors);
    add_changed_side("k", dtype, kUnchanged, kUnchanged, first_position, tensors);
    std::vector<double> positions;
    for (Index t = 0; t < kBadTokens; ++t) {
        positions.push_back(first_position + to_double(t));
    }
    tensors.push_back(make_tensor("positions", {kBadTokens}, positions));
    std::vector<TensorBytes> views;
    std::ranges::transform(tensors, std::back_inserter(views), &Tensor::view);
    return diagnose(make_dump(views, nullptr, "test", {.axes = "bhld"}), expectation);
}

TEST(NotFiniteNumbers, AreAFindingWithTheirPlaceInEveryDtype) {
    for (const Dtype dtype : {Dtype::f64, Dtype::f32, Dtype::f16, Dtype::bf16}) {
        for (const double bad : {kNan, kBadInfinity, -kBadInfinity}) {
            const Diagnosis found = with_numbers(
                [&](const BadSpot& at, double right) {
                    return at.row == 1 && at.head == 2 && at.token == 17 && at.channel == 5 ? bad
                                                                                            : right;
                },
                kUnchanged, dtype);
            ASSERT_THAT(found.not_finite, SizeIs(1)) << to_string(dtype);
            const NotFinite& map = found.not_finite.front();
            EXPECT_EQ(map.tensor, "q_rot");
            EXPECT_EQ(map.nan + map.infinite, 1);
            EXPECT_EQ(map.nan, std::isnan(bad) ? 1 : 0);
            EXPECT_EQ(map.row, 1);
            EXPECT_EQ(map.head, 2);
            EXPECT_EQ(map.token, 17);
            EXPECT_EQ(map.channel, 5);
            EXPECT_THAT(map.pairs, ElementsAre(5));
            EXPECT_EQ(found.verdict, Verdict::invalid);
            EXPECT_FALSE(passes(found));
            EXPECT_EQ(found.findings.front().code, faults::code("values.not_finite"));
            EXPECT_EQ(found.findings.front().where(), "q, token 17");
            EXPECT_THAT(found.summary(), HasSubstr("where q is finite: token 17, pair 5, row 1, "
                                                   "head 2; the first: token 17, position 17"));
        }
    }
}

TEST(NotFiniteNumbers, LeaveTheFiniteTokensExplained) {
    const Diagnosis found = with_numbers([](const BadSpot& at, double right) {
        return at.token >= 10 && at.channel % 16 < 2 ? kNan : right;
    });
    EXPECT_EQ(found.layout, "half_split");
    EXPECT_EQ(found.base, 10000.0);
    EXPECT_THAT(found.not_finite.front().pairs, ElementsAre(0, 1));
    EXPECT_THAT(found.not_finite.front().channels, ElementsAre(0, 1, 16, 17));
    EXPECT_THAT(found.summary(), HasSubstr("tokens 10 to 23, pairs 0 and 1, all rows, all heads"));
    EXPECT_EQ(found.findings.front().where(), "q, from token 10");
    EXPECT_THAT(found.next, IsEmpty());
    EXPECT_THAT(found.findings, Contains(Field(&Finding::code, "spectrum.default")));
}

/// Zero times infinity: position 0 alone.
TEST(NotFiniteNumbers, OfTheFirstTokenLeaveTheOthersExplained) {
    const Diagnosis found =
        with_numbers([](const BadSpot& at, double right) { return at.token == 0 ? kNan : right; });
    EXPECT_EQ(found.base, 10000.0);
    EXPECT_THAT(found.summary(), HasSubstr("token 0, pairs 0 to 15"));
    EXPECT_EQ(found.verdict, Verdict::invalid);
}

TEST(NotFiniteNumbers, OfAllTokensAreSaidWithoutALayout) {
    const Diagnosis found = with_numbers([](const BadSpot&, double) { return kNan; });
    EXPECT_EQ(found.verdict, Verdict::invalid);
    EXPECT_THAT(found.summary(), HasSubstr("q_rot are NaN where q is finite: all tokens"));
    EXPECT_EQ(found.layout, "half_split") << "of k";
}

TEST(NotFiniteNumbers, BeforeTheRotationAreNotBlamedOnIt) {
    const BadChange at_three = [](const BadSpot& at, double right) {
        return at.token == 3 && at.head == 1 && at.channel == 9 ? kBadInfinity : right;
    };
    const BadChange row_of_three = [](const BadSpot& at, double right) {
        return at.token == 3 && at.head == 1 ? kNan : right;
    };
    const Diagnosis found = with_numbers(row_of_three, at_three);
    ASSERT_THAT(found.not_finite, SizeIs(1));
    EXPECT_EQ(found.not_finite.front().tensor, "q");
    EXPECT_EQ(found.findings.front().code, faults::code("input.not_finite"));
    EXPECT_THAT(found.summary(), HasSubstr("of q are infinite before the rotation: token 3"));
    EXPECT_FALSE(passes(found));
}

TEST(NotFiniteNumbers, BeyondTheLargestHalfSaySo) {
    const BadChange beyond = [](const BadSpot& at, double right) {
        return 65500.0 + to_double(at.token) > 65504.0 ? kNan : right;
    };
    EXPECT_THAT(with_numbers(beyond, kUnchanged, Dtype::f32, nullptr, 65500.0).summary(),
                HasSubstr("beyond position 65504, where float16 ends"));
    const BadChange earlier = [](const BadSpot& at, double right) {
        return at.token > 3 ? kNan : right;
    };
    EXPECT_THAT(with_numbers(earlier, kUnchanged, Dtype::f32, nullptr, 65500.0).summary(),
                Not(HasSubstr("float16")));
}

TEST(NotFiniteNumbers, AreAMismatchAndInJson) {
    const Expectation expectation{.name = "config.json", .specs = {kBadSpec}};
    const Diagnosis found = with_numbers(
        [](const BadSpot& at, double right) { return at.token > 20 ? kBadInfinity : right; },
        kUnchanged, Dtype::f32, &expectation);
    EXPECT_FALSE(passes(found));
    EXPECT_THAT(found.mismatches, SizeIs(1));
    const std::string json = diagnosis_json(found);
    EXPECT_THAT(json, HasSubstr("\"not_finite\""));
    EXPECT_THAT(json, HasSubstr("\"tensor\": \"q_rot\""));
    EXPECT_THAT(diagnosis_text(found), HasSubstr("values.not_finite (q, from token 21)"));
    EXPECT_THAT(with_numbers(kUnchanged).not_finite, IsEmpty());
}

}  // namespace
}  // namespace ropescope::diagnosis
