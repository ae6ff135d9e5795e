/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtNlLayout: what the records look like that a compiled probe saves.
 *
 * An area is what one section (seed's dialect) or one map (current) saves: for each thread or warp `cap` records of
 * `record_bytes`. Numbers are unsigned and little endian. Fields are in the order of the record.
 *
 * It is known from the source or from the TOML, of either dialect and any back end. Where a save depends on a
 * condition the places after it differ from record to record: their offset is TT_NL_OFFSET_VARIES. What fields mean
 * is known from a TOML only, by its code (registers.h); of a temporary the name is made of that.
 */
#pragma once

#include "formats/neutrino/registers.h"
#include "formats/neutrino/types.h"

#define TT_NL_OFFSET_VARIES (-1)

/* Of what a TOML may describe; a record of 64 fields has up to 512 bytes. */
#define TT_NL_LAYOUT_MAX_AREAS 256u
#define TT_NL_LAYOUT_MAX_FIELDS 64u

typedef struct
{
  char *name;
  TtNlWidth width;
  gint64 offset; /* bytes into the record */
  gboolean is_conditional;
  TtNeutrinoRole role;
  TtNeutrinoClock clock;
} TtNlLayoutField;

typedef struct
{
  char *name;
  TtNlLevel level;
  guint64 record_bytes;
  guint64 cap;    /* records for each thread or warp; 0: counted by a first launch */
  GArray *fields; /* of TtNlLayoutField; empty: not known, for a reason */
  const char *reason;
} TtNlLayoutArea;

typedef struct
{
  GPtrArray *areas; /* of TtNlLayoutArea, in the order of the TOML */
} TtNlLayout;

TtNlLayout *tt_nl_layout_new (void);
void tt_nl_layout_free (TtNlLayout *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtNlLayout, tt_nl_layout_free)

/* For those who make one. */
TtNlLayoutArea *
tt_nl_layout_add_area (TtNlLayout *self, const char *name, TtNlLevel level, guint64 record_bytes, guint64 cap);
TtNlLayoutField *tt_nl_layout_add_field (TtNlLayoutArea *area,
                                         const char *name,
                                         TtNlWidth width,
                                         gint64 offset,
                                         gboolean is_conditional);

/* From the text of a TOML file; @name is for errors. NULL with @error: it is none, or describes no record. */
TtNlLayout *tt_nl_layout_from_toml (const char *name, const char *text, gsize len, GError **error);
/* Whether the fields of all areas are known. */
gboolean tt_nl_layout_is_known (const TtNlLayout *self, const char *name, GError **error);

#define tt_nl_layout_area(self, i) ((TtNlLayoutArea *) g_ptr_array_index ((self)->areas, (i)))
#define tt_nl_layout_field(area, i) (&g_array_index ((area)->fields, TtNlLayoutField, (i)))

/*
 * One line a field, with a header, in columns of text:
 *
 *   area         level  cap  record  offset  type  field
 *   block_sched  warp     1      16       0  u64   gstart
 */
void tt_nl_layout_print (const TtNlLayout *self, GString *text);
