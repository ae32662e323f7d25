// Faults of few tokens, which the search has no words for, by their names in the catalogue.
#include "core/diagnosis/held/planned_fault.h"

#include <cmath>
#include <functional>
#include <gmock/gmock.h>
#include <string>
#include <utility>
#include <vector>

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

TEST(PlannedFault, LeavesRightCodeAlone) {
    const Expectation expectation{.name = "the model", .specs = {scaled()}};
    const Dump dump = dump_of(implementation_of(scaled(), 3));
    const std::optional<Held> held = hold_to(dump, expectation);
    ASSERT_TRUE(held);
    EXPECT_TRUE(planned_faults(*held).findings.empty());
}

}  // namespace
}  // namespace ropescope::diagnosis
