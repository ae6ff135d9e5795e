/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writes any PI recording as native files, for the replaying plugin, which reads nothing else. What the others do not
 * have is made up so that a program gets along with it: handles that calls return are those that later calls use, in
 * the order of their creation, or numbers of their own.
 */
#pragma once

#include "formats/pi/trace.h"

/* Into the directory @to, which is there. @n_cut: contents of memory that are too long to be had. */
gboolean tt_pi_transcribe (TtPiTrace *trace, const char *to, guint64 *n_cut, GError **error);
