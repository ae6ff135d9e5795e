/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtOtf2ExportAttributes: the attributes of one event while they are put together.
 *
 * Arguments are attributes of their names, of the type that their value has; what OTF2 has no type for (objects, arrays, truth, numbers
 * that would be written otherwise) is a string of JSON. Whole objects that cannot be taken apart are one such attribute. The
 * description of an attribute says which of these it is, so that tracetool makes the same text of it again.
 */
#pragma once

#include "formats/otf2-export/definitions.h"

typedef struct
{
  TtOtf2ExportDefinitions *definitions;
  GByteArray *values; /* records of attributes */
  guint32 n;
  GHashTable *used;   /* ids of those that are in the list */
  guint64 n_too_long; /* texts that no archive holds: left out */
} TtOtf2ExportAttributes;

/* What descriptions say; formats/otf2/own.c reads them. */
#define TT_OTF2_EXPORT_ARGUMENT "argument"
#define TT_OTF2_EXPORT_JSON "argument in JSON"
#define TT_OTF2_EXPORT_OWN "tracetool"
/* And the number of its link times 2, plus 1 if it was inferred. */
#define TT_OTF2_EXPORT_FLOW "tracetool flow "

void tt_otf2_export_attributes_init (TtOtf2ExportAttributes *self, TtOtf2ExportDefinitions *definitions);
void tt_otf2_export_attributes_clear (TtOtf2ExportAttributes *self);

void tt_otf2_export_attributes_number (TtOtf2ExportAttributes *self,
                                       const char *name,
                                       const char *description,
                                       guint64 value);
void tt_otf2_export_attributes_signed (TtOtf2ExportAttributes *self,
                                       const char *name,
                                       const char *description,
                                       gint64 value);
void tt_otf2_export_attributes_text (TtOtf2ExportAttributes *self,
                                     const char *name,
                                     const char *description,
                                     const char *value);
void tt_otf2_export_attributes_region (TtOtf2ExportAttributes *self,
                                       const char *name,
                                       const char *description,
                                       guint32 region);
void tt_otf2_export_attributes_location (TtOtf2ExportAttributes *self,
                                         const char *name,
                                         const char *description,
                                         guint32 location);
/* @args: a JSON object. */
void tt_otf2_export_attributes_args (TtOtf2ExportAttributes *self, const GString *args);
/* Writes them for the event at @time that comes next, and empties the list. */
void tt_otf2_export_attributes_write (TtOtf2ExportAttributes *self, TtChunkFile *file, gint64 time);
