// Searches the models and reads folders.
#include "app/gui/state/open_menu.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <iterator>
#include <span>
#include <system_error>

#include "app/gui/state/model_menu.h"
#include "app/gui/state/scene_files.h"
#include "core/base/characters.h"
#include "core/base/split_words.h"

namespace ropescope::gui {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostFiles = 400;  ///< of a folder; more than anyone looks through

bool has_all(const ModelEntry& model, std::span<const std::string_view> words) {
    const std::string all =
        lower_case(fmt::format("{} {} {} {}", model.title, model.id, model.family, model.facts));
    return std::ranges::all_of(
        words, [&](std::string_view word) { return all.find(word) != std::string::npos; });
}

/// What was opened last and is still there.
std::vector<OpenEntry> recent_entries(const std::vector<std::string>& recent) {
    using Kind = OpenEntry::Kind;
    std::vector<OpenEntry> entries;
    for (const std::string& target : recent) {
        const auto model = std::ranges::find(model_menu(), target, &ModelEntry::id);
        std::error_code unknown;
        if (model != model_menu().end()) {
            entries.push_back({Kind::model, model->title, model->facts, target});
        } else if (fs::exists(target, unknown)) {
            entries.push_back({Kind::file, fs::path(target).filename().string(),
                               fs::path(target).parent_path().string(), target});
        }
    }
    if (!entries.empty()) {
        entries.insert(entries.begin(), {Kind::heading, "Recent"});
    }
    return entries;
}

std::vector<OpenEntry> models_with(std::string_view typed) {
    using Kind = OpenEntry::Kind;
    const std::string letters = lower_case(typed);
    const std::vector<std::string_view> words = split_words(letters);
    std::vector<OpenEntry> entries;
    for (const std::string& family : model_families()) {
        bool first = true;
        for (const ModelEntry& model : model_menu()) {
            if (model.family != family || !has_all(model, words)) {
                continue;
            }
            if (std::exchange(first, false)) {
                entries.push_back({Kind::heading, family});
            }
            entries.push_back({Kind::model, model.title, model.facts, model.id});
        }
    }
    if (entries.empty()) {
        entries.push_back(
            {Kind::remark,
             fmt::format("No model has '{}' in its name. A path begins with / or ~.", typed)});
    }
    return entries;
}

/// Whether the window can do something with a file of this name.
bool can_open(const fs::path& path) {
    constexpr std::array<std::string_view, 4> kEndings = {".json", ".gguf", ".safetensors", ".npz"};
    return std::ranges::count(kEndings, lower_case(path.extension().string())) > 0;
}

std::vector<OpenEntry> entries_of_folder(std::string_view typed) {
    using Kind = OpenEntry::Kind;
    const std::string path = without_tilde(typed == "~" ? "~/" : typed);
    const std::size_t slash = path.rfind('/');
    const std::string folder = path.substr(0, slash + 1);
    const std::string begins = lower_case(path.substr(slash + 1));
    std::vector<OpenEntry> folders, files;
    std::error_code failed;
    for (fs::directory_iterator at(folder, failed), end; !failed && at != end;
         at.increment(failed)) {
        const std::string name = at->path().filename().string();
        const bool hidden = name.starts_with('.') && !begins.starts_with('.');
        std::error_code unknown;
        if (hidden || !lower_case(name).starts_with(begins)) {
            continue;
        }
        if (at->is_directory(unknown)) {
            folders.push_back({Kind::folder, name + "/", "", folder + name + "/"});
        } else if (can_open(at->path())) {
            files.push_back({Kind::file, name, "", folder + name});
        }
    }
    if (failed) {
        return {{Kind::remark, fmt::format("{}: {}", folder, failed.message())}};
    }
    std::ranges::sort(folders, {}, &OpenEntry::text);
    std::ranges::sort(files, {}, &OpenEntry::text);
    std::vector<OpenEntry> entries = {{Kind::heading, folder}};
    if (begins.empty() && fs::weakly_canonical(folder, failed) != "/") {
        entries.push_back({Kind::folder, "../", "the folder above", folder + "../"});
    }
    std::ranges::move(files, std::back_inserter(entries));
    std::ranges::move(folders, std::back_inserter(entries));
    if (entries.size() > kMostFiles) {
        entries.resize(kMostFiles);
        entries.push_back({Kind::remark, "There are more: type the first letters of a name."});
    }
    return entries;
}

}  // namespace

std::vector<OpenEntry> open_entries(std::string_view typed, const std::vector<std::string>& recent,
                                    bool chooses_files) {
    using Kind = OpenEntry::Kind;
    if (looks_like_path(typed) && !chooses_files) {
        return entries_of_folder(typed);
    }
    const OpenEntry heading{Kind::heading, "Files"};
    const std::string kinds = "config.json, .gguf, .safetensors, .npz, or a scene";
    std::vector<OpenEntry> entries;
    if (chooses_files && typed.empty()) {
        entries = {heading, {Kind::chooser, "Choose files …", kinds, "files"}};
    }
    if (typed.empty()) {
        std::ranges::move(recent_entries(recent), std::back_inserter(entries));
    }
    std::ranges::move(models_with(typed), std::back_inserter(entries));
    if (!chooses_files) {
        entries.push_back(heading);
        entries.push_back({Kind::folder, "Look for a file", kinds, "./"});
    }
    return entries;
}

void OpenMenu::update(std::string_view typed, const std::function<std::vector<OpenEntry>()>& make) {
    if (!entries.empty() && typed == made_for) {
        return;
    }
    made_for = typed;
    entries = make();
    using Kind = OpenEntry::Kind;
    const auto first = std::ranges::find_if(entries, [](const OpenEntry& entry) {
        return entry.can_be_chosen() && entry.kind != Kind::folder && entry.kind != Kind::file &&
               entry.kind != Kind::chooser;
    });
    chosen =
        typed.empty() || first == entries.end() ? -1 : static_cast<int>(first - entries.begin());
}

void OpenMenu::move(int by) {
    const int size = static_cast<int>(entries.size()), step = by < 0 ? -1 : 1;
    int to = chosen < 0 && by < 0 ? size : chosen;
    for (int left = std::abs(by); left > 0;) {
        to += step;
        if (to < 0 || to >= size) {
            return;  // at the last one that can be chosen
        }
        if (entries[to].can_be_chosen()) {
            chosen = to;
            --left;
        }
    }
}

}  // namespace ropescope::gui
