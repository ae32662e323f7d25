// Computes the state of the context view.
#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <numbers>

#include "app/figures/context/context.h"
#include "app/figures/shared/describe.h"
#include "app/figures/shared/text.h"
#include "app/plot/number_text.h"
#include "app/scene/axes_grid.h"
#include "app/scene/parameters.h"
#include "app/scene/scene_scaling.h"
#include "core/base/error.h"
#include "core/base/index.h"
#include "core/formats/model_family.h"
#include "core/formats/rope_scaling.h"
#include "core/scaling/method.h"
#include "core/scaling/ntk.h"

namespace ropescope::figures {
namespace {

/// Two speeds that differ by less count as equal. A few roundings lie far below, a blend of two
/// speeds far above.
constexpr double kSame = 1e-9;
constexpr double kTurn = 2 * std::numbers::pi;

void count_pairs(MethodRow& row, const Spectrum& plain, double factor, double trained,
                 double target) {
    for (Index i = 0; i < plain.pairs(); ++i) {
        const double before = plain.inv_freq_rad[i], after = row.spectrum.inv_freq_rad[i];
        const double slowdown = before / after;
        row.slowdown.push_back(slowdown);
        int& count = slowdown < 1.0 - kSame              ? row.faster
                     : slowdown < 1.0 + kSame            ? row.kept
                     : slowdown > factor * (1.0 - kSame) ? row.slowed
                                                         : row.blended;
        ++count;
        row.unfinished += target * after < kTurn ? 1 : 0;
        const bool finished = trained * before >= kTurn;
        row.unseen += !finished && target * after > trained * before * (1 + kSame) ? 1 : 0;
    }
}

/// Why the method does not fit the encoding; "" if it fits. NTK needs two pairs, YaRN a base above
/// 1.
std::string why_unfit(const RopeSpec& spec) {
    try {
        validate(spec);
        return "";
    } catch (const InputError& error) {
        // Of "rope_scaling.rope_type: what is wrong; what to do" the middle.
        const std::string message = error.what();
        const std::size_t colon = message.find(": ");
        const std::size_t begin = colon == std::string::npos ? 0 : colon + 2;
        return message.substr(begin, message.find(';', begin) - begin);
    }
}

/// Whether the scene has what the method needs: usual numbers, or lists searched for its model.
bool has_numbers(const Scene& scene, const Scaling& method) {
    const auto is_a_given_list = [&](const Parameter& parameter) {
        const auto* list = std::get_if<std::vector<double> Scene::*>(&parameter.member);
        return list != nullptr && !(scene.**list).empty() &&
               std::ranges::find(parameter.methods(), scaling_type(method)) !=
                   parameter.methods().end();
    };
    return !facts(method).searched || scaling_type(method) == scene.scaling ||
           std::ranges::any_of(parameters(), is_a_given_list);
}

/// The scene with the factor that carries it to the target.
Scene with_needed_factor(Scene scene) {
    scene.scaling_factor = needed_factor(scene);
    return scene;
}

/// The method that a scene's attention factor belongs to, of those that accept one: the scene's
/// own, else the last for which the scene has numbers.
std::string owner_of_attention_factor(const Scene& scene) {
    std::string owner;
    for (const std::string& method : parameter_by_name(kAttentionFactor.name).methods()) {
        if (method == scene.scaling) {
            return method;
        }
        owner = has_numbers(scene, scaling_of_type(method).value()) ? method : owner;
    }
    return owner;
}

/// The scene without its attention factor if that belongs to another method.
Scene with_own_attention_factor(Scene scene, std::string_view method) {
    if (method != owner_of_attention_factor(scene)) {
        scene.attention_factor = 0.0;
    }
    return scene;
}

RopeSpec extended_spec(const Scene& wanted, std::string_view method) {
    RopeSpec spec = unscaled_rope_spec(wanted);
    spec.scaling = scene_scaling(with_own_attention_factor(wanted, method), method);
    if (auto* dynamic = std::get_if<DynamicNtkScaling>(&spec.scaling)) {
        // The stretch grows with the sequence by itself.
        dynamic->factor = 1.0;
    }
    spec.seq_len = depends_on_seq_len(spec.scaling) ? wanted.target_length : 0;
    return spec;
}

/// Why the method has no row; "" if it has one. The unscaled encoding has one to compare with.
std::string why_without_row(const Scene& wanted, const Scaling& method) {
    if (!has_numbers(wanted, method)) {
        return "needs factors found by search";
    }
    if (!facts(method).extends && !std::holds_alternative<NoScaling>(method)) {
        return "changes how many pairs turn and extends nothing";
    }
    return why_unfit(extended_spec(wanted, scaling_type(method)));
}

}  // namespace

double MethodRow::base() const {
    const FrequencyInput input = frequency_input(spec);
    if (const auto* ntk = std::get_if<NtkScaling>(&spec.scaling)) {
        return scaled_base(*ntk, input);
    }
    if (const auto* dynamic = std::get_if<DynamicNtkScaling>(&spec.scaling)) {
        return scaled_base(*dynamic, input);
    }
    return spec.base;
}

double needed_factor(const Scene& scene) {
    if (scene.target_length < scene.original_length) {
        throw InputError(fmt::format(
            "target_length: {} positions are fewer than the trained original_length {}; give at "
            "least that many",
            scene.target_length, scene.original_length));
    }
    return to_double(scene.target_length) / to_double(scene.original_length);
}

const MethodRow* Methods::find(std::string_view name) const {
    const auto found = std::ranges::find(rows, name, &MethodRow::name);
    return found == rows.end() ? nullptr : &*found;
}

Methods extension_methods(const Scene& scene) {
    const Scene wanted = with_needed_factor(scene);
    const Spectrum plain = make_spectrum(unscaled_rope_spec(scene));
    Methods methods;
    for (const Scaling& method : scaling_methods()) {
        const std::string name(scaling_type(method));
        if (const std::string why = why_without_row(wanted, method); !why.empty()) {
            methods.missing.push_back({name, why});
            continue;
        }
        const RopeSpec spec = extended_spec(wanted, name);
        MethodRow row{.name = name, .spec = spec, .spectrum = make_spectrum(spec), .slowdown = {}};
        count_pairs(row, plain, wanted.scaling_factor, to_double(scene.original_length),
                    to_double(scene.target_length));
        methods.rows.push_back(std::move(row));
    }
    return methods;
}

const MethodRow& chosen_row(const Scene& scene, const std::vector<MethodRow>& rows) {
    const auto fits = [&](const auto& wanted) {
        const auto found = std::ranges::find_if(
            rows, [&](const MethodRow& row) { return !row.is<NoScaling>() && wanted(row); });
        return found == rows.end() ? nullptr : &*found;
    };
    const MethodRow* own = fits([&](const MethodRow& row) { return row.name == scene.scaling; });
    const MethodRow* suggested =
        fits([](const MethodRow& row) { return facts(row.spec.scaling).suggested; });
    return own != nullptr ? *own : suggested != nullptr ? *suggested : rows.back();
}

namespace {

using Notes = std::vector<plot::Facts::Fact>;
using plot::say;

/// What to mind when a row's block is pasted; "" for methods whose block says all.
struct BlockNote {
    const Scene& scene;
    const std::string& key;  ///< of the base in the model's config.json; "" if it has none

    plot::Text operator()(const auto&) const { return ""; }
    plot::Text operator()(const DynamicNtkScaling&) const {
        return say(
            "leave max_position_embeddings at the trained {}: the stretch begins there. The factor "
            "is 1 because the stretch grows with the sequence; the target is {} times as long, {} "
            "positions",
            whole_text(scene.original_length), plot::number_text(needed_factor(scene)),
            whole_text(scene.target_length));
    }
    plot::Text operator()(const NtkScaling&) const {
        return key.empty() ? say("this family's config.json has no key for the base")
                           : say("transformers has no rope_type for it; the larger base is the "
                                 "whole method");
    }
    plot::Text operator()(const LongRopeScaling&) const {
        return scene.longrope_long.empty()
                   ? say("without lists of its own, every pair is slowed by the factor, as with "
                         "linear")
                   : say("the lists were searched for the model's own target; another target "
                         "changes "
                         "the attention factor alone. The text export has the whole lists");
    }
};

/// That the model is scaled already: the rows start without its scaling, from which length, and
/// whether one of them is what the model has. "" for a model without scaling.
plot::Text own_scaling_note(const Scene& scene, const Methods& methods, const ModelConfig& model) {
    const Scaling& own = model.rope.scaling;
    if (std::holds_alternative<NoScaling>(own)) {
        return "";
    }
    plot::Text text = say("{} is scaled already ({}); the rows start without it", model.title,
                          scaling_words(own));
    const auto original = original_positions(own);
    if (original && *original == scene.original_length) {
        text += say(", from the {} positions before it", whole_text(*original));
    } else if (!original && model.max_positions == scene.original_length) {
        text +=
            say(". The file names no length before it, and {} is max_position_embeddings: set "
                "original_length to the length trained without it",
                whole_text(scene.original_length));
    }
    const MethodRow* same = methods.find(std::string(scaling_type(own)));
    if (same != nullptr && same->spec.scaling == own) {
        text += say(". The row {} is what the model has", scaling_name(same->name));
    }
    return text;
}

plot::Text marked_note(const Scene& scene, const Methods& methods, const MethodRow& chosen) {
    if (scene.scaling == chosen.name) {
        return "";
    }
    return say("{} as an example: {}", scaling_name(chosen.name),
               methods.find(scene.scaling) != nullptr
                   ? say("no scaling is chosen")
                   : say("the scaling {} has no row", scaling_name(scene.scaling)));
}

plot::Text missing_note(const Methods& methods) {
    plot::Text text;
    for (const MissingMethod& method : methods.missing) {
        text += (text.empty() ? "" : ", ") + say("{} ({})", scaling_name(method.name), method.why);
    }
    return text;
}

}  // namespace

std::optional<ModelConfig> named_model(const Scene& scene) {
    try {
        return open_scene_model(scene.model).text;
    } catch (const InputError&) {
        return std::nullopt;  // the model view says why
    }
}

std::string base_key(const std::optional<ModelConfig>& model) {
    const ModelFamily* family = model ? find_model_family(model->model_type) : nullptr;
    return family == nullptr ? "rope_theta" : std::string(family->base_key);
}

namespace {

/// The most important first: what to mind when the marked row's block is pasted, the scaling that
/// the model has already, why that row is marked, and which methods have no row.
Notes context_notes(const Scene& scene, const Methods& methods, const MethodRow& chosen,
                    const std::optional<ModelConfig>& model) {
    Notes notes;
    const auto add = [&](const char* name, const plot::Text& text) {
        if (!text.empty()) {
            notes.push_back({name, text});
        }
    };
    const std::string key = base_key(model);
    add("block", std::visit(BlockNote{scene, key}, chosen.spec.scaling));
    add("model", model ? own_scaling_note(scene, methods, *model) : "");
    add("showing", marked_note(scene, methods, chosen));
    add("not listed", missing_note(methods));
    return notes;
}

/// The text in lines of at most `widest` characters, broken after commas.
std::vector<std::string> broken(const std::string& text, std::size_t widest) {
    std::vector<std::string> lines;
    std::string line;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t comma = std::min(text.find(',', at), text.size() - 1);
        std::string part = text.substr(at, comma + 1 - at);
        if (line == "  ") {
            part.erase(0, part.find_first_not_of(' '));
        }
        if (!line.empty() && line.size() + part.size() > widest) {
            lines.push_back(line);
            line = "  ";
        }
        line += part;
        at = comma + 1;
    }
    lines.push_back(line);
    return lines;
}

/// The text with the first and the last number of each list: a picture has no room for the numbers
/// of all pairs.
std::string with_short_lists(const std::string& block) {
    std::string text;
    for (std::size_t at = 0; at < block.size();) {
        const std::size_t open = std::min(block.find('[', at), block.size());
        text += block.substr(at, open - at);
        if (open == block.size()) {
            break;
        }
        const std::size_t close = block.find(']', open);
        const std::string list = block.substr(open, close - open);
        const auto commas = std::ranges::count(list, ',');
        text += fmt::format("{} … {} numbers …{}]", list.substr(0, list.find(',')), commas + 1,
                            list.substr(list.rfind(',') + 1));
        at = close + 1;
    }
    return text;
}

}  // namespace

std::string rope_scaling_block(const MethodRow& row, std::string_view base_key) {
    if (std::holds_alternative<NtkScaling>(row.spec.scaling)) {
        // transformers has no name for NTK: the larger base is the whole method. "default" is
        // written because some families scale by themselves if their file names no scaling.
        return fmt::format("\"{}\": {:.17g}, \"rope_scaling\": {{\"rope_type\": \"default\"}}",
                           base_key, row.base());
    }
    std::string text;
    if (const auto* dynamic = std::get_if<DynamicNtkScaling>(&row.spec.scaling)) {
        text = fmt::format("\"max_position_embeddings\": {}, ", dynamic->original_positions);
    }
    text += "\"rope_scaling\": ";
    for (const char c : scaling_json(row.spec.scaling).dump()) {
        text += c;
        text += c == ',' || c == ':' ? " " : "";  // no string in it has either character
    }
    return text;
}

namespace {

/// The block in lines of at most `widest` characters, broken after commas, with the first and the
/// last number of each list.
std::vector<std::string> block_lines(const std::string& block, std::size_t widest) {
    return broken(with_short_lists(block), widest);
}

constexpr std::size_t kWidestLine = 84;  ///< characters of the block

}  // namespace

std::string ContextState::block_of(const MethodRow& row) const {
    const std::string key = base_key(model);
    return rope_scaling_block(row, key.empty() ? "rope_theta" : key);
}

ContextState make_context_state(const Scene& scene) {
    ContextState state{.scene = scene,
                       .methods = extension_methods(scene),
                       .factor = needed_factor(scene),
                       .model = named_model(scene)};
    state.marked = &chosen_row(scene, state.rows()) - state.rows().data();
    state.notes = context_notes(scene, state.methods, state.marked_row(), state.model);
    state.block = block_lines(state.block_of(state.marked_row()), kWidestLine);
    return state;
}

}  // namespace ropescope::figures
