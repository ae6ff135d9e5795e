/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ChromePart: a part of the file by time. Each rank of a crew reads what touches its part, so that reading, sorting and formatting are
 * dealt out, and the parts one after the other are the file that one writer makes.
 *
 * What a line needs from before its part: numbers of occurrences, which ranks tell each other (counts of names, through rank 0); and what is
 * open on its thread and came last there. For that the rows of some time before the part are read, too, and gone through in
 * silence: on each thread where a span is open at the begin of the part, from the one that began last. Where a thread needs more than
 * one line, what is on them depends on all that was before: such runs are odd, and not written by parts.
 */
#pragma once

#include "formats/chrome-export/chrome.h"
#include "src/base/crew.h"

typedef struct
{
  guint64 key; /* process << 32 | name */
  guint64 n, n_before;
} ChromeNameCount;

struct _ChromePart
{
  const TtCrew *crew;       /* borrowed */
  gint64 first_ns, last_ns; /* what begins between them, both included, is written; last < first: nothing */
  gint64 from_ns;           /* what is read touches from_ns to last_ns, and a little more */
  guint8 *has_begun;        /* by thread: something did, from from_ns on before first_ns */
  guint8 *is_open;          /* by thread: a span is, at first_ns */
  guint32 max_thread;
  TtMap64 numbers; /* of counts, by key */
  GArray *counts;  /* of ChromeNameCount, of the spans of this part */
  gboolean is_odd, has_entered;
  gboolean is_over; /* the other ranks heard nothing more */
};

ChromePart *tt_chrome_part_new (const TtCrew *crew, guint32 max_thread);
void tt_chrome_part_free (ChromePart *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (ChromePart, tt_chrome_part_free)

/* An event that was read. */
void tt_chrome_part_see (ChromePart *self, const TtChrome *chrome, const TtEvent *event);
/* Whether enough was read before the part. */
gboolean tt_chrome_part_is_settled (const ChromePart *self);
/* Whether an end of an arrow at @ns has to be known. */
gboolean tt_chrome_part_wants (const ChromePart *self, gint64 ns);

/* After prepare(): ranks tell each other how often names occurred. They may have found that the run is odd. FALSE: @error; none where another rank has
 * failed. */
gboolean tt_chrome_part_share_counts (TtChrome *chrome, GError **error);
/* Something of @ns comes next. FALSE: it is after the part. */
gboolean tt_chrome_part_step (TtChrome *chrome, gint64 ns);
/* All is written: ranks tell each other what, which rank 0 adds up in its report, and whether it is good. As above. */
gboolean tt_chrome_part_share_report (TtChrome *chrome, GError **error);
