/*
 * KinetoLabels: what the metadata events of a PyTorch trace say of processes and threads.
 *
 * Kineto describes every device of the machine, whether it was used or not. Metadata events are kept, up to 2 MiB of them,
 * until it is known which processes have events; the others make none.
 */
#pragma once

#include "formats/trace-event/import.h"

typedef struct _KinetoLabels KinetoLabels;

/* @import is borrowed. */
KinetoLabels *tt_kineto_labels_new (TtTraceEventImport *import);
void tt_kineto_labels_free (KinetoLabels *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (KinetoLabels, tt_kineto_labels_free)

/* The process of @event, which is no metadata, is used. */
void tt_kineto_labels_use (KinetoLabels *self, const TtTraceEvent *event);
/* Keeps a metadata event. */
void tt_kineto_labels_hold (KinetoLabels *self, const TtTraceEvent *event);
/* All events are known. @with_rank: tells the rank of the import to all processes, too. */
void tt_kineto_labels_put (KinetoLabels *self, gboolean with_rank);
