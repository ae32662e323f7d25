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

struct Family {
    std::string_view model_type, positions;
};

// By the modeling_<type>.py of Hugging Face transformers; nemotron_h and kimi_linear by
// nemotronh.py of turboderp-org/exllamav3 (rope_settings None) and kimi_linear.py of
// ml-explore/mlx-lm, whose attention beside the recurrent layers turns nothing either.
constexpr std::array kFamilies = {
    Family{"albert", kLearned},
    Family{"bart", kLearned},
    Family{"bert", kLearned},
    Family{"bert-generation", kLearned},
    Family{"bloom", kAlibi},
    Family{"camembert", kLearned},
    Family{"deberta", kBias},
    Family{"deberta-v2", kBias},
    Family{"distilbert", kLearned},
    Family{"electra", kLearned},
    Family{"gpt2", kLearned},
    Family{"gpt_bigcode", kLearned},
    Family{"gpt_neo", kLearned},
    Family{"jamba", kNone},
    Family{"kimi_linear", kNone},
    Family{"longt5", kBias},
    Family{"m2m_100", kSinusoidal},
    Family{"mamba", kNone},
    Family{"mamba2", kNone},
    Family{"marian", kSinusoidal},
    Family{"mbart", kLearned},
    Family{"mpt", kAlibi},
    Family{"mt5", kBias},
    Family{"nemotron_h", kNone},
    Family{"openai-gpt", kLearned},
    Family{"opt", kLearned},
    Family{"pegasus", kSinusoidal},
    Family{"roberta", kLearned},
    Family{"rwkv", kNone},
    Family{"switch_transformers", kBias},
    Family{"t5", kBias},
    Family{"umt5", kBias},
    Family{"xglm", kSinusoidal},
};

}  // namespace

std::string_view positions_without_rope(std::string_view model_type) {
    const auto* const found = std::ranges::find(kFamilies, model_type, &Family::model_type);
    return found == kFamilies.end() ? std::string_view() : found->positions;
}

}  // namespace ropescope
