// What a model says of keys that it did not read: never one that changes how it turns.
#include <algorithm>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <sstream>

#include "core/base/error.h"
#include "core/base/file.h"
#include "core/formats/json_object.h"
#include "core/formats/model_family.h"
#include "core/formats/presets.h"
#include "core/models/model.h"
#include "tests/support/paths.h"

namespace ropescope {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::Not;
using Json = nlohmann::json;

/// Sizes by which any part that sees can be read.
Json sizes_of_tower() {
    return {{"hidden_size", 1024},
            {"embed_dim", 1024},
            {"num_attention_heads", 16},
            {"num_heads", 16},
            {"patch_size", 14},
            {"vt_hidden_size", 1024},
            {"vt_num_attention_heads", 16}};
}

/// Every example of tests/golden/families.json, alone and as text_config; every published model;
/// and a language model beside every tower of the table, with a base in each of two places.
std::vector<Json> examples() {
    const std::string path = test::source_dir() + "/tests/golden/families.json";
    std::vector<Json> all;
    for (const Json& each : parse_json_object(read_file(path), path).at("cases")) {
        const Json& config = each.at("config");
        all.push_back(config);
        all.push_back({{"model_type", "llava"}, {"text_config", config}});
        all.push_back(config);
        all.back()["text_config"] = config;
    }
    for (const auto* presets : {&one_axis_presets(), &several_axes_presets()}) {
        for (const Preset& preset : *presets) {
            all.push_back(parse_json_object(preset.config_json, preset.name));
        }
    }
    const Json text = {{"model_type", "llama"}, {"hidden_size", 4096}, {"num_attention_heads", 32}};
    for (const Json& tower : family_tables().at("towers")) {
        for (const char* place : {"rope_parameters", "rope_theta"}) {
            Json vision = sizes_of_tower();
            vision["model_type"] = tower.at("begins");
            vision[place] =
                place == std::string("rope_theta") ? Json(700.0) : Json{{"rope_theta", 700.0}};
            all.push_back(
                {{"model_type", "llava"}, {"text_config", text}, {"vision_config", vision}});
        }
    }
    return all;
}

/// How each part turns, in words that differ where it differs; what is refused instead.
std::vector<std::string> turning(const Json& config) {
    try {
        std::vector<std::string> all;
        for (const Part& part : parse_model(config.dump(), "config.json").parts) {
            std::ostringstream words;
            words.precision(17);
            words << part.name() << ' ' << part.scheme.head_dim << ' '
                  << layout_name(part.scheme.pairs);
            for (const Spectrum& head : part.scheme.heads) {
                words << ' ' << head.attention_factor << ' ' << head.softmax_scale_factor;
                std::ranges::for_each(head.inv_freq_rad, [&](double w) { words << ' ' << w; });
            }
            all.push_back(words.str());
        }
        return all;
    } catch (const InputError& refused) {
        return {refused.what()};
    }
}

/// The paths of the keys that are listed as unread or said to be passed over: {"vision_config",
/// "rope_theta"}.
std::vector<Json::json_pointer> listed(const Json& config) {
    std::vector<Json::json_pointer> paths;
    const std::string begin = "this key was not read: ";
    try {
        for (const Part& part : parse_model(config.dump(), "config.json").parts) {
            for (const std::string& said : part.assumptions) {
                const bool is_unread = said.starts_with(begin);
                if (!is_unread && said.find(" is passed over") == said.npos) {
                    continue;
                }
                std::string path = said.substr(is_unread ? begin.size() : 0);
                path = path.substr(0, path.find(' '));
                std::ranges::replace(path, '.', '/');
                paths.emplace_back("/" + path);
            }
        }
    } catch (const InputError&) {
        paths.clear();
    }
    return paths;
}

TEST(UnreadKeys, AKeyThatIsReadIsNeverListed) {
    Index count = 0;
    for (const Json& config : examples()) {
        for (const Json::json_pointer& path : listed(config)) {
            Json without = config;
            without.at(path.parent_pointer()).erase(path.back());
            EXPECT_EQ(turning(config), turning(without)) << path.to_string() << " of " << config;
            ++count;
        }
    }
    EXPECT_GT(count, 5);  // towers whose base is a constant list theirs
}

std::vector<std::string> said(const std::string& json) {
    const Model model = parse_model(json, "config.json");
    return model.part().assumptions;
}

TEST(UnreadKeys, TheKeysOfEachPartAreItsReadersToLookAt) {
    const std::string text = R"("text_config":{"model_type":"llama","hidden_size":64,)"
                             R"("num_attention_heads":1},)";
    const std::string vision =
        R"("hidden_size":1152,"vt_hidden_size":1152,"num_attention_heads":16,)"
        R"("vt_num_attention_heads":16,)"
        R"("rope_parameters":{"rope_type":"default","rope_theta":700}})";
    for (const char* type : {"muse_glimmer", "kimi_k25"}) {
        const std::string json =
            fmt::format(R"({{"model_type":"{}",{}"vision_config":{{)", type, text) +
            fmt::format(R"("model_type":"{}",)", type) + vision + "}";
        EXPECT_THAT(said(json), Not(Contains(HasSubstr("not read")))) << json;
    }
    // No key changes the base of this tower.
    const Model exaone =
        parse_model(R"({"model_type":"llava",)" + text +
                        R"("vision_config":{"model_type":"exaone4_5_vision","hidden_size":64,)"
                        R"("num_heads":1,"rope_theta":700}})",
                    "config.json");
    EXPECT_THAT(exaone.part("vision").assumptions,
                Contains("vision_config.rope_theta 700 is passed over: the code of this tower has "
                         "10000 as a constant"));
}

TEST(UnreadKeys, FilesWithoutALanguageModelNameTheirs) {
    EXPECT_THAT(said(R"({"model_type":"dinov3_vit","hidden_size":384,"num_attention_heads":6,)"
                     R"("rope_theta":100.0,"rope_mystery":3})"),
                Contains("this key was not read: rope_mystery 3"));
    EXPECT_THAT(said(R"({"_class_name":"WanTransformer3DModel","attention_head_dim":128,)"
                     R"("rope_mystery":{"x":1}})"),
                Contains("this key was not read: rope_mystery"));
}

TEST(UnreadKeys, TextConfigCountsAndWhatRepeatsItIsReadWithIt) {
    const auto fuyu = [](const char* outer) {
        return std::string(R"({"model_type":"fuyu","hidden_size":4096,"num_attention_heads":64,)") +
               outer +
               R"("text_config":{"model_type":"persimmon","hidden_size":4096,)"
               R"("num_attention_heads":64,"rope_theta":25000,"partial_rotary_factor":0.5}})";
    };
    EXPECT_THAT(said(fuyu(R"("rope_theta":25000.0,)")), Not(Contains(HasSubstr("not read"))));
    const std::string other = fuyu(R"("rope_theta":777,)");
    EXPECT_THAT(said(other), Contains("this key was not read: rope_theta 777"));
    EXPECT_EQ(parse_model(other, "config.json").part().spec.value().base, 25000.0);
}

TEST(UnreadKeys, AListThatOnlySwitchesSaysWhichBasesItDoesNotGive) {
    const auto muse = [](const char* more) {
        return said(std::string(R"({"model_type":"muse_glimmer_text","hidden_size":6656,)") +
                    R"("num_attention_heads":32,"num_hidden_layers":4,)" +
                    R"("layer_rope_theta":[500000,0,500000,500000])" + more + "}");
    };
    const auto says_bases = Contains(HasSubstr("turn at base 10000, not at its 500000"));
    EXPECT_THAT(muse(""), says_bases);
    EXPECT_THAT(muse(R"(,"rope_parameters":{"rope_type":"default","rope_theta":500000})"),
                Not(Contains(HasSubstr("says only which layers turn"))));
}

TEST(UnreadKeys, TheLayoutOfAxesIsReadWhereverItStands) {
    const auto ernie = [](const char* whole, const char* text, const char* inside) {
        return said(std::string(R"({"model_type":"qwen2_vl",)") + whole +
                    R"("text_config":{"model_type":"qwen2_vl_text",)" + text +
                    R"("hidden_size":128,"num_attention_heads":1,"rope_parameters":{)" + inside +
                    R"("rope_type":"default","mrope_section":[16,24,24]}}})");
    };
    const auto says_it = Contains(HasSubstr("mrope_layout 'other' is not read"));
    const char* const key = R"("mrope_layout":"other",)";
    EXPECT_THAT(ernie(key, "", ""), says_it);
    EXPECT_THAT(ernie("", key, ""), says_it);
    EXPECT_THAT(ernie("", "", key), says_it);
    EXPECT_THAT(ernie("", "", ""), Not(says_it));
}

}  // namespace
}  // namespace ropescope
