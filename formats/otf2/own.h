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
  gint64 after_ns; /* the begin of its event */
} TtOtf2OwnFlow;

typedef struct
{
  guint64 args;   /* id, 0: none */
  guint64 region; /* TT_OTF2_UNDEFINED: not said */
  guint32 flags;
  gint32 step;
  gboolean has_duration;
  gint64 dur_ns, self_ns;
  guint32 depth;
  guint n_flows;
  TtOtf2OwnFlow flows[TT_OTF2_MAX_FLOWS];
} TtOtf2Own;

void tt_otf2_own_read (TtOtf2Session *session, const TtOtf2Event *event, TtOtf2Own *own);
/* Its flows, which leave and reach the span @owner that begins at @ts_ns. */
void tt_otf2_own_flow (TtOtf2Session *session, const TtOtf2Own *own, guint32 owner, gint64 ts_ns);
