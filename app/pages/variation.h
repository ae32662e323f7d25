// One parameter that takes one value after the other: what --vary names.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "app/scene/scene.h"

namespace ropescope::pages {

struct Variation {
    std::string name;                 ///< of a scene parameter, or "position"
    std::vector<std::string> values;  ///< as --set takes them, at least two
    std::size_t wanted = 0;           ///< the COUNT that was given, if it was too large; else 0
};

/// Reads "base=100:1e7" (from, to), "base=100:1e7:9" (nine values) or "scaling=linear,ntk,yarn".
/// Numbers lie evenly on the parameter's scale, linear or logarithmic, and whole numbers are
/// rounded; there are at most `most` of them, and without a count every whole number of a linear
/// scale. "position" moves the query, and the key with it at
/// the same distance. Throws InputError that names the parameter and shows the form.
Variation parse_variation(std::string_view text, std::size_t most);

/// What was cut, in one line; empty if nothing was.
std::string what_is_cut(const Variation& variation);

/// The scene with the variation's i-th value.
Scene varied(const Scene& scene, const Variation& variation, std::size_t i);

/// A fit number of values: the same ends, and `count` in all.
Variation thinned(const Variation& variation, std::size_t count);

/// What people read beside the slider: "base 10 000".
std::string value_label(const Variation& variation, std::size_t i);

}  // namespace ropescope::pages
