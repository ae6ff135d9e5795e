/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtOtf2ExportLanes: which location the records of a thread go to.
 *
 * Times of a location do not step back. The files that a run was imported from may tell of one thread at the same times: each is nested
 * for itself, so what steps back while no span is open goes to a further location of the thread, and what follows with it: the
 * locations of a thread, one after the other, have its records in the order of its rows, by which messages and collectives are joined.
 * Of what steps back within a span only an attribute can tell the time (events.c).
 *
 * Locations are numbered like threads, from 1; further ones come after the highest thread.
 */
#pragma once

#include "formats/record-export/item.h"

typedef struct _TtOtf2ExportLanes TtOtf2ExportLanes;

/* @n_threads: the highest id. */
TtOtf2ExportLanes *tt_otf2_export_lanes_new (guint32 n_threads);
void tt_otf2_export_lanes_free (TtOtf2ExportLanes *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtOtf2ExportLanes, tt_otf2_export_lanes_free)

/* The location of @item; the items of a thread come in the order in which they are written. */
guint32 tt_otf2_export_lanes_take (TtOtf2ExportLanes *self, const TtRecordExportItem *item);
/* The highest number of a location. */
guint32 tt_otf2_export_lanes_count (const TtOtf2ExportLanes *self);
/* The thread of a further location. */
guint32 tt_otf2_export_lanes_thread (const TtOtf2ExportLanes *self, guint32 location);
