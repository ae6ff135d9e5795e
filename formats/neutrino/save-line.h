/* SPDX-License-Identifier: Apache-2.0 */
/*
 * SAVE lines, the extension of assembly that injectors expand:
 *
 *   SAVE.u32 {%a, %b};    SAVE [ map ] { %NR0, %NR1 };    @%np0 SAVE.u64 {%a};    SAVE.u32 {nv_a, nt_w0};
 */
#pragma once

#include "formats/neutrino/types.h"

typedef struct
{
  char *guard; /* "@%np0"; NULL: none */
  guint width; /* of all items; 0: as the map has it */
  char *map;   /* NULL: none */
  char **items;
} TtNlSaveLine;

/* FALSE: @line, of @len bytes, is no such line. */
gboolean tt_nl_save_line_read (TtNlSaveLine *self, const char *line, gsize len);
void tt_nl_save_line_clear (TtNlSaveLine *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (TtNlSaveLine, tt_nl_save_line_clear)
