// Lessons on paper: the steps with their figures and room to write, and the answers behind them.
#pragma once

#include <span>
#include <string>

#include "app/lessons/lesson.h"
#include "app/pages/page.h"
#include "core/engine/engine.h"

namespace ropescope::pages {

/// A PDF of A4 pages. Each step has its text, its figure (a step with the scene of an earlier one
/// names that), and its question or task with room for notes. The answers to all of them begin on a
/// page of their own at the end.
std::string handout(std::span<const lessons::Lesson> lessons, Engine& engine,
                    const PageProgress& progress = {});

}  // namespace ropescope::pages
