/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Pictures as PNG, by the program rsvg-convert.
 */
#pragma once

#include <glib.h>

/* NULL with @error: the program is not there, or fails. */
GBytes *tt_picture_png (GBytes *svg, GError **error);
