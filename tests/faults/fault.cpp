// A library that stands before the C library (LD_PRELOAD) and lets one call fail: number FAULT_AT
// of the kind FAULT_KIND. If FAULT_WAY is "for ever", those after it fail, too; if it is "kills",
// the program is killed there instead. Every call is counted in the file FAULT_COUNTS, which the
// driver reads, also of a program that was killed. See run.py.
#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdarg>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <fcntl.h>
#include <new>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace {

/// In the order of run.py.
enum Kind { kNew, kOpen, kRead, kWrite, kSync, kClose, kRename, kFolder, kThread, kKinds };
constexpr std::array<const char*, kKinds> kNames = {"new",   "open",   "read",  "write", "fsync",
                                                    "close", "rename", "mkdir", "thread"};

std::atomic<std::uint64_t>* counts = nullptr;  // null until the program itself begins
int fault_kind = -1;
std::uint64_t fault_at = 0;
bool kills = false, for_ever = false;

__attribute__((constructor)) void begin() {
    const char* path = std::getenv("FAULT_COUNTS");
    const char* kind = std::getenv("FAULT_KIND");
    const char* at = std::getenv("FAULT_AT");
    const char* way = std::getenv("FAULT_WAY");
    kills = way != nullptr && std::strcmp(way, "kills") == 0;
    for_ever = way != nullptr && std::strcmp(way, "for ever") == 0;
    for (int i = 0; kind != nullptr && i < kKinds; ++i) {
        fault_kind = std::strcmp(kind, kNames[static_cast<std::size_t>(i)]) == 0 ? i : fault_kind;
    }
    fault_at = at == nullptr ? 0 : std::strtoull(at, nullptr, 10);
    // What the program starts is not the program.
    ::unsetenv("LD_PRELOAD");
    const int file = path == nullptr ? -1 : ::open(path, O_RDWR | O_CLOEXEC);
    if (file < 0) {
        return;
    }
    void* shared = ::mmap(nullptr, kKinds * sizeof(std::uint64_t), PROT_READ | PROT_WRITE,
                          MAP_SHARED, file, 0);
    ::close(file);
    counts = shared == MAP_FAILED ? nullptr : static_cast<std::atomic<std::uint64_t>*>(shared);
}

/// Counts a call. Returns whether it is to fail.
bool is_due(Kind kind) {
    if (counts == nullptr) {
        return false;
    }
    const std::uint64_t number = ++counts[kind];
    const bool due = fault_kind == kind && (number == fault_at || (for_ever && number > fault_at));
    if (due && kills) {
        ::kill(::getpid(), SIGKILL);
    }
    return due;
}

template <typename Function>
Function next(const char* name) {
    return reinterpret_cast<Function>(::dlsym(RTLD_NEXT, name));
}

int failed(int error) {
    errno = error;
    return -1;
}

void* allocated(std::size_t size) {
    void* memory = is_due(kNew) ? nullptr : std::malloc(size == 0 ? 1 : size);
    if (memory == nullptr) {
        throw std::bad_alloc();
    }
    return memory;
}

int opened(const char* name, const char* path, int flags, mode_t mode) {
    if (is_due(kOpen)) {
        return failed((flags & O_CREAT) != 0 ? ENOSPC : EMFILE);
    }
    return next<int (*)(const char*, int, mode_t)>(name)(path, flags, mode);
}

}  // namespace

// C++'s allocations. Those of C libraries are left alone: GLib, Pango and fontconfig end a program
// that has no memory.
void* operator new(std::size_t size) {
    return allocated(size);
}
void* operator new[](std::size_t size) {
    return allocated(size);
}
void operator delete(void* memory) noexcept {
    std::free(memory);
}
void operator delete[](void* memory) noexcept {
    std::free(memory);
}
void operator delete(void* memory, std::size_t /*size*/) noexcept {
    std::free(memory);
}
void operator delete[](void* memory, std::size_t /*size*/) noexcept {
    std::free(memory);
}

extern "C" {

int open(const char* path, int flags, ...) {
    va_list rest;
    va_start(rest, flags);
    const auto mode = static_cast<mode_t>((flags & O_CREAT) != 0 ? va_arg(rest, int) : 0);
    va_end(rest);
    return opened("open", path, flags, mode);
}
int open64(const char* path, int flags, ...) {
    va_list rest;
    va_start(rest, flags);
    const auto mode = static_cast<mode_t>((flags & O_CREAT) != 0 ? va_arg(rest, int) : 0);
    va_end(rest);
    return opened("open64", path, flags, mode);
}
ssize_t read(int file, void* to, size_t size) {
    return is_due(kRead) ? failed(EIO)
                         : next<ssize_t (*)(int, void*, size_t)>("read")(file, to, size);
}
ssize_t pread(int file, void* to, size_t size, off_t at) {
    return is_due(kRead)
               ? failed(EIO)
               : next<ssize_t (*)(int, void*, size_t, off_t)>("pread")(file, to, size, at);
}
ssize_t pread64(int file, void* to, size_t size, off64_t at) {
    return is_due(kRead)
               ? failed(EIO)
               : next<ssize_t (*)(int, void*, size_t, off64_t)>("pread64")(file, to, size, at);
}
ssize_t write(int file, const void* from, size_t size) {
    return is_due(kWrite) ? failed(ENOSPC)
                          : next<ssize_t (*)(int, const void*, size_t)>("write")(file, from, size);
}
int fsync(int file) {
    return is_due(kSync) ? failed(EIO) : next<int (*)(int)>("fsync")(file);
}
int close(int file) {
    const int closed = next<int (*)(int)>("close")(file);  // Linux closes it in any case
    return is_due(kClose) ? failed(EIO) : closed;
}
int rename(const char* from, const char* to) {
    return is_due(kRename) ? failed(EACCES)
                           : next<int (*)(const char*, const char*)>("rename")(from, to);
}
int mkdir(const char* path, mode_t mode) {
    return is_due(kFolder) ? failed(ENOSPC)
                           : next<int (*)(const char*, mode_t)>("mkdir")(path, mode);
}
int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*work)(void*),
                   void* argument) {
    using Create = int (*)(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*);
    return is_due(kThread) ? EAGAIN
                           : next<Create>("pthread_create")(thread, attributes, work, argument);
}

}  // extern "C"
