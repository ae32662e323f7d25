// Asks the scheduler.
#include "core/base/processors.h"

#include <fmt/format.h>
#include <fstream>
#include <new>
#include <sched.h>
#include <sys/mman.h>
#include <system_error>
#include <thread>

#include "core/base/error.h"

namespace ropescope {

int allowed_processors() {
    cpu_set_t allowed;
    if (sched_getaffinity(0, sizeof(allowed), &allowed) == 0) {
        return CPU_COUNT(&allowed);
    }
    return static_cast<int>(std::thread::hardware_concurrency());
}

std::string processor_name() {
    std::ifstream info("/proc/cpuinfo");
    for (std::string line; std::getline(info, line);) {
        const std::size_t colon = line.find(": ");
        if (line.starts_with("model name") && colon != std::string::npos) {
            return line.substr(colon + 2);
        }
    }
    return "CPU";
}

void require_thread(std::string_view what) {
    try {
        std::thread([] {}).join();
    } catch (const std::system_error& error) {
        throw CapabilityError(
            fmt::format("{} need a thread of their own, and none can be made: {}; raise the limits "
                        "of processes and memory (ulimit -u, ulimit -v)",
                        what, error.what()));
    }
}

void require_addresses(std::size_t bytes) {
    void* const room = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                              MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (room == MAP_FAILED) {
        throw std::bad_alloc();
    }
    ::munmap(room, bytes);
}

}  // namespace ropescope
