// Reads the table of docs/glossary.md.
#include "app/scene/glossary.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <string>
#include <utility>

#include "core/base/characters.h"
#include "core/base/embedded.h"
#include "core/base/names.h"

namespace ropescope {
namespace {

constexpr std::string_view kRuleOfTable = "|---|---|\n";

/// "| term | text |" without its bars; the marks of code are for readers of the page.
GlossaryEntry entry_of(std::string_view row) {
    const std::size_t bar = row.find(" | ", 2);
    GlossaryEntry entry{std::string(row.substr(2, bar - 2)),
                        std::string(row.substr(bar + 3, row.rfind(" |") - bar - 3))};
    std::erase(entry.text, '`');
    return entry;
}

std::vector<GlossaryEntry> read_entries(std::string_view page) {
    std::vector<GlossaryEntry> entries;
    page.remove_prefix(page.find(kRuleOfTable) + kRuleOfTable.size());
    while (page.starts_with("| ")) {
        const std::size_t end = std::min(page.find('\n'), page.size() - 1);
        entries.push_back(entry_of(page.substr(0, end)));
        page.remove_prefix(end + 1);
    }
    return entries;
}

}  // namespace

const std::vector<GlossaryEntry>& glossary() {
    static const std::vector<GlossaryEntry> entries =
        read_entries(embedded_file("docs/glossary.md").value());
    return entries;
}

namespace {

/// What people also call a term, as plain() writes both.
constexpr std::array<std::pair<std::string_view, std::string_view>, 15> kOtherNames = {
    {{"theta", "θ"},
     {"ropetheta", "base"},
     {"pi", "linearscaling"},
     {"positioninterpolation", "linearscaling"},
     {"interleaved", "layout"},
     {"halfsplit", "layout"},
     {"partialrotaryfactor", "partialrotary"},
     {"dynamicntk", "dynamicscaling"},
     {"dynamic", "dynamicscaling"},
     {"proportional", "prope"},
     {"proportional(gemma)", "prope"},
     {"rmsnorm", "norm"},
     {"window", "slidingwindow"},
     {"sinusoids", "sinusoidalpositions"},
     {"sink", "attentionsink"}}};

/// Without what people write in several ways: "M-RoPE", "mrope" and "m_rope".
std::string plain(std::string_view term) {
    std::string letters = lower_case(term);
    std::erase_if(letters, [](char c) { return c == ' ' || c == '-' || c == '_'; });
    return letters;
}

/// The entry of that spelling, or the only one that begins so. Null if there is none.
const GlossaryEntry* spelled(std::string_view term) {
    std::string wanted = plain(term);
    for (const auto& [other, name] : kOtherNames) {
        wanted = wanted == other ? name : wanted;
    }
    std::vector<const GlossaryEntry*> begun;
    for (const GlossaryEntry& entry : glossary()) {
        const std::string own = plain(entry.term);
        if (own == wanted || own + 's' == wanted) {
            return &entry;
        }
        if (wanted.size() > 1 && own.starts_with(wanted)) {
            begun.push_back(&entry);
        }
    }
    return begun.size() == 1 ? begun.front() : nullptr;
}

}  // namespace

const GlossaryEntry& glossary_entry(std::string_view term) {
    if (const GlossaryEntry* const entry = spelled(term)) {
        return *entry;
    }
    return element_named(glossary(), &GlossaryEntry::term, term, [&](const std::string& near) {
        return "glossary: it has no entry '" + std::string(term) + "'" +
               (near.empty() ? "; `ropescope glossary` lists all" : near);
    });
}

// Tries the terms of the glossary at the beginning of every word.

namespace {

/// Common words that texts also use for other things, as the values of a figure, a table of
/// methods, the key Shift and the view Attention, or in nearly every sentence.
constexpr std::array<std::string_view, 6> kOfManyMeanings = {"value",     "table", "shift",
                                                             "attention", "norm",  "seed"};

bool is_in_a_word(char c) {
    const auto byte = static_cast<unsigned char>(c);
    return std::isalnum(byte) != 0 || c == '_' || byte >= 0x80;
}

bool same_letter(char a, char b) {
    const auto small = [](char c) { return std::tolower(static_cast<unsigned char>(c)); };
    return small(a) == small(b);
}

/// How many bytes of the text are the term, as it is or in the plural; 0 if it does not begin so.
std::size_t matched(std::string_view text, std::string_view term) {
    const auto is_whole = [&](std::string_view form) {
        return text.size() >= form.size() &&
               std::equal(form.begin(), form.end(), text.begin(), same_letter) &&
               (text.size() == form.size() || !is_in_a_word(text[form.size()]));
    };
    // Hardly any term begins like the text: for the others no plural is written.
    if (text.empty() || !same_letter(text.front(), term.front())) {
        return 0;
    }
    if (is_whole(term)) {
        return term.size();
    }
    const std::string plural =
        term.ends_with("y") && term != "key" ? std::string(term.substr(0, term.size() - 1)) + "ies"
        : term.ends_with("x") || term.ends_with("ch") ? std::string(term) + "es"
                                                      : std::string(term) + "s";
    return is_whole(plural) ? plural.size() : 0;
}

}  // namespace

std::vector<GlossaryWord> glossary_words(std::string_view text) {
    std::vector<GlossaryWord> words;
    for (std::size_t at = 0; at < text.size();) {
        GlossaryWord longest{at, at};
        if (at == 0 || !is_in_a_word(text[at - 1])) {
            for (const GlossaryEntry& entry : glossary()) {
                const std::size_t length = matched(text.substr(at), entry.term);
                if (length > longest.end - at && !std::ranges::count(kOfManyMeanings, entry.term)) {
                    longest = {at, at + length, &entry};
                }
            }
        }
        if (longest.entry != nullptr) {
            words.push_back(longest);
        }
        at = std::max(longest.end, at + 1);
    }
    return words;
}

std::string glossary_help(std::string_view name) {
    const GlossaryEntry* entry = spelled(name);
    if (const auto words = glossary_words(name); entry == nullptr && !words.empty()) {
        entry = words.front().entry;
    }
    return entry == nullptr ? "" : entry->term + ": " + entry->text;
}

}  // namespace ropescope
