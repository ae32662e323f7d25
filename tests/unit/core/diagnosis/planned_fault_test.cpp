// Faults of few tokens, which the search has no words for, by their names in the catalogue.
#include "core/diagnosis/held/planned_fault.h"

#include <cmath>
#include <cstdint>
#include <functional>
#include <gmock/gmock.h>
#include <string>
#include <utility>
#include <vector>

#include "core/base/number_format.h"
#include "core/rope/spectrum.h"
#include "tests/unit/core/diagnosis/expected_implementation.h"

namespace ropescope::diagnosis {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;
using Change = std::function<void(test::Implementation&)>;

RopeSpec scaled() {
    return {.head_dim = 32, .rotary_dim = 32, .scaling = NtkScaling{.factor = 4.0}};
}

/// What is said of code with this mistake, of so many tokens in this format.
std::vector<std::string> said_of(const Change& change, Index length, Dtype dtype) {
    const Expectation expectation{.name = "the model", .specs = {scaled()}};
    test::Implementation made = implementation_of(scaled(), length);
    made.dtype = dtype;
    change(made);
    return mismatch_texts(diagnosed(made, expectation));
}

/// A decode step of a model whose speeds are scaled, of which the search cannot tell the base.
TEST(PlannedFault, NamesABaseOfOneToken) {
    const Change other_base = [](test::Implementation& made) {
        made.spec.base = 500000.0;
        test::use_spec(made);
        made.stated = {5.0};
    };
    EXPECT_THAT(said_of(other_base, 1, Dtype::f32),
                Contains(HasSubstr("as if the base was 500000 in place of 10000")));
}

/// A fault that no plan makes keeps the words of the search, and right code has no mismatch.
TEST(PlannedFault, SaysNothingOfWhatItDoesNotKnow) {
    const Change odd = [](auto& made) {
        made.pair_gain = [](const test::At& at, Index pair) {
            return at.l == 1 && pair == 3 ? 1.25 : 1.0;
        };
    };
    for (const Dtype dtype : {Dtype::f32, Dtype::bf16}) {
        EXPECT_THAT(said_of(odd, 3, dtype), Not(Contains(HasSubstr("as if"))));
        EXPECT_THAT(said_of([](auto&) {}, 3, dtype), testing::IsEmpty());
    }
}

/// Some pairs of the second row turn too fast, which is no row that is not turned.
TEST(PlannedFault, LooksAtSomePairsOfRowsThatMayRest) {
    const Change fast = [](test::Implementation& made) {
        made.batch = 2;
        made.speed = [omega = made.omega](const test::At& at, Index pair) {
            return (at.b == 1 && pair < 6 ? 1.1 : 1.0) * omega[static_cast<std::size_t>(pair)];
        };
    };
    const std::vector<std::string> said = said_of(fast, 16, Dtype::f32);
    EXPECT_THAT(said, Not(Contains(HasSubstr("rows after the first"))));
    EXPECT_THAT(said, Not(testing::IsEmpty()));
}

/// What a program makes of a pair (x, y) whose angle has this cosine and sine.
using Turn = std::function<std::pair<double, double>(double x, double y, double c, double s)>;

/// q before and behind a rotation that a test writes out by itself, half-split.
class WrittenOut {
  public:
    WrittenOut(const RopeSpec& spec, const std::vector<double>& positions, const Turn& turn,
               const std::vector<double>& speeds)
        : before_(positions.size() * static_cast<std::size_t>(spec.head_dim)), after_(before_) {
        std::uint32_t state = 7;
        for (float& number : before_) {
            state = state * 1664525U + 1013904223U;
            number = static_cast<float>(state >> 8U) / 0x1p23F - 1.0F;
        }
        const std::size_t half = speeds.size();
        after_ = before_;
        for (std::size_t l = 0; l < positions.size(); ++l) {
            float* row = after_.data() + l * static_cast<std::size_t>(spec.head_dim);
            for (std::size_t i = 0; i < half; ++i) {
                const double angle = positions[l] * speeds[i];
                const auto [x, y] = turn(row[i], row[i + half], std::cos(angle), std::sin(angle));
                row[i] = static_cast<float>(x);
                row[i + half] = static_cast<float>(y);
            }
        }
        const auto length = static_cast<Index>(positions.size());
        dump_.q =
            DumpSide{tensor(before_, length, spec.head_dim), tensor(after_, length, spec.head_dim)};
        dump_.q_positions = DumpPositions{.length = length, .values = positions};
    }

    const Dump& dump() const { return dump_; }

  private:
    static DumpTensor tensor(const std::vector<float>& numbers, Index length, Index channels) {
        return {.name = {},
                .data = reinterpret_cast<const std::byte*>(numbers.data()),
                .length = length,
                .channels = channels,
                .batch_stride = length * channels,
                .head_stride = length * channels,
                .position_stride = channels};
    }

    std::vector<float> before_, after_;
    Dump dump_ = {};
};

constexpr auto kRight = [](double x, double y, double c, double s) {
    return std::pair(x * c - y * s, x * s + y * c);
};

std::string said(const RopeSpec& expected, const std::vector<double>& positions, const Turn& turn,
                 const std::vector<double>& speeds) {
    const WrittenOut made(expected, positions, turn, speeds);
    const Expectation expectation{.name = "the model", .specs = {expected}};
    return diagnose(made.dump(), &expectation).summary();
}

/// Each product of a pair, for one token and for some.
TEST(PlannedFault, NamesWhatIsMadeOfCosAndSin) {
    const RopeSpec spec{.head_dim = 32, .rotary_dim = 32};
    const std::vector<double> speeds = make_spectrum(spec).inv_freq_rad;
    struct Case {
        Turn turn;
        std::string words;
    };
    const std::vector<Case> cases = {
        {[](double x, double y, double c, double s) {
             const double first = x * c - y * s;
             return std::pair(first, first * s + y * c);
         },
         "made of the new first one"},
        {[](double x, double y, double c, double s) { return std::pair(x * c, x * s + y * c); },
         "y sin was missing in the first channel"},
        {[](double x, double y, double c, double s) {
             return std::pair(x * c - y * s, x * c + y * c);
         },
         "x cos stood in place of x sin in the second channel"},
        {[](double x, double y, double, double s) {
             return std::pair(x * s - y * s, x * s + y * s);
         },
         "the table of cos held sin"},
        {[](double x, double y, double c, double s) {
             return std::pair(x * c - y * std::abs(s), x * std::abs(s) + y * c);
         },
         "sin had no sign"},
        {[](double x, double y, double c, double s) {
             return std::pair(x * c * c - y * s, x * s + y * c * c);
         },
         "cos was squared"},
        {[](double x, double y, double c, double s) {
             return std::pair(1.02 * x * c - y * s, x * s + y * c);
         },
         "x cos was multiplied by 1.02 in the first channel"},
        {[](double x, double y, double c, double s) {
             const auto rounded = [](double number) {
                 return std::nearbyint(127.0 * number) / 127.0;
             };
             return std::pair(x * rounded(c) - y * rounded(s), x * rounded(s) + y * rounded(c));
         },
         "cos and sin were rounded to multiples of 1/127"},
        {[](double x, double y, double c, double s) {
             return std::pair(x * c - y * round_to(NumberFormat::bf16, s),
                              x * round_to(NumberFormat::bf16, s) + y * c);
         },
         "sin was rounded to bf16"},
        {[](double x, double y, double c, double s) {
             return std::pair(x * c - round_to(NumberFormat::fp16, y) * s,
                              round_to(NumberFormat::fp16, x) * s + y * c);
         },
         "the numbers that are multiplied by sin, and no others, before the rotation were rounded"},
    };
    for (const Case& each : cases) {
        // Of more tokens the search says that a table is coarse.
        const bool of_table = each.words.find("rounded") != std::string::npos;
        std::vector<std::vector<double>> all = {{4.0}};
        if (!of_table) {
            all.push_back({4.0, 5.0, 6.0, 11.0, 300.0});
        }
        for (const std::vector<double>& positions : all) {
            EXPECT_THAT(said(spec, positions, each.turn, speeds), HasSubstr(each.words))
                << positions.size();
        }
    }
}

/// Parameters of every scaling from one token, and places of several.
TEST(PlannedFault, NamesParametersAndPositions) {
    const RopeSpec plain{.head_dim = 64, .rotary_dim = 64};
    const RopeSpec llama{
        .head_dim = 64, .rotary_dim = 64, .base = 500000.0, .scaling = Llama3Scaling{}};
    const std::vector<double> one = {97.0}, some = {3.0, 4.0, 5.0, 6.0, 7.0, 8.0};
    const auto speeds = [](const RopeSpec& spec) { return make_spectrum(spec).inv_freq_rad; };
    RopeSpec other = llama;
    std::get<Llama3Scaling>(other.scaling).factor = 6.0;
    EXPECT_THAT(said(llama, {997.0}, kRight, speeds(other)),
                HasSubstr("the factor was 6 in place of 8"));
    other = llama;
    other.base = 450000.0;
    EXPECT_THAT(said(llama, one, kRight, speeds(other)),
                HasSubstr("the base was 450000 in place of 500000"));
    const auto at = [&](const std::function<double(double)>& moved) {
        std::vector<double> stood;
        for (const double position : some) {
            stood.push_back(moved(position));
        }
        WrittenOut made(plain, stood, kRight, speeds(plain));
        Dump dump = made.dump();
        dump.q_positions->values = some;
        const Expectation expected{.name = "the model", .specs = {plain}};
        return diagnose(dump, &expected).summary();
    };
    EXPECT_THAT(at([](double p) { return std::floor(p / 2.0); }),
                HasSubstr("divided by 2 without a remainder"));
    EXPECT_THAT(at([](double p) { return 11.0 - p; }),
                HasSubstr("the positions of each row were read from its end"));
}

TEST(PlannedFault, LeavesRightCodeAlone) {
    const Expectation expectation{.name = "the model", .specs = {scaled()}};
    const Dump dump = dump_of(implementation_of(scaled(), 3));
    const std::optional<Held> held = hold_to(dump, expectation);
    ASSERT_TRUE(held);
    EXPECT_TRUE(planned_faults(*held).findings.empty());
}

}  // namespace
}  // namespace ropescope::diagnosis
