// Finds EGL devices and opens contexts on them.
#include "app/headless/egl_context.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <dlfcn.h>
#include <epoxy/egl.h>
#include <epoxy/gl.h>
#include <fmt/format.h>
#include <optional>
#include <span>

#include "core/base/error.h"
#include "core/base/parse_list.h"
#include "core/base/processors.h"
#include "core/gpu/gl_context.h"

namespace ropescope::headless {
namespace {

constexpr EGLint kMaxDevices = 16;
constexpr int kNoNumber = -1;

/// Entry points of extensions, from EGL itself: epoxy ends the process if one is missing.
struct EglApi {
    PFNEGLQUERYDEVICESEXTPROC query_devices = nullptr;
    PFNEGLQUERYDEVICESTRINGEXTPROC device_string = nullptr;
    PFNEGLGETPLATFORMDISPLAYEXTPROC platform_display = nullptr;
};

template <class Function>
Function entry(const char* name) {
    return reinterpret_cast<Function>(eglGetProcAddress(name));
}

/// nullopt if the machine has no libEGL.
std::optional<EglApi> load_egl() {
    // Never closed: drivers register themselves in it for as long as the process lives.
    if (dlopen("libEGL.so.1", RTLD_NOW | RTLD_GLOBAL) == nullptr) {
        return std::nullopt;
    }
    return EglApi{entry<PFNEGLQUERYDEVICESEXTPROC>("eglQueryDevicesEXT"),
                  entry<PFNEGLQUERYDEVICESTRINGEXTPROC>("eglQueryDeviceStringEXT"),
                  entry<PFNEGLGETPLATFORMDISPLAYEXTPROC>("eglGetPlatformDisplayEXT")};
}

bool lists(const char* extensions, std::string_view wanted) {
    return extensions != nullptr && std::string_view(extensions).find(wanted) != std::string::npos;
}

struct Candidate {
    int index = 0;  ///< in list_egl_devices()
    EGLDisplay display = EGL_NO_DISPLAY;
    std::string label;
    bool software = false;
    EGLContext share = EGL_NO_CONTEXT;
};

std::vector<Candidate> candidates(const EglApi& egl) {
    std::vector<Candidate> found;
    if (egl.platform_display == nullptr) {
        return found;
    }
    std::array<EGLDeviceEXT, kMaxDevices> devices{};
    EGLint count = 0;
    if (egl.query_devices != nullptr && egl.device_string != nullptr) {
        egl.query_devices(kMaxDevices, devices.data(), &count);
    }
    for (EGLint i = 0; i < count; ++i) {
        const EGLDeviceEXT device = devices[i];
        const char* extensions = egl.device_string(device, EGL_EXTENSIONS);
        found.push_back({0, egl.platform_display(EGL_PLATFORM_DEVICE_EXT, device, nullptr),
                         fmt::format("EGL device {}", i),
                         lists(extensions, "EGL_MESA_device_software")});
    }
    std::stable_sort(found.begin(), found.end(), [](const Candidate& a, const Candidate& b) {
        return !a.software && b.software;
    });
    if (lists(eglQueryString(EGL_NO_DISPLAY, EGL_EXTENSIONS), "EGL_MESA_platform_surfaceless")) {
        found.push_back(
            {0, egl.platform_display(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, nullptr),
             "Mesa surfaceless", true});
    }
    for (int i = 0; i < std::ssize(found); ++i) {
        found[i].index = i;
    }
    return found;
}

constexpr std::array kVersions = {std::pair{4, 3}, std::pair{3, 3}};

/// Attributes that ask a context to report a reset of the device: of EGL 1.5 and
/// EGL_KHR_create_context, of EGL_EXT_create_context_robustness, or none if EGL knows neither. We
/// do not ask for robust buffer access: our shaders check their own bounds, and it costs time.
constexpr std::array<EGLint, 3> kResetNotifications = {
    EGL_CONTEXT_OPENGL_RESET_NOTIFICATION_STRATEGY,
    EGL_CONTEXT_OPENGL_RESET_NOTIFICATION_STRATEGY_EXT, EGL_NONE};

/// A core context of the newest version that the program can use.
EGLContext create_context(EGLDisplay display, EGLContext share, bool compute) {
    for (const auto& [major, minor] : std::span(kVersions).first(compute ? 1 : 2)) {
        for (const EGLint notification : kResetNotifications) {
            const std::array<EGLint, 9> attributes = {EGL_CONTEXT_MAJOR_VERSION,
                                                      major,
                                                      EGL_CONTEXT_MINOR_VERSION,
                                                      minor,
                                                      EGL_CONTEXT_OPENGL_PROFILE_MASK,
                                                      EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT,
                                                      notification,  // EGL_NONE ends the list here
                                                      EGL_LOSE_CONTEXT_ON_RESET,
                                                      EGL_NONE};
            EGLContext context =
                eglCreateContext(display, EGL_NO_CONFIG_KHR, share, attributes.data());
            if (context != EGL_NO_CONTEXT) {
                return context;
            }
        }
    }
    return EGL_NO_CONTEXT;
}

std::string gl_string(GLenum name) {
    const GLubyte* text = glGetString(name);
    return text == nullptr ? "unknown" : reinterpret_cast<const char*>(text);
}

struct Opened {
    EglDevice device;
    EGLDisplay display = EGL_NO_DISPLAY;
    EGLContext context = EGL_NO_CONTEXT;
};

/// On success the context is current.
Opened open(const Candidate& candidate, bool compute) {
    Opened opened;
    opened.display = candidate.display;
    EglDevice& device = opened.device;
    device.name = candidate.label;
    device.number = candidate.index;
    device.software = candidate.software;
    const auto refuse = [&](std::string_view what) {
        device.why_not = fmt::format("{} (EGL error 0x{:x})", what, eglGetError());
        return opened;
    };
    if (candidate.display == EGL_NO_DISPLAY ||
        eglInitialize(candidate.display, nullptr, nullptr) != EGL_TRUE) {
        return refuse("cannot be initialised");
    }
    if (eglBindAPI(EGL_OPENGL_API) != EGL_TRUE) {
        return refuse("has no desktop OpenGL");
    }
    opened.context = create_context(candidate.display, candidate.share, compute);
    if (opened.context == EGL_NO_CONTEXT) {
        return refuse(compute ? "gives no OpenGL 4.3 core context"
                              : "gives no OpenGL 3.3 core context");
    }
    if (eglMakeCurrent(candidate.display, EGL_NO_SURFACE, EGL_NO_SURFACE, opened.context) !=
        EGL_TRUE) {
        eglDestroyContext(candidate.display, opened.context);
        return refuse("cannot draw without a surface");
    }
    device.name = gl_string(GL_RENDERER);
    device.version = gl_string(GL_VERSION);
    device.software |= gpu::is_software(device.name);  // a driver may fall back to software
    device.usable = true;
    return opened;
}

/// Never terminates the display: sanitizers report the unloaded driver's memory as leaks, and the
/// next context would have to load it again.
void close(const Opened& opened) {
    eglMakeCurrent(opened.display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
    eglDestroyContext(opened.display, opened.context);
}

bool equal_ignoring_case(char a, char b) {
    return std::tolower(static_cast<unsigned char>(a)) ==
           std::tolower(static_cast<unsigned char>(b));
}

bool contains_ignoring_case(std::string_view text, std::string_view part) {
    return std::search(text.begin(), text.end(), part.begin(), part.end(), equal_ignoring_case) !=
           text.end();
}

/// Whether the device may fit, as far as we know before we open it.
bool may_be(const Candidate& candidate, const std::string& wanted) {
    if (wanted == "hardware" || wanted == "software") {
        return wanted == "software" || !candidate.software;
    }
    const std::optional<int> number = parse_number<int>(wanted);
    return !number || *number == candidate.index;
}

/// Whether the opened device fits.
bool is_named(const EglDevice& device, const std::string& wanted) {
    if (wanted == "hardware" || wanted == "software") {
        return device.software == (wanted == "software");
    }
    return parse_number<int>(wanted) || contains_ignoring_case(device.name, wanted);
}

constexpr std::string_view kRemedy =
    "install libegl1, libegl-mesa0 and libgl1-mesa-dri, or give access to the GPU's driver";

}  // namespace

std::vector<EglDevice> list_egl_devices() {
    std::vector<EglDevice> devices;
    const std::optional<EglApi> egl = load_egl();
    if (!egl) {
        return devices;
    }
    for (const Candidate& candidate : candidates(*egl)) {
        const Opened opened = open(candidate, false);
        if (opened.device.usable) {
            close(opened);
        }
        devices.push_back(opened.device);
    }
    return devices;
}

EglShare current_egl_context() {
    if (!load_egl() || eglGetCurrentContext() == EGL_NO_CONTEXT) {
        return {};
    }
    return {eglGetCurrentDisplay(), eglGetCurrentContext(),
            gpu::is_software(gl_string(GL_RENDERER))};
}

namespace {

/// All candidates; the display of the context to share with comes before those of its kind, because
/// EGL does not say which device of the list it is.
std::vector<Candidate> candidates_of(const EglApi& egl, const EglRequest& request) {
    std::vector<Candidate> all = candidates(egl);
    if (request.share && !parse_number<int>(request.device)) {
        const auto place = std::ranges::find_if(all, [&](const Candidate& candidate) {
            return candidate.software || !request.share.software;
        });
        all.insert(place, {.index = kNoNumber,
                           .display = request.share.display,
                           .label = "the window's display",
                           .software = request.share.software,
                           .share = request.share.context});
    }
    return all;
}

}  // namespace

struct EglContext::Impl {
    Opened opened;
    bool shares = false;
};

bool has_device() {
    const std::optional<EglApi> egl = load_egl();
    return egl && !candidates(*egl).empty();
}

bool has_hardware_device() {
    const std::optional<EglApi> egl = load_egl();
    const std::vector<Candidate> all = egl ? candidates(*egl) : std::vector<Candidate>{};
    return std::ranges::any_of(all, [](const Candidate& candidate) { return !candidate.software; });
}

void require_device() {
    if (!has_device()) {
        const EglContext refused;  // its error names what is missing
    }
}

EglContext::EglContext(const EglRequest& request) : impl_(std::make_unique<Impl>()) {
    const char* purpose = request.compute ? "computing on a GPU" : "offscreen drawing";
    require_thread("OpenGL's drivers");  // llvmpipe waits for its own for ever
    const std::optional<EglApi> egl = load_egl();
    if (!egl) {
        throw CapabilityError(
            fmt::format("{}: this machine has no libEGL.so.1; {}", purpose, kRemedy));
    }
    std::string tried;
    for (const Candidate& candidate : candidates_of(*egl, request)) {
        if (!may_be(candidate, request.device)) {
            continue;
        }
        impl_->opened = open(candidate, request.compute);
        const EglDevice& device = impl_->opened.device;
        if (device.usable && is_named(device, request.device)) {
            impl_->shares = candidate.share != EGL_NO_CONTEXT;
            return;
        }
        if (device.usable) {
            close(impl_->opened);
            continue;
        }
        tried += fmt::format("{}{} {}", tried.empty() ? "" : ", ", candidate.label, device.why_not);
    }
    if (request.device == "hardware" && tried.empty()) {
        throw CapabilityError(fmt::format(
            "{}: no EGL device of this machine is hardware; install its driver, or use a software "
            "device with --device software",
            purpose));
    }
    if (!request.device.empty() && tried.empty()) {
        throw CapabilityError(fmt::format(
            "--device: '{}' is not one of the EGL devices; give a number or a part of a name that "
            "`ropescope backends` shows, hardware or software",
            request.device));
    }
    throw CapabilityError(fmt::format("{}: no EGL device is usable ({}); {}", purpose,
                                      tried.empty() ? "none found" : tried, kRemedy));
}

EglContext::~EglContext() {
    close(impl_->opened);
}

const EglDevice& EglContext::device() const {
    return impl_->opened.device;
}

bool EglContext::shares() const {
    return impl_->shares;
}

}  // namespace ropescope::headless
