/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Pictures as SVG, or as PNG by the program rsvg-convert.
 */
#pragma once

#include "src/base/output.h"

/* What was written into @memory as SVG, as it is or as PNG. NULL with @error: the program is not there, or fails. */
GBytes *tt_picture_finish (TtOutput *memory, gboolean is_png, GError **error);
