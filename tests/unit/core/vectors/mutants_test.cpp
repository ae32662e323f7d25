// Test vectors kill faulty implementations by cases whose flags name the fault, name them, and
// accuse no right one. ./test.sh vectors tries many more (docs/verify/vector-mutants.md).
#include <algorithm>
#include <gtest/gtest.h>

#include "tests/support/planted_rotations.h"

namespace ropescope::test {
namespace {

/// Returns how many there were.
int try_mutants(const WrittenPack& pack, Dtype dtype) {
    int planted = 0;
    for (const FaultyCall& mutant : faulty_rotations()) {
        if (mutant.hides_in_16_bits && (dtype == Dtype::f16 || dtype == Dtype::bf16)) {
            continue;
        }
        bool differs = false;
        const std::vector<Tensor> answers =
            answers_of(pack.pack(), mutant.change, mutant.fits, dtype, differs);
        if (!differs) {
            continue;
        }
        const Kill kill = kill_of(pack, answers, mutant.codes, mutant.flags);
        EXPECT_TRUE(kill.by_flag) << mutant.name << ", " << to_string(dtype);
        EXPECT_EQ(kill.named, mutant.unnamed.empty()) << mutant.name << ", " << to_string(dtype);
        ++planted;
    }
    return planted;
}

class VectorMutants : public testing::TestWithParam<std::size_t> {
  protected:
    VectorMutants()
        : config_(configs_for_vectors()[GetParam()]),
          pack_(vectors::pack_of_model(parse_model(config_.json, config_.name))) {}

    NamedConfig config_;
    WrittenPack pack_;
};

TEST_P(VectorMutants, AreKilledByTheirFlagAndNamed) {
    SCOPED_TRACE(config_.name);
    // Each dtype with some of the models, so that the suite stays quick.
    const Dtype dtype = vectors::kResultDtypes[GetParam() % vectors::kResultDtypes.size()];
    EXPECT_GE(try_mutants(pack_, dtype), 15);
}

TEST_P(VectorMutants, RightOnesAreNotAccused) {
    SCOPED_TRACE(config_.name);
    for (const RightRotation& right : right_rotations()) {
        bool differs = false;
        const auto answers = answers_of(pack_.pack(), right.change, {}, right.result, differs);
        EXPECT_FALSE(kill_of(pack_, answers, {}, {}).killed) << right.name;
    }
}

INSTANTIATE_TEST_SUITE_P(Configs, VectorMutants,
                         testing::Range(std::size_t{0}, configs_for_vectors().size()));

TEST(VectorMutantList, CoverEveryFaultOfTheVectors) {
    std::set<std::string> codes;
    for (const FaultyCall& mutant : faulty_rotations()) {
        codes.insert(mutant.codes.begin(), mutant.codes.end());
        EXPECT_EQ(mutant.codes.empty(), !mutant.unnamed.empty()) << mutant.name;
        EXPECT_FALSE(mutant.flags.empty()) << mutant.name;
    }
    for (const faults::RotationFault& fault : faults::rotation_faults()) {
        EXPECT_TRUE(codes.contains(std::string(fault.code))) << fault.code;
    }
}

TEST(VectorMutantList, OfIdsAreKilledAndNamed) {
    vectors::Pack some{.name = "positions"};
    for (vectors::PositionCase& made : vectors::position_pack().positions) {
        if (made.model == "qwen2.5-vl-7b") {
            some.positions.push_back(std::move(made));
        }
    }
    const WrittenPack pack(std::move(some));
    for (const IdMutant& mutant : id_mutants()) {
        bool differs = false;
        const Kill kill =
            kill_of(pack, answers_of(pack.pack(), mutant, differs), mutant.codes, mutant.flags);
        EXPECT_TRUE(kill.by_flag) << mutant.name;
        EXPECT_EQ(kill.named, mutant.unnamed.empty()) << mutant.name;
    }
}

}  // namespace
}  // namespace ropescope::test
