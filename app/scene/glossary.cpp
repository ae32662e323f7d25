// Reads the table of docs/glossary.md.
#include "app/scene/glossary.h"

#include <algorithm>

#include "core/base/embedded.h"
#include "core/base/suggest.h"

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

const GlossaryEntry& glossary_entry(std::string_view term) {
    return element_named(glossary(), &GlossaryEntry::term, term, [&](const std::string& near) {
        return "glossary: it has no entry '" + std::string(term) + "'" +
               (near.empty() ? "; `ropescope glossary` lists all" : near);
    });
}

}  // namespace ropescope
