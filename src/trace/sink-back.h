/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtSinkBack: where the batches of a sink go: the store, the Chrome writer, a test, nothing.
 *
 * A back is a struct that begins with a TtSinkBack. It knows batches only: ids, names and repairs are the business of
 * the front (sink.h). Backs may stand before one another: such a one owns the next.
 */
#pragma once

#include "src/trace/batch.h"

typedef struct _TtSinkBack TtSinkBack;

typedef struct
{
  const char *name;

  /* Takes @batch, full or last, and returns an empty one to fill (@batch itself after
   * tt_batch_clear(), or another, so that a second thread can work). NULL with @error set: it
   * failed; @batch stays the caller's. */
  TtBatch *(*write) (TtSinkBack *self, TtBatch *batch, GError **error);

  /* Everything has been written: wait for it, close. Called once unless the import failed. NULL: nothing to do. */
  gboolean (*finish) (TtSinkBack *self, GError **error);

  /* Clears what the back owns; for a failed import it also undoes what was written. NULL: nothing to do. */
  void (*dispose) (TtSinkBack *self);
} TtSinkBackClass;

struct _TtSinkBack
{
  const TtSinkBackClass *klass;
};

gboolean tt_sink_back_finish (TtSinkBack *self, GError **error);
/* Disposes of it and frees its memory, which g_new() gave. */
void tt_sink_back_free (TtSinkBack *self);

/* Keeps nothing (fuzzing, decode-only benchmark). */
TtSinkBack *tt_null_back_new (void);
/* Hands each batch to @next on another thread, called @name, in order; where none can be started, @next itself. There are
 * @n_batches, of up to 1.5 MiB, with the one that is filled and the one that is taken: as many as smooth out the two sides. */
TtSinkBack *tt_threaded_back_new (TtSinkBack *next, const char *name, guint n_batches);

/* Calls @observe with every batch before @next takes it (statistics during an import). */
typedef void (*TtBatchObserver) (const TtBatch *batch, gpointer data);
TtSinkBack *tt_observed_back_new (TtSinkBack *next, TtBatchObserver observe, gpointer data);
