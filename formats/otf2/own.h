/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What only tracetool's own archives say of an event, in its attributes: see formats/otf2-export/attributes.h.
 */
#pragma once

#include "formats/otf2/session.h"

#define TT_OTF2_MAX_FLOWS 256u

typedef struct
{
  guint64 number;
  const TtFlowKind *kind;
  gboolean is_end;
  gboolean has_time;
  gint64 after_ns; /* the record; without a time it is where its event begins */
} TtOtf2OwnFlow;

typedef struct
{
  gboolean has_args; /* see tt_otf2_own_args() */
  guint64 region;    /* TT_OTF2_UNDEFINED: not said */
  guint32 flags;
  gint32 step;
  gboolean has_duration;
  gint64 dur_ns, self_ns;
  gboolean has_depth;
  guint32 depth;
  gint64 later_ns; /* its time, after that of the record: which never steps back */
  gboolean has_no_size;
  TtActivity activity; /* role TT_ACTIVITY_NONE: nothing is told */
  gboolean is_call;    /* of a collective: */
  guint32 root;        /* process; TT_NO_ID: none */
  gint64 comm;
  gboolean is_pair;      /* a side of a one-sided message of which both tell: */
  gint64 tag, pair_comm; /* the two halves of its id */
  gboolean has_tag;      /* of a message; it is `tag` */
  guint32 peer;          /* process; TT_NO_ID: not told */
  gint64 bytes;
  guint n_flows;
  TtOtf2OwnFlow flows[TT_OTF2_MAX_FLOWS];
} TtOtf2Own;

void tt_otf2_own_read (TtOtf2Session *session, const TtOtf2Event *event, TtOtf2Own *own);
/* The arguments of what was just read, for the one row that gets them; 0: none. */
guint64 tt_otf2_own_args (TtOtf2Session *session, const TtOtf2Own *own);
/* Its flows, which leave and reach the span @owner that begins at @ts_ns. */
/* @ts_ns: of the record, @begin_ns: of its event. */
void tt_otf2_own_flow (TtOtf2Session *session, const TtOtf2Own *own, guint32 owner, gint64 ts_ns, gint64 begin_ns);
