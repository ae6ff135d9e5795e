/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtOtf2Names: names for regions, each made once.
 *
 * The group of a name is the region's paradigm, and its role where that says more ("OpenMP barrier"). A call of a collective
 * has the name of its region and communicator.
 */
#pragma once

#include "formats/otf2/session.h"

TtOtf2Names *tt_otf2_names_new (const TtOtf2Session *session);
void tt_otf2_names_free (TtOtf2Names *self);

/* Of the region @id, also if it is not defined. */
guint32 tt_otf2_region_name (TtOtf2Session *self, guint64 id);
/* The same of a collective call of communicator @comm. */
guint32 tt_otf2_collective_name (TtOtf2Session *self, guint64 id, guint64 comm);
/* Whether calls of the region may be collective: it is worth waiting for what is known of one. */
gboolean tt_otf2_may_be_collective (TtOtf2Session *self, guint64 id);
/* Of a record that is no region: "MpiRequestTest". */
guint32 tt_otf2_record_name (TtOtf2Session *self, const char *record);
/* One for what the format itself tells, @group: "flush", "copy". */
guint32
tt_otf2_own_name (TtOtf2Session *self, const char *group, const char *name, const char *op_cat, const char *sub_op);
