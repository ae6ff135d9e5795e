/*
 * TtToml: reads TOML 1.0 text table by table and pair by pair, in the order of the file.
 *
 * Neutrino's probe.toml depends on that order, which readers that make a tree of tables lose. All of TOML but dates is
 * read; a file of more than 4 MiB, keys of more than TT_TOML_DEEPEST parts and values nested deeper are refused. That a
 * key is defined twice is left to the caller. Errors name file, line and reason.
 */
#pragma once

#include <glib.h>

#define TT_TOML_DEEPEST 16
#define TT_TOML_MOST_BYTES ((gsize) 4 << 20)

typedef enum
{
  TT_TOML_STRING,
  TT_TOML_INTEGER,
  TT_TOML_FLOAT, /* `text` as it stands */
  TT_TOML_BOOLEAN,
  TT_TOML_ARRAY,
  TT_TOML_INLINE_TABLE, /* contents are checked, not kept */
} TtTomlKind;

typedef struct _TtTomlValue TtTomlValue;
struct _TtTomlValue
{
  TtTomlKind kind;
  char *text;       /* string, float */
  gint64 integer;   /* integer, boolean */
  GPtrArray *items; /* array: of TtTomlValue */
};

/* A table header ([a.b], [[a.b]]), or a key and its value. All of it is valid until the next call. */
typedef struct
{
  gboolean is_table;
  guint line;
  guint n_parts; /* of the table's name, or of the key: dotted keys have several */
  char *part[TT_TOML_DEEPEST + 1];
  const TtTomlValue *value;
} TtTomlItem;

typedef struct _TtToml TtToml;

/* @path is for messages; @text is borrowed. */
TtToml *tt_toml_new (const char *path, const char *text, gsize len, GError **error);
void tt_toml_free (TtToml *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtToml, tt_toml_free)

/* The next item; NULL at the end, or with @error. */
const TtTomlItem *tt_toml_next (TtToml *self, GError **error);
