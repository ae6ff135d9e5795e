/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtNeutrinoMap: the records of one map of a Neutrino probe: their fields in memory order, and what these mean.
 *
 * No file says what a field means. The probe's code shows it by what it puts into the register (registers.h); else the
 * name is a guess: see tt_neutrino_map_guess().
 */
#pragma once

#include "formats/neutrino/layout.h"

#define TT_NEUTRINO_MAX_MAPS TT_NL_LAYOUT_MAX_AREAS
#define TT_NEUTRINO_MAX_FIELDS TT_NL_LAYOUT_MAX_FIELDS

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

TtNeutrinoMap *tt_neutrino_map_new (const char *name);
void tt_neutrino_map_free (TtNeutrinoMap *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtNeutrinoMap, tt_neutrino_map_free)
/* Appends a field. FALSE: there are too many. */
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
