// An OpenGL context without a display.
#pragma once

#include <memory>
#include <string>
#include <vector>

namespace ropescope::headless {

struct EglDevice {
    std::string name;     ///< GL_RENDERER
    std::string version;  ///< GL_VERSION
    bool software = false;
    bool usable = false;
    std::string why_not;  ///< when not usable
};

/// Hardware devices first, then software devices, then Mesa's surfaceless platform.
std::vector<EglDevice> list_egl_devices();

/// A current OpenGL core context (4.3 when there is one, 3.3 otherwise) on the first usable device.
/// Throws CapabilityError that says what was tried.
class EglContext {
  public:
    EglContext();
    ~EglContext();
    EglContext(const EglContext&) = delete;
    EglContext& operator=(const EglContext&) = delete;
    const EglDevice& device() const;

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace ropescope::headless
