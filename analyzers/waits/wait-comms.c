/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/waits/wait-comms.h"

#include "analyzers/process-order.h"
#include "src/base/array.h"
#include "src/base/compare.h"
#include "src/base/map64.h"

typedef struct
{
  gint64 comm;
  gboolean is_inferred, has_calls;
} Comm;

struct _TtWaitComms
{
  TtStore *store;
  guint32 *of_wait;  /* by wait: index of a Comm + 1 */
  guint32 *by_event; /* numbers of waits, by the event that is looked for */
  guint n;
  gboolean is_by_cause; /* that is from_event */
  const TtWait *waits;  /* while it is made */
  GArray *comms;        /* of Comm */
  TtMap64 numbers[2];   /* index of a Comm, by its number; [1]: of the inferred ones */
  TtMap64 known;        /* members that are there */
  GArray *members;      /* of Member, then by communicator and rank */
};

/* A rank that makes calls of a communicator. */
typedef struct
{
  guint32 comm, process; /* that leads it */
} Member;

static gboolean
is_of_message (const TtWait *wait)
{
  return wait->kind == TT_WAIT_LATE_SENDER || wait->kind == TT_WAIT_WRONG_ORDER || wait->kind == TT_WAIT_LATE_RECEIVER;
}

static gboolean
is_of_collective (const TtWait *wait)
{
  return wait->kind == TT_WAIT_BARRIER || wait->kind == TT_WAIT_NXN || wait->kind == TT_WAIT_EARLY_REDUCE ||
         wait->kind == TT_WAIT_LATE_BROADCAST || wait->kind == TT_WAIT_SYNC_REGION || wait->kind == TT_WAIT_FINALIZE;
}

/* -- waits of an event -------------------------------------------------------------------------------------------- */

static guint64
event_of (const TtWaitComms *self, guint32 wait)
{
  return self->is_by_cause ? self->waits[wait].from_event : self->waits[wait].event;
}

static int
compare_events (gconstpointer a, gconstpointer b, gpointer data)
{
  const TtWaitComms *self = data;
  guint32 i = *(const guint32 *) a, k = *(const guint32 *) b;
  int order = TT_COMPARE (event_of (self, i), event_of (self, k));

  return order != 0 ? order : TT_COMPARE (i, k);
}

static void
sort_waits (TtWaitComms *self, gboolean is_by_cause)
{
  self->is_by_cause = is_by_cause;
  g_qsort_with_data (self->by_event, (gint) self->n, sizeof (guint32), compare_events, self);
}

/* The first of the waits of @event in that order. */
static guint
first_of (const TtWaitComms *self, guint64 event)
{
  guint low = 0, high = self->n;

  while (low < high)
    {
      guint middle = low + (high - low) / 2;

      if (event_of (self, self->by_event[middle]) < event)
        low = middle + 1;
      else
        high = middle;
    }
  return low;
}

/* -- communicators ------------------------------------------------------------------------------------------------- */

static guint32
number_of (TtWaitComms *self, gint64 comm, gboolean is_inferred)
{
  const Comm fresh = { comm, is_inferred, FALSE };
  guint32 index = tt_map64_get (&self->numbers[is_inferred], (guint64) comm);

  if (index == TT_MAP64_NONE)
    {
      index = self->comms->len;
      tt_map64_set (&self->numbers[is_inferred], (guint64) comm, index);
      g_array_append_val (self->comms, fresh);
    }
  return index + 1;
}

static void
add_member (TtWaitComms *self, guint32 comm, guint32 process)
{
  const Member member = { comm, process };
  guint64 key = (guint64) comm << 32 | process;

  g_array_index (self->comms, Comm, comm - 1).has_calls = TRUE;
  if (tt_map64_get (&self->known, key) != TT_MAP64_NONE)
    return;
  tt_map64_set (&self->known, key, 0);
  g_array_append_val (self->members, member);
}

static gboolean
take_collective (const TtCollective *part, gpointer data)
{
  TtWaitComms *self = data;
  const TtProcess *process = tt_store_process (self->store, part->process);

  if (part->is_undecided || part->event == 0 || process == NULL)
    return TRUE;
  guint32 number = number_of (self, part->comm, part->is_inferred != FALSE);
  add_member (self, number, process->owner);
  for (guint i = first_of (self, part->event); i < self->n && event_of (self, self->by_event[i]) == part->event; i++)
    {
      guint32 wait = self->by_event[i];

      if (is_of_collective (&self->waits[wait]) && self->of_wait[wait] == TT_NO_WAIT_COMM)
        self->of_wait[wait] = number;
    }
  return TRUE;
}

static gboolean
take_message (const TtMessage *message, gpointer data)
{
  TtWaitComms *self = data;

  for (int side = 0; side < 2; side++)
    {
      guint64 event = side == 0 ? message->recv_event : message->send_event;
      guint64 from = side == 0 ? message->send_event : message->recv_event;

      for (guint i = event == 0 ? self->n : first_of (self, event);
           i < self->n && event_of (self, self->by_event[i]) == event; i++)
        {
          guint32 wait = self->by_event[i];

          if (is_of_message (&self->waits[wait]) && self->waits[wait].from_event == from)
            self->of_wait[wait] = number_of (self, message->comm, FALSE);
        }
    }
  return TRUE;
}

static int
compare_members (gconstpointer a, gconstpointer b, gpointer store)
{
  const Member *x = a, *y = b;

  return x->comm != y->comm ? TT_COMPARE (x->comm, y->comm) : tt_process_order (store, x->process, y->process);
}

/* -- all ---------------------------------------------------------------------------------------------------------- */

TtWaitComms *
tt_wait_comms_new (TtStore *store, const TtWaits *waits, GError **error)
{
  g_autoptr (TtWaitComms) self = g_new0 (TtWaitComms, 1);
  gboolean has_messages = FALSE, is_any_open = FALSE;

  self->store = store;
  self->waits = TT_ARRAY (waits->waits, TtWait);
  self->n = waits->waits->len;
  self->of_wait = g_new0 (guint32, (gsize) self->n + 1);
  self->by_event = g_new (guint32, (gsize) self->n + 1);
  self->comms = g_array_new (FALSE, FALSE, sizeof (Comm));
  self->members = g_array_new (FALSE, FALSE, sizeof (Member));
  for (guint32 i = 0; i < self->n; i++)
    {
      self->by_event[i] = i;
      has_messages |= is_of_message (&self->waits[i]);
    }
  sort_waits (self, FALSE);
  if (!tt_store_each_collective (store, take_collective, self, error) ||
      (has_messages && !tt_store_each_message (store, take_message, self, error)))
    return NULL;
  g_array_sort_with_data (self->members, compare_members, store);
  for (guint i = 0; i < self->n; i++)
    is_any_open |= is_of_collective (&self->waits[i]) && self->of_wait[i] == TT_NO_WAIT_COMM;
  if (!is_any_open)
    return g_steal_pointer (&self);
  /* Where a call is completed by another, the one that ended the wait is still the call. */
  sort_waits (self, TRUE);
  return tt_store_each_collective (store, take_collective, self, error) ? g_steal_pointer (&self) : NULL;
}

void
tt_wait_comms_free (TtWaitComms *self)
{
  if (self == NULL)
    return;
  g_free (self->of_wait);
  g_free (self->by_event);
  g_array_unref (self->comms);
  g_array_unref (self->members);
  tt_map64_clear (&self->known);
  for (int i = 0; i < 2; i++)
    tt_map64_clear (&self->numbers[i]);
  g_free (self);
}

guint32
tt_wait_comms_get (const TtWaitComms *self, guint wait)
{
  g_return_val_if_fail (wait < self->n, TT_NO_WAIT_COMM);

  return self->of_wait[wait];
}

/* -- text ---------------------------------------------------------------------------------------------------------- */

static const TtProcess *
member_at (const TtWaitComms *self, guint i)
{
  return tt_store_process (self->store, g_array_index (self->members, Member, i).process);
}

/* The first member of @comm, or of those after it. */
static guint
first_member (const TtWaitComms *self, guint32 comm)
{
  guint low = 0, high = self->members->len;

  while (low < high)
    {
      guint middle = low + (high - low) / 2;

      if (g_array_index (self->members, Member, middle).comm < comm)
        low = middle + 1;
      else
        high = middle;
    }
  return low;
}

static gboolean
follows (const TtWaitComms *self, guint i, gint64 rank)
{
  return rank >= 0 && member_at (self, i)->rank == rank + 1;
}

/* "0-3,6,node7": three and more ranks that follow each other as one. */
static void
append_members (const TtWaitComms *self, guint first, guint end, GString *text)
{
  for (guint i = first, last; i < end; i = last + 1)
    {
      for (last = i; last + 1 < end && follows (self, last + 1, member_at (self, last)->rank);)
        last++;
      last = last == i + 1 ? i : last;
      g_string_append_printf (text, "%s%s", i == first ? "" : ",", member_at (self, i)->rank_name);
      if (last > i)
        g_string_append_printf (text, "-%s", member_at (self, last)->rank_name);
    }
}

char *
tt_wait_comms_text (const TtWaitComms *self, guint32 comm)
{
  if (comm == TT_NO_WAIT_COMM || comm > self->comms->len)
    return NULL;
  const Comm *of = &g_array_index (self->comms, Comm, comm - 1);
  GString *text = g_string_new (NULL);

  g_string_printf (text, "%" G_GINT64_FORMAT, of->comm);
  if (of->has_calls)
    {
      g_string_append (text, ": ranks ");
      append_members (self, first_member (self, comm), first_member (self, comm + 1), text);
    }
  if (of->is_inferred)
    g_string_append (text, " (inferred)");
  return g_string_free (text, FALSE);
}
