// Computes the rows of the context view: each scaling method at the target length.
#include "app/figures/context/methods.h"

#include <algorithm>
#include <fmt/format.h>
#include <numbers>

#include "app/scene/parameters.h"
#include "app/scene/scene_scaling.h"
#include "core/base/error.h"
#include "core/base/index.h"

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

}  // namespace ropescope::figures
