/*
 * TtTauDefinitions: what the event ids of a trace mean to the reader library, read from its
 * definition file and announced through callbacks. Plain C; a zeroed one is empty.
 *
 * Names are not kept: a later reading of the file announces only ids that are new.
 */
#pragma once

#include "formats/tau/TAU_tf.h"
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
  uint8_t action; /* TT_TAU_DO_UNKNOWN: free */
} TtTauSparse;

typedef struct
{
  char **names;     /* of groups, in order of first sight */
  uint32_t *places; /* hash -> index + 1 */
  size_t n, room;   /* room: of places, a power of 2 */
} TtTauGroups;

typedef struct
{
  uint8_t *dense; /* actions of small ids */
  size_t n_dense;
  TtTauSparse *sparse;
  size_t n_sparse, sparse_room; /* room: a power of 2 */
  TtTauGroups groups;
  uint8_t *announced; /* groups: bits */
  unsigned habits;
} TtTauDefinitions;

void tt_tau_definitions_clear (TtTauDefinitions *self);

/* Reads the file at @path. @callbacks: NULL announces nothing. False: it is no definition file, or
 * memory is short; what was read is kept. */
bool tt_tau_definitions_read (TtTauDefinitions *self, const char *path, const Ttf_CallbacksT *callbacks);

TtTauAction tt_tau_definitions_sparse (const TtTauDefinitions *self, int64_t id);

static inline TtTauAction
tt_tau_definitions_find (const TtTauDefinitions *self, int64_t id)
{
  if ((uint64_t) id < self->n_dense)
    return (TtTauAction) self->dense[id];
  return tt_tau_definitions_sparse (self, id);
}
