// The tables of model families and runtimes: what a row may say, and that a row is all that a new
// family needs.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "core/base/embedded.h"
#include "core/formats/json_object.h"
#include "core/formats/model_config.h"
#include "core/formats/runtimes/reading.h"
#include "tests/support/input_error.h"

namespace ropescope {
namespace {

using test::input_error;
using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using Json = nlohmann::json;

Json file(const char* name) {
    return parse_json_object(embedded_file(name).value(), name);
}

/// assets/families.json with these rows behind its own.
Json with_rows(const std::vector<Json>& rows) {
    Json tables = file(kFamiliesFile);
    for (const Json& each : rows) {
        tables["families"].push_back(each);
    }
    return parse_family_tables(tables.dump(), "table");
}

/// What is refused in a table with this row.
std::string refused_row(const Json& row) {
    return input_error([&] { read_families(with_rows({row}), "table"); });
}

Json row(const Json& more) {
    Json whole = {{"model_type", "new_model"}, {"source", "modeling_new_model.py"}};
    whole.update(more);
    return whole;
}

TEST(FamilyTable, EveryRowSaysWhereItWasRead) {
    for (const ModelFamily& family : model_families()) {
        EXPECT_GT(family.source.size(), 8U) << family.model_type;
    }
    for (const char* list : {"without_rope", "several_axes", "sections", "towers", "diffusers"}) {
        for (const Json& entry : family_tables().at(list)) {
            EXPECT_GT(entry.value("source", "").size(), 8U) << list << ": " << entry;
        }
    }
}

TEST(FamilyTable, RefusesWhatNoRowHas) {
    EXPECT_THAT(refused_row(row({{"bse", 5e5}})),
                AllOf(HasSubstr("table: new_model: 'bse' is not a key "
                                "of a row"),
                      HasSubstr("did you mean 'base'")));
    EXPECT_THAT(refused_row(row({{"condition", {{"kee", "alibi"}}}})),
                HasSubstr("new_model.condition: 'kee' is not a key"));
    EXPECT_THAT(
        refused_row(row({{"layers", Json::array({{{"type", "full_attention"}, {"theta", 1}}})}})),
        HasSubstr("new_model.layers[0]: 'theta' is not a key"));
    EXPECT_THAT(refused_row(row({{"base", "10000"}})),
                HasSubstr("new_model.base: a number is expected"));
    EXPECT_THAT(refused_row(row({{"head_dim", 64.5}})),
                HasSubstr("new_model.head_dim: a whole number"));
    EXPECT_THAT(refused_row(row({{"layout", "halves"}})),
                HasSubstr("new_model.layout: interleaved, half_split is expected"));
    EXPECT_THAT(refused_row(row({{"rotary_part_only", 1}})),
                HasSubstr("true or false is expected"));
    EXPECT_THAT(refused_row(row({{"source", ""}})), HasSubstr("a model_type and a source"));
    EXPECT_THAT(refused_row(row({{"model_type", "llama"}})),
                HasSubstr("llama: one row is expected"));
    EXPECT_THAT(input_error([&] {
                    with_rows({row({{"as", "newer"}})});
                }),
                HasSubstr("the model_type of an earlier row is expected"));
}

TEST(FamilyTable, ARowMaySayWhatDiffersFromAnEarlierOne) {
    const Json tables =
        with_rows({row({{"as", "gemma3_text"}, {"base", 5e5}, {"period_key", nullptr}})});
    const std::vector<ModelFamily> families = read_families(tables, "table");
    const ModelFamily& family = families.back();
    EXPECT_EQ(family.model_type, "new_model");
    EXPECT_EQ(family.source, "modeling_new_model.py");
    EXPECT_EQ(family.base, 5e5);
    EXPECT_EQ(family.head_dim, 256);
    EXPECT_EQ(family.layers.size(), 2U);
    EXPECT_EQ(family.period_key, "");
    EXPECT_EQ(family.runtimes, nullptr);
}

/// A made-up family with keys of its own, two kinds of layers, and a column for two runtimes.
const Json kNewRow = {{"model_type", "new_model"},
                      {"source", "modeling_new_model.py: rotate_half on neighbours"},
                      {"layout", "interleaved"},
                      {"base_key", "turning_base"},
                      {"base", 20000},
                      {"factor", 0.5},
                      {"hidden_key", "hidden_dim"},
                      {"layers_key", "depth_of_model"},
                      {"layers",
                       {{{"type", "full_attention"}, {"base_key", "far_base"}, {"base", 1e6}},
                        {{"type", "sliding_attention"}, {"local", true}, {"scaled", false}}}},
                      {"period", 3},
                      {"runtimes",
                       {{"transformers-5", {{"class", "NewConfig"}, {"reads_share", "read"}}},
                        {"vllm", {{"path", "new_model"}, {"checked", Json::array({"yarn"})}}}}}};

TEST(FamilyTable, ARowIsAllThatANewFamilyNeeds) {
    const Json tables = with_rows({kNewRow});
    const std::vector<ModelFamily> families = read_families(tables, "table");
    const Json file = Json::parse(R"({"model_type": "new_model", "hidden_dim": 1024,
        "num_attention_heads": 16, "depth_of_model": 6, "far_base": 500000,
        "rope_scaling": {"type": "linear", "factor": 2}})");
    const ModelConfig model =
        read_model(ConfigObject(file, "config.json"), "config.json", families);
    EXPECT_EQ(model.confidence, Confidence::known);
    EXPECT_EQ(model.n_layers, 6);
    ASSERT_EQ(model.layer_ropes.size(), 2U);
    EXPECT_EQ(model.layer_ropes[0].rope,
              (RopeSpec{64, 32, 5e5, Layout::interleaved, LinearScaling{2}}));
    EXPECT_EQ(model.layer_ropes[0].layers, 2);
    EXPECT_EQ(model.layer_ropes[1].rope, (RopeSpec{64, 32, 20000, Layout::interleaved}));
    EXPECT_THAT(model.assumptions, Contains("turning_base is missing: 20000"));
}

/// Reads a file of a family that lists a base for each layer.
ModelConfig read_listed(const std::string& bases, const std::string& more = "") {
    const Json tables = with_rows({row({{"layer_base_key", "layer_rope_theta"}})});
    const Json file = Json::parse(
        R"({"model_type": "new_model", "hidden_size": 512, "num_attention_heads": 8,
            "num_hidden_layers": 4, "rope_theta": 7, "layer_rope_theta": )" +
        bases + more + "}");
    return read_model(ConfigObject(file, "config.json"), "config.json",
                      read_families(tables, "table"));
}

TEST(FamilyTable, LayersMayHaveABaseEachOrNone) {
    const ModelConfig one =
        read_listed("[5e5, 5e5, null, 0]", R"(, "rope_parameters": {"rope_theta": 9})");
    EXPECT_EQ(one.rope.base, 5e5);
    EXPECT_TRUE(one.layer_ropes.empty());
    EXPECT_THAT(one.layers_without, ElementsAre(2, 3));
    const std::string types = R"(, "layer_types": ["sliding_attention", "sliding_attention",
        "full_attention", "full_attention"])";
    const ModelConfig two = read_listed("[1e4, 1e4, 1e6, 0]", types);
    ASSERT_EQ(two.layer_ropes.size(), 2U);
    EXPECT_EQ(two.layer_ropes[0].layer_type, "full_attention");
    EXPECT_EQ(two.layer_ropes[0].rope.base, 1e6);
    EXPECT_EQ(two.layer_ropes[1].rope.base, 1e4);
    EXPECT_THAT(two.layers_without, ElementsAre(3));
    const auto refused = [&](const std::string& bases, const std::string& more = "") {
        return input_error([&] { read_listed(bases, more); });
    };
    EXPECT_THAT(refused("[0, null]"), HasSubstr("layer_rope_theta: has no base above 0"));
    EXPECT_THAT(refused("[1, -2]"), HasSubstr("layer_rope_theta[1]: '-2'; a base above 0"));
    EXPECT_THAT(refused("10000"), HasSubstr("a list with a base for each layer"));
    EXPECT_THAT(refused("[1e4, 1e6, 1e6]", R"(, "layer_types": ["full_attention"])"),
                HasSubstr("several bases; layer_types"));
    EXPECT_THAT(refused("[1e4, 1e6]", R"(, "num_hidden_layers": 4)"),
                HasSubstr("layer_rope_theta: 2 entries for 4 layers"));
    EXPECT_THAT(
        refused("[1e4, 1e6, 1e6, 0]", types + R"(, "rope_parameters": {"sliding_attention": {}})"),
        HasSubstr("layer_rope_theta[0]: differs from the base of another layer"));
}

TEST(FamilyTable, LayersOfOneTypeMayDifferInTheirBase) {
    const std::string types = R"(, "layer_types": ["sliding_attention", "sliding_attention",
        "full_attention", "full_attention"])";
    for (const std::string& more : {std::string(), types}) {
        const ModelConfig model = read_listed("[1e4, 1e6, 1e6, 0]", more);
        EXPECT_EQ(model.layer_types[0], "base_10000");
        EXPECT_EQ(model.layer_types[2], "base_1000000");
        ASSERT_EQ(model.layer_ropes.size(), 2U);
        EXPECT_THAT(model.layers_without, ElementsAre(3));
    }
}

TEST(FamilyTable, AFileMayBeReadAsAnotherFamily) {
    const Json tables =
        with_rows({row({{"layout", "interleaved"},
                        {"alternative", {{"key", "plain"}, {"value", true}, {"as", "llama"}}}})});
    const std::vector<ModelFamily> families = read_families(tables, "table");
    for (const bool plain : {false, true}) {
        const Json file = {{"model_type", "new_model"},
                           {"hidden_size", 512},
                           {"num_attention_heads", 8},
                           {"plain", plain}};
        const ModelConfig model =
            read_model(ConfigObject(file, "config.json"), "config.json", families);
        EXPECT_EQ(model.rope.layout, plain ? Layout::half_split : Layout::interleaved);
    }
    EXPECT_THAT(
        refused_row(row({{"alternative", {{"key", "plain"}, {"value", true}, {"as", "x"}}}})),
        HasSubstr("new_model.alternative: a value, and in as the model_type"));
}

runtimes::TakenQuantity answer(const runtimes::Reading& reading, std::string_view quantity) {
    const auto found =
        std::ranges::find(reading.answers, quantity, &runtimes::TakenQuantity::quantity);
    return found == reading.answers.end() ? runtimes::TakenQuantity{.note = reading.unknown}
                                          : *found;
}

TEST(FamilyTable, RuntimesTakeARowAndSayWhatDiffers) {
    const Json tables = with_rows({kNewRow});
    const std::vector<ModelFamily> families = read_families(tables, "table");
    const runtimes::RuntimeTable table =
        runtimes::read_runtimes(file("assets/runtimes.json"), families);
    const Json config = Json::parse(R"({"model_type": "new_model", "hidden_size": 1024,
        "num_attention_heads": 16, "rope_parameters": {"partial_rotary_factor": 0.25}})");
    std::vector<std::string> known;
    for (const runtimes::Runtime& runtime : table.runtimes) {
        const auto reading = runtimes::read_as(runtime, ConfigObject(config, "config.json"));
        if (!reading.unknown.empty()) {
            continue;
        }
        known.emplace_back(runtime.name);
        EXPECT_EQ(answer(reading, "base").value, 20000);
        EXPECT_EQ(answer(reading, "rotary_dim").value, 16);
        EXPECT_EQ(answer(reading, "layout").value, "interleaved");
        const bool vllm = runtime.name == "vllm";
        EXPECT_EQ(answer(reading, "layout").source.file,
                  vllm ? "vllm/model_executor/models/new_model.py"
                       : "src/transformers/models/new_model/modeling_new_model.py");
        EXPECT_EQ(answer(reading, "base").source.file,
                  std::string(vllm ? "huggingface/transformers v5.15.0, " : "") +
                      "src/transformers/models/new_model/configuration_new_model.py");
        EXPECT_EQ(answer(reading, "base").source.function, "NewConfig");
    }
    EXPECT_THAT(known, ElementsAre("transformers-5", "vllm"));
}

TEST(FamilyTable, RefusesAColumnWithUnknownKeys) {
    Json wrong = kNewRow;
    wrong["runtimes"]["vllm"]["pathh"] = "x";
    const Json tables = with_rows({wrong});
    const std::vector<ModelFamily> families = read_families(tables, "table");
    EXPECT_THAT(
        input_error([&] { runtimes::read_runtimes(file("assets/runtimes.json"), families); }),
        HasSubstr("new_model.runtimes.vllm: 'pathh' is not a key of a row; did you mean "
                  "'path'"));
    Json table = file("assets/runtimes.json");
    table["runtimes"][1]["scalings"]["yarn"]["requires"] = Json::array();
    EXPECT_THAT(input_error([&] { runtimes::read_runtimes(table, model_families()); }),
                HasSubstr("'requires' is not a key of a row"));
}

/// A column of a runtime that no table has would never be read.
TEST(FamilyTable, ColumnsAreOfRuntimes) {
    std::vector<std::string> names;
    for (const runtimes::Runtime& runtime : runtimes::all_runtimes()) {
        names.emplace_back(runtime.name);
    }
    for (const ModelFamily& family : model_families()) {
        if (family.runtimes != nullptr) {
            for (const auto& [name, column] : family.runtimes->items()) {
                EXPECT_THAT(names, Contains(name)) << family.model_type;
            }
        }
    }
}

}  // namespace
}  // namespace ropescope
