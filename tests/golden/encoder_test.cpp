// Both encoders on real weights: every traced tensor against the frameworks' own float64 run.
#include "core/encoder/encoder.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "core/base/file.h"
#include "core/checks/reference/reference_encoder.h"
#include "core/encoder/tensor_names.h"
#include "tests/support/golden_arrays.h"
#include "tests/support/paths.h"

namespace ropescope::test {
namespace {

/// What the task allows fp32 to differ from float64 on these models.
constexpr double kTolerance = 2e-5;

class GoldenEncoder {
  public:
    explicit GoldenEncoder(const std::string& folder)
        : files_(open_encoder(source_dir() + "/tests/golden/" + folder)),
          encoder_(*engine_, files_.config, files_.weights),
          given_(open_golden(folder + "/inputs.safetensors")) {}

    EncoderInput input(const std::string& ids = "input_ids") const {
        const TensorBytes& tensor = given_.at(ids);
        EncoderInput input;
        input.shape = {tensor.shape[0], tensor.shape[1]};
        input.ids = to_i64(tensor);
        return input;
    }
    EncoderInput masked_input() const {
        EncoderInput masked = input();
        masked.mask = make_attention_mask(given_.at("attention_mask"), masked.shape.batch,
                                          masked.shape.positions);
        return masked;
    }
    std::vector<std::int64_t> given_ids(const std::string& name) const {
        return to_i64(given_.at(name));
    }
    Trace trace(const EncoderInput& in, EncoderRope rope = {}) const {
        return encoder_.forward(in, {std::move(rope), TraceRequest::everything(), {}});
    }

  private:
    std::unique_ptr<Engine> engine_ = make_cpu_engine(2);
    EncoderFiles files_;
    Encoder encoder_;
    SafetensorsFile given_;
};

/// [batch, positions, heads, head_dim] with the middle axes changed, as the notebook keeps q and k.
nd::Array positions_first(const nd::Array& x) {
    nd::Array y = x;
    y.shape = {x.shape[0], x.shape[2], x.shape[1], x.shape[3]};
    std::size_t at = 0;
    for (std::int64_t b = 0; b < y.shape[0]; ++b) {
        for (std::int64_t l = 0; l < y.shape[1]; ++l) {
            for (std::int64_t h = 0; h < y.shape[2]; ++h) {
                for (std::int64_t c = 0; c < y.shape[3]; ++c) {
                    const std::int64_t from =
                        ((b * y.shape[2] + h) * y.shape[1] + l) * y.shape[3] + c;
                    y.values[at++] = x.values[from];
                }
            }
        }
    }
    return y;
}

nd::Array array_of_trace(const TraceTensor& tensor) {
    const auto values = tensor.values();
    return nd::make(NumberFormat::fp32, tensor.shape,
                    std::vector<double>(values.begin(), values.end()));
}

void expect_near(const SafetensorsFile& file, const std::string& name, const nd::Array& found,
                 double tolerance = kTolerance) {
    EXPECT_LE(largest_difference(found, golden_array(file, name)), tolerance) << name;
}

void expect_notebook(const Trace& trace, const SafetensorsFile& file, double tolerance) {
    const auto expect = [&](const std::string& name, const nd::Array& found) {
        expect_near(file, name, found, tolerance);
    };
    expect("embeddings", array_of_trace(trace.hidden[0]));
    for (std::size_t i = 0; i < trace.layers.size(); ++i) {
        const std::string layer = "layer" + std::to_string(i) + ".";
        expect(layer + "q_rot", positions_first(array_of_trace(trace.layers[i].q_rot)));
        expect(layer + "k_rot", positions_first(array_of_trace(trace.layers[i].k_rot)));
        expect(layer + "scores_premask", array_of_trace(trace.layers[i].scores));
        expect(layer + "probs", array_of_trace(trace.layers[i].probs));
        expect(layer + "output", array_of_trace(trace.hidden[i + 1]));
    }
    expect("logits", array_of_trace(trace.logits));
}

TEST(GoldenEncoder, NotebookAgainstFloat64) {
    const GoldenEncoder model("seed000");
    const Trace plain = model.trace(model.input());
    ASSERT_EQ(plain.layers.size(), 2U);
    expect_notebook(plain, open_golden("seed000/nomask_f64.safetensors"), kTolerance);
    expect_notebook(model.trace(model.masked_input()),
                    open_golden("seed000/padmask_f64.safetensors"), kTolerance);
}

TEST(GoldenEncoder, NotebookAsWrittenWithItsBf16Table) {
    const GoldenEncoder model("seed000");
    EncoderRope bf16;
    bf16.table_dtype = NumberFormat::bf16;
    // Both sides are fp32 now, and each may be as far from float64.
    expect_notebook(model.trace(model.masked_input(), bf16),
                    open_golden("seed000/padmask_bf16cache.safetensors"), 2 * kTolerance);
}

TEST(GoldenEncoder, NotebookAtShiftedPositions) {
    const GoldenEncoder model("seed000");
    const SafetensorsFile file = open_golden("seed000/seq10_inputpos_f32cache.safetensors");
    EncoderInput input;
    input.ids = to_i64(file.at("input_ids"));
    input.shape = {2, 10};
    for (const char* which : {"a", "b"}) {
        input.positions = {to_i64(file.at(std::string("input_pos_") + which)), {10}};
        expect_near(file, std::string("logits_") + which, array_of_trace(model.trace(input).logits),
                    2 * kTolerance);
    }
}

/// The shifts do not cancel in bf16: both runs have their own logits.
TEST(GoldenEncoder, NotebookAtShiftedPositionsWithItsBf16Table) {
    const GoldenEncoder model("seed000");
    const SafetensorsFile file = open_golden("seed000/seq10_inputpos_bf16cache.safetensors");
    EncoderInput input;
    input.ids = to_i64(file.at("input_ids"));
    input.shape = {2, 10};
    EncoderRope bf16;
    bf16.table_dtype = NumberFormat::bf16;
    for (const char* which : {"a", "b"}) {
        input.positions = {to_i64(file.at(std::string("input_pos_") + which)), {10}};
        expect_near(file, std::string("logits_") + which,
                    array_of_trace(model.trace(input, bf16).logits), 2 * kTolerance);
    }
    EXPECT_GT(largest_difference(golden_array(file, "logits_a"), golden_array(file, "logits_b")),
              10 * kTolerance);
}

void expect_hugging_face(const std::string& folder) {
    const GoldenEncoder model(folder);
    EncoderInput input = model.masked_input();
    input.type_ids = model.given_ids("token_type_ids");
    const Trace trace = model.trace(input);
    const SafetensorsFile file = open_golden(folder + "/outputs_f64.safetensors");
    ASSERT_EQ(trace.hidden.size(), 3U);
    expect_near(file, "hidden_states.0", array_of_trace(trace.hidden[0]));
    for (std::size_t i = 0; i < trace.layers.size(); ++i) {
        const std::string number = std::to_string(i);
        expect_near(file, "q_rot." + number, array_of_trace(trace.layers[i].q_rot));
        expect_near(file, "k_rot." + number, array_of_trace(trace.layers[i].k_rot));
        expect_near(file, "scores_premask." + number, array_of_trace(trace.layers[i].scores));
        expect_near(file, "attentions." + number, array_of_trace(trace.layers[i].probs));
        expect_near(file, "hidden_states." + std::to_string(i + 1),
                    array_of_trace(trace.hidden[i + 1]));
    }
    expect_near(file, "logits", array_of_trace(trace.logits));
}

TEST(GoldenEncoder, HuggingFaceAgainstFloat64) {
    expect_hugging_face("hf_roformer_base");
}

TEST(GoldenEncoder, HuggingFaceWithRotatedValuesAndNarrowEmbeddings) {
    expect_hugging_face("hf_roformer_variant");
}

TEST(GoldenEncoder, HuggingFaceWithoutMaskAndTypes) {
    const GoldenEncoder model("hf_roformer_base");
    const SafetensorsFile file =
        open_golden("hf_roformer_base/outputs_nomask_notype_f32.safetensors");
    const Trace trace = model.trace(model.input());
    expect_near(file, "hidden_states.2", array_of_trace(trace.hidden[2]), 2 * kTolerance);
    expect_near(file, "logits", array_of_trace(trace.logits), 2 * kTolerance);
}

TEST(GoldenEncoder, ReferenceInDoubleIsTheFrameworksFloat64) {
    const std::string folder = source_dir() + "/tests/golden/";
    const EncoderFiles notebook = open_encoder(folder + "seed000");
    const GoldenEncoder model("seed000");
    ReferenceTrace trace = reference_forward(notebook.config, notebook.weights, model.input());
    const nd::Array expected =
        golden_array(open_golden("seed000/nomask_f64.safetensors"), "logits");
    trace.logits.shape = expected.shape;
    // Two float64 paths of some thousand operations on numbers of about 10.
    EXPECT_LE(largest_difference(nd::make(NumberFormat::fp64, expected.shape, trace.logits.value),
                                 expected),
              1e4 * 10 * 0x1p-53);
}

TEST(GoldenEncoder, ParameterTableOfTheRealConfiguration) {
    const std::string path = source_dir() + "/tests/golden/seed000/param_table_real_config.json";
    const nlohmann::json expected = nlohmann::json::parse(read_file(path));
    const ParameterTable table = parameter_table({}, 4, 1024);
    ASSERT_EQ(table.rows.size(), expected["rows"].size());
    for (std::size_t i = 0; i < table.rows.size(); ++i) {
        const nlohmann::json& row = expected["rows"][i];
        EXPECT_EQ(table.rows[i].layer, row["layer"].get<std::string>());
        EXPECT_EQ(table.rows[i].parameters.has_value(), !row["params"].is_null());
        if (table.rows[i].parameters) {
            EXPECT_EQ(*table.rows[i].parameters, row["params"]);
        }
    }
    EXPECT_EQ(table.total, expected["total"]);
    EXPECT_EQ(table.rows[0].output_shape, (std::vector<std::int64_t>{4, 1024, 32000}));
}

TEST(GoldenEncoder, ParametersOfHuggingFacesModel) {
    const EncoderFiles files = open_encoder(source_dir() + "/tests/golden/hf_roformer_base");
    EXPECT_EQ(parameter_table(files.config, 2, 11).total, 20242) << "model.num_parameters()";
}

}  // namespace
}  // namespace ropescope::test
