/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Whether a person reads what is written: a terminal. Everything that cuts, colours or draws asks here.
 */
#pragma once

#include <glib.h>

gboolean tt_screen_is (int fd);
/* From now on nothing is one: mpirun gives its programs a terminal of its own, whatever its own output is. Once, before
 * there are threads. */
void tt_screen_none (void);
