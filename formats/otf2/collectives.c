/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/otf2/collectives.h"

#include "formats/otf2/lanes.h"

#define MOST_OPEN (1u << 18)
/* Places of values of the records; the last is of the non-blocking one's. On windows, the window and the root come after what is
 * synchronised. */
#define COMM 1
#define ROOT 2
#define REQUEST 5
#define WINDOW 2
#define ROOT_OF_WINDOW 3
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

static guint64
comm_of_window (const TtOtf2Session *session, guint64 id)
{
  const guint64 *window = tt_otf2_find (session->definitions, TT_OTF2_RMA_WIN, id);

  return window == NULL ? TT_OTF2_UNDEFINED : window[TT_OTF2_RMA_WIN_COMM];
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
  gboolean is_of_window = event->kind == TT_OTF2_EVENT_RMA_COLLECTIVE_END;
  guint64 comm = is_of_window ? comm_of_window (session, event->values[WINDOW]) : event->values[COMM];
  guint32 root = find_root (session, comm, event->values[is_of_window ? ROOT_OF_WINDOW : ROOT], process);
  guint64 request = event->values[REQUEST];

  if (comm == TT_OTF2_UNDEFINED || !tt_otf2_comm_is_told (session, comm))
    return;
  guint32 owner = event->kind != TT_OTF2_EVENT_NBC_COMPLETE
                      ? tt_nest_owner (session->nest, thread)
                      : GPOINTER_TO_UINT (g_hash_table_lookup (self->requests, &request));
  if (event->kind == TT_OTF2_EVENT_NBC_COMPLETE)
    g_hash_table_remove (self->requests, &request);
  tt_sink_call (session->sink, owner, root, tt_otf2_comm_number (session, comm), -1);
}
