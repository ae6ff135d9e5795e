/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Pieces of text that go into another one: at each place in the order in which they were added. A piece may stand for
 * bytes of the text that are left out.
 */
#pragma once

#include <glib.h>

typedef struct
{
  GArray *list;
} TtGpuEdits;

void tt_gpu_edits_init (TtGpuEdits *self);
void tt_gpu_edits_clear (TtGpuEdits *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (TtGpuEdits, tt_gpu_edits_clear)

/* @at: a place in the text. Nothing is added if @text is empty. */
void tt_gpu_edits_add (TtGpuEdits *self, guint32 at, const GString *text);
/* In front of all others at this place. */
void tt_gpu_edits_add_first (TtGpuEdits *self, guint32 at, const GString *text);
/* In the place of what lies between @at and @end; two such must not overlap. */
void tt_gpu_edits_replace (TtGpuEdits *self, guint32 at, guint32 end, const char *text);
/* Appends what @text becomes. */
void tt_gpu_edits_apply (TtGpuEdits *self, const char *text, gsize len, GString *to);
