// Ends the program in std::terminate() with a sentence, if the reason is what the machine lacks.
#include "app/cli/last_words.h"

#include <array>
#include <atomic>
#include <cstdlib>
#include <exception>
#include <new>
#include <string_view>
#include <sys/uio.h>
#include <unistd.h>

#include "app/cli/output.h"
#include "core/base/error.h"
#include "core/base/mapped_file.h"
#include "core/base/write_file.h"

namespace ropescope::cli {
namespace {

std::terminate_handler handler_before = nullptr;

iovec part(std::string_view text) {
    return {const_cast<char*>(text.data()), text.size()};  // which writev() only reads
}

/// Allocates nothing, and is safe in a signal's handler. Several threads may come here; the first
/// one says why. `about` may be empty.
[[noreturn]] void end_with(std::string_view about, std::string_view reason, ExitCode exit_code) {
    static std::atomic_flag ending;
    while (ending.test_and_set()) {
        ::pause();
    }
    const std::array line = {part("ropescope: "), part(about), part(about.empty() ? "" : ": "),
                             part(reason), part("\n")};
    // If nobody can be told, the exit code says it.
    [[maybe_unused]] const ssize_t written =
        ::writev(STDERR_FILENO, line.data(), static_cast<int>(line.size()));
    remove_temporary_files();
    std::_Exit(exit_code);
}

[[noreturn]] void end_with_a_sentence() {
    try {
        if (std::current_exception() != nullptr) {
            throw;
        }
    } catch (const std::bad_alloc&) {
        end_with({}, kOutOfMemory, kCapabilityMissing);
    } catch (const CapabilityError& error) {
        end_with({}, error.what(), kCapabilityMissing);
    } catch (...) {  // told by who had this handler before
    }
    if (handler_before != nullptr) {
        handler_before();
    }
    std::abort();
}

}  // namespace

void tell_why_it_ends() {
    handler_before = std::set_terminate(end_with_a_sentence);
}

void end_for_lost_pages(const char* path) noexcept {
    end_with(path, kLostPages, kBadInput);
}

}  // namespace ropescope::cli
