/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtOtf2Names: names for regions, each made once.
 *
 * The group of a name is the region's paradigm, and its role where that says more ("OpenMP barrier").
 */
#pragma once

#include "formats/otf2/session.h"

TtOtf2Names *tt_otf2_names_new (const TtOtf2Session *session);
void tt_otf2_names_free (TtOtf2Names *self);
/* Of its own archives: names that are alike are told apart in the order in which they were when the archive was written. */
void tt_otf2_names_make_own (TtOtf2Session *session);

/* Of the region @id, also if it is not defined. */
guint32 tt_otf2_region_name (TtOtf2Session *self, guint64 id);
/* Of a record that is no region: "MpiRequestTest". */
guint32 tt_otf2_record_name (TtOtf2Session *self, const char *record);
/* One for what the format itself tells, @group: "flush", "copy". */
guint32
tt_otf2_own_name (TtOtf2Session *self, const char *group, const char *name, const char *op_cat, const char *sub_op);
