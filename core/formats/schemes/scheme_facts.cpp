// Reads the facts of all schemes.
#include "core/formats/schemes/scheme_facts.h"

#include <fmt/format.h>

#include "core/base/embedded.h"
#include "core/base/memo.h"
#include "core/base/names.h"
#include "core/formats/json_object.h"
#include "core/formats/table_row.h"

namespace ropescope {

template <typename Visit>
static void each_field(const SchemeFacts*, Visit visit) {
    visit("id", &SchemeFacts::id);
    visit("title", &SchemeFacts::title);
    visit("source", &SchemeFacts::source);
}

namespace {

/// The rows, and the JSON that they point into.
struct KeptFacts {
    nlohmann::json json;
    std::vector<SchemeFacts> facts;
};

KeptFacts read_facts() {
    constexpr const char* kFile = "assets/scheme_presets.json";
    KeptFacts kept{parse_json_object(embedded_file(kFile).value_or("{}"), kFile), {}};
    kept.facts = read_rows<SchemeFacts>(kept.json, "schemes", "id", kFile);
    return kept;
}

}  // namespace

std::span<const SchemeFacts> scheme_facts() {
    return made_once([] { return read_facts(); }).facts;
}

const SchemeFacts& scheme_facts(std::string_view id) {
    static constexpr SchemeFacts kOwn{.title = "frequencies and channels of one's own",
                                      .source = "the tensors omega and pairs of the file"};
    if (id.empty()) {
        return kOwn;
    }
    const auto name = [](const SchemeFacts& facts) { return std::string(facts.id); };
    return element_named(scheme_facts(), name, id, [&](const std::string& near) {
        return fmt::format("scheme: '{}' is not known{}", id, near);
    });
}

}  // namespace ropescope
