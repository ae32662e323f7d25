// The steps of undo and redo.
#pragma once

#include <cstdint>
#include <vector>

#include "app/scene/scene.h"

namespace ropescope::gui {

/// The scenes that undo and redo lead to. Edits in a row with the same token (not 0) are one step,
/// for example a drag or a held key.
class History {
  public:
    /// Of undo; the oldest ones are forgotten.
    static constexpr std::int64_t kMostSteps = 1000;

    /// Changes the scene and remembers what it was.
    void edit(Scene& scene, Scene next, std::uint32_t token = 0);
    /// The next edit begins a new step, whatever its token.
    void end_edit() { token_ = 0; }
    /// Both return false if there is no such step.
    bool undo(Scene& scene);
    bool redo(Scene& scene);
    std::int64_t undo_steps() const { return std::ssize(earlier_); }
    std::int64_t redo_steps() const { return std::ssize(later_); }

  private:
    bool step(Scene& scene, std::vector<Scene>& from, std::vector<Scene>& to);

    std::vector<Scene> earlier_, later_;  ///< the nearest step is the last
    std::uint32_t token_ = 0;             ///< of the last edit
};

}  // namespace ropescope::gui
