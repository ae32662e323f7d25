// The families without RoPE, and what they have instead.
#include <algorithm>
#include <array>

#include "core/formats/family_of.h"

namespace ropescope {
namespace {

constexpr std::string_view kLearned = "it learns a vector for each position";
constexpr std::string_view kSinusoidal = "it adds a sinusoidal vector for each position";
constexpr std::string_view kBias = "it learns a bias for each distance";
constexpr std::string_view kAlibi = "it has ALiBi, a slope over the distance";
constexpr std::string_view kNone = "its layers know the order by recurrence";

struct NoRopeFamily {
    std::string_view model_type, positions;
};

// By the modeling_<type>.py of Hugging Face transformers; nemotron_h and kimi_linear by
// nemotronh.py of turboderp-org/exllamav3 (rope_settings None) and kimi_linear.py of
// ml-explore/mlx-lm, whose attention beside the recurrent layers turns nothing either.
constexpr std::array kNoRopeFamilies = {
    NoRopeFamily{"albert", kLearned},
    NoRopeFamily{"bart", kLearned},
    NoRopeFamily{"bert", kLearned},
    NoRopeFamily{"bert-generation", kLearned},
    NoRopeFamily{"bloom", kAlibi},
    NoRopeFamily{"camembert", kLearned},
    NoRopeFamily{"deberta", kBias},
    NoRopeFamily{"deberta-v2", kBias},
    NoRopeFamily{"distilbert", kLearned},
    NoRopeFamily{"electra", kLearned},
    NoRopeFamily{"gpt2", kLearned},
    NoRopeFamily{"gpt_bigcode", kLearned},
    NoRopeFamily{"gpt_neo", kLearned},
    NoRopeFamily{"jamba", kNone},
    NoRopeFamily{"kimi_linear", kNone},
    NoRopeFamily{"longt5", kBias},
    NoRopeFamily{"m2m_100", kSinusoidal},
    NoRopeFamily{"mamba", kNone},
    NoRopeFamily{"mamba2", kNone},
    NoRopeFamily{"marian", kSinusoidal},
    NoRopeFamily{"mbart", kLearned},
    NoRopeFamily{"mpt", kAlibi},
    NoRopeFamily{"mt5", kBias},
    NoRopeFamily{"nemotron_h", kNone},
    NoRopeFamily{"openai-gpt", kLearned},
    NoRopeFamily{"opt", kLearned},
    NoRopeFamily{"pegasus", kSinusoidal},
    NoRopeFamily{"roberta", kLearned},
    NoRopeFamily{"rwkv", kNone},
    NoRopeFamily{"switch_transformers", kBias},
    NoRopeFamily{"t5", kBias},
    NoRopeFamily{"umt5", kBias},
    NoRopeFamily{"xglm", kSinusoidal},
};

}  // namespace

std::string_view positions_without_rope(std::string_view model_type) {
    const auto* const found =
        std::ranges::find(kNoRopeFamilies, model_type, &NoRopeFamily::model_type);
    return found == kNoRopeFamilies.end() ? std::string_view() : found->positions;
}

}  // namespace ropescope
