/* SPDX-License-Identifier: Apache-2.0 */
/*
 * KinetoLabels: what the metadata events of a PyTorch trace say about processes and threads.
 *
 * Kineto describes every device of the machine, whether the run used it or not. Metadata events are kept, up to 2 MiB of
 * them, until all events are read; those of processes without events are dropped.
 */
#pragma once

#include "formats/trace-event/import.h"

typedef struct _KinetoLabels KinetoLabels;

/* @import is borrowed. */
KinetoLabels *tt_kineto_labels_new (TtTraceEventImport *import);
void tt_kineto_labels_free (KinetoLabels *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (KinetoLabels, tt_kineto_labels_free)

/* Notes that the process of @event, which is not metadata, has events. */
void tt_kineto_labels_use (KinetoLabels *self, const TtTraceEvent *event);
/* That process has operators or calls. */
void tt_kineto_labels_note_host (KinetoLabels *self);
/* Keeps a metadata event. */
void tt_kineto_labels_hold (KinetoLabels *self, const TtTraceEvent *event);
/* All events are read: writes the labels, and whose the devices are: a file is of one rank, and the process that has
 * operators or calls leads it (where several have, files were joined, and each is by itself). @with_rank: all processes
 * get the rank of the import, too. */
void tt_kineto_labels_write (KinetoLabels *self, gboolean with_rank);
