// Makes sentences of what the analysis found. Nothing else does, and nothing reads them.
#pragma once

#include <string>
#include <vector>

#include "core/base/variant.h"
#include "core/diagnosis/finding.h"

namespace ropescope::diagnosis {

/// "k turns the other way than q."
std::string text_of(const Words& words);

std::vector<std::string> texts_of(const std::vector<Words>& sentences);

/// "q and k, heads 0 to 3, row 1, token 5, layer 2"
std::string text_of(const Place& place);

/// As a program reads it: a number as it is, and a word or words as text.
Variant<std::monostate, double, std::string> plain(const Value& value);

}  // namespace ropescope::diagnosis
