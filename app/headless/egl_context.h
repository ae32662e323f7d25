// OpenGL contexts without a display, through EGL.
#pragma once

#include <memory>
#include <string>
#include <vector>

namespace ropescope::headless {

struct EglDevice {
    int number = 0;         ///< in list_egl_devices(); -1 if it was found by sharing
    std::string name;       ///< GL_RENDERER
    std::string version;    ///< GL_VERSION
    bool software = false;  ///< the processor executes its shaders
    bool usable = false;
    std::string why_not;  ///< if not usable
};

/// Hardware devices first, then software devices, then Mesa's surfaceless platform.
std::vector<EglDevice> list_egl_devices();

/// Whether EGL lists a device. Opens none, so its driver may still fail.
bool has_device();
/// The same for a device in hardware.
bool has_hardware_device();
/// Throws the CapabilityError of offscreen drawing if EGL lists no device.
void require_device();

/// A context to share buffers and textures with; empty if there is none.
struct EglShare {
    void* display = nullptr;
    void* context = nullptr;
    bool software = false;  ///< the processor executes its shaders

    explicit operator bool() const { return context != nullptr; }
};
/// The context that is current on this thread; empty if it is not one of EGL's.
EglShare current_egl_context();

struct EglRequest {
    /// A number in list_egl_devices(), "hardware", "software" or a part of a device's name; ""
    /// takes the first suitable device.
    std::string device;
    bool compute = false;  ///< requires OpenGL 4.3; otherwise 3.3 is enough
    /// The new context shares with this one if its device fits `device`, which must not be a
    /// number. If it is hardware it comes before all other devices, otherwise after all hardware.
    EglShare share = {};
};

/// A current OpenGL core context, 4.3 if possible, on the first usable device that fits the
/// request. Throws a CapabilityError that says what was tried.
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
