// Computes the rows of the context view, its notes and its block.
#include "app/figures/context/state.h"

#include "app/figures/context/notes.h"

namespace ropescope::figures {
namespace {

constexpr std::size_t kWidestLine = 84;  ///< characters of the block

}  // namespace

std::string ContextState::block_of(const MethodRow& row) const {
    const std::string key = base_key(model);
    return rope_scaling_block(row, key.empty() ? "rope_theta" : key);
}

ContextState make_context_state(const Scene& scene) {
    ContextState state{.scene = scene,
                       .methods = extension_methods(scene),
                       .factor = needed_factor(scene),
                       .model = named_model(scene)};
    state.marked = &chosen_row(scene, state.rows()) - state.rows().data();
    state.notes = context_notes(scene, state.methods, state.marked_row(), state.model);
    state.block = block_lines(state.block_of(state.marked_row()), kWidestLine);
    return state;
}

}  // namespace ropescope::figures
