// The readers of the program, each as a function of any bytes. A target returns when the bytes have
// been read or properly refused; whatever else happens is a fault. libFuzzer calls them
// (libfuzzer.cpp), and the ordinary tests replay what it has kept (replay_test.cpp).
// Sources: targets.cpp, verify_targets.cpp, kept_targets.cpp, library_target.cpp.
#pragma once

#include <array>
#include <string>
#include <string_view>

namespace ropescope::fuzz {

struct Target {
    std::string_view name;  ///< also of its folder in tests/fuzz/corpus
    void (*run)(const std::string& bytes);
};

void read_npy_bytes(const std::string& bytes);
void read_npz_bytes(const std::string& bytes);
void read_safetensors_bytes(const std::string& bytes);
/// A .safetensors or .npz with q and k to a diagnosis.
void read_dump_bytes(const std::string& bytes);
/// The same with options: a line of --axes, one of the axes of positions, one of --map, and the
/// file.
void read_named_dump(const std::string& bytes);
/// A .safetensors, .npz or .npy with tables of cos and sin or frequencies to a diagnosis, and to
/// the difference from itself, of which there is none.
void read_table_bytes(const std::string& bytes);
/// A config.json that a dump is held to (--expect).
void read_expected(const std::string& bytes);
/// A .safetensors, written as a .npz and read again: whatever is read must be what was written.
void round_trip_npz(const std::string& bytes);
/// The index.json of test vectors and, behind the first NUL, a .safetensors with answers, to a
/// judgement.
void judge_vectors(const std::string& bytes);
/// The line that an adapter answers and, behind it, its file, to a report.
void read_adapter(const std::string& bytes);
/// A GGUF file, to the model that it describes.
void read_gguf(const std::string& bytes);
/// An index, beside which there is one file of weights.
void read_index(const std::string& bytes);
/// A config.json to a spectrum, to an encoder and as every runtime reads it.
void read_config(const std::string& bytes);
/// A config.json or arguments to a scheme of several axes.
void read_scheme(const std::string& bytes);
/// A layout of tokens to position ids and a verdict about them.
void read_layout(const std::string& bytes);
void read_scene(const std::string& bytes);
/// A vocabulary and, behind the first NUL, a text.
void read_vocabulary(const std::string& bytes);
/// A value of --set on each line.
void read_settings(const std::string& bytes);
/// The value of --case and, behind a line break, the name of a case.
void read_case(const std::string& bytes);
/// The value of --vary.
void read_variation(const std::string& bytes);
/// The sizes of a tensor and, behind a line break, the file of --spec.
void read_own_scheme(const std::string& bytes);
/// A line with a kind of model, one with the order of the axes, one with a layout, and the file of
/// `positions --check`.
void check_given_positions(const std::string& bytes);
/// What follows the # of a page's address.
void read_page_link(const std::string& bytes);
/// window.json, which is written and read again.
void read_window_file(const std::string& bytes);
/// lessons.json, likewise.
void read_lesson_file(const std::string& bytes);
/// What a page's worker answers: the outcome of a check or, behind a space, values of every kind.
void unpack_answer(const std::string& bytes);
/// Arguments of the functions of ropescope.h, drawn from the bytes.
void call_library(const std::string& bytes);

inline constexpr auto kTargets = std::to_array<Target>({{"npy", read_npy_bytes},
                                                        {"npz", read_npz_bytes},
                                                        {"safetensors", read_safetensors_bytes},
                                                        {"dump", read_dump_bytes},
                                                        {"named_dump", read_named_dump},
                                                        {"tables", read_table_bytes},
                                                        {"expected", read_expected},
                                                        {"npz_round_trip", round_trip_npz},
                                                        {"vectors", judge_vectors},
                                                        {"adapter", read_adapter},
                                                        {"gguf", read_gguf},
                                                        {"index", read_index},
                                                        {"config", read_config},
                                                        {"scheme", read_scheme},
                                                        {"layout", read_layout},
                                                        {"scene", read_scene},
                                                        {"vocabulary", read_vocabulary},
                                                        {"settings", read_settings},
                                                        {"case", read_case},
                                                        {"vary", read_variation},
                                                        {"spec", read_own_scheme},
                                                        {"positions", check_given_positions},
                                                        {"link", read_page_link},
                                                        {"window", read_window_file},
                                                        {"lessons", read_lesson_file},
                                                        {"worker", unpack_answer},
                                                        {"library", call_library}});

}  // namespace ropescope::fuzz
