/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What is known of the clocks of the ranks, in words.
 */
#pragma once

#include "src/store/clocks.h"

typedef struct
{
  GArray *fits; /* of TtClockFit */
  guint64 n_bounds, n_violated, n_left;
  gint64 worst_ns, worst_left_ns;
  gint64 first_ns, second_ns; /* the two largest residuals */
  gboolean is_any_unknown;    /* of some clock it is not known how far it is off */
  gint64 stretched_ns;        /* of durations, where n_left > 0 and all was gathered */
  gboolean is_corrected;
  char *torn_host; /* one whose ranks do not share a clock; NULL: there is none */
  char *only_host; /* of all ranks; NULL: there are several, or the source names none */
} TtClockFacts;

gboolean tt_clock_facts_gather (TtClockFacts *self, TtStore *store, GError **error);
/* And how much durations are changed, for which all maps are read. */
gboolean tt_clock_facts_gather_all (TtClockFacts *self, TtStore *store, GError **error);
void tt_clock_facts_clear (TtClockFacts *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (TtClockFacts, tt_clock_facts_clear)

/* A sentence, of all that can be gathered; NULL: there is one clock only. Free it. */
char *tt_clock_facts_text (const TtClockFacts *self, TtStore *store);
/* How far @n waits for other ranks, of @waits_ns together, may be wrong because clocks are not known better: NULL, if by
 * less than 2 %. Lines of a footer. Free it. */
char *tt_clock_facts_doubt (const TtClockFacts *self, TtStore *store, guint64 n, double waits_ns);
/* Whether a path of @length_ns that turned to other ranks after waits of @waited_ns (gint64) may go by others: NULL, if these
 * waits are longer than clocks are in doubt, and what all doubts add up to is less than 2 % of it. Likewise. */
char *tt_clock_facts_path_doubt (const TtClockFacts *self, TtStore *store, const GArray *waited_ns, gint64 length_ns);
/* Says it after an import, where clocks differ. */
gboolean tt_clock_facts_tell (TtStore *store, GError **error);
