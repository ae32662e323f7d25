// Reads what the script counted, and makes the rotations that it counted with.
#include "core/demo/demo_scores.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>

#include "core/demo/demo_models.h"
#include "core/formats/json_object.h"

namespace ropescope::demo {
namespace {

using nlohmann::json;

ScriptCount read_count(const json& count) {
    return {count.at("right"), count.at("of")};
}

template <Named E>
E read_name(const json& name) {
    return enum_value<E>(name.get<std::string>()).value();  // compiled in
}

/// The counts of the shipped training of this kind.
const json& shipped(const json& scores, std::string_view position) {
    return *std::ranges::find_if(scores.at("models"), [&](const json& model) {
        return model.at("position") == position && model.at("seed") == scores.at("shipped_seed");
    });
}

TextScores read_text(const json& rope, const json& no_position) {
    TextScores text;
    text.no_position = read_count(no_position.at("changes").at(0));
    for (const json& of : rope.at("changes")) {
        const auto change = read_name<RopeChange>(of.at("change"));
        text.changes[static_cast<std::size_t>(change)] = read_count(of);
    }
    for (const json& of : rope.at("lengths")) {
        text.lengths.push_back(
            {of.at("length"), read_name<StretchMethod>(of.at("scaling")), read_count(of)});
    }
    return text;
}

Scaling scaling_of(StretchMethod method, double factor) {
    switch (method) {
        case StretchMethod::linear:
            return LinearScaling{.factor = factor};
        case StretchMethod::ntk:
            return NtkScaling{.factor = factor};
        case StretchMethod::yarn:
            return YarnScaling{.factor = factor, .original_positions = kTrainedLength};
        case StretchMethod::llama3:
            return Llama3Scaling{.factor = factor, .original_positions = kTrainedLength};
        case StretchMethod::none:
            break;
    }
    return NoScaling{};
}

}  // namespace

const ScriptCount& TextScores::of(StretchMethod method, Index length) const {
    return std::ranges::find_if(lengths,
                                [&](const StretchCount& count) {
                                    return count.method == method && count.length == length;
                                })
        ->count;
}

const DemoScores& demo_scores() {
    static const DemoScores scores = [] {
        constexpr const char* kFile = "assets/demo-roformer/scores.json";
        const json read = parse_json_object(demo_file(kFile).value(), kFile);
        const json& rope = shipped(read, "rope");
        const json& none = shipped(read, "none");
        return DemoScores{read_text(rope.at("sample"), none.at("sample")),
                          read_text(rope.at("held_out"), none.at("held_out"))};
    }();
    return scores;
}

std::vector<Index> stretched_lengths() {
    std::vector<Index> lengths;
    for (const StretchCount& count : demo_scores().sample.lengths) {
        if (lengths.empty() || lengths.back() != count.length) {
            lengths.push_back(count.length);
        }
    }
    return lengths;
}

RopeSpec stretched_spec(StretchMethod method, Index length) {
    static const RopeSpec unscaled = demo_config(DemoModel::rope).rope();
    RopeSpec spec = unscaled;
    if (length > kTrainedLength) {
        spec.scaling = scaling_of(method, to_double(length) / to_double(kTrainedLength));
    }
    return spec;
}

EncoderRope changed_rope(RopeChange change) {
    EncoderRope rope;
    rope.enabled = change != RopeChange::off;
    if (change == RopeChange::half_split) {
        rope.layout = Layout::half_split;
    }
    return rope;
}

EncoderRope stretched_rope(StretchMethod method, Index length) {
    EncoderRope rope;
    rope.spectrum = make_spectrum(stretched_spec(method, length));
    return rope;
}

}  // namespace ropescope::demo
