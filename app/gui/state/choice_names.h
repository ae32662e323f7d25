// The choices of a parameter as a person reads them in a list.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "app/scene/parameters.h"
#include "app/scene/scene.h"

namespace ropescope::gui {

/// The values that the window lists for a parameter: its choices, or the values that it offers
/// beside others (offered_values()); empty if it has no list.
const std::vector<std::string>& listed_values(const Scene& scene, const Parameter& parameter);

/// What the control of a parameter is called: "query position m", "padding tokens".
std::string control_label(const Parameter& parameter);

/// The name of a value of the parameter: "YaRN" for scaling's "yarn", the title of a model. A value
/// that has no name of its own is returned as spoken() writes it.
std::string choice_name(const Parameter& parameter, std::string_view value);

/// The heading under which a list shows the value; "" if it stands under none.
std::string_view choice_group(const Parameter& parameter, std::string_view value);

// The published models that the window's menu lists.

struct ModelEntry {
    std::string id;
    std::string title;
    std::string family;  ///< the heading under which it is listed
    std::string facts;   ///< "head_dim 128 · base 10 000", "64 pairs by t, h, w"
    bool several_axes = false;
    bool square = false;  ///< it takes grids of as many rows as columns only
};

/// Models of one axis, and behind them those of several.
const std::vector<ModelEntry>& model_menu();

/// The headings of the list, in their order.
const std::vector<std::string>& model_families();

/// Whether the scene shows the entry's model.
bool is_shown(const ModelEntry& entry, const Scene& scene);

/// The title and the facts of the model that the scene's figure is made of: those of its menu
/// entry, or else the name of its file or folder and what is known of it.
std::string shown_title(const Scene& scene);
std::string shown_facts(const Scene& scene);

/// Whether the scene's figure is made of axes_model: in the view axes, and along an axis.
bool shows_axes_model(const Scene& scene);

}  // namespace ropescope::gui
