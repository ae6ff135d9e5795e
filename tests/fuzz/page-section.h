/* SPDX-License-Identifier: Apache-2.0 */
/* One section of a report instead of all, which takes ten times as long as any other command. */
#pragma once

#include <glib.h>

/* The next reports have the section number @which alone, modulo their number; G_MAXUINT: all. */
void fuzz_page_section (guint which);
