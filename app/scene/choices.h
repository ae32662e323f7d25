// The enums of a scene, with the names of their values.
#pragma once

#include "core/base/enum_names.h"
#include "core/checks/check_families.h"
#include "core/encoder/rope_options.h"
#include "core/rope/layout.h"

namespace ropescope {

/// How numbers lie along a slider or an axis.
enum class Scale { linear, logarithmic };
template <>
inline constexpr std::array<std::string_view, 2> kEnumNames<Scale> = {"linear", "logarithmic"};

/// What the spectrum view shows of a pair: positions per turn, or radians per position.
enum class SpectrumQuantity { wavelength, inv_freq };
template <>
inline constexpr std::array<std::string_view, 2> kEnumNames<SpectrumQuantity> = {"wavelength",
                                                                                 "inv_freq"};

/// What the spectrum view draws beside the spectrum.
enum class Overlays { unscaled, methods, none };
template <>
inline constexpr std::array<std::string_view, 3> kEnumNames<Overlays> = {"unscaled", "methods",
                                                                         "none"};

/// What the table view shows of an angle.
enum class TableQuantity { cos, sin, angle };
template <>
inline constexpr std::array<std::string_view, 3> kEnumNames<TableQuantity> = {"cos", "sin",
                                                                              "angle"};

/// The layouts view: all systems, or the vector that walks from interleaved to half split alone.
enum class LayoutsShow { systems, walk };
template <>
inline constexpr std::array<std::string_view, 2> kEnumNames<LayoutsShow> = {"systems", "walk"};

/// What the attention maps show: scores before the mask, probabilities after the softmax, or the
/// part of the scores that RoPE adds.
enum class AttentionQuantity { scores, softmax, effect };
template <>
inline constexpr std::array<std::string_view, 3> kEnumNames<AttentionQuantity> = {
    "scores", "softmax", "effect"};

/// The encoder: the trained model in the box, its twin that was trained without positions, a small
/// one with random weights, one of full size with random weights, or a checkpoint.
enum class AttentionSource { demo, no_position, random, full, folder };
template <>
inline constexpr std::array<std::string_view, 5> kEnumNames<AttentionSource> = {
    "demo", "no_position", "random", "full", "folder"};

/// Where the views of scores take q and k from: drawn at random, or measured in the encoder.
enum class ContentSource { drawn, encoder };
template <>
inline constexpr std::array<std::string_view, 2> kEnumNames<ContentSource> = {"drawn", "encoder"};

/// What the encoder is compared with: itself with RoPE switched off, itself with the channels
/// paired the other way, or the twin that was trained without positions.
enum class AttentionCompare { none, rope_off, other_layout, no_position };
template <>
inline constexpr std::array<std::string_view, 4> kEnumNames<AttentionCompare> = {
    "none", "rope_off", "other_layout", "no_position"};

/// The part of a model of several axes: the one that it is known for, or the part of this name.
enum class AxesPart { first, text, vision };
template <>
inline constexpr std::array<std::string_view, 3> kEnumNames<AxesPart> = {"first", "text", "vision"};

/// What lies on the grid of the axes view: patches of an image or a video, or tokens of text, line
/// by line.
enum class AxesTokens { patches, text };
template <>
inline constexpr std::array<std::string_view, 2> kEnumNames<AxesTokens> = {"patches", "text"};

/// Which checks are listed: all, or those with one outcome, in the order of Status.
enum class ListedStatus { all, passed, failed, skipped, note };
template <>
inline constexpr std::array<std::string_view, 5> kEnumNames<ListedStatus> = {
    "all", to_string(Status::passed), to_string(Status::failed), to_string(Status::skipped),
    to_string(Status::note)};

}  // namespace ropescope
