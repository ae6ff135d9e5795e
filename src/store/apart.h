/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtApart: sources of one run that lie so far apart in time that they are hardly traces of one run.
 *
 * Between them nothing has any time, for at least an hour and for more than ten times as long as the longest of the
 * run's sources lasts; a minute is enough where they are of different machines. Where a thread of TAU, which has one
 * file in a run, has one on both sides, any gap is. Ranks that start seconds or minutes apart on one machine,
 * recordings of a fraction of a second and a long silence within a source are none. Times in ticks have no length, and
 * sources of different clocks cannot be compared.
 *
 * Nor are two sources of one run, however near they are, that both have a process: of TAU from two folders, of OTF2 from
 * two archives, of PyTorch at one time; that tell sizes of the world that differ; or of TAU from two folders whose
 * messages all go to the other and none of which arrives; nor ranks that end before those begin that they call
 * (TtEarlier).
 */
#pragma once

#include "src/store/earlier.h"

typedef struct
{
  const TtSource *before, *after; /* of the store: the last to end before the gap, the first to begin after it */
  gint64 gap_ns;                  /* 0: there is none */
  char *both;                     /* a process that both have, or NULL */
  char *worlds[2];                /* the sizes of the world that they tell, where these differ */
  guint64 n_crossing;             /* messages from folder to folder, of which none arrives */
  TtEarlier earlier;              /* if its gap_ns is not 0 */
  GPtrArray *earlier_sources;     /* then: const TtSource * of the store; empty: one has ranks of both */
  char *host_before, *host_after; /* where the sources say their machines and these differ; else NULL */
} TtApart;

/* Whether there are such sources; else the rest means nothing. */
gboolean tt_apart_is (const TtApart *self);
/* What both have, else the widest gap, of the selected runs, each by itself. */
gboolean tt_apart_find (TtApart *self, TtStore *store, GError **error);
void tt_apart_clear (TtApart *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (TtApart, tt_apart_clear)
