/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Patterns of names: * any text, ? any byte and, where @has_classes, [a-z] one of these bytes.
 *
 * Takes any bytes (GLib's GPatternSpec writes past the end of text that is not UTF-8), in at most length of the text x
 * length of the pattern steps: it goes back only to the last *.
 */
#pragma once

#include <glib.h>

/* Whether the whole of the @len bytes of @text fits. */
gboolean tt_glob_fits (const char *pattern, const char *text, gsize len, gboolean has_classes);
guint tt_glob_n_stars (const char *pattern);

/* A pattern with classes that is asked often, read once. It borrows @pattern. */
typedef enum
{
  TT_GLOB_ANY_FORM,
  TT_GLOB_WHOLE,    /* text */
  TT_GLOB_HEAD,     /* text* */
  TT_GLOB_TAIL,     /* *text */
  TT_GLOB_ANYWHERE, /* *text* */
} TtGlobForm;

typedef struct
{
  TtGlobForm form;
  const char *pattern; /* of TT_GLOB_ANY_FORM whole, else its text alone */
  gsize len;
} TtGlob;

TtGlob tt_glob_read (const char *pattern);
/* Answers as tt_glob_fits() with classes does. */
gboolean tt_glob_read_fits (const TtGlob *self, const char *text, gsize len);
