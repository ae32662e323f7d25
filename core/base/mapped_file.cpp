// Maps files, and keeps a list of them for the handler of SIGBUS.
#include "core/base/mapped_file.h"

#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstring>
#include <fmt/format.h>
#include <string>
#include <sys/mman.h>
#include <unistd.h>

#include "core/base/characters.h"
#include "core/base/error.h"
#include "core/base/file.h"
#include "core/base/removed_at_end.h"

namespace ropescope {
namespace {

// A signal's handler can reach nothing but static memory.

/// Where a file is mapped. An entry without a path is free.
struct MappedPlace {
    std::atomic<const char*> path;
    std::atomic<std::uintptr_t> begin, end;
};
std::array<MappedPlace, 1024> mapped_places{};
std::atomic<LostPages> end_for_lost_pages{nullptr};

// The printable path of the file that lost pages. It is written once, until it has been told.
constexpr std::size_t kLongestPath = 4096;
char lost_path[kLongestPath] = {};
enum LostState : int { kNoneLost, kBeingNoted, kLost };
std::atomic<int> lost_state{kNoneLost};

/// A mapped file and its entry in the list.
class Mapping {
  public:
    Mapping(int descriptor, std::size_t size, const std::filesystem::path& path)
        : size_(size),
          path_(printable(path.string())),
          address_(::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, descriptor, 0)) {
        if (address_ == MAP_FAILED) {
            throw_file_error(path, "cannot be mapped", errno);
        }
        for (MappedPlace& place : mapped_places) {
            const char* free = nullptr;
            if (place.path.compare_exchange_strong(free, path_.c_str())) {
                place.begin = reinterpret_cast<std::uintptr_t>(address_);
                place.end = place.begin + size;
                place_ = &place;
                break;
            }
        }
    }
    Mapping(const Mapping&) = delete;
    Mapping& operator=(const Mapping&) = delete;
    ~Mapping() {
        if (place_ != nullptr) {
            place_->end = 0;
            place_->path = nullptr;
        }
        ::munmap(address_, size_);
    }

    std::span<const std::byte> bytes() const {
        return {static_cast<const std::byte*>(address_), size_};
    }

  private:
    std::size_t size_;
    std::string path_;
    void* address_;
    MappedPlace* place_ = nullptr;
};

const char* path_mapped_at(std::uintptr_t address) {
    for (const MappedPlace& place : mapped_places) {
        if (place.begin <= address && address < place.end) {
            return place.path;
        }
    }
    return nullptr;
}

void note_lost(const char* path) {
    int none = kNoneLost;
    if (lost_state.compare_exchange_strong(none, kBeingNoted)) {
        std::strncpy(lost_path, path, kLongestPath - 1);
        lost_state = kLost;
    }
}

bool read_as_zeros(std::uintptr_t address) {
    const auto page = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
    return ::mmap(reinterpret_cast<void*>(address / page * page), page, PROT_READ,
                  MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) != MAP_FAILED;
}

extern "C" void on_bus_error(int signal, siginfo_t* info, void* /*context*/) {
    const int error = errno;
    const auto address = reinterpret_cast<std::uintptr_t>(info->si_addr);
    const bool by_a_page = info->si_code > 0;  // and not by another process
    if (const char* const path = by_a_page ? path_mapped_at(address) : nullptr) {
        if (const LostPages end = end_for_lost_pages) {
            end(path);
        }
        note_lost(path);
        if (read_as_zeros(address)) {
            errno = error;
            return;
        }
    }
    ::signal(signal, SIG_DFL);
    remove_temporary_files();
    ::raise(signal);  // it is held back until this handler is left
}

}  // namespace

MappedFile map_file(int descriptor, std::size_t size, const std::filesystem::path& path) {
    if (size == 0) {
        return {};
    }
    const auto mapping = std::make_shared<const Mapping>(descriptor, size, path);
    return {mapping, mapping->bytes()};
}

void release_mapped(std::span<const std::byte> bytes) {
    // Whole pages only: the first and the last may hold other tensors' bytes too.
    const auto page = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
    const auto begin = (reinterpret_cast<std::uintptr_t>(bytes.data()) + page - 1) / page * page;
    const auto end = reinterpret_cast<std::uintptr_t>(bytes.data() + bytes.size()) / page * page;
    if (begin < end) {
        // Advice only: a refusal costs memory and nothing else.
        ::madvise(reinterpret_cast<void*>(begin), end - begin, MADV_DONTNEED);
    }
}

void on_lost_pages(LostPages end) {
    end_for_lost_pages = end;
    struct sigaction action = {};
    action.sa_sigaction = on_bus_error;
    action.sa_flags = SA_SIGINFO;
    ::sigaction(SIGBUS, &action, nullptr);
}

void throw_if_pages_were_lost() {
    if (lost_state != kLost) {
        return;
    }
    const std::string path = lost_path;
    lost_state = kNoneLost;
    throw InputError(fmt::format("{}: {}", path, kLostPages));
}

}  // namespace ropescope
