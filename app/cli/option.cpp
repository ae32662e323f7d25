// Takes the names of an option apart.
#include "app/cli/option.h"

#include "core/base/parse_list.h"

namespace ropescope::cli {

std::vector<std::string> Option::name_list() const {
    std::vector<std::string> list;
    for (const std::string_view name : split_list(names)) {
        if (name.starts_with('-')) {
            list.emplace_back(name);
        }
    }
    return list;
}

}  // namespace ropescope::cli
