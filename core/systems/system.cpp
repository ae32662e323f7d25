// Lists all systems, and runs one.
#include "core/systems/system.h"

#include <algorithm>
#include <fmt/format.h>

#include "core/base/memo.h"
#include "core/base/names.h"
#include "core/systems/transcriptions/transcriptions.h"

namespace ropescope {

namespace {

std::string exception_name(Framework framework, nd::Fault fault) {
    switch (fault) {
        case nd::Fault::index:
            return framework == Framework::torch ? "IndexError" : "InvalidArgumentError";
        case nd::Fault::assertion:
            return "AssertionError";
        case nd::Fault::argument:
            return "TypeError";
        case nd::Fault::broadcast:
        case nd::Fault::view:
            break;
    }
    return framework == Framework::torch ? "RuntimeError" : "InvalidArgumentError";
}

}  // namespace

Outcome System::apply(const SystemInput& input) const {
    try {
        SystemInput given = input;
        given.x = nd::cast(std::move(given.x), input.dtype(NumberFormat::fp32));
        return code(given);
    } catch (const nd::Error& error) {
        return FrameworkError{error.fault(), exception_name(framework, error.fault()),
                              error.what()};
    }
}

const std::vector<System>& all_systems() {
    return made_once([] {
        return std::vector<System>{
            systems::notebook_bf16(),
            systems::notebook_fp32(),
            systems::meta_llama(),
            systems::hf_roformer(),
            systems::mistral(),
            systems::hf_llama_offset(),
            systems::hf_llama_position_ids(),
            systems::strided_llama_repaired(),
            systems::keras_intended(),
            systems::keras_as_written(),
            systems::strided_llama_as_written(),
            systems::d2l_sinusoidal(),
            systems::roformer_sinusoidal(),
            systems::additive_absolute(),
            systems::multiplicative_bias(),
        };
    });
}

const System& find_system(std::string_view id, const std::vector<System>& systems) {
    return element_named(systems, &System::id, id, [&](const std::string& near) {
        return fmt::format("system: '{}' is not known{}", id, near);
    });
}

}  // namespace ropescope
