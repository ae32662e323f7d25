// Values and a cache beside q and k: each is left as it is, or written where it belongs.
#include <fmt/format.h>
#include <functional>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/base/number_format.h"
#include "core/diagnosis/diagnosis.h"
#include "core/diagnosis/read_dump.h"
#include "core/diagnosis/words.h"
#include "tests/unit/core/diagnosis/quantised_dump.h"

namespace ropescope::diagnosis {
namespace {

using ::testing::Contains;
using ::testing::Each;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;

constexpr Index kSlots = 24, kStep = 4, kFirstNew = 16;
constexpr Index kRow = test::kEightChannels, kStepHeads = test::kEightHeads;

/// The tensors of a step of four tokens behind sixteen, [1, heads, tokens or slots, channels].
struct Step {
    std::vector<double> k, k_rot, v, v_rot, old_cache, new_cache;
};

std::vector<double> random_rows(std::uint64_t seed, Index tokens) {
    std::vector<double> x = test::Random(seed).normal<double>(kStepHeads * tokens * kRow);
    for (double& each : x) {
        each = to_float(each);
    }
    return x;
}

void put(const std::vector<double>& keys, Index slot, std::vector<double>& cache) {
    for (Index h = 0; h < kStepHeads; ++h) {
        std::copy_n(keys.begin() + h * kStep * kRow, kStep * kRow,
                    cache.begin() + (h * kSlots + slot) * kRow);
    }
}

Step right_step() {
    const test::EightBits of_step{.tokens = kStep, .first = kFirstNew};
    const test::EightBits of_cache{.tokens = kSlots, .first = 0};
    Step step;
    step.k = random_rows(1, kStep);
    step.v = random_rows(2, kStep);
    step.k_rot = test::turned_rows(step.k, of_step, 1.0);
    step.v_rot = step.v;
    step.old_cache = test::turned_rows(random_rows(3, kSlots), of_cache, 1.0);
    step.new_cache = step.old_cache;
    put(step.k_rot, kFirstNew, step.new_cache);
    return step;
}

Index slots_of(const std::vector<double>& cache) {
    return std::ssize(cache) / (kStepHeads * kRow);
}

/// `without`: the name of a tensor that the dump lacks.
Diagnosis diagnosed_step(const Step& step, Dtype cache_dtype = Dtype::f32,
                         const std::string& without = "") {
    const auto tensors = std::make_shared<std::vector<Tensor>>();
    const auto add = [&](const std::string& name, Dtype dtype, Index tokens,
                         const std::vector<double>& values) {
        if (name == without) {
            return;
        }
        tensors->push_back(make_tensor_as(dtype, name, {1, kStepHeads, tokens, kRow}, values));
    };
    add("k", Dtype::f32, kStep, step.k);
    add("k_rot", Dtype::f32, kStep, step.k_rot);
    add("v", Dtype::f32, kStep, step.v);
    add("v_rot", Dtype::f32, kStep, step.v_rot);
    add("k_cache", cache_dtype, slots_of(step.old_cache), step.old_cache);
    add("k_cache_after", cache_dtype, slots_of(step.new_cache), step.new_cache);
    const std::vector<std::int64_t> positions = {16, 17, 18, 19};
    tensors->push_back(make_tensor("positions", {kStep}, std::span(positions)));
    std::vector<TensorBytes> views;
    std::ranges::transform(*tensors, std::back_inserter(views), &Tensor::view);
    const Expectation expected{.name = "config.json",
                               .specs = {{.head_dim = kRow, .rotary_dim = kRow}}};
    return diagnose(make_dump(views, tensors, "test", {.axes = "bhld"}), &expected);
}

TEST(BesideKeys, RightStepsAreAsExpected) {
    for (const Dtype dtype : {Dtype::f32, Dtype::bf16, Dtype::f16}) {
        const Diagnosis found = diagnosed_step(right_step(), dtype);
        EXPECT_TRUE(passes(found)) << found.summary();
        EXPECT_THAT(found.mismatches, IsEmpty());
    }
}

TEST(BesideKeys, ATensorWithoutItsPartnerIsSaidNotToBeLookedAt) {
    for (const auto& [missing, other] :
         {std::pair("v", "v_rot"), std::pair("v_rot", "v"), std::pair("k_cache", "k_cache_after"),
          std::pair("k_cache_after", "k_cache")}) {
        const Diagnosis found = diagnosed_step(right_step(), Dtype::f32, missing);
        EXPECT_TRUE(passes(found)) << found.summary();
        const std::string said =
            fmt::format("what the call does to {}, which is compared with {}; ", other, missing);
        EXPECT_THAT(texts_of(found.not_shown), Contains(StartsWith(said))) << missing;
    }
    EXPECT_THAT(texts_of(diagnosed_step(right_step()).not_shown),
                Each(Not(HasSubstr("compared with"))));
}

TEST(BesideKeys, EachMistakeHasItsName) {
    const test::EightBits of_step{.tokens = kStep, .first = kFirstNew};
    const test::EightBits of_cache{.tokens = kSlots, .first = 0};
    struct BesideMistake {
        const char* code;
        std::function<void(Step&)> make;
    };
    const std::vector<BesideMistake> mistakes = {
        {"v.changed", [&](Step& s) { s.v_rot = test::turned_rows(s.v, of_step, 1.0); }},
        {"v.changed", [](Step& s) { s.v_rot[70] *= 1.5; }},
        {"cache.old_changed",
         [&](Step& s) {
             s.new_cache = test::turned_rows(s.old_cache, of_cache, 1.0);
             put(s.k_rot, kFirstNew, s.new_cache);
         }},
        {"cache.old_changed", [](Step& s) { s.new_cache[5 * kRow] += 1.0; }},
        {"cache.slot",
         [](Step& s) {
             s.new_cache = s.old_cache;
             put(s.k_rot, kFirstNew + 2, s.new_cache);
         }},
        {"cache.unrotated", [](Step& s) { put(s.k, kFirstNew, s.new_cache); }},
        {"cache.rotated_twice",
         [&](Step& s) { put(test::turned_rows(s.k_rot, of_step, 1.0), kFirstNew, s.new_cache); }},
        {"cache.other", [](Step& s) { s.new_cache = s.old_cache; }},
    };
    for (const BesideMistake& mistake : mistakes) {
        Step step = right_step();
        mistake.make(step);
        const Diagnosis found = diagnosed_step(step);
        EXPECT_EQ(found.verdict, Verdict::invalid) << mistake.code;
        std::vector<std::string> codes;
        std::ranges::transform(found.mismatches, std::back_inserter(codes), &Finding::code);
        EXPECT_THAT(codes, Contains(mistake.code));
    }
    Step step = right_step();
    step.new_cache = test::turned_rows(step.old_cache, of_cache, 1.0);
    put(step.k_rot, kFirstNew, step.new_cache);
    EXPECT_THAT(diagnosed_step(step).summary(), HasSubstr("Old keys are turned again"));
}

/// The first slots of a cache, [heads, slots, channels].
std::vector<double> first_slots(const std::vector<double>& cache, Index slots) {
    std::vector<double> first;
    for (Index h = 0; h < kStepHeads; ++h) {
        const auto head = cache.begin() + h * slots_of(cache) * kRow;
        first.insert(first.end(), head, head + slots * kRow);
    }
    return first;
}

TEST(BesideKeys, ACacheMayGrowByTheNewKeys) {
    Step step = right_step();
    step.old_cache = first_slots(step.old_cache, kFirstNew);
    step.new_cache = first_slots(step.new_cache, kFirstNew + kStep);
    EXPECT_TRUE(passes(diagnosed_step(step))) << diagnosed_step(step).summary();
    Step unrotated = step;
    unrotated.new_cache = right_step().new_cache;
    put(unrotated.k, kFirstNew, unrotated.new_cache);
    unrotated.new_cache = first_slots(unrotated.new_cache, kFirstNew + kStep);
    EXPECT_THAT(diagnosed_step(unrotated).summary(), HasSubstr("as they were before the rotation"));
}

/// Of a cache with fewer slots than positions, which most often is a ring.
TEST(BesideKeys, ARingHoldsTheNewKeysInTheirSlots) {
    Step step = right_step();
    step.old_cache = first_slots(step.old_cache, 2 * kStep);
    step.new_cache = step.old_cache;
    EXPECT_THAT(diagnosed_step(step).summary(), HasSubstr("in none of the 8 slots of the cache"));
    const auto written_to = [&](Index slot) {
        Step made = step;
        for (Index h = 0; h < kStepHeads; ++h) {
            std::copy_n(step.k_rot.begin() + h * kStep * kRow, kStep * kRow,
                        made.new_cache.begin() + (h * 2 * kStep + slot) * kRow);
        }
        return diagnosed_step(made);
    };
    EXPECT_TRUE(passes(written_to(0))) << written_to(0).summary();
    EXPECT_EQ(written_to(2).verdict, Verdict::undetermined);
    EXPECT_THAT(written_to(2).summary(), HasSubstr("not in slot 0 of 8, where a ring has it"));
}

}  // namespace
}  // namespace ropescope::diagnosis
