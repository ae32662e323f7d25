#include "app/figures/context_methods.h"

#include <algorithm>
#include <fmt/format.h>
#include <numbers>

#include "app/scene/scene_scaling.h"
#include "core/base/error.h"
#include "core/formats/rope_scaling.h"

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

/// Not every method fits every encoding: NTK needs two pairs, YaRN a base above 1.
bool applies(const RopeSpec& spec) {
    try {
        validate(spec);
        return true;
    } catch (const InputError&) {
        return false;
    }
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

std::vector<MethodRow> method_rows(const Scene& scene) {
    const double factor = needed_factor(scene);
    Scene wanted = scene;
    wanted.scaling_factor = factor;
    // Left to the methods.
    wanted.attention_factor = wanted.yarn_mscale = wanted.yarn_mscale_all_dim = 0.0;
    wanted.yarn_softmax = "no";
    const RopeSpec plain_spec = unscaled_rope_spec(scene);
    const Spectrum plain = make_spectrum(plain_spec);
    std::vector<MethodRow> rows;
    for (const char* method : {"default", "linear", "ntk", "dynamic", "yarn", "llama3"}) {
        MethodRow row{.name = method, .spec = plain_spec, .spectrum = {}, .slowdown = {}};
        row.spec.scaling = scene_scaling(wanted, method);
        if (auto* dynamic = std::get_if<DynamicNtkScaling>(&row.spec.scaling)) {
            // Its stretch grows with the sequence by itself.
            dynamic->factor = 1.0;
            row.spec.seq_len = scene.target_length;
        }
        if (!applies(row.spec)) {
            continue;
        }
        row.spectrum = make_spectrum(row.spec);
        count_pairs(row, plain, factor, static_cast<double>(scene.original_length),
                    static_cast<double>(scene.target_length));
        rows.push_back(std::move(row));
    }
    return rows;
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

std::string rope_scaling_block(const MethodRow& row) {
    if (std::holds_alternative<NtkScaling>(row.spec.scaling)) {
        // transformers has no name for it; the larger base is all there is to it.
        return fmt::format("\"rope_theta\": {:.17g}, \"rope_scaling\": null", row.base());
    }
    std::string spaced;  // as people write JSON; no string in it has either character
    for (const char c : scaling_json(row.spec.scaling).dump()) {
        spaced += c;
        spaced += c == ',' || c == ':' ? " " : "";
    }
    return "\"rope_scaling\": " + spaced;
}

}  // namespace ropescope::figures
