// An OpenGL context without a display.
#pragma once

#include <memory>
#include <string>
#include <vector>

namespace ropescope::headless {

struct EglDevice {
    int number = 0;         ///< in list_egl_devices(); -1: one that was found by sharing
    std::string name;       ///< GL_RENDERER
    std::string version;    ///< GL_VERSION
    bool software = false;  ///< a program on the processor imitates it
    bool usable = false;
    std::string why_not;  ///< when not usable
};

/// Hardware devices first, then software devices, then Mesa's surfaceless platform.
std::vector<EglDevice> list_egl_devices();

/// Whether a device, or one that is not a program on the processor, says that it is there. Opens
/// none, so its driver may still fail.
bool has_device();
bool has_hardware_device();

/// A context to share buffers and textures with; nothing where there is none.
struct EglShare {
    void* display = nullptr;
    void* context = nullptr;
    bool software = false;  ///< a program on the processor draws it

    explicit operator bool() const { return context != nullptr; }
};
/// The context that is current on this thread, where it is EGL's.
EglShare current_egl_context();

struct EglRequest {
    /// A number in list_egl_devices(), "hardware", "software" or a part of a device's name; ""
    /// takes the first that will do.
    std::string device;
    bool compute = false;  ///< OpenGL 4.3 is needed; otherwise 3.3 will do
    /// Shared with where its device is one that was asked for, and not by its number. One that is
    /// hardware is taken first, one that is not after all hardware.
    EglShare share = {};
};

/// A current OpenGL core context (4.3 when there is one) on the first usable device that was asked
/// for. Throws CapabilityError that says what was tried.
class EglContext {
  public:
    explicit EglContext(const EglRequest& request = {});
    ~EglContext();
    EglContext(const EglContext&) = delete;
    EglContext& operator=(const EglContext&) = delete;
    const EglDevice& device() const;
    /// Whether it shares with the context of the request.
    bool shares() const;

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace ropescope::headless
