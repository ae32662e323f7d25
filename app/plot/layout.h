// All of the headers between a figure and its pixels, for callers that need several of them.
#pragma once

#include "app/plot/axis.h"
#include "app/plot/draw_figure.h"
#include "app/plot/number_text.h"
#include "app/plot/rich_text.h"
#include "app/plot/ticks.h"
