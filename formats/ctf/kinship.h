/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtCtfKinship: which spans a program has been seen to run inside which, and how long spans took at most, where nothing
 * was lost. It tells what may still be open after a loss.
 *
 * A span is known by a number: its name, and of a parallel region and its tasks the place in the program.
 */
#pragma once

#include "src/base/map64.h"

/* All zero: nothing is known. */
typedef struct
{
  TtMap64 pairs; /* both numbers mixed: it was seen inside */
  TtMap64 known; /* the span was seen with all that it was inside of */
  TtMap64 longest;
  GArray *longest_ns; /* of gint64, by what `longest` says */
} TtCtfKinship;

void tt_ctf_kinship_clear (TtCtfKinship *self);

static inline guint64
tt_ctf_kin_mix (guint64 a, guint64 b)
{
  guint64 mixed = (a ^ (b << 29 | b >> 35)) * G_GUINT64_CONSTANT (0xff51afd7ed558ccd);

  return mixed ^ mixed >> 32;
}

static inline gboolean
tt_ctf_kin_has (const TtCtfKinship *self, guint64 outer, guint64 inner)
{
  return tt_map64_get (&self->pairs, tt_ctf_kin_mix (outer, inner)) != TT_MAP64_NONE;
}

static inline gboolean
tt_ctf_kin_knows (const TtCtfKinship *self, guint64 inner)
{
  return tt_map64_get (&self->known, inner) != TT_MAP64_NONE;
}

void tt_ctf_kin_add (TtCtfKinship *self, guint64 outer, guint64 inner);
void tt_ctf_kin_know (TtCtfKinship *self, guint64 inner);
void tt_ctf_kin_lasted (TtCtfKinship *self, guint64 span, gint64 dur_ns);
/* -1: not known. */
gint64 tt_ctf_kin_longest (const TtCtfKinship *self, guint64 span);
