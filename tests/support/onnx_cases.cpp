#include "tests/support/onnx_cases.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>

#include "tests/support/paths.h"

namespace ropescope::test {
namespace {

OnnxCase case_from(const nlohmann::json& json) {
    OnnxCase c;
    c.name = json.at("name");
    c.layout = parse_layout(json.at("layout").get<std::string>());
    c.batch = json.at("batch");
    c.heads = json.at("heads");
    c.positions = json.at("seq");
    c.head_dim = json.at("head_dim");
    c.rotary_dim = json.at("rotary_dim");
    c.merged_heads = json.at("order") == "BSHD";
    c.input = json.at("input").get<std::vector<float>>();
    c.cos = json.at("cos_cache").get<std::vector<float>>();
    c.sin = json.at("sin_cache").get<std::vector<float>>();
    c.expected = json.at("expected").get<std::vector<float>>();
    c.table_shape = json.at("cos_cache_shape").get<std::vector<std::int64_t>>();
    if (!json.at("position_ids").is_null()) {
        c.position_ids = json.at("position_ids").get<std::vector<std::int64_t>>();
    }
    return c;
}

double largest_magnitude(std::span<const float> values) {
    double largest = 0;
    for (const float value : values) {
        largest = std::max(largest, std::abs(static_cast<double>(value)));
    }
    return largest;
}

}  // namespace

std::vector<std::int64_t> OnnxCase::input_shape() const {
    if (merged_heads) {
        return {batch, positions, heads * head_dim};
    }
    return {batch, heads, positions, head_dim};
}

const std::vector<OnnxCase>& onnx_cases() {
    static const std::vector<OnnxCase> cases = [] {
        std::ifstream file(source_dir() + "/tests/golden/onnx_rotary_embedding/cases.json");
        const nlohmann::json json = nlohmann::json::parse(file);
        std::vector<OnnxCase> list;
        for (const nlohmann::json& each : json.at("cases")) {
            list.push_back(case_from(each));
        }
        return list;
    }();
    return cases;
}

double onnx_tolerance(const OnnxCase& c) {
    const double table = std::max(largest_magnitude(c.cos), largest_magnitude(c.sin));
    return 2 * 3 * 0x1p-24 * 2 * largest_magnitude(c.input) * table;
}

double largest_difference(std::span<const float> actual, std::span<const float> expected) {
    if (actual.size() != expected.size()) {
        return std::numeric_limits<double>::infinity();
    }
    double largest = 0;
    for (std::size_t i = 0; i < actual.size(); ++i) {
        const double difference = std::abs(static_cast<double>(actual[i]) - expected[i]);
        if (!(difference <= largest)) {  // a NaN counts as the worst
            largest = std::isnan(difference) ? std::numeric_limits<double>::infinity() : difference;
        }
    }
    return largest;
}

}  // namespace ropescope::test
