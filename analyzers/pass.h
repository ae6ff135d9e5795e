/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtPass: one step over the database at the end of an import.
 *
 * To add a pass: write its file, declare it below, list it in pass.c in the order of the tables it
 * needs (`reads` must be written by importers or by a pass above it: a test checks that).
 */
#pragma once

#include "src/store/import/import.h"
#include "src/store/store.h"

typedef struct
{
  const char *name, *summary;
  const char *const *reads; /* public tables, NULL-ended */
  const char *const *writes;
  gboolean (*run) (TtStoreImport *import, gpointer prepared, GError **error);
  /* Optional: a fresh import shows each batch to @observe as it goes by, so that `run` need not scan. */
  gpointer (*prepare) (void);
  TtBatchObserver observe;
  /* Optional: counts up what was observed, after the last batch. It runs beside what joins rows, on a thread of its own, and
   * asks no database; what fails is for `run` to tell. */
  void (*finish) (gpointer prepared);
  void (*release) (gpointer prepared);
} TtPass;

extern const TtPass tt_pass_statistics, tt_pass_nccl, tt_pass_clocks, tt_pass_communicators, tt_pass_doubts;

extern const TtPass *const tt_passes[]; /* NULL-ended */
