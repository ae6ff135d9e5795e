/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtOtf2Lanes: processes and threads of the store for location groups and locations, and ranks of communicators.
 *
 * A location group is the process of its name, a group of an accelerator one that the group owns which created it. A location is a thread
 * of its group: "0", "1" ... in the order of their ids, labelled with its name. A process' rank is its place among the locations
 * of MPI, else of another paradigm of processes.
 */
#pragma once

#include "formats/otf2/session.h"

/* Defines all processes, in the order of the file. */
TtOtf2Lanes *tt_otf2_lanes_new (TtOtf2Session *session);
void tt_otf2_lanes_free (TtOtf2Lanes *self);

/* Of the location at @place of the definitions. */
guint32 tt_otf2_process_of (const TtOtf2Session *self, guint place);
guint32 tt_otf2_thread_of (TtOtf2Session *self, guint place);
/* Of the location group with this id; TT_NO_ID: none. */
guint32 tt_otf2_process_of_group (const TtOtf2Session *self, guint64 group);
gboolean tt_otf2_is_stream (const TtOtf2Session *self, guint place);
/* Whether a process is an accelerator. */
gboolean tt_otf2_is_device (const TtOtf2Session *self, guint32 process);

/* The number of a communicator in the store: its id + 1, or what an archive of tracetool calls it. */
gint64 tt_otf2_comm_number (const TtOtf2Session *self, guint64 comm);
/* Of a window its id, or what such an archive calls it. */
gint64 tt_otf2_window_number (const TtOtf2Session *self, guint64 window);
/* Whether it is the source's: an archive of tracetool has some that were inferred, for others to read. */
gboolean tt_otf2_comm_is_told (const TtOtf2Session *self, guint64 comm);
/* The process of rank @rank of the communicator @comm, as one of @own_process says it (of an intercommunicator ranks are those of
 * the other side); TT_NO_ID: the archive does not say. */
guint32 tt_otf2_process_of_rank (const TtOtf2Session *self, guint64 comm, guint64 rank, guint32 own_process);
