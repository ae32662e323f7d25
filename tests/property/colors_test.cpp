// Nothing is said by colour alone, and one meaning has one colour.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <map>
#include <set>

#include "app/figures/view.h"
#include "app/scene/settings.h"
#include "tests/support/vision.h"

namespace ropescope::figures {
namespace {

using plot::LegendEntry;
using plot::Role;

/// What a figure names: entries of its legend, and lines and points with a name at their end.
struct Named {
    LegendEntry entry;
    bool direct = false;  ///< the name stands at the thing itself
};

std::vector<Named> named_things(const plot::Figure& figure) {
    std::vector<Named> things;
    for (const LegendEntry& entry : figure.legend) {
        things.push_back({entry});
    }
    for (const plot::Panel& panel : figure.panels) {
        for (const plot::Mark& mark : panel.marks) {
            if (const auto* line = std::get_if<plot::Line>(&mark); line && !line->label.empty()) {
                things.push_back(
                    {{line->label, line->role, LegendEntry::Kind::line, line->dash}, true});
            }
        }
    }
    return things;
}

bool by_shape(const Named& a, const Named& b) {
    return a.entry.kind != b.entry.kind || a.entry.dash != b.entry.dash || (a.direct && b.direct);
}

/// Whether people of every colour vision can tell them apart in both grounds: 0.1 is five times
/// what is just seen in Oklab.
bool by_colour(const Named& a, const Named& b) {
    const auto apart = [&](const plot::Theme& theme) {
        return test::least_distance(theme[a.entry.role], theme[b.entry.role]) >= 0.1;
    };
    return apart(plot::light_theme()) && apart(plot::dark_theme());
}

std::vector<Scene> scenes() {
    std::vector<Scene> all;
    for (const View& view : views()) {
        all.emplace_back();
        all.back().view = view.id;
    }
    for (const std::vector<std::string>& settings : std::vector<std::vector<std::string>>{
             {"view=spectrum", "spectrum_overlay=methods"},
             {"view=spectrum", "scaling=yarn"},
             {"view=layouts", "layouts_show=walk"},
             {"view=context", "context_show=bases"},
             {"view=layouts", "system_b=strided_llama_as_written"},
             {"view=model", "model=gemma-3-4b"},
             {"view=axes", "axes_model=ropevit-mixed-start"},
             {"view=attention", "attention_table=bf16"}}) {
        all.push_back(apply_settings({}, settings));
    }
    return all;
}

TEST(Colours, NamedThingsDifferByMoreThanHue) {
    const auto engine = make_cpu_engine(1);
    for (const Scene& scene : scenes()) {
        const auto things = named_things(make_figure(scene, *engine, {.may_draft = true}));
        for (std::size_t i = 0; i < things.size(); ++i) {
            for (std::size_t j = 0; j < i; ++j) {
                const bool lines = things[i].entry.kind == LegendEntry::Kind::line &&
                                   things[j].entry.kind == LegendEntry::Kind::line;
                const bool same = things[i].entry.label == things[j].entry.label;
                // Against black and grey a hue differs in brightness.
                const double brighter =
                    plot::contrast_ratio(plot::light_theme()[things[i].entry.role],
                                         plot::light_theme()[things[j].entry.role]);
                EXPECT_TRUE(same || by_shape(things[i], things[j]) ||
                            (lines ? brighter >= 2 : by_colour(things[i], things[j])))
                    << scene.view << ": " << things[i].entry.label << " and "
                    << things[j].entry.label;
            }
        }
    }
}

TEST(Colours, FailuresHaveTheirColourAlone) {
    // What is broken may be drawn beside what is right: the strided LLaMA, and vectors without P.
    const std::set<std::string> broken = {"strided LLaMA", "without P"};
    const auto engine = make_cpu_engine(1);
    for (const Scene& scene : scenes()) {
        if (scene.view == "attention" || scene.view == "checks" || scene.view == "diagnose") {
            continue;  // they show results of checks and comparisons
        }
        for (const Named& thing : named_things(make_figure(scene, *engine, {.may_draft = true}))) {
            EXPECT_TRUE(thing.entry.role != Role::wrong || broken.contains(thing.entry.label))
                << scene.view << ": " << thing.entry.label;
        }
    }
}

TEST(Colours, QueryAndKeyHaveTheirColoursAlone) {
    const auto engine = make_cpu_engine(1);
    for (const Scene& scene : scenes()) {
        for (const Named& thing : named_things(make_figure(scene, *engine, {.may_draft = true}))) {
            const std::string& label = thing.entry.label;
            const bool query = label.starts_with("q") || label == "query";
            const bool key = label.starts_with("k") || label == "key";
            EXPECT_TRUE(thing.entry.role != Role::query || query) << scene.view << ": " << label;
            EXPECT_TRUE(thing.entry.role != Role::key || key) << scene.view << ": " << label;
        }
    }
}

TEST(Colours, TheEndsOfTheMapOfSignedValuesAreNobodyElses) {
    for (const plot::Theme* theme : {&plot::light_theme(), &plot::dark_theme()}) {
        EXPECT_GE(test::least_distance(theme->map_low, theme->map_high), 0.1) << theme->name;
        for (const plot::Color end : {theme->map_low, theme->map_high}) {
            EXPECT_GE(test::least_distance(end, (*theme)[Role::panel]), 0.2) << theme->name;
            for (const Role role : {Role::query, Role::key, Role::wrong}) {
                EXPECT_GE(
                    test::distance(test::linear_light(end), test::linear_light((*theme)[role])),
                    0.1)
                    << theme->name << " " << static_cast<int>(role);
            }
        }
    }
}

TEST(Colours, TheSimulationKeepsGreysAndMixesRedWithGreen) {
    for (const test::Vision vision :
         {test::Vision::protanopia, test::Vision::deuteranopia, test::Vision::tritanopia}) {
        const test::Rgb grey = test::seen(plot::rgb(0x808080), vision);
        const test::Rgb light = test::linear_light(plot::rgb(0x808080));
        for (std::size_t i = 0; i < 3; ++i) {
            EXPECT_NEAR(grey[i], light[i], 1e-5) << "rows of the published matrices sum to 1";
        }
    }
    // A red and a green of one brightness: far apart, and near for people without the M cones.
    const plot::Color red = plot::rgb(0xc05050), green = plot::rgb(0x6a7a20);
    const auto apart = [&](test::Vision vision) {
        return test::distance(test::seen(red, vision), test::seen(green, vision));
    };
    EXPECT_LT(apart(test::Vision::deuteranopia), 0.5 * apart(test::Vision::usual));
}

}  // namespace
}  // namespace ropescope::figures
