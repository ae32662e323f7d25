// Leaves the interpreter to other threads while C++ computes.
#pragma once

#include <Python.h>
#include <cxxabi.h>
#include <optional>
#include <pybind11/pybind11.h>
#include <unistd.h>

namespace ropescope {

/// When the interpreter ends, a daemon thread that wants its turn is ended by pthread_exit(), whose
/// way out of the thread leads through destructors and ends the process instead. So the thread
/// stays where it is until the process is gone, as those of Python 3.14 do.
template <typename Wait>
void wait_for_turn(const Wait& wait) {
    try {
        wait();
    } catch (const abi::__forced_unwind&) {
        while (true) {
            ::pause();
        }
    }
}

/// Like py::gil_scoped_release.
class OthersMayRun {
  public:
    OthersMayRun() : state_(PyEval_SaveThread()) {}
    OthersMayRun(const OthersMayRun&) = delete;
    OthersMayRun& operator=(const OthersMayRun&) = delete;
    ~OthersMayRun() {
        wait_for_turn([this] { PyEval_RestoreThread(state_); });
    }

  private:
    PyThreadState* state_;
};

/// Like py::gil_scoped_acquire.
class OurTurn {
  public:
    OurTurn() {
        wait_for_turn([this] { turn_.emplace(); });
    }

  private:
    std::optional<pybind11::gil_scoped_acquire> turn_;
};

}  // namespace ropescope
