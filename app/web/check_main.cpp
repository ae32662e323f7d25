// Runs the checks under Node: the numbers of the page, without a browser.
//   node ropescope_check.js [GLOB]
#include <cstdio>
#include <exception>

#include "core/checks/check_run.h"
#include "core/checks/report/report.h"
#include "core/engine/engine.h"

using namespace ropescope;

int main(int argc, char** argv) {
    try {
        const auto engine = make_cpu_engine();
        const CheckRun run =
            run_checks(select_checks(argc > 1 ? argv[1] : "*"), {.engines = {engine.get()}});
        std::puts(report_text(run).c_str());
        return run.ok() ? 0 : 1;
    } catch (const std::exception& error) {
        std::fprintf(stderr, "ropescope: %s\n", error.what());
        return 2;
    }
}
