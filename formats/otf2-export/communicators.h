/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtOtf2ExportComms: ranks of processes in the world and in communicators.
 *
 * The members of a communicator are the processes that call its collectives and take part in its messages. One of which nothing is
 * known (number 0), or more members of communicators than a cap, are those of the world.
 */
#pragma once

#include "src/store/store.h"

typedef struct _TtOtf2ExportComms TtOtf2ExportComms;

/* Reads all messages and collectives of @store, which it borrows. */
TtOtf2ExportComms *tt_otf2_export_comms_new (TtStore *store, GError **error);
void tt_otf2_export_comms_free (TtOtf2ExportComms *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtOtf2ExportComms, tt_otf2_export_comms_free)

/* Devices come after all others: their ranks are no ranks of MPI. */
gboolean tt_otf2_export_is_device (const TtProcess *process);
/* Processes by their rank in the world. Borrowed. */
const guint32 *tt_otf2_export_world (const TtOtf2ExportComms *self, guint32 *n);

/* The id of a communicator, which is used: 0, 1, 2 ... @is_inferred: @number is not the source's. */
guint32 tt_otf2_export_use_comm (TtOtf2ExportComms *self, gint64 number, gboolean is_inferred);
guint32 tt_otf2_export_n_comms (const TtOtf2ExportComms *self);
gint64 tt_otf2_export_comm_number (const TtOtf2ExportComms *self, guint32 id, gboolean *is_inferred);
/* Ranks in the world of the communicator @id, ascending; NULL: it has all. Borrowed. */
const guint32 *tt_otf2_export_members (TtOtf2ExportComms *self, guint32 id, guint32 *n);
/* The rank of a process in it; TT_OTF2_NO_RANK: it is no member. */
#define TT_OTF2_NO_RANK G_MAXUINT32
guint32 tt_otf2_export_rank (TtOtf2ExportComms *self, guint32 id, guint32 process);
