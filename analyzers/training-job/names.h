/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtJobNames: the standard names of a run that can be nodes of a job, and their kinds. Read once; the first stage.
 */
#pragma once

#include "graphs/step-graph/node-kind.h"
#include "src/store/store.h"

typedef struct
{
  guint32 max_name;
  guint32 *first_name; /* by name id: the id that stands for its text */
  guint8 *kinds;       /* TtStepNodeKind by such an id; TT_STEP_NODE_OTHER: no node of a job */
  GHashTable *id_of;   /* "text~>suffix" -> id; use tt_job_names_find() */
} TtJobNames;

gboolean tt_job_names_init (TtJobNames *self, TtStore *store, GError **error);
void tt_job_names_clear (TtJobNames *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (TtJobNames, tt_job_names_clear)

/* The id of "Comm.3+4.SEND~>0_1_6_0"; TT_NO_ID: no event has the name. */
guint32 tt_job_names_find (const TtJobNames *self, const char *text);
/* TT_STEP_NODE_OTHER for an id that is out of range. */
TtStepNodeKind tt_job_names_kind (const TtJobNames *self, guint32 name);
