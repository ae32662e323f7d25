// Measures the time of the device with time stamps.
#include "core/gpu/timer.h"

#include <algorithm>
#include <epoxy/gl.h>
#include <vector>

#include "core/base/index.h"
#include "core/gpu/gl_error.h"

namespace ropescope::gpu {

DeviceTimer::DeviceTimer() {
    glGenQueries(1, &begin_);
    glGenQueries(1, &end_);
}

DeviceTimer::~DeviceTimer() {
    glDeleteQueries(1, &begin_);
    glDeleteQueries(1, &end_);
}

double DeviceTimer::seconds(const std::function<void()>& work) {
    glQueryCounter(begin_, GL_TIMESTAMP);
    work();
    glQueryCounter(end_, GL_TIMESTAMP);
    GLuint64 begin = 0, end = 0;
    glGetQueryObjectui64v(begin_, GL_QUERY_RESULT, &begin);
    glGetQueryObjectui64v(end_, GL_QUERY_RESULT, &end);
    check_gl("measuring");
    return to_double(narrow<Index>(end - begin)) * 1e-9;
}

double DeviceTimer::median_seconds(int rounds, const std::function<void()>& work) {
    constexpr int kWarmUp = 2;
    for (int i = 0; i < kWarmUp; ++i) {
        seconds(work);
    }
    std::vector<double> times;
    for (int i = 0; i < rounds; ++i) {
        times.push_back(seconds(work));
    }
    const auto middle = times.begin() + std::ssize(times) / 2;
    std::nth_element(times.begin(), middle, times.end());
    return *middle;
}

}  // namespace ropescope::gpu
