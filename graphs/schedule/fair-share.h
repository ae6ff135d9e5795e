/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtFairShare: flows over ports (a NIC one way), which share them max-min fairly: all get alike until a port is full, those that pass
 * it keep what they have, and the others get more until all are bound. A port passes 1; a flow alone is at rate 1.
 */
#pragma once

#include <glib.h>

#define TT_NO_PORT 0

typedef struct
{
  guint32 id;
  guint32 ports[2]; /* numbers from 1; TT_NO_PORT: none on that side */
  double passed;    /* rate times time */
  double all;       /* that there is to pass */
  double rate;      /* of the last tt_fair_share_settle() */
} TtFairFlow;

typedef struct
{
  GArray *flows; /* of TtFairFlow */
  GArray *left;  /* of double, by port: what nobody has yet */
  GArray *users; /* of guint32, by port: flows without a rate */
  gint64 now_ns;
} TtFairShare;

void tt_fair_share_init (TtFairShare *self);
void tt_fair_share_clear (TtFairShare *self);
/* No flows, at time 0. */
void tt_fair_share_reset (TtFairShare *self);

/* Times do not go back. After flows have come or gone, tt_fair_share_settle() gives them rates. */
void tt_fair_share_advance (TtFairShare *self, gint64 now_ns);
void tt_fair_share_add (TtFairShare *self, guint32 id, const guint32 ports[2], double all);
/* What has passed of the flow @id, which goes; 0: it is not there. */
double tt_fair_share_remove (TtFairShare *self, guint32 id);
void tt_fair_share_settle (TtFairShare *self);

/* Takes a flow of which all has passed, but for what is less than a ns. FALSE: there is none. */
gboolean tt_fair_share_take (TtFairShare *self, guint32 *id);
/* When all of the next flow has passed, in whole ns; -1: there is none. */
gint64 tt_fair_share_next_ns (const TtFairShare *self);
