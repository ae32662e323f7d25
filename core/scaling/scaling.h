// The scaling of a rotary encoding as a value: the parameters of one of the methods. What all
// methods do with theirs stands in method.h, and what one does in the source of its name.
// Sources: no_scaling.cpp, linear.cpp, llama3.cpp, longrope.cpp; ntk.h, yarn.h and proportional.h
// have more than a description.
#pragma once

#include <cstdint>
#include <optional>
#include <variant>
#include <vector>

namespace ropescope {

/// How a method describes itself (method.h).
template <typename Method>
struct Description;

/// Hugging Face's rope type "default".
struct NoScaling {
    bool operator==(const NoScaling&) const = default;
    static const Description<NoScaling>& description();
};

/// inv_freq'[i] = inv_freq[i] / factor: position m is read as m / factor.
struct LinearScaling {
    double factor = 1.0;  ///< >= 1
    bool operator==(const LinearScaling&) const = default;
    static const Description<LinearScaling>& description();
};

/// base' = base * factor^(rotary_dim / (rotary_dim - 2)): the slowest pair slows down by exactly
/// `factor`, the fastest not at all. Needs rotary_dim > 2.
struct NtkScaling {
    double factor = 1.0;  ///< >= 1
    bool operator==(const NtkScaling&) const = default;
    static const Description<NtkScaling>& description();
};

/// base' = base * (factor * L / N - (factor - 1))^(rotary_dim / (rotary_dim - 2)) with N the
/// original length and L = max(seq_len, N): no change up to N, then growing with the sequence.
/// Keys cached at a shorter length were rotated with an older base (transformers#25104).
struct DynamicNtkScaling {
    double factor = 1.0;                  ///< >= 1
    std::int64_t original_positions = 0;  ///< max_position_embeddings
    bool operator==(const DynamicNtkScaling&) const = default;
    static const Description<DynamicNtkScaling>& description();
};

/// With r(i) = clamp((i - low) / (high - low), 0, 1) over the pairs:
///   inv_freq'[i] = inv_freq[i] / factor * r(i) + inv_freq[i] * (1 - r(i))
/// Pairs that turn more than beta_fast times within the original length keep their speed, pairs
/// that turn less than beta_slow times are interpolated, and a ramp lies between.
struct YarnScaling {
    double factor = 1.0;  ///< >= 1
    std::int64_t original_positions = 0;
    double beta_fast = 32.0;  ///< turns within the original length at the ramp's fast end
    double beta_slow = 1.0;   ///< the same at its slow end
    bool truncate = true;     ///< the ramp's ends are rounded outwards to whole pairs
    std::optional<double> attention_factor = std::nullopt;  ///< given outright; computed otherwise
    std::optional<double> mscale = std::nullopt;
    std::optional<double> mscale_all_dim = std::nullopt;
    /// DeepSeek multiplies the softmax scale by get_mscale(factor, mscale_all_dim)^2; others do
    /// not.
    bool scales_softmax = false;
    bool operator==(const YarnScaling&) const = default;
    static const Description<YarnScaling>& description();
};

/// With the original length N and wavelength w of a pair:
///   w < N / high_freq_factor: unchanged;  w > N / low_freq_factor: inv_freq / factor;  between,
///   with s = (N / w - low) / (high - low): inv_freq' = (1 - s) inv_freq / factor + s inv_freq.
struct Llama3Scaling {
    double factor = 8.0;  ///< >= 1
    double low_freq_factor =
        1.0;  ///< turns within the original length below which a pair is interpolated
    double high_freq_factor = 4.0;  ///< turns above which it is left alone; > low_freq_factor
    std::int64_t original_positions = 8192;
    bool operator==(const Llama3Scaling&) const = default;
    static const Description<Llama3Scaling>& description();
};

/// inv_freq'[i] = inv_freq[i] / f[i], f = long_factor for sequences longer than the original
/// length, short_factor otherwise (also if the length is not known).
struct LongRopeScaling {
    std::vector<double> short_factor;  ///< [pairs]
    std::vector<double> long_factor;   ///< [pairs]
    std::int64_t original_positions = 0;
    /// Target length over original length. It determines only the attention factor.
    double factor = 1.0;
    std::optional<double> attention_factor = std::nullopt;  ///< given outright; computed otherwise
    /// Phi-3.5-MoE: the attention factor up to the original length and beyond it.
    std::optional<double> short_mscale = std::nullopt, long_mscale = std::nullopt;
    bool operator==(const LongRopeScaling&) const = default;
    static const Description<LongRopeScaling>& description();
};

/// The exponents run over head_dim, not over the rotated width: inv_freq[i] = base^(-2i / head_dim)
/// / factor for the first floor(partial_rotary_factor * head_dim / 2) pairs, and 0 (no rotation)
/// for the rest. The pairs span the whole head, so rotary_dim must equal head_dim.
struct ProportionalScaling {
    double partial_rotary_factor = 1.0;  ///< above 0, at most 1
    double factor = 1.0;                 ///< >= 1
    bool operator==(const ProportionalScaling&) const = default;
    static const Description<ProportionalScaling>& description();
};

/// The one list of the scaling methods, in the order in which people see them.
using Scaling = std::variant<NoScaling, LinearScaling, NtkScaling, DynamicNtkScaling, YarnScaling,
                             Llama3Scaling, LongRopeScaling, ProportionalScaling>;

}  // namespace ropescope
