// Runs a function in a child of fork(), as a program does that forks.
#pragma once

#include <functional>
#include <string>

namespace ropescope::test {

/// "" if `body` returned true in the child and the child then ended through exit(), which destroys
/// static objects; else what happened instead. A child that has not ended after half a minute is
/// ended by a signal.
std::string problem_in_child(const std::function<bool()>& body);

/// What the other threads of the parent do while it forks.
enum class OtherThreads { idle, busy };

/// Why a child can not compute in this build, whatever the program does; empty if it can.
std::string no_children_here(OtherThreads others);

}  // namespace ropescope::test
