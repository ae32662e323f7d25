// The codes of everything that the three instruments name: diagnose (core/diagnosis), probe
// (core/probe) and vectors (core/vectors). A code is declared here and nowhere else; what it means
// stands in docs/verify/README.md, and for those that begin with "answer." in docs/verify/probe.md.
#pragma once

#include <array>
#include <string_view>

namespace ropescope::faults {

inline constexpr const char* kLayoutInterleaved = "layout.interleaved";
inline constexpr const char* kLayoutHalfSplit = "layout.half_split";
inline constexpr const char* kLayoutOther = "layout.other";
inline constexpr const char* kPartialRotary = "partial_rotary";
inline constexpr const char* kNotARotation = "not_a_rotation";

inline constexpr const char* kSpectrumDefault = "spectrum.default";
inline constexpr const char* kSpectrumScaled = "spectrum.scaled";
inline constexpr const char* kSpectrumExponentOffByOne = "spectrum.exponent_off_by_one";
inline constexpr const char* kSpectrumFlat = "spectrum.flat";
inline constexpr const char* kSpectrumZero = "spectrum.zero";
inline constexpr const char* kSpectrumInverted = "spectrum.inverted";
inline constexpr const char* kSpectrumLowPrecision = "spectrum.low_precision";
inline constexpr const char* kSpectrumQkMismatch = "spectrum.qk_mismatch";
inline constexpr const char* kSpectrumChangesAt = "spectrum.changes_at";
inline constexpr const char* kSpectrumPerHead = "spectrum.per_head";
inline constexpr const char* kSpectrumPerLayer = "spectrum.per_layer";

inline constexpr const char* kAxesMap = "axes.map";
inline constexpr const char* kAxesSwapped = "axes.swapped";

inline constexpr const char* kPositionsOffset = "positions.offset";
inline constexpr const char* kPositionsQkOffset = "positions.qk_offset";
inline constexpr const char* kPositionsScaled = "positions.scaled";
inline constexpr const char* kPositionsLowPrecision = "positions.low_precision";
inline constexpr const char* kPositionsClamped = "positions.clamped";
inline constexpr const char* kPositionsWrongAxis = "positions.wrong_axis";
inline constexpr const char* kPositionsRestart = "positions.restart";
inline constexpr const char* kPositionsPerRow = "positions.per_row";

inline constexpr const char* kRowsUnrotated = "rows.unrotated";

inline constexpr const char* kSignReversed = "sign.reversed";
inline constexpr const char* kSignKReversed = "sign.k_reversed";
inline constexpr const char* kPhase = "phase";
inline constexpr const char* kKUnrotated = "k.unrotated";
inline constexpr const char* kKRotatedTwice = "k.rotated_twice";
inline constexpr const char* kGain = "gain";
inline constexpr const char* kGainXpos = "gain.xpos";
inline constexpr const char* kSoftmaxScale = "softmax.scale";
inline constexpr const char* kScoresNotTheProduct = "scores.not_the_product";
inline constexpr const char* kScoresNotFinite = "scores.not_finite";
inline constexpr const char* kScoresMasked = "scores.masked";

inline constexpr const char* kTableFp16 = "table.fp16";
inline constexpr const char* kTableBf16 = "table.bf16";

inline constexpr const char* kAnswerError = "answer.error";
inline constexpr const char* kAnswerTimeout = "answer.timeout";
inline constexpr const char* kAnswerGarbled = "answer.garbled";
inline constexpr const char* kAnswerShape = "answer.shape";
inline constexpr const char* kAnswerNotFinite = "answer.not_finite";
inline constexpr const char* kAnswerOrder = "answer.order";
inline constexpr const char* kAnswerChanges = "answer.changes";
inline constexpr const char* kAnswerWrong = "answer.wrong";

/// All of them. Beside them, `diagnose` says "matches." and the id of one of the five texts.
inline constexpr std::array<std::string_view, 48> kCodes = {kLayoutInterleaved,
                                                            kLayoutHalfSplit,
                                                            kLayoutOther,
                                                            kPartialRotary,
                                                            kNotARotation,
                                                            kSpectrumDefault,
                                                            kSpectrumScaled,
                                                            kSpectrumExponentOffByOne,
                                                            kSpectrumFlat,
                                                            kSpectrumZero,
                                                            kSpectrumInverted,
                                                            kSpectrumLowPrecision,
                                                            kSpectrumQkMismatch,
                                                            kSpectrumChangesAt,
                                                            kSpectrumPerHead,
                                                            kSpectrumPerLayer,
                                                            kAxesMap,
                                                            kAxesSwapped,
                                                            kPositionsOffset,
                                                            kPositionsQkOffset,
                                                            kPositionsScaled,
                                                            kPositionsLowPrecision,
                                                            kPositionsClamped,
                                                            kPositionsWrongAxis,
                                                            kPositionsRestart,
                                                            kPositionsPerRow,
                                                            kRowsUnrotated,
                                                            kSignReversed,
                                                            kSignKReversed,
                                                            kPhase,
                                                            kKUnrotated,
                                                            kKRotatedTwice,
                                                            kGain,
                                                            kGainXpos,
                                                            kSoftmaxScale,
                                                            kScoresNotTheProduct,
                                                            kScoresNotFinite,
                                                            kScoresMasked,
                                                            kTableFp16,
                                                            kTableBf16,
                                                            kAnswerError,
                                                            kAnswerTimeout,
                                                            kAnswerGarbled,
                                                            kAnswerShape,
                                                            kAnswerNotFinite,
                                                            kAnswerOrder,
                                                            kAnswerChanges,
                                                            kAnswerWrong};

}  // namespace ropescope::faults
