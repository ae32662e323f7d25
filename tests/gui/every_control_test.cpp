// Every control of every view, worked with the keyboard in the offscreen window. What the mouse
// does with them in the real window stands in real_controls_test.cpp.
#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <algorithm>
#include <array>
#include <functional>
#include <gtest/gtest.h>
#include <optional>
#include <set>
#include <utility>

#include "app/figures/view.h"
#include "app/gui/state/finder.h"
#include "app/gui/state/model_menu.h"
#include "app/scene/settings.h"
#include "app/scene/values.h"
#include "tests/gui/control_kinds.h"
#include "tests/gui/person.h"
#include "tests/support/needs_egl.h"

namespace ropescope::test {
namespace {

/// Somebody who works all controls of one view with the keyboard.
class Worker {
  public:
    /// In the smallest window: a control has to scroll into view, and frames are drawn quickly.
    /// `left_alone`: controls that are not worked.
    explicit Worker(const Scene& scene, std::set<std::string> left_alone = {})
        : person_(scene, {.width = gui::kLeastWidth, .height = gui::kLeastHeight}),
          worked_(std::move(left_alone)) {}

    /// Works the controls that are shown, and those that other values of them bring, until every
    /// parameter that can have a control here was worked.
    void work_all() {
        do {
            while (const Parameter* parameter = not_worked(person_.scene())) {
                work(*parameter);
            }
        } while (bring_more());
        if (person_.find("value of speed")) {
            expect_typed(parameter_by_name("speed"), "value of speed", "3");
        }
    }
    const std::set<std::string>& worked() const { return worked_; }

  private:
    /// The first control of the scene that was not worked; null if there is none.
    const Parameter* not_worked(const Scene& scene) const {
        const auto shown = gui::shown_controls(scene);
        const auto found = std::ranges::find_if(
            shown, [&](const Parameter* p) { return !worked_.contains(p->name); });
        return found == shown.end() ? nullptr : *found;
    }

    /// Whether the change brings a control that was not worked.
    bool brings_more(const Scene& before, const Scene& after) const {
        const auto shown = gui::shown_controls(before);
        return std::ranges::any_of(gui::shown_controls(after), [&](const Parameter* p) {
            return !worked_.contains(p->name) && std::ranges::count(shown, p) == 0;
        });
    }

    /// Undoes what it did, unless it has brought other controls.
    void work(const Parameter& parameter) {
        worked_.insert(parameter.name);
        const Scene before = person_.scene();
        const ControlKind kind = control_kind(person_, parameter);
        const Scene after =
            expect_change(parameter, "by its control", [&] { step(parameter, kind); });
        if (kind == ControlKind::slider) {
            // The value to which the slider went can be typed, too.
            expect_typed(parameter, "value of " + parameter.name, parameter_text(after, parameter));
        }
        if (kind == ControlKind::list && parameter.choices.empty()) {
            expect_typed(parameter, "type " + parameter.name, text_for(parameter));
        }
        if (brings_more(before, after)) {
            step(parameter, kind);
        }
    }

    /// Another value: the next one, or the one before if the control is at its end.
    void step(const Parameter& parameter, ControlKind kind) {
        person_.state().wanted_control = parameter.name;
        person_.frames(3);  // it takes the focus, and scrolls into view
        if (kind == ControlKind::text) {
            person_.key(GLFW_KEY_ENTER);
            person_.type(text_for(parameter));
            return person_.key(GLFW_KEY_ENTER);
        }
        if (kind == ControlKind::list) {
            const std::vector<std::string>& values = gui::listed_values(person_.scene(), parameter);
            return choose_from_list(parameter,
                                    neighbour(values, parameter_text(person_.scene(), parameter)));
        }
        const Scene before = person_.scene();
        person_.key(GLFW_KEY_RIGHT);
        if (person_.scene() == before) {
            person_.key(GLFW_KEY_LEFT);
        }
    }

    /// The list has the focus.
    void choose_from_list(const Parameter& parameter, const std::string& value) {
        const std::vector<std::string>& values = gui::listed_values(person_.scene(), parameter);
        const auto place = [&](const std::string& v) {
            return std::ranges::find(values, v) - values.begin();
        };
        std::ptrdiff_t now = place(parameter_text(person_.scene(), parameter));
        now = now == std::ssize(values) ? 0 : now;  // the list opens at its first row
        const std::ptrdiff_t to = place(value);
        person_.key(GLFW_KEY_ENTER);
        for (std::ptrdiff_t i = 0; i < std::abs(to - now); ++i) {
            person_.key(to > now ? GLFW_KEY_DOWN : GLFW_KEY_UP);
        }
        person_.key(GLFW_KEY_ENTER);
    }

    /// Expects that the parameter has another value afterwards, and that undo brings the scene
    /// back. Returns the scene in between.
    Scene expect_change(const Parameter& parameter, const std::string& how,
                        const std::function<void()>& act) {
        const Scene before = person_.scene();
        act();
        Scene after = person_.scene();
        EXPECT_NE(parameter_text(after, parameter), parameter_text(before, parameter))
            << parameter.name << ", " << how;
        EXPECT_EQ(person_.state().error, "") << parameter.name << ", " << how;
        EXPECT_EQ(person_.state().overlay, gui::Overlay::none) << parameter.name << ", " << how;
        person_.key(GLFW_KEY_Z, true);
        EXPECT_TRUE(person_.scene() == before) << parameter.name << ", " << how << ": undo";
        return after;
    }

    void expect_typed(const Parameter& parameter, const std::string& area,
                      const std::string& text) {
        const Scene after = expect_change(parameter, "typed", [&] {
            person_.state().focus.set(person_.probe(area).id);
            person_.key(GLFW_KEY_ENTER);
            person_.type(text);
            person_.key(GLFW_KEY_ENTER);
        });
        EXPECT_EQ(parameter_text(after, parameter), text) << parameter.name << ", typed";
        worked_.insert(parameter.name);
    }

    struct Choice {
        const Parameter* parameter;
        std::string value;
    };
    /// The first value that brings a control which was not worked, or after which another value
    /// does, in `steps` steps at most.
    std::optional<Choice> next_choice(const Scene& from, int steps) const {
        for (const Parameter* parameter : gui::shown_controls(from)) {
            for (const std::string& value : gui::listed_values(from, *parameter)) {
                const Scene to = apply_settings(from, {parameter->name + "=" + value});
                if (steps == 1 ? brings_more(from, to) : next_choice(to, steps - 1).has_value()) {
                    return Choice{parameter, value};
                }
            }
        }
        return std::nullopt;
    }

    /// Chooses a value that brings a control which was not worked; returns whether there is one.
    bool bring_more() {
        auto choice = next_choice(person_.scene(), 1);
        choice = choice ? choice : next_choice(person_.scene(), 2);
        return choice && choose(*choice->parameter, choice->value);
    }

    bool choose(const Parameter& parameter, const std::string& value) {
        person_.state().wanted_control = parameter.name;
        person_.frames(3);
        if (control_kind(person_, parameter) == ControlKind::list) {
            choose_from_list(parameter, value);
        } else {
            const auto place = [&](const std::string& v) {
                return std::ranges::find(parameter.choices, v) - parameter.choices.begin();
            };
            const auto by = place(value) - place(parameter_text(person_.scene(), parameter));
            for (std::ptrdiff_t i = 0; i < std::abs(by); ++i) {
                person_.key(by > 0 ? GLFW_KEY_RIGHT : GLFW_KEY_LEFT);
            }
        }
        EXPECT_EQ(parameter_text(person_.scene(), parameter), value) << parameter.name;
        return parameter_text(person_.scene(), parameter) == value;
    }

    Person person_;
    std::set<std::string> worked_;
};

/// The controls of the view that a person works, but for some.
std::set<std::string> worked_in(const std::string& view, const std::set<std::string>& left_alone) {
    Worker worker(scene_with_controls(view), left_alone);
    worker.work_all();
    return worker.worked();
}

class EveryControl : public testing::TestWithParam<std::string> {};

TEST_P(EveryControl, ChangesItsParameterAndUndoBringsItBack) {
    ROPESCOPE_NEEDS_EGL();
    std::set<std::string> worked = worked_in(GetParam(), {});
    if (worked.contains("dump")) {  // a file takes the controls of made tensors away
        worked.merge(worked_in(GetParam(), {"dump"}));
    }
    for (const std::string& name : figures::view_by_id(GetParam()).parameters) {
        // The bar shows the model; tests of the list of models choose one there.
        EXPECT_TRUE(worked.contains(name) || name == "model") << name;
    }
}

std::vector<std::string> view_ids() {
    std::vector<std::string> ids;
    for (const figures::View& view : figures::views()) {
        ids.push_back(view.id);
    }
    return ids;
}

INSTANTIATE_TEST_SUITE_P(Views, EveryControl, testing::ValuesIn(view_ids()),
                         [](const auto& view) { return view.param; });

/// With the test above: no parameter is left out, because each is a control of some view.
TEST(EveryParameter, HasAControl) {
    struct Elsewhere {
        std::string_view parameter, why;
    };
    constexpr auto kElsewhere = std::to_array<Elsewhere>({
        {"view", "the navigation chooses it, and the number keys"},
        {"model", "the bar shows it and opens the list of models"},
        {"speed", "it stands beside the play button, where the test above types it"},
    });
    for (const Parameter& parameter : parameters()) {
        const bool of_a_view = std::ranges::any_of(figures::views(), [&](const auto& view) {
            return std::ranges::count(view.parameters, parameter.name) > 0;
        });
        const bool elsewhere =
            std::ranges::count(kElsewhere, parameter.name, &Elsewhere::parameter) > 0;
        EXPECT_TRUE(of_a_view || elsewhere) << parameter.name;
    }
}

}  // namespace
}  // namespace ropescope::test
