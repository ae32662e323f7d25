// Matches the tensors of a checkpoint with those that a config needs.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/base/error.h"
#include "core/base/name_list.h"
#include "core/base/printable.h"
#include "core/encoder/tensor_names.h"
#include "core/encoder/weights.h"

namespace ropescope {
namespace {

bool is_float(Dtype dtype) {
    return dtype == Dtype::f32 || dtype == Dtype::f16 || dtype == Dtype::bf16 ||
           dtype == Dtype::f64;
}

/// Tensors that no forward pass reads, left in some checkpoints.
bool is_left_over(const EncoderConfig& config, const std::string& name) {
    const bool encoders = name.starts_with("roformer.");
    return name == "roformer.embeddings.position_ids" || (config.other_head && !encoders);
}

/// What is wrong with a set of tensors, all of it.
struct Complaints {
    std::vector<std::string> missing;
    std::vector<std::string> extra;
    std::vector<std::string> wrong;

    void throw_if_any(const Weights& weights) const {
        std::vector<std::string> parts;
        const auto part = [&](const char* what, const std::vector<std::string>& names) {
            if (!names.empty()) {
                parts.push_back(fmt::format("{} {}: {}", names.size(), what, first_names(names)));
            }
        };
        part("missing", missing);
        part("not of this model", extra);
        part("of another form", wrong);
        if (!parts.empty()) {
            throw InputError(
                fmt::format("{}: tensors do not fit the config: {}; give the weights that belong "
                            "to this config.json",
                            weights.origin(), fmt::join(parts, "; ")));
        }
    }
};

}  // namespace

std::map<std::string, TensorBytes> match_weights(const EncoderConfig& config,
                                                 const Weights& weights) {
    std::map<std::string, TensorBytes> stored;
    std::map<std::string, TensorBytes> matched;
    Complaints complaints;
    for (const TensorBytes& tensor : weights.tensors()) {
        if (!stored.emplace(canonical_name(config, tensor.name), tensor).second) {
            complaints.extra.push_back(printable(tensor.name, kLongestName));
        }
    }
    for (const ExpectedTensor& expected : expected_tensors(config)) {
        const auto found = stored.find(expected.name);
        if (found == stored.end()) {
            if (!expected.optional) {
                complaints.missing.push_back(
                    fmt::format("{} {}", expected.name, shape_text(expected.shape)));
            }
            continue;
        }
        const TensorBytes& tensor = found->second;
        if (tensor.shape != expected.shape || !is_float(tensor.dtype)) {
            complaints.wrong.push_back(
                fmt::format("{} is {} {}, {} is expected", expected.name, to_string(tensor.dtype),
                            shape_text(tensor.shape), shape_text(expected.shape)));
        }
        matched.insert(stored.extract(found));
    }
    for (const auto& [name, tensor] : stored) {
        if (!is_left_over(config, name)) {
            complaints.extra.push_back(fmt::format("{} {}", printable(tensor.name, kLongestName),
                                                   shape_text(tensor.shape)));
        }
    }
    complaints.throw_if_any(weights);
    return matched;
}

}  // namespace ropescope
