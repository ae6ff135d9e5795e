/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The comments that a woven text begins with: the name of the parameter that a kernel has more, and the TOML of the probe.
 */
#pragma once

#include <glib.h>

gboolean tt_gpu_is_woven (const char *text);
void tt_gpu_heading_append (const char *param, const char *toml, GString *to);
/* FALSE: it is not woven. Free both with g_free(). */
gboolean tt_gpu_woven_read (const char *text, char **param, char **toml);
