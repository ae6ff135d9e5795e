/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtTauDefinitions: what the event ids of a trace mean to the reader library, read from its definition file and
 * announced through callbacks. Plain C; a zeroed one is empty.
 *
 * Names live as long as the program (kept-names.h). Reading the file again announces only ids that are new.
 */
#pragma once

#include "formats/tau/TAU_tf.h"

#include "formats/tau/index.h"
#include "formats/tau/rows.h"

/* What the reader does with a record. */
typedef enum
{
  TT_TAU_DO_UNKNOWN,
  TT_TAU_DO_NOTHING,
  TT_TAU_DO_STATE,
  TT_TAU_DO_VALUE,
  TT_TAU_DO_SEND,
  TT_TAU_DO_RECV,
  TT_TAU_DO_CLOSE,
  TT_TAU_DO_CLOCK,
  TT_TAU_DO_INIT,
} TtTauAction;

typedef struct
{
  int64_t id;
  uint8_t action;
} TtTauSparse;

typedef struct
{
  const char *name; /* kept */
  bool is_announced;
} TtTauGroup;

typedef struct
{
  uint8_t *dense; /* actions of small ids */
  size_t n_dense;
  TtTauSparse *sparse; /* actions of the others */
  size_t n_sparse, sparse_room;
  TtTauIndex sparse_by_id;
  TtTauGroup *groups; /* in the order of their first rows: a group's token is its number + 1 */
  size_t n_groups, groups_room;
  TtTauIndex groups_by_name;
  unsigned habits;
} TtTauDefinitions;

void tt_tau_definitions_clear (TtTauDefinitions *self);

/* Reads the file at @path. @callbacks: NULL announces nothing. False: it is no definition file, or memory is short; the
 * rows before are kept. */
bool tt_tau_definitions_read (TtTauDefinitions *self, const char *path, const Ttf_CallbacksT *callbacks);

TtTauAction tt_tau_definitions_sparse (const TtTauDefinitions *self, int64_t id);

static inline TtTauAction
tt_tau_definitions_find (const TtTauDefinitions *self, int64_t id)
{
  if ((uint64_t) id < self->n_dense)
    return (TtTauAction) self->dense[id];
  return tt_tau_definitions_sparse (self, id);
}
