// An encoder and a decoder with each encoding of positions, against PyTorch.
#include <gtest/gtest.h>

#include "core/checks/reference/reference_encoder.h"
#include "core/encoder/tensor_names.h"
#include "tests/support/golden_arrays.h"

namespace ropescope::test {
namespace {

/// The sizes of encodings/make.py.
EncoderConfig made_config(PositionEncoding position, double rotary_share, bool causal) {
    EncoderConfig config;
    config.architecture = Architecture::hugging_face;
    config.vocab_size = 20;
    config.hidden_size = config.embedding_size = 16;
    config.intermediate_size = 24;
    config.type_vocab_size = 2;
    config.n_layers = 2;
    config.n_heads = 2;
    config.max_positions = 128;
    config.activation = Activation::relu;
    config.rope_base = 1e4;
    config.tied_head = true;
    config.position = position;
    config.rotary_share = rotary_share;
    config.causal = causal;
    return config;
}

/// Those of the file that the model has.
Weights weights_of(const EncoderConfig& config, const SafetensorsFile& file) {
    std::vector<Tensor> tensors;
    for (const ExpectedTensor& expected : expected_tensors(config)) {
        if (!expected.optional) {
            const TensorBytes& bytes = file.at(expected.name);
            tensors.push_back({expected.name,
                               bytes.dtype,
                               bytes.shape,
                               {bytes.bytes.begin(), bytes.bytes.end()}});
        }
    }
    return Weights::from_tensors(std::move(tensors), "golden");
}

struct Named {
    std::string name;
    PositionEncoding position = PositionEncoding::rope;
    double rotary_share = 1.0;
    double base = 1e4;
};

class GoldenEncodings : public ::testing::TestWithParam<Named> {};

TEST_P(GoldenEncodings, AgreeWithPyTorch) {
    const SafetensorsFile file = open_golden("encodings/weights.safetensors");
    const SafetensorsFile logits = open_golden("encodings/logits.safetensors");
    const std::vector<double> ids = to_f64(logits.at("ids"));
    EncoderInput input;
    input.shape = {1, std::ssize(ids)};
    for (const double id : ids) {
        input.ids.push_back(static_cast<Index>(id));
    }
    const Named& given = GetParam();
    for (const bool causal : {false, true}) {
        const EncoderConfig config = made_config(given.position, given.rotary_share, causal);
        const Weights weights = weights_of(config, file);
        EncoderRope rope;
        rope.base = given.base;
        const ReferenceTrace reference = reference_forward(config, weights, input, rope);
        const std::unique_ptr<Engine> engine = make_cpu_engine(2);
        const Trace trace = Encoder(*engine, config, weights)
                                .forward(input, {rope, TraceRequest::everything(), {}});
        const std::vector<double> expected =
            to_f64(logits.at((causal ? "causal-" : "") + given.name));
        ASSERT_EQ(expected.size(), reference.logits.value.size());
        for (std::size_t i = 0; i < expected.size(); ++i) {
            // PyTorch computes in fp32, too, so its errors have the same bound as ours.
            const double bound = reference.logits.bound(i);
            ASSERT_NEAR(expected[i], reference.logits.value[i], bound) << "logit " << i;
            ASSERT_NEAR(trace.logits.values()[i], reference.logits.value[i], bound)
                << "logit " << i;
            ASSERT_LT(bound, 1e-3);  // so that another encoding would be seen
        }
    }
}

INSTANTIATE_TEST_SUITE_P(All, GoldenEncodings,
                         ::testing::Values(Named{"rope"},
                                           Named{"rope100", PositionEncoding::rope, 1.0, 100.0},
                                           Named{"partial", PositionEncoding::rope, 0.25},
                                           Named{"sinusoidal", PositionEncoding::sinusoidal},
                                           Named{"learned", PositionEncoding::learned},
                                           Named{"t5", PositionEncoding::t5},
                                           Named{"alibi", PositionEncoding::alibi},
                                           Named{"none", PositionEncoding::none}),
                         [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace ropescope::test
