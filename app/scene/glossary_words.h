// Finds the words of the glossary in a text.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "app/scene/glossary.h"

namespace ropescope {

/// The bytes from `begin` to before `end` of a text mean what the entry says.
struct GlossaryWord {
    std::size_t begin = 0, end = 0;
    const GlossaryEntry* entry = nullptr;
};

/// From left to right, whole words only, in small or capital letters, in the singular or plural.
/// Of two terms that begin at one place the longer one is found. Words that are common in other
/// meanings ("value") are left out.
std::vector<GlossaryWord> glossary_words(std::string_view text);

}  // namespace ropescope
