/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtStackLabels: what processes, threads and spans are called in a stack.
 *
 * No two processes have one text, nor two threads of a process: what would be the same gets "#2". No text has a ';' or
 * a control character, and none is empty.
 */
#pragma once

#include "src/store/store.h"

typedef struct _TtStackLabels TtStackLabels;

TtStackLabels *tt_stack_labels_new (TtStore *store);
void tt_stack_labels_free (TtStackLabels *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtStackLabels, tt_stack_labels_free)

/* Of a thread, "thread 3 (worker)", and of its process. */
const char *tt_stack_labels_thread (const TtStackLabels *self, guint32 thread);
const char *tt_stack_labels_process (const TtStackLabels *self, guint32 thread);
/* Texts of processes and threads that have been changed to fit. */
guint64 tt_stack_labels_n_renamed (const TtStackLabels *self);

/* The name of spans, as tables show it, name[~>suffix], or as the source has it. Free it. */
char *tt_stack_label_name (TtStore *store, guint32 name, gboolean is_original);
/* Replaces in place what would break a line. Whether there was any. */
gboolean tt_stack_label_clean (char *text);
