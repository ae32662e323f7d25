// Takes a model's embedding as what is expected of a dump.
#include "core/diagnosis/expectation.h"

#include <algorithm>
#include <iterator>
#include <set>

#include "core/base/error.h"
#include "core/diagnosis/beside_rotation/published.h"

namespace ropescope::diagnosis {
namespace {

RopeSpec in_other_layout(RopeSpec spec) {
    spec.layout = spec.layout == Layout::half_split ? Layout::interleaved : Layout::half_split;
    return spec;
}

/// A layout that was only guessed accuses nobody: the other one is as good.
void add_other_layout(Expectation& expectation) {
    expectation.any_layout = true;
    const std::vector<RopeSpec> specs = expectation.specs;
    const std::vector<std::string> types = expectation.layer_types;
    std::ranges::transform(specs, std::back_inserter(expectation.specs), in_other_layout);
    expectation.layer_types.insert(expectation.layer_types.end(), types.begin(), types.end());
}

/// Those of each type of layer, if they differ, and which of them each layer has.
void add_specs(const ModelConfig& model, Expectation& expectation) {
    for (const LayerRope& layer : model.layer_ropes) {
        expectation.specs.push_back(layer.rope);
        expectation.layer_types.push_back(layer.layer_type);
    }
    if (expectation.specs.empty()) {
        expectation.specs.push_back(model.rope);
        return;
    }
    for (std::size_t layer = 0; layer < model.layer_types.size(); ++layer) {
        auto found = std::ranges::find(expectation.layer_types, model.layer_types[layer]);
        const bool turns = std::ranges::count(model.layers_without, static_cast<Index>(layer)) == 0;
        if (found == expectation.layer_types.end() && !turns) {
            found = expectation.layer_types.begin();  // any: nothing of it is compared
        }
        if (found == expectation.layer_types.end()) {
            expectation.spec_of_layer.clear();
            return;
        }
        expectation.spec_of_layer.push_back(
            static_cast<std::size_t>(found - expectation.layer_types.begin()));
    }
}

}  // namespace

Expectation expectation_of(const Model& model) {
    Expectation expectation{.name = model.name, .unread_vision = model.unread_vision};
    for (const Part& part : model.parts) {
        const bool of_its_own = !part.spec && !model.text;  // frequencies that no method makes
        if (part.axes() > 1 || of_its_own) {
            expectation.schemes.push_back(part.scheme);
        }
        if (expectation.inferred.empty()) {
            expectation.inferred = part.inferred;
        }
    }
    if (model.lacks_language_model) {
        expectation.unread_text = model.unread_text;
    }
    if (!model.text && expectation.schemes.empty()) {
        throw InputError(model.unread_text);
    }
    if (model.text) {
        add_specs(*model.text, expectation);
        if (model.text->layout_is_assumed && expectation.schemes.empty()) {
            add_other_layout(expectation);
        }
        if (expectation.schemes.empty()) {
            expectation.any_base = model.text->base_is_assumed;
            expectation.any_width = model.text->width_is_assumed;
        }
        expectation.backwards = model.text->turns_backwards;
        expectation.layers_without = model.text->layers_without;
        expectation.softmax_scale = model.text->softmax_scale;
    }
    return expectation;
}

Expectation expectation_of(const Part& part, std::string name) {
    Expectation expectation{
        .name = std::move(name), .backwards = part.backwards, .softmax_scale = part.softmax_scale};
    expectation.inferred = part.inferred;
    if (part.spec) {
        expectation.specs = {*part.spec};
    } else {
        expectation.schemes = {part.scheme};
    }
    return expectation;
}

namespace {

/// Of a model that open_model() refuses, because what it computes is no rotation; empty for others.
std::optional<Expectation> published_alone(std::string_view json, const std::string& name) {
    try {
        if (std::string type = published_type_in(json); !type.empty()) {
            return Expectation{.name = name, .computation = std::move(type)};
        }
    } catch (const InputError&) {
        return std::nullopt;  // the first refusal says what is wrong
    }
    return std::nullopt;
}

Expectation published_or_refused(std::string_view json, const std::string& name) {
    try {
        Expectation expectation = expectation_of(parse_model(json, name));
        expectation.computation = published_type_in(json);
        return expectation;
    } catch (const InputError&) {
        if (std::optional<Expectation> published = published_alone(json, name)) {
            return *std::move(published);
        }
        throw;
    }
}

}  // namespace

Expectation read_expectation(const std::string& name_or_path) {
    if (is_path(name_or_path) && !holds_scheme(name_or_path)) {
        const ConfigText config = open_config(name_or_path);
        Expectation expectation = published_or_refused(config.text, config.origin);
        expectation.name = name_or_path;
        return expectation;
    }
    Expectation expectation = expectation_of(open_model(name_or_path));
    expectation.name = name_or_path;
    return expectation;
}

Expectation parse_expectation(std::string_view json, const std::string& name) {
    return published_or_refused(json, name);
}

Expectation expectation_of_layer(const Expectation& expectation, Index layer) {
    Expectation own = expectation;
    own.without_rotation =
        std::ranges::find(expectation.layers_without, layer) != expectation.layers_without.end();
    if (layer < std::ssize(expectation.spec_of_layer)) {
        const std::size_t place = expectation.spec_of_layer[layer];
        own.specs = {expectation.specs[place]};
        own.layer_types = {expectation.layer_types[place]};
        if (expectation.any_layout) {
            add_other_layout(own);
        }
    }
    return own;
}

Index head_dim_of(const Expectation& expectation) {
    std::set<Index> widths;
    for (const RopeSpec& spec : expectation.specs) {
        widths.insert(spec.head_dim);
    }
    for (const RotaryScheme& scheme : expectation.schemes) {
        widths.insert(scheme.head_dim);
    }
    return widths.size() == 1 ? *widths.begin() : 0;
}

}  // namespace ropescope::diagnosis
