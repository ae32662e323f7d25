// Reads the parts of a model that an implementation can be held to.
#include "core/probe/subject.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/base/error.h"
#include "core/base/printable.h"
#include "core/formats/model_config.h"
#include "core/formats/model_presets.h"
#include "core/formats/published_config.h"
#include "core/formats/schemes/model_schemes.h"
#include "core/schemes/direction.h"

namespace ropescope::probe {
namespace {

Index farthest(std::int64_t max_positions) {
    return max_positions > 0 ? std::min<Index>(max_positions - 1, kFarthest) : kFarthest;
}

Subject text_subject(const std::string& name, std::string part, const RopeSpec& spec,
                     const ModelConfig& model) {
    Subject subject = subject_of(spec, name, model.turns_backwards);
    subject.part = std::move(part);
    subject.softmax_scale = model.softmax_scale;
    subject.max_position = farthest(model.max_positions);
    return subject;
}

/// A text in one axis: one subject for each type of layer that turns in its own way.
std::vector<Subject> text_subjects(const std::string& name, const ModelConfig& model) {
    std::vector<Subject> subjects;
    subjects.reserve(model.layer_ropes.size() + 1);
    for (const LayerRope& layer : model.layer_ropes) {
        subjects.push_back(text_subject(name, layer.layer_type, layer.rope, model));
    }
    // The type that the model calls its own first.
    std::ranges::stable_partition(
        subjects, [&](const Subject& subject) { return *subject.spec == model.rope; });
    if (subjects.empty()) {
        subjects.push_back(text_subject(name, "text", model.rope, model));
    }
    return subjects;
}

}  // namespace

Subject subject_of(const RopeSpec& spec, std::string name, bool backwards) {
    return {.name = std::move(name),
            .part = "text",
            .spec = spec,
            .backwards = backwards,
            .scheme = text_scheme(spec, backwards)};
}

Subject subject_of(const RotaryScheme& scheme, std::string name) {
    validate(scheme);
    return {.name = std::move(name), .part = "text", .scheme = scheme};
}

std::vector<Subject> parse_subjects(const std::string& json, const std::string& origin) {
    std::vector<Subject> subjects;
    for (const ModelScheme& part : parse_model_schemes(json, origin)) {
        if (part.part == "text" && part.scheme.axes.size() == 1) {
            subjects = text_subjects(origin, parse_model_config(json, origin));
        } else {
            Subject subject = subject_of(part.scheme, origin);
            subject.part = part.part;
            subjects.push_back(std::move(subject));
        }
    }
    return subjects;
}

std::vector<Subject> read_subjects(const std::string& name_or_path) {
    if (const ModelConfig* preset = find_model_preset(name_or_path)) {
        return text_subjects(name_or_path, *preset);
    }
    const ConfigText config = config_of_model(name_or_path);
    return parse_subjects(config.text, config.origin);
}

const Subject& subject_named(std::span<const Subject> subjects, std::string_view part) {
    if (part.empty() && !subjects.empty()) {
        return subjects.front();
    }
    const auto found = std::ranges::find(subjects, part, &Subject::part);
    if (found == subjects.end()) {
        std::vector<std::string> names;
        std::ranges::transform(subjects, std::back_inserter(names), &Subject::part);
        throw InputError(fmt::format("part {} is not one of the model's; it has {}",
                                     in_quotes(part), fmt::join(names, ", ")));
    }
    return *found;
}

diagnosis::Expectation expectation_of(const Subject& subject, Index reach) {
    diagnosis::Expectation expectation{.name = subject.name,
                                       .backwards = subject.backwards,
                                       .softmax_scale = subject.softmax_scale};
    if (subject.spec) {
        RopeSpec spec = *subject.spec;
        spec.seq_len = reach;
        expectation.specs = {spec};
    } else {
        expectation.schemes = {subject.scheme};
    }
    return expectation;
}

RotaryScheme scheme_at(const Subject& subject, Index reach) {
    if (!subject.spec || !depends_on_seq_len(subject.spec->scaling)) {
        return subject.scheme;
    }
    RopeSpec spec = *subject.spec;
    spec.seq_len = reach;
    return text_scheme(spec, subject.backwards);
}

}  // namespace ropescope::probe
