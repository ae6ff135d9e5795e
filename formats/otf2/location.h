/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtOtf2Location: one location's events as spans, messages, collectives and metrics.
 */
#pragma once

#include "formats/otf2/collectives.h"
#include "formats/otf2/metrics.h"
#include "formats/otf2/own.h"
#include "formats/otf2/receives.h"
#include "formats/otf2/session.h"

typedef struct
{
  TtOtf2Session *session;
  TtOtf2Receives *receives;
  TtOtf2Collectives collectives;
  TtOtf2Metrics metrics;

  /* of the location */
  guint32 thread, process;
  TtNestThread *nest;
  gboolean is_stream; /* of an accelerator */
  guint64 n_events;
  gint64 ts_ns; /* of the event that is taken */

  TtOtf2Own own;     /* what an event of tracetool's own archives tells */
  gboolean is_begun; /* as a thread: `begin_key` waits for its first span */
  guint64 begin_key;
} TtOtf2Location;

void tt_otf2_location_init (TtOtf2Location *self, TtOtf2Session *session);
void tt_otf2_location_clear (TtOtf2Location *self);
void tt_otf2_location_begin (TtOtf2Location *self, guint place);
void tt_otf2_location_take (TtOtf2Location *self, TtOtf2Event *event);
/* Closes what is open. */
void tt_otf2_location_end (TtOtf2Location *self);
