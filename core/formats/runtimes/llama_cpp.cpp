// llama.cpp, read at commit 571d0d5: its converter loads a file through transformers 4.57.6, which
// its requirements name, and then looks into rope_parameters, too.
#include <algorithm>
#include <fmt/format.h>
#include <utility>

#include "core/formats/runtimes/runtime.h"

namespace ropescope::runtimes {
namespace {

const std::string kConverter = "conversion/base.py";

/// One class of the converter, which stands for one model_type.
struct Converted {
    std::string_view model_type, file, converter;
    Share reads_share = Share::ignored;
    bool has_llama3 = false;  ///< the class writes the factors of Llama 3's scaling
    NoRope no_rope = NoRope::none;
    std::vector<std::string_view> checked = {};
};

std::vector<Converted> conversions() {
    constexpr auto kRead = Share::read;
    constexpr auto kIgnored = Share::ignored;
    return {
        {"llama", "llama", "LlamaModel", kIgnored, true},
        {"mistral", "llama", "LlamaModel", kIgnored, true},
        {"mixtral", "llama", "LlamaModel", kIgnored, true},
        {"qwen2", "qwen", "Qwen2Model"},
        {"qwen2_moe", "qwen", "Qwen2MoeModel"},
        {"qwen3", "qwen", "Qwen3Model"},
        {"qwen3_moe", "qwen", "Qwen3MoeModel"},
        {"gemma", "gemma", "GemmaModel"},
        {"gemma2", "gemma", "Gemma2Model"},
        {"gemma3_text", "gemma", "Gemma3Model"},
        {"phi", "phi", "Phi2Model", kRead},
        {"phi3", "phi", "Phi3MiniModel", kRead, false, NoRope::none, {"longrope", "su"}},
        {"gpt_neox", "gptneox", "GPTNeoXModel", kRead},
        {"stablelm", "stablelm", "StableLMModel", kRead},
        {"cohere", "command_r", "CommandR2Model"},
        {"glm4", "glm", "Glm4Model", kRead},
        {"glm4_moe", "glm", "Glm4MoeModel", kRead},
        {"olmo2", "olmo", "Olmo2Model"},
        {"olmo3", "olmo", "Olmo2Model"},
        {"deepseek_v3", "deepseek", "DeepseekV2Model"},
        {"gpt_oss", "gpt_oss", "GptOssModel"},
        {"smollm3",
         "llama",
         "SmolLM3Model",
         kIgnored,
         false,
         NoRope::every_fourth,
         {"linear", "yarn", "dynamic"}},
        {"granite", "granite", "GraniteModel", kIgnored, true},
        {"starcoder2", "starcoder", "StarCoder2Model"},
    };
}

ScalingRule llama3(Fate fate, Source source) {
    return {.type = "llama3",
            .method = "llama3",
            .optional = {"factor", "low_freq_factor", "high_freq_factor"},
            .original = {"@.original_max_position_embeddings"},
            .fate = fate,
            .source = std::move(source)};
}

std::vector<ScalingRule> llama_cpp_scalings() {
    const Source writer{kConverter, "TextModel.set_gguf_parameters"};
    return {
        {.type = "linear",
         .method = "linear",
         .required = {"factor"},
         .if_incomplete = Fate::ignored,
         .source = writer},
        {.type = "yarn",
         .method = "yarn",
         .required = {"factor"},
         .optional = {"extrapolation_factor", "attention_factor", "attn_factor", "beta_fast",
                      "beta_slow"},
         .original = {"@.original_max_position_embeddings", "original_max_position_embeddings"},
         .if_incomplete = Fate::ignored,
         .source = writer},
        {.type = "dynamic", .method = "dynamic", .fate = Fate::ignored, .source = writer},
        llama3(Fate::ignored, writer),
    };
}

/// What single families write on their own.
std::vector<ScalingRule> own_scalings(const Converted& row, const Family& family) {
    std::vector<ScalingRule> rules;
    if (row.has_llama3) {
        rules.push_back(
            llama3(Fate::applied, {"conversion/llama.py", "LlamaModel.generate_extra_tensors"}));
    }
    if (row.model_type == "deepseek_v3") {
        ScalingRule yarn = llama_cpp_scalings()[1];
        yarn.optional.push_back("mscale_all_dim");
        yarn.source = {"conversion/deepseek.py", "DeepseekV2Model.set_gguf_parameters"};
        rules.push_back(yarn);
    }
    if (row.model_type == "cohere") {
        for (const char* type : {"linear", "yarn", "dynamic", "llama3"}) {
            rules.push_back(
                {.type = type, .method = type, .fate = Fate::ignored, .source = family.model});
        }
    }
    if (row.model_type == "phi3") {
        for (const char* type : {"longrope", "su"}) {
            rules.push_back(
                {.type = type,
                 .method = "longrope",
                 .required = {"short_factor", "long_factor"},
                 .original = {"@.original_max_position_embeddings",
                              "original_max_position_embeddings"},
                 .source = {"conversion/phi.py", "Phi3MiniModel.generate_extra_tensors"}});
        }
    }
    return rules;
}

std::vector<LayerRule> llama_cpp_layers(double full, const Keys& local, double sliding) {
    Keys sliding_keys = {"rope_parameters.sliding_attention.rope_theta"};
    sliding_keys.insert(sliding_keys.end(), local.begin(), local.end());
    return {{"full_attention",
             {"rope_parameters.full_attention", "rope_parameters", "rope_scaling"},
             {"@.rope_theta", "rope_theta"},
             full},
            {"sliding_attention", {}, std::move(sliding_keys), sliding}};
}

Family family_of(const Converted& row, const Runtime& library) {
    Family family = *std::ranges::find(library.families, row.model_type, &Family::model_type);
    family.config = in_library(library, family.config);
    family.model = {fmt::format("conversion/{}.py, src/llama-model.cpp", row.file),
                    fmt::format("{}, llama_model_rope_type", row.converter)};
    family.reads_share = row.reads_share;
    family.no_rope = row.no_rope;
    if (row.no_rope == NoRope::every_fourth) {
        family.no_rope_source = {"src/models/smollm3.cpp", "n_no_rope_layer_step"};
    }
    family.checked = row.checked;
    family.layout_key = {};  // the order of the channels belongs to the architecture
    family.base_keys = {};
    family.scalings = own_scalings(row, family);
    if (row.model_type == "gpt_neox") {
        family.base_keys = {"@.rope_theta", "rotary_emb_base"};
    } else if (row.model_type == "gemma3_text") {
        family.layers = llama_cpp_layers(1e6, {"rope_local_base_freq"}, 1e4);
    } else if (row.model_type == "olmo3") {
        family.layers = llama_cpp_layers(1e4, {"rope_parameters.rope_theta", "rope_theta"}, 1e4);
    }
    return family;
}

}  // namespace

Runtime llama_cpp() {
    const Source gathered{kConverter, "TextModel.__init__"};
    Runtime runtime{.name = "llama.cpp",
                    .repository = "ggml-org/llama.cpp",
                    .version = "2026-07-18",
                    .commit = "571d0d540df04f25298d0e159e520d9fc62ed121",
                    .objects = {{"rope_parameters", "rope_scaling"}, gathered},
                    .base = {{"@.rope_theta", "rope_theta"}, gathered},
                    .share = {{"@.partial_rotary_factor", "partial_rotary_factor"}, gathered},
                    .scalings = llama_cpp_scalings(),
                    .other_scalings = Fate::ignored};
    const Runtime library = transformers_4();
    for (const Converted& row : conversions()) {
        runtime.families.push_back(family_of(row, library));
    }
    return runtime;
}

}  // namespace ropescope::runtimes
