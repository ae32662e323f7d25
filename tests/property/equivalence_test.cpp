#include "core/systems/equivalence.h"

#include <cmath>
#include <gtest/gtest.h>
#include <set>

#include "core/base/error.h"
#include "core/rope/layout.h"

namespace ropescope {
namespace {

using Ids = std::set<std::string>;
const Ids kInterleaved = {"notebook_bf16", "notebook_fp32", "meta_llama", "hf_roformer", "mistral"};
const Ids kHalfSplit = {"hf_llama_offset", "hf_llama_position_ids", "strided_llama_repaired",
                        "keras_intended"};
const Ids kSinusoidal = {"d2l_sinusoidal", "roformer_sinusoidal"};

/// What the documents' systems are to each other at head_dim > 2.
Verdict expected(const std::string& a, const std::string& b) {
    if (a == b) {
        return Verdict::identical;
    }
    for (const Ids& family : {kInterleaved, kHalfSplit}) {
        if (family.count(a) + family.count(b) == 2) {
            return Verdict::identical;
        }
    }
    const auto rotary = [](const std::string& id) {
        return kInterleaved.count(id) + kHalfSplit.count(id) == 1;
    };
    if ((rotary(a) && rotary(b)) || kSinusoidal.count(a) + kSinusoidal.count(b) == 2) {
        return Verdict::equal_after_permutation;
    }
    const auto rotates = [&](const std::string& id) {
        return rotary(id) || id == "keras_as_written";
    };
    return rotates(a) && rotates(b) ? Verdict::different : Verdict::not_a_rotation;
}

void expect_expected(const EquivalenceMatrix& matrix) {
    for (const PairVerdict& pair : matrix.pairs) {
        EXPECT_EQ(to_string(pair.verdict), to_string(expected(pair.a->id, pair.b->id)))
            << pair.a->id << " ~ " << pair.b->id << ": " << pair.explanation;
    }
}

TEST(EquivalenceMatrix, ByDefault) {
    const EquivalenceMatrix matrix = equivalence_matrix();
    EXPECT_EQ(matrix.pairs.size(), 15U * 15U);
    expect_expected(matrix);
}

TEST(EquivalenceMatrix, OtherHeadDimsBasesOffsetsAndVectors) {
    for (const std::uint64_t seed : {2U, 3U, 4U, 5U}) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        EquivalenceOptions options;
        options.seed = seed;
        options.head_dims = {4, 6, 10, 96};
        options.bases = seed % 2 == 0 ? std::vector<double>{1e6} : std::vector<double>{1e4, 100.0};
        options.offsets = seed % 2 == 0 ? std::vector<std::int64_t>{0, 100000}
                                        : std::vector<std::int64_t>{7, 511, 65537};
        expect_expected(equivalence_matrix(options));
    }
}

TEST(EquivalenceMatrix, HeadDim192AtOffset100000) {
    EquivalenceOptions options;
    options.head_dims = {192};
    options.offsets = {100000, 0};
    expect_expected(equivalence_matrix(options));
}

TEST(EquivalenceMatrix, TwoChannelsHaveOneLayout) {
    EquivalenceOptions options;
    options.head_dims = {2};
    const EquivalenceMatrix matrix = equivalence_matrix(options);
    EXPECT_EQ(matrix.at("meta_llama", "hf_llama_offset").verdict, Verdict::identical);
    EXPECT_EQ(matrix.at("meta_llama", "strided_llama_as_written").verdict, Verdict::identical);
    EXPECT_EQ(matrix.at("meta_llama", "keras_as_written").verdict, Verdict::different);
}

TEST(EquivalenceMatrix, PermutationIsEvensThenOddsAndBack) {
    const EquivalenceMatrix matrix = equivalence_matrix();
    const PairVerdict& there = matrix.at("meta_llama", "hf_llama_offset");
    const PairVerdict& back = matrix.at("hf_llama_offset", "meta_llama");
    for (std::size_t i = 1; i < there.by_head_dim.size(); ++i) {
        const Index d = there.by_head_dim[i].head_dim;
        const std::vector<Index> evens_odds =
            layout_permutation(Layout::interleaved, Layout::half_split, d, d);
        EXPECT_EQ(there.by_head_dim[i].permutation, evens_odds);
        EXPECT_EQ(back.by_head_dim[i].permutation, inverse_permutation(evens_odds));
    }
    EXPECT_NE(there.explanation.find("even channels, then odd channels"), std::string::npos);
    // Without it the outputs, and the scores, are far apart: the bug of loading one's weights into
    // the other's code.
    EXPECT_GT(there.same_input.largest_output, 1.0);
    EXPECT_GT(there.same_input.largest_score, 0.1);
    EXPECT_LE(there.permuted.largest_score, there.permuted.scores.bound);
}

TEST(EquivalenceMatrix, SaysWhatRoundingLimits) {
    EquivalenceOptions options;
    options.head_dims = {128};
    options.offsets = {0};
    const EquivalenceMatrix near = equivalence_matrix(options);
    EXPECT_EQ(near.at("notebook_bf16", "meta_llama").same_input.limited_by, "bf16 table");
    EXPECT_EQ(near.at("notebook_fp32", "meta_llama").same_input.largest_output, 0.0);
    options.offsets = {100000};
    const EquivalenceMatrix far = equivalence_matrix(options);
    const Difference& fp32 = far.at("hf_roformer", "meta_llama").same_input;
    EXPECT_EQ(fp32.limited_by, "fp32 angles at position 100003");
    EXPECT_GT(fp32.largest_output, 1e-4) << "fp32 angles at 100000 are not this exact";
    EXPECT_TRUE(fp32.same_in_exact_arithmetic);
}

TEST(EquivalenceMatrix, ReasonsNameTheProperty) {
    const EquivalenceMatrix matrix = equivalence_matrix();
    const auto reason = [&](const std::string& id) {
        for (std::size_t s = 0; s < matrix.systems.size(); ++s) {
            if (matrix.systems[s]->id == id) {
                return matrix.rotation_tests[s].reason();
            }
        }
        return std::string("no such system");
    };
    EXPECT_EQ(reason("meta_llama"), "");
    EXPECT_EQ(reason("keras_as_written"), "");
    EXPECT_NE(reason("strided_llama_as_written").find("norm"), std::string::npos);
    EXPECT_NE(reason("additive_absolute").find("not linear"), std::string::npos);
    EXPECT_NE(reason("multiplicative_bias").find("q.k"), std::string::npos);
}

TEST(EquivalenceMatrix, RefusesWhatItCannotSweep) {
    EquivalenceOptions odd;
    odd.head_dims = {7};
    EXPECT_THROW(equivalence_matrix(odd), InputError);
    EquivalenceOptions negative;
    negative.offsets = {-1};
    EXPECT_THROW(equivalence_matrix(negative), InputError);
    EquivalenceOptions empty;
    empty.bases = {};
    EXPECT_THROW(equivalence_matrix(empty), InputError);
}

TEST(Measured, NanIsWorst) {
    Measured measured;
    measured.include(1e-3, 1e-2);
    EXPECT_TRUE(measured.holds());
    measured.include(std::nan(""), 1.0);
    measured.include(0.5, 1.0);
    EXPECT_FALSE(measured.holds());
}

TEST(DescribePermutation, InWordsOrInFull) {
    EXPECT_EQ(describe_permutation({0, 1, 2, 3}), "identity");
    EXPECT_EQ(describe_permutation({0, 2, 4, 1, 3, 5}), "even channels, then odd channels");
    EXPECT_EQ(describe_permutation({0, 3, 1, 4, 2, 5}), "first half and second half in turn");
    EXPECT_EQ(describe_permutation({1, 0, 2}), "1 0 2");
}

}  // namespace
}  // namespace ropescope
