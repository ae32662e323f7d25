// A scene in words: its model for the bar and the menu, and the command that makes its figure
// again.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/plot/export_settings.h"
#include "app/plot/look.h"
#include "app/scene/parameters.h"
#include "app/scene/scene.h"
#include "core/rope/rope_spec.h"

namespace ropescope::gui {

/// "Llama 2 7B", or the name of the folder that holds the config.json.
std::string model_title(const Scene& scene);
/// "head_dim 128 · base 10 000 · half-split"
std::string encoding_facts(const RopeSpec& rope);
std::string encoding_facts(const Scene& scene);
/// Whether the scene's encoding is no longer the preset's.
bool differs_from_preset(const Scene& scene);

/// The "name=value" settings that lead from the default scene to this one, the view left out. The
/// model comes first: it brings its own values.
std::vector<std::string> settings_for(const Scene& scene);
/// Those of them that the figure of the scene's view needs: without the text of another view, or
/// the path of a private file that this one does not read.
std::vector<std::string> settings_of_figure(const Scene& scene);

/// One word of a POSIX shell, quoted only where it must be.
std::string shell_quoted(std::string_view word);

/// What a command says about a picture beside its scene.
struct CommandOptions {
    plot::ExportValues values = {};
    std::string format = "svg";
    plot::Look look = {};  ///< with the panel that is drawn alone
};

/// ropescope --set base=500000 figure spectrum -o spectrum.svg
std::string figure_command(const Scene& scene, const CommandOptions& options = {});
/// The same for a notebook: lines of Python that run the command.
std::string figure_python(const Scene& scene, const CommandOptions& options = {});

/// "base=100:1e+07:61": the slider of the parameter, which is a number, from end to end, as --vary
/// takes it.
std::string recorded_range(const Scene& scene, const Parameter& parameter);
/// ropescope record spectrum --vary base=100:1e+07:61 -o spectrum.apng: the figure while the slider
/// of the parameter, which is a number, moves from end to end.
std::string record_command(const Scene& scene, const Parameter& parameter);

// What of a scene differs from its model's own values, and the way back.

struct SceneChange {
    const Parameter* parameter = nullptr;
    std::string from, to;  ///< as --set takes them
};

/// The scene's view and model with every other parameter as they bring it.
Scene unchanged_scene(const Scene& scene);
/// Every parameter that differs from unchanged_scene(), in the order of the table.
std::vector<SceneChange> scene_changes(const Scene& scene);
/// "base 500000, was 10000; layout interleaved, was half_split"; empty if nothing differs.
std::string changes_text(const Scene& scene);
/// The value of the parameter in unchanged_scene(), as --set takes it.
std::string default_text(const Scene& scene, const Parameter& parameter);

}  // namespace ropescope::gui
