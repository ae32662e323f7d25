// Joins the arrays of an unpacked archive into one file of tensors.
#include "app/web/arrays.h"

#include <algorithm>
#include <vector>

#include "core/base/characters.h"
#include "core/formats/npy.h"
#include "core/formats/safetensors.h"

namespace ropescope::web {

namespace fs = std::filesystem;

void join_arrays(const fs::path& folder) {
    std::vector<fs::path> files;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
        if (lower_case(entry.path().extension().string()) == ".npy") {
            files.push_back(entry.path());
        }
    }
    std::ranges::sort(files);
    std::vector<Tensor> tensors;
    for (const fs::path& file : files) {
        tensors.push_back(read_npy(file));
    }
    write_safetensors(folder / "arrays.safetensors", tensors);
    std::ranges::for_each(files, [](const fs::path& file) { fs::remove(file); });
}

}  // namespace ropescope::web
