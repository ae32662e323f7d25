// What the window lists while the user looks for something to open: models by name, the entries of
// a folder, or (finder.h) controls, views and commands.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace ropescope::gui {

struct OpenEntry {
    enum class Kind {
        heading,  ///< of the entries below it
        model,
        folder,
        file,
        control,  ///< of a parameter
        view,
        command,  ///< of the window's menu
        chooser,  ///< the host's, of files
        remark,   ///< why there is nothing else
    } kind = Kind::model;
    std::string text;
    std::string detail = {};  ///< facts of a model
    /// A model's id, a path (a folder's ends in "/"), a parameter's name, a view's id, a command.
    std::string target = {};

    bool can_be_chosen() const { return kind != Kind::heading && kind != Kind::remark; }
};

/// The list for what has been typed so far. A path lists the entries of its folder that begin with
/// its last part: folders, and files that can be opened. Any other text lists the models that have
/// all of its words in title, id, family or facts, grouped by family; then a way to the files.
/// Before anything is typed, what was opened last (paths and ids) comes first. Where the host
/// `chooses_files`, the way to its chooser is the first entry.
std::vector<OpenEntry> open_entries(std::string_view typed,
                                    const std::vector<std::string>& recent = {},
                                    bool chooses_files = false);

/// The list as it was made last, and the entry that Enter opens.
struct OpenMenu {
    std::string made_for = {};
    std::vector<OpenEntry> entries = {};
    int chosen = -1;  ///< -1: none

    /// Makes the list for this text if it is of another one. What a search found first is then
    /// chosen; in a folder nothing is.
    void update(std::string_view typed, const std::function<std::vector<OpenEntry>()>& make);
    /// Goes on by so many entries that can be opened, back if negative; stays at the ends.
    void move(int by);
    /// Null if none is chosen.
    const OpenEntry* current() const {
        return chosen < 0 || chosen >= static_cast<int>(entries.size()) ? nullptr
                                                                        : &entries[chosen];
    }
};

}  // namespace ropescope::gui
