// An adapter behind a process: requests as files and lines, answers as lines and files.
#pragma once

#include <chrono>
#include <filesystem>
#include <string>
#include <vector>

#include "app/cli/adapter_process.h"
#include "core/base/removed_at_end.h"
#include "core/probe/request.h"

namespace ropescope::cli {

/// A folder for files that are gone at the end; standard error tells if it is not.
class ExchangeFolder {
  public:
    /// Throws InputError.
    ExchangeFolder();
    ExchangeFolder(const ExchangeFolder&) = delete;
    ExchangeFolder& operator=(const ExchangeFolder&) = delete;
    ~ExchangeFolder();

    /// What the adapter did to the folder, or to the file that is to be written; empty if nothing.
    std::string taken_by_adapter(const std::filesystem::path& file) const;

    std::filesystem::path operator/(const std::string& name) const { return folder_.path() / name; }

  private:
    TemporaryFolder folder_;
};

/// How long an adapter may take for an answer unless the user says so, and at most, in seconds.
inline constexpr double kUsualTimeout = 30, kLongestTimeout = 86400;

/// How files are exchanged.
struct Exchange {
    std::string format = "npz";  ///< or "safetensors"
    std::chrono::milliseconds timeout{static_cast<int>(1000 * kUsualTimeout)};
};

/// Writes tensors to a .npz or a .safetensors, by its ending.
void write_tensors(const std::filesystem::path& path, const std::vector<Tensor>& tensors);

class Adapter {
  public:
    /// Throws InputError if the command cannot be started.
    Adapter(const std::vector<std::string>& command, Exchange exchange, const HeldSignals& signals);

    /// Writes {"id": 1, "input": "FILE", "output": "FILE", "format": "npz"} and reads {"id": 1} or
    /// {"id": 1, "error": "..."}; the answer's file holds q_rot, k_rot and perhaps scores. Throws
    /// Interrupted.
    probe::Answer ask(const probe::Request& request);

  private:
    Exchange exchange_;
    ExchangeFolder folder_;
    AdapterProcess process_;
};

}  // namespace ropescope::cli
