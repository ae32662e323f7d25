// Finds the files of the demo models that are compiled in, and those that have been fetched.
#include "core/demo/fetched_files.h"

#include <algorithm>
#include <fmt/format.h>
#include <functional>
#include <map>
#include <utility>

#include "core/base/error.h"
#include "core/base/file.h"
#include "core/demo/demo_models.h"

namespace ropescope::demo {
namespace {

constexpr std::size_t kMostBytes = std::size_t{1} << 24;

struct Fetched {
    std::map<std::string, std::string, std::less<>> contents;
    std::vector<std::string> missing;
};
Fetched& fetched() {
    static Fetched files;
    return files;
}

/// Where the page puts it.
std::string path_of(std::string_view name) {
    return "/" + std::string(name);
}

bool is_here(std::string_view name) {
    return path_kind(path_of(name)) != PathKind::nothing;
}

void ask_for(std::string_view name) {
    std::vector<std::string>& missing = fetched().missing;
    if (std::ranges::find(missing, name) == missing.end()) {
        missing.emplace_back(name);
    }
}

}  // namespace

std::optional<std::string_view> demo_file(std::string_view name) {
    if (const auto embedded = embedded_demo_file(name)) {
        return embedded;
    }
    auto& contents = fetched().contents;
    if (const auto known = contents.find(name); known != contents.end()) {
        return known->second;
    }
    if (!is_here(name)) {
        ask_for(name);
        throw InputError(fmt::format(
            "{}: the weights of the trained model are being fetched; wait for them", name));
    }
    return contents.emplace(name, read_file(path_of(name), kMostBytes, Allowed::regular_file))
        .first->second;
}

bool all_weights_are_here() {
    bool all = true;
    for (const char* name :
         {"assets/demo-roformer/model.safetensors", "assets/demo-roformer/held_out.json",
          "assets/demo-no-position/model.safetensors", "assets/demo-decoder/model.safetensors"}) {
        if (!is_here(name)) {
            ask_for(name);
            all = false;
        }
    }
    return all;
}

std::vector<std::string> take_missing_files() {
    return std::exchange(fetched().missing, {});
}

}  // namespace ropescope::demo
