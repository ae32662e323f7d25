// The numbers and words that lessons can name, each computed from a scene by the same functions as
// the figures. Beside them every scene parameter has its own name. Sources: quantities.cpp,
// encoding_quantities.cpp, implementation_quantities.cpp, stretch_quantities.cpp,
// twin_quantities.cpp.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/figures/work.h"
#include "app/lessons/expression.h"
#include "app/scene/scene.h"
#include "core/engine/engine.h"

namespace ropescope::lessons {

/// What computes a quantity. The engine and the cache outlive the call.
struct Asked {
    Scene scene;
    Engine* engine = nullptr;
    figures::FigureCache* cache = nullptr;
};

struct NumberQuantity {
    std::string_view name, says;  ///< `says`: what it is, with its unit, as a phrase
    double (*compute)(const Asked& asked);
};
struct WordQuantity {
    std::string_view name, says;
    std::string (*compute)(const Asked& asked);
};

std::vector<NumberQuantity> encoding_quantities();
std::vector<NumberQuantity> score_quantities();
std::vector<NumberQuantity> implementation_quantities();
std::vector<NumberQuantity> stretch_quantities();
std::vector<NumberQuantity> twin_quantities();
std::vector<WordQuantity> implementation_words();

const std::vector<NumberQuantity>& number_quantities();
const std::vector<WordQuantity>& word_quantities();

/// The names of a scene: quantities and parameters, with the settings in brackets applied first.
/// Throws InputError that names near matches. The references outlive the result.
Names names_of(const Scene& scene, Engine& engine, figures::FigureCache& cache);
/// The same names without computing: every number is 1. To read an expression for its form.
Names names_for_reading();

}  // namespace ropescope::lessons
