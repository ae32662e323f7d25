// The words of the field in a sentence or two each, as docs/glossary.md has them: the page is
// compiled in.
#pragma once

#include <cstddef>
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

/// By its term, in any spelling ("mrope", "Llama3"), by another name that people have for it
/// ("theta"), or by its beginning if only one begins so ("linear"). Throws InputError naming near
/// terms if there is none.
const GlossaryEntry& glossary_entry(std::string_view term);

/// "YaRN: ...", for something in a window that has this name: its own entry, or that of the first
/// word in it which has one. Empty if there is none.
std::string glossary_help(std::string_view name);

// Finds the words of the glossary in a text.

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
