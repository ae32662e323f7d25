// Readers of what the program itself wrote and somebody else may have changed: links, the files of
// the window, a worker's answers. What is taken must be the same when it is written and read again.
#include <algorithm>
#include <array>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/gui/state/lesson_run.h"
#include "app/gui/state/preferences.h"
#include "app/pages/variation.h"
#include "app/plot/color.h"
#include "app/scene/scene_json.h"
#include "app/web/link.h"
#include "app/web/outcome.h"
#include "core/base/packed.h"
#include "tests/fuzz/memory_file.h"
#include "tests/fuzz/targets.h"
#include "tests/support/temp_folder.h"

namespace ropescope::fuzz {

/// A member of each kind that a Packer knows.
struct EveryKind {
    std::vector<std::vector<double>> rows;
    std::optional<std::string> text;
    std::shared_ptr<const std::vector<float>> shared;
    std::array<bool, 3> flags{};
    std::vector<std::optional<std::size_t>> counts;
};

}  // namespace ropescope::fuzz

namespace ropescope {
template <>
inline constexpr std::size_t kMembers<fuzz::EveryKind> = 5;
}  // namespace ropescope

namespace ropescope::fuzz {
namespace {

/// The folder of the window's files, with this one and nothing else in it.
std::filesystem::path kept_file(const std::string& name, const std::string& bytes) {
    static const test::TempFolder folder;
    for (const auto& entry : std::filesystem::directory_iterator(folder.path())) {
        std::filesystem::remove_all(entry.path());
    }
    std::filesystem::path path = folder / name;
    std::ofstream(path, std::ios::binary) << bytes;
    return path;
}

void require_one_line(const std::string& remark) {
    require(remark.find('\n') == std::string::npos, "a remark has several lines");
}

}  // namespace

void read_variation(const std::string& bytes) {
    read_or_refuse([&] {
        constexpr std::size_t kMost = 5;
        const pages::Variation variation = pages::parse_variation(bytes, kMost);
        require(variation.values.size() <= kMost, "more values than at most");
        require(thinned(variation, 2).values.size() == 2, "two values are not two");
        for (std::size_t i = 0; i < variation.values.size(); ++i) {
            varied({}, variation, i);
            value_label(variation, i);
        }
        require_one_line(what_is_cut(variation));
    });
}

void read_page_link(const std::string& bytes) {
    static const web::LinkNames names = {
        .view =
            [](const std::string& id) {
                if (id != "rotation" && id != "decay") {
                    throw InputError("no such view");
                }
            },
        .steps_of_lesson = [](const std::string& id) -> std::size_t {
            return id == "decay" ? 7 : throw InputError("no such lesson");
        },
        .theme = [](const std::string& name) { plot::theme_by_name(name); }};
    const web::Linked linked = web::read_link(bytes, names);  // throws nothing
    require(linked.step <= 7, "a step that there is not");
    names.view(linked.scene.view);
    read_or_refuse([&] { validate(linked.scene); });
}

void read_window_file(const std::string& bytes) {
    const std::filesystem::path path = kept_file("window.json", bytes);
    gui::PreferenceFile file(path);
    const gui::LoadedPreferences loaded = file.load();
    require_one_line(loaded.remark);
    gui::Preferences own = loaded.preferences;
    plot::theme_by_name(own.theme);
    require(own.width >= 0 && own.height >= 0 && own.recent.size() <= gui::kMostRecent,
            "sizes that a window has not");
    if (!own.scene.empty()) {
        read_or_refuse([&] { validate(scene_from_json(own.scene, "the last scene")); });
    }
    std::erase(own.recent, "opened since");
    own.recent.insert(own.recent.begin(), "opened since");
    own.recent.resize(std::min(own.recent.size(), gui::kMostRecent));
    if (file.save(own).empty()) {
        require(gui::PreferenceFile(path).load().preferences == own,
                "what was saved is not what is read");
    }
}

void read_lesson_file(const std::string& bytes) {
    const std::filesystem::path path = kept_file("lessons.json", bytes);
    gui::LessonFile file(path);
    gui::LessonRun run;
    require_one_line(file.load(run));
    run.progress["done since"] = 3;
    if (file.save(run).empty()) {
        gui::LessonRun later;
        gui::LessonFile(path).load(later);
        require(later.progress == run.progress, "progress that was saved is not read");
    }
}

void unpack_answer(const std::string& bytes) {
    read_or_refuse([&] {
        if (!bytes.starts_with(' ')) {
            require(pack_outcome(web::unpack_outcome(bytes)) == bytes, "an outcome changes");
            return;
        }
        const std::string packed = bytes.substr(1);
        Unpacker unpacker(packed);
        const auto value = unpacker.get<EveryKind>();
        unpacker.end();
        require(Packer().add(value).bytes() == packed, "values change");
    });
}

}  // namespace ropescope::fuzz
