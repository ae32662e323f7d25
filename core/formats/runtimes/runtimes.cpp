// The list of the runtimes, and what those have in common that read through another.
#include <fmt/format.h>

#include "core/formats/runtimes/runtime.h"

namespace ropescope::runtimes {

std::vector<Runtime> all_runtimes() {
    return {transformers_4(), transformers_5(), llama_cpp(), vllm()};
}

Source in_library(const Runtime& library, Source source) {
    source.file = fmt::format("{} {}, {}", library.repository, library.version, source.file);
    return source;
}

}  // namespace ropescope::runtimes
