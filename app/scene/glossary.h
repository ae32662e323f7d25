// The words of the field in a sentence or two each, as docs/glossary.md has them: the page is
// compiled in.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace ropescope {

struct GlossaryEntry {
    std::string term;  ///< "wavelength", "head_dim"
    std::string text;  ///< whole sentences, without markup
};

/// In the order of the alphabet.
const std::vector<GlossaryEntry>& glossary();

/// By its term. Throws InputError naming near terms if there is none.
const GlossaryEntry& glossary_entry(std::string_view term);

}  // namespace ropescope
