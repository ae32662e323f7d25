#include "app/figures/context/methods.h"

#include <algorithm>
#include <fmt/format.h>
#include <numbers>

#include "app/scene/scene_scaling.h"
#include "core/base/error.h"

namespace ropescope::figures {
namespace {

/// A few roundings are far below, a blend of two speeds far above.
constexpr double kSame = 1e-9;
constexpr double kTurn = 2 * std::numbers::pi;

void count_pairs(MethodRow& row, const Spectrum& plain, double factor, double trained,
                 double target) {
    for (std::size_t i = 0; i < plain.inv_freq_rad.size(); ++i) {
        const double before = plain.inv_freq_rad[i], after = row.spectrum.inv_freq_rad[i];
        const double slowdown = before / after;
        row.slowdown.push_back(slowdown);
        const bool kept = slowdown < 1.0 + kSame;
        const bool slowed = !kept && slowdown > factor * (1.0 - kSame);
        row.kept += kept ? 1 : 0;
        row.slowed += slowed ? 1 : 0;
        row.blended += !kept && !slowed ? 1 : 0;
        row.unfinished += target * after < kTurn ? 1 : 0;
        const bool finished = trained * before >= kTurn;
        row.unseen += !finished && target * after > trained * before * (1 + kSame) ? 1 : 0;
    }
}

/// Why the method does not fit the encoding, or "": NTK needs two pairs, YaRN a base above 1.
std::string misfit(const RopeSpec& spec) {
    try {
        validate(spec);
        return "";
    } catch (const InputError& error) {
        // "rope_scaling.rope_type: what is wrong; what to do": what is wrong.
        const std::string message = error.what();
        const std::size_t colon = message.find(": ");
        const std::size_t begin = colon == std::string::npos ? 0 : colon + 2;
        return message.substr(begin, message.find(';', begin) - begin);
    }
}

bool has_longrope(const Scene& scene) {
    return scene.scaling == "longrope" || !scene.longrope_long.empty();
}

/// The scene's parameters with the factor that is needed.
Scene with_needed_factor(Scene scene) {
    scene.scaling_factor = needed_factor(scene);
    return scene;
}

/// Two methods can be given an attention factor, and a scene has one: it is the chosen method's.
Scene with_own_attention_factor(Scene scene, std::string_view method) {
    const bool both_open = scene.scaling != "yarn" && scene.scaling != "longrope";
    const std::string owner = !both_open            ? scene.scaling
                              : has_longrope(scene) ? "longrope"
                                                    : "yarn";
    if (method != owner) {
        scene.attention_factor = 0.0;
    }
    return scene;
}

RopeSpec extended_spec(const Scene& wanted, const std::string& method) {
    RopeSpec spec = unscaled_rope_spec(wanted);
    spec.scaling = scene_scaling(with_own_attention_factor(wanted, method), method);
    if (auto* dynamic = std::get_if<DynamicNtkScaling>(&spec.scaling)) {
        // Its stretch grows with the sequence by itself.
        dynamic->factor = 1.0;
    }
    spec.seq_len = depends_on_seq_len(spec.scaling) ? wanted.target_length : 0;
    return spec;
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
    return static_cast<double>(scene.target_length) / static_cast<double>(scene.original_length);
}

const MethodRow* Methods::find(const std::string& name) const {
    const auto found = std::ranges::find(rows, name, &MethodRow::name);
    return found == rows.end() ? nullptr : &*found;
}

Methods extension_methods(const Scene& scene) {
    const Scene wanted = with_needed_factor(scene);
    const Spectrum plain = make_spectrum(unscaled_rope_spec(scene));
    std::vector<std::string> names = {"default", "linear", "ntk", "dynamic", "yarn", "llama3"};
    Methods methods;
    if (has_longrope(scene)) {
        names.emplace_back("longrope");
    } else {
        methods.missing.push_back({"longrope", "needs factors that were searched for the model"});
    }
    for (const std::string& name : names) {
        MethodRow row{
            .name = name, .spec = extended_spec(wanted, name), .spectrum = {}, .slowdown = {}};
        if (const std::string why = misfit(row.spec); !why.empty()) {
            methods.missing.push_back({name, why});
            continue;
        }
        row.spectrum = make_spectrum(row.spec);
        count_pairs(row, plain, wanted.scaling_factor, static_cast<double>(scene.original_length),
                    static_cast<double>(scene.target_length));
        methods.rows.push_back(std::move(row));
    }
    methods.missing.push_back({"proportional", "changes how many pairs turn and extends nothing"});
    return methods;
}

const MethodRow& chosen_row(const Scene& scene, const std::vector<MethodRow>& rows) {
    for (const std::string& wanted : {scene.scaling, std::string("yarn")}) {
        const auto found = std::ranges::find(rows, wanted, &MethodRow::name);
        if (found != rows.end() && wanted != "default") {
            return *found;
        }
    }
    return rows.back();
}

}  // namespace ropescope::figures
