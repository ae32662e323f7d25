// The program in a worker: computes pictures and runs checks, one call at a time.
#include "app/web/worker.h"

#include <emscripten/emscripten.h>
#include <exception>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <memory>
#include <span>
#include <string>

#include "app/figures/view.h"
#include "app/lessons/lesson_checks.h"
#include "app/web/link.h"
#include "app/web/outcome.h"
#include "core/base/error.h"
#include "core/base/write_file.h"
#include "core/checks/check_run.h"
#include "core/demo/fetched_files.h"
#include "core/engine/broken_engine.h"
#include "core/engine/engine.h"

// Tells page/worker.js which share is done.
EM_JS(void, worker_progress, (double done), { globalThis.worker_progress(done); });

namespace ropescope::web {
namespace {

constexpr const char* kResult = "/result";

struct Worker {
    std::unique_ptr<Engine> engine = make_cpu_engine(1);
    figures::FigureCache cache;  // results of earlier pictures
    std::string answered;
};

Worker& worker() {
    static Worker only;
    return only;
}

/// "", or why it could not be done.
template <typename Compute>
const char* answer(const Compute& compute) {
    std::string& answered = worker().answered;
    try {
        write_file_whole(kResult, compute());
        answered.clear();
    } catch (const std::exception& refused) {
        answered = reason_of(refused);
    }
    return answered.c_str();
}

CheckOutcome run_check(const std::string& id, EngineFault fault) {
    Engine& engine = *worker().engine;
    const auto broken = fault == EngineFault::none ? nullptr : make_broken_engine(engine, fault);
    const std::vector<const Check*> checks = select_checks(id, lessons::further_checks());
    const CheckRun run = run_checks(checks, {.engines = {broken ? broken.get() : &engine}});
    return {id, run.results.front().finding, run.results.front().seconds};
}

}  // namespace
}  // namespace ropescope::web

using namespace ropescope;
using namespace ropescope::web;

extern "C" {

EMSCRIPTEN_KEEPALIVE const char* worker_picture(const char* link) {
    return answer([&] {
        const figures::Work work{.progress = worker_progress, .cache = &worker().cache};
        const Linked linked = read_link(link);
        if (!linked.left_out.empty()) {
            throw InputError(linked.left_out.front());
        }
        return figures::carried_results(linked.scene, *worker().engine, work);
    });
}

EMSCRIPTEN_KEEPALIVE const char* worker_check(const char* id, const char* fault) {
    return answer(
        [&] { return pack_outcome(run_check(id, enum_value<EngineFault>(fault).value())); });
}

EMSCRIPTEN_KEEPALIVE const char* worker_missing_files(int all) {
    if (all != 0) {
        demo::all_weights_are_here();
    }
    std::string& answered = worker().answered;
    answered = fmt::format("{}", fmt::join(demo::take_missing_files(), "\n"));
    return answered.c_str();
}

}  // extern "C"
