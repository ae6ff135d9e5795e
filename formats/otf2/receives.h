/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtOtf2Receives: receives of a location in the order in which they were posted.
 *
 * Messages of a channel reach receives in the order of posting, but a non-blocking receive tells only when it completes whose
 * message it took. So a receive is held until all that were posted before it are done; each keeps the time and the call in which it
 * completed. Beyond a cap, and at the end of the location, receives go on in the order of their posting as far as they are known.
 */
#pragma once

#include "src/trace/nest/nest.h"

typedef struct _TtOtf2Receives TtOtf2Receives;

/* One that is done. */
typedef struct
{
  TtNestHalf half;
  guint32 owner; /* see tt_nest_owner() */
} TtOtf2Receive;

/* @thread, @process: whose receives they are, until the next call of this. */
TtOtf2Receives *tt_otf2_receives_new (TtSink *sink);
void tt_otf2_receives_free (TtOtf2Receives *self);
/* Goes on with another location: lets go of what is held. */
void tt_otf2_receives_begin (TtOtf2Receives *self, guint32 thread, guint32 process);

void tt_otf2_receives_post (TtOtf2Receives *self, guint64 request);
/* @request: what was posted, or a blocking receive's TT_OTF2_UNDEFINED: it is posted now. */
void tt_otf2_receives_complete (TtOtf2Receives *self, guint64 request, const TtOtf2Receive *receive);
/* FALSE: it is not one of a receive. */
gboolean tt_otf2_receives_cancel (TtOtf2Receives *self, guint64 request);
void tt_otf2_receives_finish (TtOtf2Receives *self);
