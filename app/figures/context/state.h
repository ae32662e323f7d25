// What the context view computes: a row for each scaling method, and what it says about them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/figures/context/methods.h"
#include "app/figures/context/notes.h"
#include "app/scene/scene.h"
#include "core/base/index.h"
#include "core/formats/model_config.h"

namespace ropescope::figures {

struct ContextState {
    Scene scene;
    Methods methods;
    Index marked = 0;                  ///< index of the row whose block is shown
    double factor = 1;                 ///< target / trained
    std::optional<ModelConfig> model;  ///< empty if the scene's model cannot be read
    std::vector<plot::Facts::Fact> notes = {};
    std::vector<std::string> block = {};  ///< the marked row's, in lines that fit a narrow window

    const std::vector<MethodRow>& rows() const { return methods.rows; }
    const MethodRow& marked_row() const { return methods.rows[marked]; }
    /// What to write into the model's config.json for a row.
    std::string block_of(const MethodRow& row) const;
};
ContextState make_context_state(const Scene& scene);

}  // namespace ropescope::figures
