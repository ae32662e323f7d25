// Finding, reading and refusing the weights of an encoder.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/base/write_file.h"
#include "core/encoder/encoder.h"
#include "core/encoder/tensor_names.h"
#include "core/formats/safetensors.h"
#include "tests/support/input_error.h"
#include "tests/support/temp_folder.h"

namespace ropescope::test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

EncoderConfig hugging_face(std::int64_t embedding_size = 8) {
    EncoderConfig config;
    config.architecture = Architecture::hugging_face;
    config.vocab_size = 12;
    config.embedding_size = embedding_size;
    config.hidden_size = 8;
    config.intermediate_size = 16;
    config.type_vocab_size = 2;
    config.n_layers = 1;
    config.n_heads = 2;
    config.max_positions = 6;
    config.rope_base = 1e4;
    config.tied_head = true;
    return config;
}

const char* const kConfigJson =
    R"({"model_type": "roformer", "vocab_size": 12, "hidden_size": 8, "intermediate_size": 16,
        "num_hidden_layers": 1, "num_attention_heads": 2, "max_position_embeddings": 6})";

/// The model's weights, each handed to `change` first; an empty name leaves a tensor out.
template <typename Change>
std::vector<Tensor> changed_tensors(const EncoderConfig& config, Change change) {
    std::vector<Tensor> tensors;
    const Weights drawn = random_weights(config, 3, 1);
    for (const TensorBytes& bytes : drawn.tensors()) {
        Tensor tensor{
            bytes.name, bytes.dtype, bytes.shape, {bytes.bytes.begin(), bytes.bytes.end()}};
        change(tensor);
        if (!tensor.name.empty()) {
            tensors.push_back(std::move(tensor));
        }
    }
    return tensors;
}

std::vector<Tensor> tensors_of(const EncoderConfig& config) {
    return changed_tensors(config, [](Tensor&) {});
}

std::vector<float> logits(const EncoderConfig& config, const Weights& weights) {
    const std::unique_ptr<Engine> engine = make_cpu_engine(1);
    EncoderInput input;
    input.shape = {1, 3};
    input.ids = {4, 0, 11};
    const Trace trace = Encoder(*engine, config, weights).forward(input);
    return {trace.logits.values().begin(), trace.logits.values().end()};
}

TEST(Weights, AFolderAsHuggingFaceSavesIt) {
    const TempFolder folder;
    write_file_whole(folder / "config.json", kConfigJson);
    write_safetensors(folder / "model.safetensors", tensors_of(hugging_face()));
    const EncoderFiles files = open_encoder(folder.path());
    EXPECT_EQ(files.config, hugging_face());
    EXPECT_EQ(logits(files.config, files.weights),
              logits(hugging_face(), random_weights(hugging_face(), 3)));
}

TEST(Weights, ShardsNamedByAnIndex) {
    const TempFolder folder;
    write_file_whole(folder / "config.json", kConfigJson);
    const std::vector<Tensor> all = tensors_of(hugging_face());
    std::string map;
    for (std::size_t i = 0; i < all.size(); ++i) {
        map += (i == 0 ? "\"" : ",\"") + all[i].name + "\":\"part-" + (i < 5 ? "1" : "2") +
               ".safetensors\"";
    }
    write_safetensors(folder / "part-1.safetensors", std::span(all).first(5));
    write_safetensors(folder / "part-2.safetensors", std::span(all).subspan(5));
    const auto index = folder / "model.safetensors.index.json";
    write_file_whole(index, R"({"weight_map": {)" + map + "}}");
    const EncoderFiles files = open_encoder(folder.path());
    EXPECT_EQ(logits(files.config, files.weights),
              logits(hugging_face(), random_weights(hugging_face(), 3)));

    write_file_whole(index, R"({"weight_map": {)" + map + R"(,"lost":"part-2.safetensors"}})");
    EXPECT_THAT(input_error([&] { Weights::open(folder.path()); }),
                HasSubstr("the index names a tensor that its file does not hold: lost (part-2"));
    write_file_whole(index, R"({"weight_map": {"a": "../part-1.safetensors"}})");
    EXPECT_THAT(input_error([&] { Weights::open(folder.path()); }),
                HasSubstr("'a': the name of a file beside the index is expected"));
    write_file_whole(index, R"({"weight_map": {"a": ".."}})");
    EXPECT_THAT(input_error([&] { Weights::open(folder.path()); }),
                HasSubstr("'a': the name of a file beside the index is expected"));
    write_file_whole(index, R"({"weight_map": {"a": "x.safetensors", "b": "y.safetensors"}})");
    EXPECT_THAT(input_error([&] { Weights::open(folder.path()); }),
                HasSubstr("2 of the 2 files that the index names are not there: x.safetensors, y"));
    write_file_whole(index, R"({"weight_map": {"a": 3}})");
    EXPECT_THAT(input_error([&] { Weights::open(folder.path()); }),
                HasSubstr("'a': the name of a file beside the index is expected, not 3"));
    write_file_whole(index, R"({"weight_map": {}})");
    EXPECT_THAT(input_error([&] { Weights::open(folder.path()); }),
                HasSubstr("weight_map: is empty; an object from tensor to file is expected"));
}

TEST(Weights, ATensorInAnotherShardThanTheIndexSaysIsRefused) {
    const TempFolder folder;
    const std::vector<Tensor> all = tensors_of(hugging_face());
    write_safetensors(folder / "1.safetensors", std::span(all).first(1));
    write_safetensors(folder / "2.safetensors", std::span(all).subspan(1, 1));
    write_file_whole(folder / "model.safetensors.index.json",
                     R"({"weight_map": {")" + all[0].name + R"(": "2.safetensors", ")" +
                         all[1].name + R"(": "1.safetensors"}})");
    EXPECT_THAT(input_error([&] { Weights::open(folder.path()); }),
                HasSubstr("the index names tensors that its files do not hold: "));
}

TEST(Weights, HalfPrecisionIsWidened) {
    const EncoderConfig config = hugging_face();
    const std::vector<float> exact = logits(config, random_weights(config, 3));
    for (const Dtype dtype : {Dtype::f16, Dtype::bf16, Dtype::f64}) {
        const Weights rounded = Weights::from_tensors(
            changed_tensors(config,
                            [&](Tensor& tensor) {
                                tensor = make_tensor_as(dtype, tensor.name, tensor.shape,
                                                        to_f64(tensor.view()));
                            }),
            "rounded");
        double largest = 0.0;
        const std::vector<float> found = logits(config, rounded);
        for (std::size_t i = 0; i < exact.size(); ++i) {
            largest = std::max(largest, static_cast<double>(std::abs(found[i] - exact[i])));
        }
        if (dtype == Dtype::f64) {
            EXPECT_EQ(largest, 0.0);
        } else {
            EXPECT_GT(largest, 0.0);
            EXPECT_LT(largest, 0.1) << "bf16 keeps 8 bits";
        }
    }
}

TEST(Weights, OtherNamesForTheSame) {
    const EncoderConfig config = hugging_face(4);
    const Weights renamed = Weights::from_tensors(
        changed_tensors(config,
                        [](Tensor& tensor) {
                            const std::string start = "roformer.";
                            if (tensor.name.starts_with(start)) {
                                tensor.name.erase(0, start.size());
                            }
                            const std::size_t norm = tensor.name.rfind("LayerNorm.weight");
                            if (norm != std::string::npos) {
                                tensor.name.replace(norm, std::string::npos, "LayerNorm.gamma");
                            }
                        }),
        "renamed");
    EXPECT_EQ(logits(config, renamed), logits(config, random_weights(config, 3)));
}

TEST(Weights, EverythingThatDoesNotFitIsListedAtOnce) {
    const EncoderConfig config = hugging_face();
    std::vector<Tensor> tensors = changed_tensors(config, [](Tensor& tensor) {
        if (tensor.name.ends_with("query.bias") || tensor.name.ends_with("key.bias")) {
            tensor.name.clear();
        } else if (tensor.name.ends_with("value.bias")) {
            tensor.shape = {2, 4};
        } else if (tensor.name.ends_with("query.weight")) {
            tensor = make_tensor(tensor.name, tensor.shape, std::vector<std::int64_t>(64, 1));
        }
    });
    tensors.push_back(make_tensor("stranger", {1}, std::vector<float>{1.0F}));
    const std::string message =
        input_error([&] { match_weights(config, Weights::from_tensors(tensors, "model")); });
    EXPECT_THAT(message, HasSubstr("model: tensors do not fit the config: 2 missing: "));
    EXPECT_THAT(message, HasSubstr("self.query.bias [8], "));
    EXPECT_THAT(message, HasSubstr("self.key.bias [8]; 1 not of this model: stranger [1]; 2 of"));
    EXPECT_THAT(message, HasSubstr("query.weight is I64 [8, 8], [8, 8] is expected"));
    EXPECT_THAT(message, HasSubstr("value.bias is F32 [2, 4], [8] is expected"));
}

TEST(Weights, OtherHeadsAreLeftUnread) {
    EncoderConfig config = hugging_face();
    config.has_head = config.tied_head = false;
    std::vector<Tensor> tensors = tensors_of(config);
    tensors.push_back(make_tensor("classifier.weight", {1}, std::vector<float>{1.0F}));
    const Weights weights = Weights::from_tensors(tensors, "model");
    EXPECT_THAT(input_error([&] { match_weights(config, weights); }), HasSubstr("classifier"));
    config.other_head = true;
    EXPECT_NO_THROW(match_weights(config, weights));
}

TEST(Weights, APickleIsRefusedWithTheWayOut) {
    const TempFolder folder;
    write_file_whole(folder / "pytorch_model.bin", "\x80");
    for (const auto& path : {folder.path(), folder / "pytorch_model.bin"}) {
        EXPECT_THAT(
            input_error([&] { Weights::open(path); }),
            AllOf(HasSubstr("convert it in its folder with: python3 -c \"import glob, "
                            "torch; from safetensors.torch import save_file; save_file({k: "),
                  HasSubstr("glob.glob('pytorch_model.bin')")));
    }
    std::filesystem::remove(folder / "pytorch_model.bin");
    write_file_whole(folder / "pytorch_model.bin.index.json", "{}");
    EXPECT_THAT(input_error([&] { Weights::open(folder.path()); }),
                HasSubstr("glob.glob('pytorch_model-*.bin')"));
    const TempFolder empty;
    EXPECT_THAT(input_error([&] { Weights::open(empty.path()); }),
                HasSubstr("contains no weights; model.safetensors, "));
}

TEST(Weights, StayWhereTheyAre) {
    const Weights weights = random_weights(hugging_face(), 3);
    const TensorBytes& first = weights.tensors().front();
    EXPECT_EQ(static_cast<const void*>(weights.floats(first.name).values.data()),
              static_cast<const void*>(first.bytes.data()));
}

TEST(RandomWeights, HaveTheSpreadOfPyTorchsLayers) {
    EncoderConfig config;
    config.vocab_size = 500;
    config.n_layers = 1;
    const Weights weights = random_weights(config, 1);
    const auto variance = [&](const char* name) {
        double sum = 0.0;
        const std::vector<double> values = to_f64(*weights.find(name));
        for (const double value : values) {
            sum += value * value;
        }
        return sum / to_double(std::ssize(values));
    };
    // The variance of so many squares is below (2 / count)^0.5 of it: within 1 %.
    EXPECT_NEAR(variance("token_embeddings.weight"), 1.0, 0.01);
    EXPECT_NEAR(variance("layers.0.feed_forward.c_fc.weight"), 1.0 / 3.0 / 768.0, 0.01 / 768.0);
    EXPECT_EQ(variance("layers.0.ffn_norm.weight"), 1.0);
    EXPECT_EQ(logits(hugging_face(), random_weights(hugging_face(), 1, 1)),
              logits(hugging_face(), random_weights(hugging_face(), 1, 2)));
    EXPECT_NE(logits(hugging_face(), random_weights(hugging_face(), 1)),
              logits(hugging_face(), random_weights(hugging_face(), 2)));
}

}  // namespace
}  // namespace ropescope::test
