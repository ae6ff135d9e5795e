/*
 * Numbers and strings as Python writes them.
 */
#pragma once

#include "formats/neutrino/arena.h"
#include "formats/neutrino/messages.h"

typedef struct
{
  gsize len; /* in the source */
  guint64 value;
  gboolean is_huge;
  const char *type; /* "float", "complex"; NULL: an integer */
} TtNlNumber;

/* @text begins with a digit, or with a point and a digit. NULL, or what is wrong with it. */
const char *tt_nl_number_read (const char *text, gsize len, TtNlNumber *number);

typedef struct
{
  gsize len; /* in the source, with prefix and quotes */
  gboolean is_triple, is_terminated;
  const char *type; /* "bytes", "f-string"; NULL: a string */
  const char *text; /* decoded */
} TtNlString;

/* At @start of @source stand @prefix letters and a quote. FALSE: reported in @messages. */
gboolean tt_nl_string_read (const char *source,
                            gsize len,
                            gsize start,
                            gsize prefix,
                            TtNlArena *arena,
                            TtNlString *string,
                            TtNlMessages *messages);
