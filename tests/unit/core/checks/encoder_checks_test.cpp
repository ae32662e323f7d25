// The checks of the engine's operations and of the encoder must be able to fail.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/checks/check.h"
#include "tests/support/faulty_ops.h"

namespace ropescope::test {
namespace {

struct OpsFaultCase {
    OpsFault fault;
    std::vector<std::string> caught_by;
};

OpsFault named(std::string name) {
    OpsFault fault;
    fault.name = std::move(name);
    return fault;
}

std::vector<OpsFaultCase> cases() {
    OpsFaultCase no_bias{named("forgets the bias"), {"engine.gemm", "encoder.float64"}};
    no_bias.fault.gemm = [](Linear& linear, Activation&) { linear.bias = {}; };

    OpsFaultCase tanh{named("takes tanh for erf"), {"engine.gemm", "encoder.float64"}};
    tanh.fault.gemm = [](Linear&, Activation& activation) {
        activation = activation == Activation::gelu ? Activation::gelu_tanh : activation;
    };

    OpsFaultCase eps{named("adds eps 1e-3"), {"engine.layer_norm", "encoder.float64"}};
    eps.fault.norm = [](Norm& norm) { norm.eps = 1e-3; };

    OpsFaultCase layout{named("swaps the layouts"), {"encoder.float64"}};
    layout.fault.rotation = [](DeviceRotation& rotation) {
        rotation.layout =
            rotation.layout == Layout::interleaved ? Layout::half_split : Layout::interleaved;
    };

    OpsFaultCase sign{named("turns by the sine alone"),
                      {"encoder.float64", "encoder.shift_invariance"}};
    sign.fault.rotation = [](DeviceRotation& rotation) { rotation.cos = rotation.sin; };

    OpsFaultCase fixed{named("always rotates interleaved"), {"encoder.layouts"}};
    fixed.fault.rotation = [](DeviceRotation& rotation) { rotation.layout = Layout::interleaved; };

    OpsFaultCase mask{named("ignores the mask"),
                      {"engine.attention", "encoder.float64", "encoder.padding", "encoder.alibi",
                       "encoder.t5_bias", "encoder.no_positions"}};
    mask.fault.attention = [](AttentionInputs& inputs) { inputs.added = {}; };

    OpsFaultCase scale{named("forgets the scale"), {"engine.attention", "encoder.float64"}};
    scale.fault.attention = [](AttentionInputs& inputs) { inputs.scale = 1.0; };

    OpsFaultCase ids{named("takes the next row"),
                     {"engine.gather_add", "encoder.float64", "encoder.learned_positions",
                      "encoder.sinusoidal_positions"}};
    ids.fault.ids = [](std::vector<std::int64_t>& rows) { rows[0] = rows[0] == 0 ? 1 : 0; };

    return {no_bias, tanh, eps, layout, sign, fixed, mask, scale, ids};
}

std::vector<std::string> failed_checks(Engine& engine) {
    std::vector<std::string> failed;
    for (const Check& check : all_checks()) {
        const std::string_view family = family_of(check.id);
        if ((family == "engine" || family == "encoder") &&
            check.run({{&engine}}).status == Status::failed) {
            failed.push_back(check.id);
        }
    }
    return failed;
}

TEST(EncoderChecks, SeeEveryFault) {
    for (const OpsFaultCase& wrong : cases()) {
        FaultyOpsEngine engine(wrong.fault);
        EXPECT_THAT(failed_checks(engine), ::testing::IsSupersetOf(wrong.caught_by))
            << wrong.fault.name;
    }
}

TEST(EncoderChecks, HoldOnACorrectEngine) {
    FaultyOpsEngine engine(named("correct"));
    EXPECT_THAT(failed_checks(engine), ::testing::IsEmpty());
}

}  // namespace
}  // namespace ropescope::test
