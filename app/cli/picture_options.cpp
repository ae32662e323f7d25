// Makes the scene of --scene and --set, and parses --size.
#include "app/cli/picture_options.h"

#include <cmath>
#include <fmt/format.h>

#include "app/cli/output.h"
#include "app/figures/view.h"
#include "app/scene/scene_json.h"
#include "app/scene/settings.h"
#include "core/base/error.h"
#include "core/base/file.h"
#include "core/base/parse_list.h"
#include "core/formats/inspection.h"

namespace ropescope::cli {

Scene scene_from(const GlobalOptions& options) {
    Scene scene;
    if (!options.scene_file.empty()) {
        scene = scene_from_json(read_file(options.scene_file, kMostSceneBytes), options.scene_file);
    }
    scene = apply_settings(std::move(scene), options.settings);
    figures::view_by_id(scene.view);  // a mistyped view is refused, whether or not it is drawn
    if (const Inspection found = open_model(scene.model); found.model) {
        tell_assumptions(*found.model);
    }
    return scene;
}

PictureSize parse_size(std::string_view text) {
    constexpr double kUnitsPerMillimetre = 96 / 25.4, kMost = 1e6;
    const bool millimetres = text.ends_with("mm");
    const std::vector<std::string_view> sides =
        split_list(text.substr(0, text.size() - (millimetres ? 2 : 0)), 'x');
    const auto side = [&](std::string_view number) {
        const double given = millimetres ? parse_number<double>(number).value_or(0)
                                         : parse_number<int>(number).value_or(0);
        const double units = std::round(given * (millimetres ? kUnitsPerMillimetre : 1));
        return units >= 1 && units <= kMost ? static_cast<int>(units) : 0;  // not NaN
    };
    const PictureSize size{side(sides.front()), side(sides.back())};
    if (sides.size() != 2 || size.width < 1 || size.height < 1) {
        throw InputError(fmt::format(
            "--size: '{}' is not a size; give WIDTHxHEIGHT, for example 1600x1000, or 84x60mm",
            text));
    }
    return size;
}

}  // namespace ropescope::cli
