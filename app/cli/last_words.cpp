// Ends the program in std::terminate() with a sentence, if the reason is a want of memory.
#include "app/cli/last_words.h"

#include <array>
#include <cstdlib>
#include <exception>
#include <new>
#include <string_view>
#include <sys/uio.h>
#include <unistd.h>

#include "app/cli/output.h"
#include "core/base/error.h"
#include "core/base/write_file.h"

namespace ropescope::cli {
namespace {

std::terminate_handler handler_before = nullptr;

bool wants_memory() {
    if (std::current_exception() == nullptr) {
        return false;
    }
    try {
        throw;
    } catch (const std::bad_alloc&) {
        return true;
    } catch (...) {
        return false;
    }
}

iovec part(std::string_view text) {
    return {const_cast<char*>(text.data()), text.size()};  // which writev() only reads
}

/// Allocates nothing.
[[noreturn]] void end_with_a_sentence() {
    if (wants_memory()) {
        const std::array line = {part("ropescope: "), part(kOutOfMemory), part("\n")};
        // If nobody can be told, the exit code says it.
        [[maybe_unused]] const ssize_t written =
            ::writev(STDERR_FILENO, line.data(), static_cast<int>(line.size()));
        remove_temporary_files();
        std::_Exit(kCapabilityMissing);
    }
    if (handler_before != nullptr) {
        handler_before();
    }
    std::abort();
}

}  // namespace

void tell_when_memory_ends() {
    handler_before = std::set_terminate(end_with_a_sentence);
}

}  // namespace ropescope::cli
