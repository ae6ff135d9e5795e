/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtWaitPlaces: the step and the call path of the spans in which threads wait.
 *
 * Memory: 16 bytes a wait, some 40 a call path.
 */
#pragma once

#include "analyzers/waits/waits.h"

typedef struct
{
  guint32 path; /* 0: in no span of the run */
  gint32 step;
} TtWaitPlace;

typedef struct _TtWaitPlaces TtWaitPlaces;

/* One scan, backwards. */
TtWaitPlaces *tt_wait_places_new (TtStore *store, const TtWaits *waits, GError **error);
void tt_wait_places_free (TtWaitPlaces *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtWaitPlaces, tt_wait_places_free)

/* Of the wait with that index. */
TtWaitPlace tt_wait_places_get (const TtWaitPlaces *self, guint wait);
/* "main => solve => MPI_Send", as `stats --by path` has it. Free it. */
char *tt_wait_places_path_text (const TtWaitPlaces *self, guint32 path);
