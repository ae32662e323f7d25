// Removes folders where there may be no memory, and of which others made what is in them.
#include <array>
#include <atomic>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

#include "core/base/removed_at_end.h"

namespace ropescope {

#ifdef __linux__

namespace {

std::array<std::atomic<int>, 2> held{-1, -1};

void release_held() noexcept {
    for (std::atomic<int>& each : held) {
        if (const int descriptor = each.exchange(-1); descriptor >= 0) {
            ::close(descriptor);
        }
    }
}

/// What a program made in the folder may have no rights left.
int open_folder(int above, const char* name) {
    constexpr int kFlags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
    const int folder = ::openat(above, name, kFlags);
    if (folder >= 0) {
        ::fchmod(folder, S_IRWXU);
        return folder;
    }
    if (errno == EACCES) {
        static_cast<void>(!::fchmodat(above, name, S_IRWXU, 0));  // if it fails, so does openat()
        return ::openat(above, name, kFlags);
    }
    return folder;
}

/// Calls `each` with the names in the folder. Unlike readdir() it needs no memory.
template <typename Each>
void each_name(int folder, Each each) {
    alignas(dirent64) std::array<char, 4096> some;
    ::lseek(folder, 0, SEEK_SET);
    ssize_t got = 0;
    while ((got = ::getdents64(folder, some.data(), some.size())) > 0) {
        for (ssize_t at = 0; at < got;) {
            const auto* const entry = reinterpret_cast<const dirent64*>(some.data() + at);
            const char* const name = entry->d_name;
            if (std::strcmp(name, ".") != 0 && std::strcmp(name, "..") != 0) {
                each(name);
            }
            at += entry->d_reclen;
        }
    }
}

/// Empties a folder level by level: what lies deeper is moved up, because paths may be longer than
/// the system takes, and a descriptor for each level more than a process has.
class Emptied {
  public:
    explicit Emptied(int top) : top_(top) {}

    void run() {
        changed_ = true;
        for (int i = 0; i < kPasses && changed_; ++i) {  // something may go on to write
            changed_ = false;
            each_name(top_, [&](const char* name) { remove(name); });
        }
    }

  private:
    void remove(const char* name) {
        if (::unlinkat(top_, name, 0) == 0) {
            changed_ = true;
            return;
        }
        const int folder = open_folder(top_, name);
        if (folder < 0) {
            return;
        }
        each_name(folder, [&](const char* inside) {
            if (::unlinkat(folder, inside, 0) == 0) {
                changed_ = true;
            } else {
                move_up(folder, inside);
            }
        });
        ::close(folder);
        changed_ |= ::unlinkat(top_, name, AT_REMOVEDIR) == 0;
    }

    void move_up(int folder, const char* inside) {
        // A folder learns who is above it; if that fails, so does renameat().
        static_cast<void>(!::fchmodat(folder, inside, S_IRWXU, 0));
        std::array<char, 32> name{};
        constexpr char kFront[] = "ropescope-moved-";
        std::memcpy(name.data(), kFront, sizeof(kFront) - 1);
        for (int i = 0; i < kTries; ++i) {
            const auto end = std::to_chars(name.data() + sizeof(kFront) - 1,
                                           name.data() + name.size() - 1, moved_++);
            *end.ptr = '\0';
            if (::renameat(folder, inside, top_, name.data()) == 0) {
                changed_ = true;
                return;
            }
            if (errno != EEXIST && errno != ENOTEMPTY && errno != ENOTDIR) {
                return;  // it is not the name that hinders
            }
        }
    }

    static constexpr int kTries = 1000, kPasses = 1 << 16;
    int top_;
    unsigned moved_ = 0;
    bool changed_ = false;
};

}  // namespace

bool hold_descriptors_for_removal() noexcept {
    for (std::atomic<int>& each : held) {
        if (each >= 0) {
            continue;
        }
        const int descriptor = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
        if (descriptor < 0) {
            return false;
        }
        int none = -1;
        if (!each.compare_exchange_strong(none, descriptor)) {
            ::close(descriptor);  // another thread was faster
        }
    }
    return true;
}

bool remove_tree(const char* path) noexcept {
    if (::unlink(path) == 0 || errno == ENOENT) {
        return true;
    }
    release_held();
    const int top = open_folder(AT_FDCWD, path);
    if (top < 0) {
        return false;
    }
    Emptied(top).run();
    ::close(top);
    hold_descriptors_for_removal();  // another folder may have to be removed
    return ::rmdir(path) == 0;
}

#else

bool hold_descriptors_for_removal() noexcept {
    return true;
}

bool remove_tree(const char* path) noexcept {
    try {
        std::error_code failed;
        std::filesystem::remove_all(path, failed);
        return !failed;
    } catch (const std::exception&) {
        return false;
    }
}

#endif

}  // namespace ropescope
