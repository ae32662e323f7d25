// The context view: what each scaling method does to each pair. Sources: state.cpp, figure.cpp,
// base_map.cpp.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/figures/picture.h"
#include "app/figures/shared/placed_models.h"
#include "app/figures/view.h"
#include "app/figures/work.h"
#include "app/plot/figure.h"
#include "app/scene/scene.h"
#include "core/analysis/base_bound.h"
#include "core/base/index.h"
#include "core/formats/model_config.h"
#include "core/rope/spectrum.h"
#include "core/scaling/method.h"

namespace ropescope::figures {

struct MethodRow {
    std::string name;  ///< as scaling_type() names it
    RopeSpec spec;
    Spectrum spectrum;
    std::vector<double> slowdown;  ///< [pairs]: unscaled over scaled inv_freq
    // Numbers of pairs: those that keep their speed, that slow down by less than the factor, by
    // the whole factor or more, and that speed up.
    int kept = 0, blended = 0, slowed = 0, faster = 0;
    int unfinished = 0;  ///< pairs that turn less than once within the target
    /// Pairs that never finished a turn in training and, within the target, reach angles that
    /// training never showed.
    int unseen = 0;

    /// Whether it is the row of this method.
    template <typename Method>
    bool is() const {
        return std::holds_alternative<Method>(spec.scaling);
    }
    int slower() const { return blended + slowed; }
    double base() const;  ///< the base that the method turns with: larger for NTK
};

/// A method without a row, and the reason.
struct MissingMethod {
    std::string name, why;
};

struct Methods {
    std::vector<MethodRow> rows;  ///< the first is the unscaled encoding
    std::vector<MissingMethod> missing;

    /// The row of a method; null if it has none.
    const MethodRow* find(std::string_view name) const;
    template <typename Method>
    const MethodRow* find() const {
        return find(Method::description().facts.type);
    }
};

/// target / trained, at least 1. Throws InputError if the target is shorter.
double needed_factor(const Scene& scene);

/// A row for each scaling method that extends and fits the encoding, in the order of the list of
/// methods; for a method with searched numbers only if the scene has them. A row takes the fields
/// of the scene that belong to its method, the factor that is needed, and the target as length.
Methods extension_methods(const Scene& scene);

/// The row whose block is shown: that of the scene's method; that of the suggested method
/// (MethodFacts::suggested) if the scene's has no row or extends nothing; the last if there is none
/// either.
const MethodRow& chosen_row(const Scene& scene, const std::vector<MethodRow>& rows);

/// The model that the scene names, a preset or a config.json; empty if it cannot be read.
std::optional<ModelConfig> named_model(const Scene& scene);

/// The key that the model's family has for the base in a config.json; "" if it has none.
std::string base_key(const std::optional<ModelConfig>& model);

/// `"rope_scaling": {...}` to paste into a config.json. For NTK the base, under the key that the
/// model's family has for it; for dynamic also the max_position_embeddings at which it starts.
std::string rope_scaling_block(const MethodRow& row, std::string_view base_key = "rope_theta");

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

/// The header of the table of methods, and the cells of a row.
std::vector<std::string> method_header();
std::vector<std::string> method_cells(const MethodRow& row);

/// CSV: method, pair, inv_freq_rad, wavelength_positions, slowdown, attention_factor,
/// softmax_scale_factor.
plot::DataTable context_data(const ContextState& state);

plot::Text context_report(const ContextState& state);

// The map of the bases that allow a length (core/analysis/base_bound.h), over all lengths, and
// where published models stand.

/// The same for every scene with as many channels that turn.
struct BaseMap {
    double step = 1;  ///< from one base to the next
    std::vector<double> bases = {};
    std::vector<std::optional<Index>> first_negative = {};  ///< up to kMaxPosition
    std::vector<PlacedModel> models = {};
    bool draft = false;
};

/// The map; one of few bases if a frame waits and it is not known.
std::shared_ptr<const BaseMap> base_map(Index rotary_dim, const Work& work);

/// Draws the map into the picture of the context view.
void show_base_map(Picture& picture, const ContextState& state, const Work& work);

View context_view();

}  // namespace ropescope::figures
