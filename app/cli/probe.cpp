// `ropescope probe`: asks an implementation behind a pipe, and says what it does.
#include "core/probe/probe.h"

#include <algorithm>
#include <cmath>
#include <csignal>
#include <filesystem>
#include <fmt/format.h>
#include <memory>
#include <nlohmann/json.hpp>
#include <span>

#include "app/cli/adapter.h"
#include "app/cli/command.h"
#include "app/cli/junit.h"
#include "app/cli/norm_options.h"
#include "app/cli/output.h"
#include "core/base/characters.h"
#include "core/base/error.h"
#include "core/base/parse_list.h"
#include "core/base/write_folder.h"
#include "core/models/model.h"
#include "core/probe/judge.h"
#include "core/probe/report.h"

namespace ropescope::cli {
namespace {

struct ProbeArguments {
    std::string config, part, exchange = "npz", dtypes, save, junit, positions = "any",
                              tensors = "qk";
    NormArguments norm;
    std::optional<std::string> layout;
    double timeout = kUsualTimeout;
    std::optional<std::int64_t> max_position, context;
    bool negative = false;
    std::vector<std::string> command;
};

Dtype dtype_of(std::string_view word) {
    constexpr std::array<std::pair<std::string_view, Dtype>, 4> kWords = {
        {{"float32", Dtype::f32},
         {"float16", Dtype::f16},
         {"bfloat16", Dtype::bf16},
         {"float64", Dtype::f64}}};
    for (const auto& [name, dtype] : kWords) {
        if (word == name) {
            return dtype;
        }
    }
    throw InputError(fmt::format(
        "--dtypes: {} is not one of float32, float16, bfloat16 and float64", in_quotes(word)));
}

probe::Settings settings_of(const ProbeArguments& arguments) {
    probe::Settings settings{.negative = arguments.negative,
                             .counted_only = arguments.positions == "sequence",
                             .max_position = arguments.max_position,
                             .norm = norm_of(arguments.norm),
                             .q_alone = arguments.tensors == "q"};
    if (!arguments.dtypes.empty()) {
        settings.dtypes.clear();
        for (const std::string_view word : split_list(arguments.dtypes)) {
            settings.dtypes.push_back(dtype_of(word));
        }
    } else if (arguments.exchange == "npz") {
        std::erase(settings.dtypes, Dtype::bf16);  // NumPy has none
    }
    return settings;
}

void check(const ProbeArguments& arguments) {
    if (arguments.max_position &&
        (*arguments.max_position < 0 || *arguments.max_position > kMaxPosition)) {
        throw InputError(fmt::format("--max-position: {} is not between 0 and {}",
                                     *arguments.max_position, kMaxPosition));
    }
    if (arguments.context && (*arguments.context < 1 || *arguments.context > kMaxSeqLen)) {
        throw InputError(
            fmt::format("--context: {} is not between 1 and {}", *arguments.context, kMaxSeqLen));
    }
    if (!(arguments.timeout > 0.0 && arguments.timeout <= kLongestTimeout)) {
        throw InputError(
            fmt::format("--timeout: give seconds above 0, at most {}", kLongestTimeout));
    }
    if (arguments.command.empty()) {
        throw InputError("probe: no adapter is given; write its command behind --");
    }
}

/// All that was asked, what came, and what it means.
struct Conversation : probe::Conversation {
    probe::Report report;
};

/// Asks everything; ends with the adapter's process gone. Throws Interrupted.
probe::Conversation asked(const ProbeArguments& arguments, const Part& subject) {
    const HeldSignals signals;
    const auto timeout = std::chrono::milliseconds(std::llround(arguments.timeout * 1000.0));
    Adapter adapter(arguments.command, {arguments.exchange, timeout}, signals);
    return probe::converse(subject, settings_of(arguments),
                           [&](const probe::Request& request) { return adapter.ask(request); });
}

/// Signals end the program as ever while it judges: then nothing is left to be put away.
Conversation converse(const ProbeArguments& arguments, const Part& subject) {
    Conversation conversation{asked(arguments, subject), {}};
    conversation.report = judge(subject, conversation.requests, conversation.answers);
    return conversation;
}

/// What save_request() calls its files: 3-answer.npz and answer.npz, for example.
bool is_saved_name(const std::string& name) {
    const std::filesystem::path path(name);
    std::string kind = path.stem().string();
    const std::size_t digits = kind.find_first_not_of("0123456789");
    if (digits != std::string::npos && digits > 0 && kind[digits] == '-') {
        kind.erase(0, digits + 1);
    }
    return (path.extension() == ".npz" || path.extension() == ".safetensors") &&
           (kind == "request" || kind == "expected" || kind == "answer");
}

/// Writes a request, what is expected of it, and what came, which `diagnose` reads.
void save_request(FolderUnderWay& folder, const ProbeArguments& arguments, const Part& subject,
                  const probe::Request& request, const probe::Answer& answer,
                  const std::string& front) {
    std::vector<Tensor> tensors = request.tensors();
    const auto write = [&](const std::string& name, const std::vector<Tensor>& all) {
        folder.write_by(front + name + "." + arguments.exchange,
                        [&](const std::filesystem::path& path) { write_tensors(path, all); });
    };
    write("request", tensors);
    const probe::RightAnswer expected = expected_answer(subject, request);
    std::vector<Tensor> right = {
        make_tensor_as(Dtype::f64, "q_rot", probe::shape_of(request.q_shape), expected.q_rot)};
    if (request.has_keys()) {
        right.push_back(
            make_tensor_as(Dtype::f64, "k_rot", probe::shape_of(request.k_shape), expected.k_rot));
    }
    write("expected", right);
    for (const auto* tensor : {&answer.q_rot, &answer.k_rot, &answer.scores}) {
        if (*tensor) {
            tensors.push_back(**tensor);
        }
    }
    write("answer", tensors);
}

/// Writes all requests, and the smallest that failed once more under a name without a number. What
/// an earlier run has saved in the folder is gone then. Returns a line for people.
std::string save(const ProbeArguments& arguments, const Part& subject,
                 const Conversation& conversation) {
    FolderUnderWay folder(arguments.save);
    const auto& [requests, answers] = static_cast<const probe::Conversation&>(conversation);
    for (std::size_t i = 0; i < requests.size(); ++i) {
        save_request(folder, arguments, subject, requests[i], answers[i],
                     fmt::format("{}-", requests[i].id));
    }
    std::string said = fmt::format(
        "saved to {}: {} requests, each with expected and answer "
        "(which `diagnose` reads)",
        printable(arguments.save), requests.size());
    if (const auto& smallest = conversation.report.smallest_failing) {
        const auto at = static_cast<std::size_t>(*smallest - 1);
        save_request(folder, arguments, subject, requests[at], answers[at], "");
        said += fmt::format("; the smallest that failed, {}, as request, expected and answer",
                            requests[at].id);
    }
    folder.publish(is_saved_name);
    return said + "\n";
}

/// What to know of a model of several parts if nobody said which one is asked; empty else.
std::string other_parts(const ProbeArguments& arguments, const std::vector<Part>& parts,
                        const Conversation& conversation) {
    if (!arguments.part.empty() || parts.size() == 1) {
        return {};
    }
    return text_of(
               held_part(parts, conversation.requests, conversation.answers, conversation.report),
               "--part ") +
           "\n";
}

int probe_command_of(const ProbeArguments& arguments, const GlobalOptions& options) {
    check(arguments);
    Model model = open_model(arguments.config);
    for (Part& part : model.parts) {
        part.context = arguments.context.value_or(0);
    }
    const Part& chosen = model.part(arguments.part);
    const Part subject =
        arguments.layout ? with_layout(chosen, parse_layout(*arguments.layout)) : chosen;
    // Refuses bad words, and what cannot be asked, before anything is started.
    probe::make_requests(subject, settings_of(arguments));
    Conversation conversation;
    try {
        conversation = converse(arguments, subject);
    } catch (const Interrupted& interrupted) {
        ::raise(interrupted.signal);  // ends the program as if we had never held it
        return 1;
    }
    const bool json = options.format == "json";
    std::string saved;
    print_beside(json ? report_json(conversation.report) : report_text(conversation.report), [&] {
        saved = arguments.save.empty() ? "" : save(arguments, subject, conversation);
        write_junit(arguments.junit, "probe", junit_cases(conversation.report, arguments.config));
    });
    if (const std::string line = other_parts(arguments, model.parts, conversation); !line.empty()) {
        json ? tell(line) : print(line);
    }
    if (!saved.empty()) {
        json ? tell(saved) : print(saved);
    }
    return conversation.report.passed() ? 0 : 1;
}

}  // namespace

Command probe_command(GlobalOptions& options) {
    auto arguments = std::make_shared<ProbeArguments>();
    return {
        .name = "probe",
        .text = "Ask an implementation behind a pipe, and say what it does and what is wrong",
        .options = with_options_before(
            "--max-position",
            norm_options(arguments->norm,
                         "The code normalises q and k as well: requests have the weights q_norm "
                         "and k_norm [D], and the whole operation is judged (default: no norm)"),
            {
                {.names = "--config",
                 .target = &arguments->config,
                 .type = "config.json|NAME",
                 .text = "What it should do: a model's configuration, or a published model",
                 .required = true},
                {.names = "--part",
                 .target = &arguments->part,
                 .type = "NAME",
                 .text = "The part of the model: text, vision, or a type of layers (default: the "
                         "first)"},
                {.names = "--layout",
                 .target = &arguments->layout,
                 .type = "interleaved|half_split",
                 .text = "The pairs that the code turns, if its weights are permuted for them: "
                         "interleaved for code of Meta, torchtune, gpt-fast and llama.cpp "
                         "(default: what the model's file says)",
                 .choices = {"interleaved", "half_split"}},
                {.names = "--positions",
                 .target = &arguments->positions,
                 .type = "any|sequence",
                 .text = "sequence: the code takes no positions and counts each row from 0, as "
                         "encoders do; it is asked for nothing else (default any)",
                 .choices = {"any", "sequence"}},
                {.names = "--tensors",
                 .target = &arguments->tensors,
                 .type = "qk|q",
                 .text = "q: the code turns one tensor; requests have no k, and answers no k_rot "
                         "(default qk)",
                 .choices = {"qk", "q"}},
                {.names = "--exchange",
                 .target = &arguments->exchange,
                 .type = "npz|safetensors",
                 .text = "Files of requests and answers (default npz)",
                 .choices = {"npz", "safetensors"}},
                {.names = "--dtypes",
                 .target = &arguments->dtypes,
                 .type = "LIST",
                 .text = "float32, float16, bfloat16, float64; all requests but those about "
                         "dtypes take the first (default float32,float16, in safetensors "
                         "bfloat16 too)"},
                {.names = "--max-position",
                 .target = &arguments->max_position,
                 .type = "N",
                 .text = "Largest position of a request (default: the model's last one, at most "
                         "131071)"},
                {.names = "--context",
                 .target = &arguments->context,
                 .type = "N",
                 .text = "The implementation has one table for a context of N positions, as vLLM "
                         "and llama.cpp do with LongRoPE and NTK (default: frequencies by the "
                         "length of each request)"},
                {.names = "--negative",
                 .target = &arguments->negative,
                 .text = "Also ask for positions below 0, as the shift of a cache does"},
                {.names = "--timeout",
                 .target = &arguments->timeout,
                 .type = "SECONDS",
                 .text = "For each answer (default 30)"},
                {.names = "--save",
                 .target = &arguments->save,
                 .type = "FOLDER",
                 .text = "Gets every request, what was expected of it and what came, and the "
                         "smallest that failed once more"},
                junit_option(arguments->junit),
                {.names = "command",
                 .target = &arguments->command,
                 .type = "COMMAND...",
                 .text = "The adapter and its arguments, behind --: it reads a request on each "
                         "line of its standard input",
                 .rest = true},
            }),
        .run = [arguments, &options] { return probe_command_of(*arguments, options); },
        .reads = {"--format"},
        .footer = R"(Examples:
  ropescope probe --config config.json -- python3 adapter.py 500000
  ropescope probe --config llama-3.1-8b --exchange safetensors --save failing -- ./adapter
  ropescope probe --config qwen3-8b --norm rms -- python3 fused_adapter.py 1000000

The adapter is a small program in any language. For each line
  {"id": 1, "input": "FILE", "output": "FILE", "format": "npz"}
on its standard input it reads q, k and positions from the input file, writes
q_rot and k_rot to the output file, and prints {"id": 1}. Adapters to copy, for
PyTorch, NumPy, JAX, C, C++, JavaScript and ggml, are in docs/verify/probe.md.
Verdicts: valid; equivalent (other numbers, the same scores for weights that
were trained so); invalid; undetermined.
Exit code: 0, or 1 if the code does otherwise than the model says, ends, or does
not answer in time.)"};
}

}  // namespace ropescope::cli
