/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtNeutrinoLines: the lines of a text file, one at a time, without their ends.
 *
 * NUL bytes become blanks. A line of more than TT_NEUTRINO_LONGEST_LINE bytes is cut and counted.
 */
#pragma once

#include "src/base/input.h"

#define TT_NEUTRINO_LONGEST_LINE ((gsize) 1 << 20)

typedef struct
{
  TtInput *input; /* borrowed */
  GString *text;  /* of the line */
  guint64 offset; /* where it begins */
  guint64 number; /* from 1 */
  gboolean has_newline;
  gboolean is_cut;

  /* Rest of the block. */
  guint8 *block;
  gsize at, filled;
} TtNeutrinoLines;

void tt_neutrino_lines_init (TtNeutrinoLines *self, TtInput *input);
void tt_neutrino_lines_clear (TtNeutrinoLines *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (TtNeutrinoLines, tt_neutrino_lines_clear)
/* FALSE: the end, or @error. */
gboolean tt_neutrino_lines_next (TtNeutrinoLines *self, GError **error);
