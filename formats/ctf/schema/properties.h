/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Properties of objects in the fragments of CTF 2's metadata, and the first fault that was found in them.
 */
#pragma once

#include "formats/ctf/schema/json.h"
#include "formats/ctf/schema/schema.h"

typedef struct
{
  TtCtfSchema *schema;
  GHashTable *aliases; /* const char * -> TtCtfType * */
  char *fault;         /* NULL: none */
} TtCtfFragments;

/* FALSE, for what is at @value. Keeps the first fault. */
gboolean tt_ctf_fragments_fail (TtCtfFragments *self, const TtCtfJson *value, const char *format, ...)
    G_GNUC_PRINTF (3, 4);

/* NULL: there are too many. */
TtCtfType *tt_ctf_fragments_type (TtCtfFragments *self, const TtCtfJson *value, TtCtfTypeKind kind);

/* The property @name of @object, which must be of @kind; *found is NULL if it is not there. FALSE: it is of another. */
gboolean tt_ctf_property (TtCtfFragments *self,
                          const TtCtfJson *object,
                          const char *name,
                          TtCtfJsonKind kind,
                          const TtCtfJson **found);
/* A fault, too, if it is not there. */
gboolean tt_ctf_property_needed (TtCtfFragments *self,
                                 const TtCtfJson *object,
                                 const char *name,
                                 TtCtfJsonKind kind,
                                 const TtCtfJson **found);
/* An integer of @least or more; what it is already if it is not there. */
gboolean tt_ctf_property_number (TtCtfFragments *self,
                                 const TtCtfJson *object,
                                 const char *name,
                                 guint64 least,
                                 guint64 *number);
/* A power of 2. */
gboolean tt_ctf_property_alignment (TtCtfFragments *self, const TtCtfJson *object, const char *name, guint64 *align);
/* A text of the schema; NULL if it is not there. */
gboolean tt_ctf_property_text (TtCtfFragments *self, const TtCtfJson *object, const char *name, const char **text);
/* One of @words, of which *index is the default; NULL ends them. */
gboolean tt_ctf_property_word (TtCtfFragments *self,
                               const TtCtfJson *object,
                               const char *name,
                               const char *const *words,
                               guint *index);
/* "[[1, 2], [5, 5]]": each with @option. */
gboolean tt_ctf_ranges_read (TtCtfFragments *self, const TtCtfJson *value, guint option, GArray *ranges);
/* What of the range integers with or without a sign have; FALSE: nothing. */
gboolean tt_ctf_interval_clip (const TtCtfInterval *self, gboolean is_signed, guint64 *low, guint64 *high);
