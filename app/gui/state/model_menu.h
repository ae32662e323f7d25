// The menu of models, and what lists and bars of the window call parameters and models.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "app/figures/shared/choice_names.h"
#include "app/scene/parameters.h"
#include "app/scene/scene.h"

namespace ropescope::gui {

using figures::choice_group, figures::choice_name, figures::listed_values;

/// What the control of a parameter is called: "query position m", "padding tokens".
std::string control_label(const Parameter& parameter);

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
