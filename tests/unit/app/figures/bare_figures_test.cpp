// A bare figure, for a paper: nothing in it says what is selected, and no figure says what a hand
// at the mouse or the keys can do, which the explanation in the window says.
#include <algorithm>
#include <array>
#include <cctype>
#include <cstddef>
#include <gtest/gtest.h>
#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "app/figures/view.h"
#include "app/plot/figure.h"
#include "app/scene/parameters.h"
#include "app/scene/settings.h"
#include "core/engine/engine.h"
#include "tests/support/sentences.h"

namespace ropescope::figures {
namespace {

using plot::Role;

/// Every view in every form that it has: a parameter NAME_show chooses among them.
std::vector<Scene> all_forms() {
    std::vector<Scene> scenes;
    for (const View& view : views()) {
        Scene scene;
        scene.view = view.id;
        scenes.push_back(scene);
        for (const std::string& name : view.parameters) {
            if (!name.ends_with("_show")) {
                continue;
            }
            for (const std::string& choice : parameter_by_name(name).choices) {
                scenes.push_back(apply_settings(scene, {name + "=" + choice}));
            }
        }
    }
    return scenes;
}

/// A frame around one thing among others: a line in the colours of what is drawn, not of a border,
/// that returns along the axes to where it began.
bool is_frame(const plot::Line& line) {
    if (line.role == Role::line || line.points.size() != 5 ||
        line.points.front() != line.points.back()) {
        return false;
    }
    for (std::size_t i = 1; i < line.points.size(); ++i) {
        const plot::Point a = line.points[i - 1], b = line.points[i];
        if (a.x != b.x && a.y != b.y) {
            return false;
        }
    }
    return true;
}

/// What draws attention to a thing beside others: a frame, the accent colour, a row of a table that
/// is shaded. Words may have the accent colour: of the hidden token.
bool selects(const plot::Panel& panel, const plot::Mark& mark) {
    if (const auto* line = std::get_if<plot::Line>(&mark)) {
        return line->role == Role::accent || is_frame(*line);
    }
    if (const auto* points = std::get_if<plot::Points>(&mark)) {
        return points->role == Role::accent;
    }
    if (const auto* rule = std::get_if<plot::Rule>(&mark)) {
        return rule->role == Role::accent;
    }
    const auto* band = std::get_if<plot::Band>(&mark);
    return band != nullptr &&
           (band->role == Role::accent || (band->role == Role::selected && !panel.rows.empty()));
}

/// Returns how many marks of the whole figure select something.
int expect_nothing_selected(const plot::Figure& figure) {
    int selecting = 0;
    for (const plot::Panel& panel : figure.panels) {
        for (const plot::Mark& mark : panel.marks) {
            selecting += selects(panel, mark) ? 1 : 0;
        }
    }
    for (const plot::Panel& panel : without_selection(figure).panels) {
        EXPECT_FALSE(panel.selected) << figure.view << " " << panel.id;
        for (std::size_t i = 0; i < panel.marks.size(); ++i) {
            EXPECT_FALSE(selects(panel, panel.marks[i]))
                << figure.view << " " << panel.id << ", mark " << i;
        }
    }
    return selecting;
}

/// Whether the text has the word, alone and in small or capital letters.
bool has_word(std::string_view text, std::string_view word) {
    const auto letter = [&](std::size_t at) {
        return at < text.size() && std::isalpha(static_cast<unsigned char>(text[at])) != 0;
    };
    const auto same = [](char a, char b) {
        return std::tolower(static_cast<unsigned char>(a)) == b;
    };
    for (std::size_t at = 0; at + word.size() <= text.size(); ++at) {
        if (std::equal(word.begin(), word.end(), text.begin() + static_cast<std::ptrdiff_t>(at),
                       [&](char w, char t) { return same(t, w); }) &&
            (at == 0 || !letter(at - 1)) && !letter(at + word.size())) {
            return true;
        }
    }
    return false;
}

void expect_no_word_of_hands(const plot::Figure& figure) {
    constexpr std::array<std::string_view, 8> kOfHands = {"click", "drag",  "press", "hover",
                                                          "mouse", "wheel", "enter", "cursor"};
    for (const plot::Text& text : test::shown_texts(figure)) {
        for (const std::string_view word : kOfHands) {
            EXPECT_FALSE(has_word(text, word)) << figure.view << ": " << text;
        }
    }
}

TEST(BareFigures, SayNothingOfWhatIsSelectedNorOfMouseAndKeys) {
    EXPECT_TRUE(has_word("YaRN; click a row", "click"));
    EXPECT_TRUE(has_word("Enter: open Rotation", "enter"));
    EXPECT_FALSE(has_word("the center", "enter"));
    const std::unique_ptr<Engine> engine = make_cpu_engine(1);
    int selecting = 0;
    for (const Scene& scene : all_forms()) {
        const plot::Figure figure = make_figure(scene, *engine);
        selecting += expect_nothing_selected(figure);
        expect_no_word_of_hands(figure);
    }
    EXPECT_GE(selecting, 7) << "the window has such marks";
}

}  // namespace
}  // namespace ropescope::figures
