/*
 * TtNeutrinoLayout: what the records of a Neutrino probe look like: its maps in file order, their fields in memory
 * order.
 *
 * From probe.toml of either dialect (`[map.X]` tables; or sections with `datamodel` and SAVE lines), or from the lines
 * that `probe compile --layout` prints. In a map's record all u64 fields come before all u32 fields, whatever the
 * order in the file; in a section of the older dialect they are as its SAVE lines wrote them. No padding.
 *
 * What a field means is nowhere said. What the probe's code puts into its register tells (registers.h); else its name
 * does: see tt_neutrino_map_guess().
 */
#pragma once

#include "formats/neutrino/layout.h"

#define TT_NEUTRINO_MOST_MAPS TT_NL_LAYOUT_MOST_AREAS
#define TT_NEUTRINO_MOST_FIELDS TT_NL_LAYOUT_MOST_FIELDS

typedef struct
{
  char *name;   /* unique in its map, valid UTF-8 */
  guint offset; /* in the record */
  gboolean is_u64;
  TtNeutrinoRole role;
  TtNeutrinoClock clock;
} TtNeutrinoField;

typedef struct
{
  char *name;
  gboolean is_warp, is_dynamic;
  guint record_bytes; /* a multiple of 4 */
  guint64 cap;        /* records per thread or warp; 0: dynamic */
  GArray *fields;     /* of TtNeutrinoField; empty: not known, to be read as words */

  /* Indices of the fields that make its time and place; -1: there is none. `end` is that of an end or of an elapsed
   * time, in the clock of `start`. */
  int start, end, unit;
} TtNeutrinoMap;

typedef struct
{
  GPtrArray *maps;  /* of TtNeutrinoMap */
  GPtrArray *notes; /* of char *: what was odd in it */
  char *path;
} TtNeutrinoLayout;

/* @text: TOML of either dialect, or the text of --layout; told by content. @path is for messages. */
TtNeutrinoLayout *tt_neutrino_layout_parse (const char *path, const char *text, gsize len, GError **error);
TtNeutrinoLayout *tt_neutrino_layout_load (const char *path, GError **error);
void tt_neutrino_layout_free (TtNeutrinoLayout *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtNeutrinoLayout, tt_neutrino_layout_free)

TtNeutrinoMap *tt_neutrino_map_new (const char *name);
void tt_neutrino_map_free (TtNeutrinoMap *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtNeutrinoMap, tt_neutrino_map_free)
/* Behind the fields that it has. FALSE: there are too many. */
gboolean tt_neutrino_map_add (TtNeutrinoMap *self, const char *name, gboolean is_u64);
/* Gives the fields their offsets, in their order; returns the bytes of the record. */
guint tt_neutrino_map_arrange (TtNeutrinoMap *self);
/* A record of @bytes of which nothing is known: w0, w1 ... of 8 bytes, the last perhaps of 4. */
TtNeutrinoMap *tt_neutrino_map_of_words (const char *name, gboolean is_warp, guint bytes, guint64 cap);

/*
 * Gives roles to the fields that have none by name and chooses start, end and unit of the map:
 *   start    start, gstart, clock, lstart, begin, time, at ... (u64 only)
 *   end      end, gend, lend, stop     elapsed  elapsed, duration, took ...
 *   unit     cuid, smid, sm, cu
 * A name with g in front is of time(), others of clock() unless they say `time`.
 */
void tt_neutrino_map_guess (TtNeutrinoMap *self);
