/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtOtf2Collectives: what an archive tells of calls of collectives: the communicator and the root.
 *
 * A blocking call is told before it is left. A non-blocking one is told where it completes, in another call: until then its
 * request stands for it. Beyond a cap of open requests calls stay as their times tell.
 */
#pragma once

#include "formats/otf2/session.h"
#include "src/trace/nest/nest.h"

typedef struct
{
  GHashTable *requests; /* request -> owner of the call, as tt_nest_owner() says */
} TtOtf2Collectives;

void tt_otf2_collectives_init (TtOtf2Collectives *self);
void tt_otf2_collectives_clear (TtOtf2Collectives *self);
/* Goes on with another location. */
void tt_otf2_collectives_begin (TtOtf2Collectives *self);

/* The call that is open made @request. */
void tt_otf2_collectives_post (TtOtf2Collectives *self, TtOtf2Session *session, TtNestThread *thread, guint64 request);
/* @event: the end of the call that is open, or of one that was posted; of @process. */
void tt_otf2_collectives_end (TtOtf2Collectives *self,
                              TtOtf2Session *session,
                              TtNestThread *thread,
                              guint32 process,
                              const TtOtf2Event *event);
