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

/// Calls a function of Python. A thread may be ended within it, too, and what C++ holds of Python
/// must not be given back without the turn.
inline pybind11::object call_python(const pybind11::object& function,
                                    const pybind11::object& argument) {
    PyObject* result = nullptr;
    wait_for_turn(
        [&] { result = PyObject_CallFunctionObjArgs(function.ptr(), argument.ptr(), nullptr); });
    if (result == nullptr) {
        throw pybind11::error_already_set();
    }
    return pybind11::reinterpret_steal<pybind11::object>(result);
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
