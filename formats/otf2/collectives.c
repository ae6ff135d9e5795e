/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/otf2/collectives.h"

#include "formats/otf2/lanes.h"

#define MOST_OPEN (1u << 18)
/* Places of values of both records; the last is of the non-blocking one's. */
#define COMM 1
#define ROOT 2
#define REQUEST 5
/* OTF2_COLLECTIVE_ROOT_SELF and _THIS_GROUP of OTF2_Events.h. */
#define ROOT_SELF 0xfffffffeu
#define ROOT_THIS_GROUP 0xfffffffdu

void
tt_otf2_collectives_init (TtOtf2Collectives *self)
{
  self->requests = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
}

void
tt_otf2_collectives_clear (TtOtf2Collectives *self)
{
  g_hash_table_unref (self->requests);
}

void
tt_otf2_collectives_begin (TtOtf2Collectives *self)
{
  g_hash_table_remove_all (self->requests);
}

void
tt_otf2_collectives_post (TtOtf2Collectives *self, TtOtf2Session *session, TtNestThread *thread, guint64 request)
{
  guint32 owner = tt_nest_owner (session->nest, thread);

  if (owner != 0 && g_hash_table_size (self->requests) < MOST_OPEN)
    g_hash_table_replace (self->requests, g_memdup2 (&request, sizeof request), GUINT_TO_POINTER (owner));
}

static guint32
find_root (const TtOtf2Session *session, guint64 comm, guint64 rank, guint32 own_process)
{
  if (rank == TT_OTF2_UNDEFINED || rank == ROOT_THIS_GROUP)
    return TT_NO_ID;
  return rank == ROOT_SELF ? own_process : tt_otf2_process_of_rank (session, comm, rank, own_process);
}

void
tt_otf2_collectives_end (TtOtf2Collectives *self,
                         TtOtf2Session *session,
                         TtNestThread *thread,
                         guint32 process,
                         const TtOtf2Event *event)
{
  guint64 comm = event->values[COMM];
  guint32 root = find_root (session, comm, event->values[ROOT], process);
  guint64 request = event->values[REQUEST];

  if (comm == TT_OTF2_UNDEFINED || !tt_otf2_comm_is_told (session, comm))
    return;
  guint32 owner = event->kind == TT_OTF2_EVENT_COLLECTIVE_END
                      ? tt_nest_owner (session->nest, thread)
                      : GPOINTER_TO_UINT (g_hash_table_lookup (self->requests, &request));
  if (event->kind == TT_OTF2_EVENT_NBC_COMPLETE)
    g_hash_table_remove (self->requests, &request);
  tt_sink_call (session->sink, owner, root, tt_otf2_comm_number (session, comm));
}
