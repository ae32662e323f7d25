// Reads what the script counted of the twins.
#include "core/demo/twins.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/demo/demo_models.h"
#include "core/formats/json_object.h"

namespace ropescope::demo {
namespace {

struct TwinsFile {
    std::vector<Twin> twins;
    Index sink_from = 0;
};

ScriptCount twin_count(const nlohmann::json& count) {
    return {count.at("right"), count.at("of")};
}

Twin read_twin(const nlohmann::json& of) {
    Twin twin;
    twin.position = of.at("position");
    twin.causal = of.at("causal");
    twin.seed = of.at("seed");
    if (of.contains("sample")) {
        twin.sample = twin_count(of.at("sample"));
    }
    for (const nlohmann::json& count : of.at("held_out")) {
        twin.held_out.push_back(
            {count.at("length"), twin_count(count), count.value("ended", Index{0})});
    }
    twin.first_token_shares = of.value("first_token_shares", twin.first_token_shares);
    twin.bias = of.value("bias", twin.bias);
    return twin;
}

const TwinsFile& twins_file() {
    static const TwinsFile file = [] {
        constexpr const char* kFile = "assets/demo-roformer/twins.json";
        const nlohmann::json read = parse_json_object(demo_file(kFile).value(), kFile);
        TwinsFile made{{}, read.at("sink_from")};
        for (const nlohmann::json& of : read.at("models")) {
            made.twins.push_back(read_twin(of));
        }
        return made;
    }();
    return file;
}

}  // namespace

const ScriptCount* Twin::at(Index length) const {
    const auto found = std::ranges::find(held_out, length, &AtLength::length);
    return found == held_out.end() ? nullptr : &found->count;
}

const std::vector<Twin>& demo_twins() {
    return twins_file().twins;
}

const Twin* find_twin(std::string_view position, bool causal, int seed) {
    const std::vector<Twin>& twins = demo_twins();
    const auto found = std::ranges::find_if(twins, [&](const Twin& twin) {
        return twin.position == position && twin.causal == causal && twin.seed == seed;
    });
    return found == twins.end() ? nullptr : &*found;
}

Index sink_from() {
    return twins_file().sink_from;
}

}  // namespace ropescope::demo
