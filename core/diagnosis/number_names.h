// Numbers of heads or layers as words of a sentence.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "core/base/index.h"

namespace ropescope::diagnosis {

/// "head 3", "heads 0 to 3 and 6", "heads 0, 2, 4 and 13 others". `numbers` are in order, one at
/// least.
std::string numbered(std::string_view noun, std::span<const Index> numbers);

/// With a capital letter, to begin a sentence.
std::string capitalised(std::string text);

}  // namespace ropescope::diagnosis
