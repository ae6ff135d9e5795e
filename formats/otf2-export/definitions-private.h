/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What definitions.c and kept.c write, by definition-records.c, is collected by uses.c while events are written.
 */
#pragma once

#include "formats/otf2-export/definitions.h"
#include "src/base/tape.h"
#include "src/base/text-ids.h"

/* Longer texts would not fit a chunk. */
#define TT_OTF2_EXPORT_MOST_TEXT ((gsize) 1 << 20)

/* One value of a series: see the kinds in definitions.h. */
typedef struct
{
  guint32 series, kind;
} TtOtf2ExportMetric;

typedef struct
{
  gint64 number, comm;
  guint32 id, comm_id;
} TtOtf2ExportWindow;

typedef struct
{
  char *name, *description;
  guint8 type;
} TtOtf2ExportAttribute;

struct _TtOtf2ExportDefinitions
{
  TtStore *store;
  TtOtf2ExportComms *comms; /* borrowed */
  GHashTable *strings;      /* text -> id */
  GArray *regions;          /* of guint32, names by id */
  guint32 *region_ids;      /* by name; 0: not used, else id + 1 */
  GArray *metrics;          /* of TtOtf2ExportMetric, by id */
  guint32 *metric_ids;      /* by series and kind; 0: not used, else id + 1 */
  GHashTable *window_ids;   /* of TtOtf2ExportWindow, by what they are called */
  GPtrArray *windows;       /* by id; borrows them */

  TtChunkFile file;
  TtRecordBody body;
  GHashTable *attribute_ids; /* TtOtf2ExportAttribute -> id + 1 */
  GArray *attributes;        /* of TtOtf2ExportAttribute, by id */
  TtTextIds *text_ids;       /* of strings that events refer to, from 1 */
  TtTape *texts;             /* by id */
  guint32 n_texts;
  gboolean has_parameter[TT_OTF2_EXPORT_N_PARAMETERS];
  guint64 n; /* records */
};

/* Kinds of records. */
enum
{
  TT_OTF2_EXPORT_STRING = 10,
  TT_OTF2_EXPORT_OF_NODE = 26, /* properties of what there is */
  TT_OTF2_EXPORT_OF_GROUP = 28,
  TT_OTF2_EXPORT_OF_LOCATION = 29,
};

/* Writes what is put together as a record. */
void tt_otf2_export_end_record (TtOtf2ExportDefinitions *self, guint8 kind);
/* Its id; a new one is written at once, so this comes before the record that uses it is begun. NULL: undefined. */
guint64 tt_otf2_export_use_string (TtOtf2ExportDefinitions *self, const char *text);
/* @text NULL: it has none. */
void
tt_otf2_export_property (TtOtf2ExportDefinitions *self, guint8 kind, guint32 id, const char *key, const char *text);
