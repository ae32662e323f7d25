// Reads the embedded tables of BERT's tokenizer.
#include "core/formats/bert_tables.h"

#include <nlohmann/json.hpp>

#include "core/base/characters.h"
#include "core/base/embedded.h"
#include "core/base/memo.h"
#include "core/formats/json_object.h"

namespace ropescope::bert {
namespace {

/// The words of a text with one space between each two.
std::vector<std::u32string> words_of(std::u32string_view text) {
    std::vector<std::u32string> words;
    for (std::size_t begin = 0; begin <= text.size();) {
        const std::size_t end = std::min(text.find(U' ', begin), text.size());
        words.emplace_back(text.substr(begin, end - begin));
        begin = end + 1;
    }
    return words;
}

Tables read_tables() {
    constexpr const char* kFile = "assets/bert_letters.json";
    const nlohmann::json json = parse_json_object(embedded_file(kFile).value_or("{}"), kFile);
    const auto number = [](const nlohmann::json& value) { return value.get<std::uint32_t>(); };
    Tables tables;
    for (const nlohmann::json& row : json.at("kinds")) {
        tables.kinds.push_back({number(row.at(0)), number(row.at(1))});
    }
    for (const nlohmann::json& row : json.at("marks")) {
        tables.marks.push_back({number(row.at(0)), number(row.at(1)), number(row.at(2))});
    }
    for (const nlohmann::json& row : json.at("letters")) {
        tables.letters.push_back(
            {number(row.at(0)), words_of(code_points(row.at(1).get<std::string>()))});
    }
    return tables;
}

}  // namespace

const Tables& tables() {
    return made_once([] { return read_tables(); });
}

}  // namespace ropescope::bert
