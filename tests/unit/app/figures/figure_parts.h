// Figures for tests, and what stands in them.
#pragma once

#include <stdexcept>
#include <string>
#include <variant>
#include <vector>

#include "app/figures/view.h"

namespace ropescope::figures {

inline std::unique_ptr<Engine> engine() {
    return make_cpu_engine(1);
}

inline Picture picture_of(Scene scene, const std::string& view) {
    scene.view = view;
    return make_picture(scene, *engine());
}

inline plot::Figure figure_of(const Scene& scene, const std::string& view) {
    return picture_of(scene, view).figure;
}

inline const plot::Panel& panel_of(const plot::Figure& figure, const std::string& id) {
    for (const plot::Panel& panel : figure.panels) {
        if (panel.id == id) {
            return panel;
        }
    }
    throw std::runtime_error("no panel " + id);
}

template <typename MarkType>
std::vector<MarkType> marks_of(const plot::Panel& panel) {
    std::vector<MarkType> found;
    for (const plot::Mark& mark : panel.marks) {
        if (const auto* one = std::get_if<MarkType>(&mark)) {
            found.push_back(*one);
        }
    }
    return found;
}

inline std::vector<std::string> names_of(const plot::DataTable& table) {
    std::vector<std::string> names;
    for (const plot::Column& column : table.columns) {
        names.push_back(column.name);
    }
    return names;
}

inline const std::vector<double>& reals(const plot::DataTable& table, const std::string& name) {
    for (const plot::Column& column : table.columns) {
        if (column.name == name) {
            return std::get<std::vector<double>>(column.values);
        }
    }
    throw std::runtime_error("no column " + name);
}

}  // namespace ropescope::figures
