/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/clocks/hosts.h"

#include <string.h>

#include "analyzers/clocks/ends.h"
#include "src/base/array.h"
#include "src/trace/span.h"

#define DOUBT_NS 1000 /* clocks may show microseconds */
#define NO_HOST 0u

typedef struct
{
  TtClockTies *ties;
  GHashTable *numbers; /* name -> number of the host */
  guint32 *host_of;    /* by clock */
  guint32 *first_of;   /* by host: clock + 1 */
  guint32 *new_of;     /* by clock: what it is called then */
} Hosts;

static void
hosts_clear (Hosts *self)
{
  g_clear_pointer (&self->numbers, g_hash_table_unref);
  g_free (self->host_of);
  g_free (self->first_of);
  g_free (self->new_of);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Hosts, hosts_clear)

/* -- who is where ------------------------------------------------------------------------------------------------- */

static void
put_at_host (Hosts *self, guint32 process, const char *name)
{
  guint32 clock = self->ties->clock_of[process];

  if (name == NULL || *name == '\0' || clock >= self->ties->n_clocks || self->host_of[clock] != NO_HOST)
    return;
  guint32 number = GPOINTER_TO_UINT (g_hash_table_lookup (self->numbers, name));
  if (number == NO_HOST)
    {
      number = g_hash_table_size (self->numbers) + 1;
      g_hash_table_insert (self->numbers, g_strdup (name), GUINT_TO_POINTER (number));
    }
  self->host_of[clock] = number;
}

static gboolean
take_metadata (guint32 process, guint32 thread, const char *key, const char *value, gpointer data)
{
  static const char *const keys[] = { "hostname", "host_name", "host" };

  for (guint i = 0; i < G_N_ELEMENTS (keys) && key != NULL && process != TT_NO_ID; i++)
    if (g_ascii_strcasecmp (key, keys[i]) == 0)
      put_at_host (data, process, value);
  return TRUE;
}

static gboolean
find_hosts (Hosts *self, TtStore *store, GError **error)
{
  guint n;
  const TtProcess *processes = tt_store_processes (store, &n);

  for (guint i = 0; i < n; i++)
    put_at_host (self, processes[i].id, processes[i].node);
  return tt_store_each_metadata (store, take_metadata, self, error);
}

static void
deny (Hosts *self, guint32 host)
{
  for (guint i = 0; i < self->ties->n_clocks; i++)
    if (self->host_of[i] == host)
      self->host_of[i] = NO_HOST;
}

static void
deny_contradicted (Hosts *self)
{
  const TtClockTies *ties = self->ties;

  for (guint i = 0; i < ties->messages->len; i++)
    {
      const TtClockTie *tie = &g_array_index (ties->messages, TtClockTie, i);
      guint32 host = self->host_of[tie->from];

      if (host != NO_HOST && host == self->host_of[tie->to] && tt_time_since (tie->cause_ns, tie->effect_ns) > DOUBT_NS)
        deny (self, host);
    }
  if (tt_clock_ends_differ (ties, self->host_of))
    memset (self->host_of, 0, (gsize) ties->n_clocks * sizeof *self->host_of);
}

/* FALSE: each clock stays alone, as where all would be one, for then it is enough that they agree. */
static gboolean
number_again (Hosts *self)
{
  guint n = 0;

  for (guint i = 0; i < self->ties->n_clocks; i++)
    {
      guint32 host = self->host_of[i];

      if (host != NO_HOST && self->first_of[host] != 0)
        {
          self->new_of[i] = self->new_of[self->first_of[host] - 1];
          continue;
        }
      if (host != NO_HOST)
        self->first_of[host] = i + 1;
      self->new_of[i] = n++;
    }
  if (n == self->ties->n_clocks || n == 1)
    return FALSE;
  self->ties->n_clocks = n;
  return TRUE;
}

/* -- joining ------------------------------------------------------------------------------------------------------ */

static void
join_messages (const Hosts *self)
{
  GArray *messages = self->ties->messages;
  guint n = 0;

  for (guint i = 0; i < messages->len; i++)
    {
      TtClockTie tie = g_array_index (messages, TtClockTie, i);

      tie.from = self->new_of[tie.from];
      tie.to = self->new_of[tie.to];
      if (tie.from != tie.to)
        g_array_index (messages, TtClockTie, n++) = tie;
    }
  g_array_set_size (messages, n);
}

/* Of a host the last to come and the first to leave count. FALSE: nobody of a host can have left then. */
static gboolean
join_members (const Hosts *self, const TtClockMember *members, guint n, GArray *joined, guint32 *place_of)
{
  guint first = joined->len;
  gboolean is_sound = TRUE;

  for (guint i = 0; i < n; i++)
    {
      TtClockMember member = members[i];

      member.clock = self->new_of[member.clock];
      if (place_of[member.clock] == 0)
        {
          g_array_append_val (joined, member);
          place_of[member.clock] = joined->len;
          continue;
        }
      TtClockMember *there = &g_array_index (joined, TtClockMember, place_of[member.clock] - 1);
      there->begin_ns = MAX (there->begin_ns, member.begin_ns);
      there->end_ns = MIN (there->end_ns, member.end_ns);
      there->is_late &= member.is_late;
      is_sound &= tt_time_since (there->begin_ns, there->end_ns) <= DOUBT_NS;
    }
  for (guint i = first; i < joined->len; i++)
    {
      TtClockMember *member = &g_array_index (joined, TtClockMember, i);

      place_of[member->clock] = 0;
      member->end_ns = MAX (member->end_ns, member->begin_ns);
    }
  return is_sound && joined->len - first > 1;
}

static void
join_calls (const Hosts *self)
{
  TtClockTies *ties = self->ties;
  GArray *joined = g_array_new (FALSE, FALSE, sizeof (TtClockMember));
  g_autofree guint32 *place_of = g_new0 (guint32, (gsize) ties->n_clocks + 1);
  guint n = 0, n_named = 0, n_fences = 0, first_fence = ties->calls->len - ties->n_fences;

  for (guint i = 0; i < ties->calls->len; i++)
    {
      const TtClockCall call = g_array_index (ties->calls, TtClockCall, i);
      guint first = joined->len;

      if (!join_members (self, TT_ARRAY (ties->members, TtClockMember) + call.first, call.n, joined, place_of))
        {
          g_array_set_size (joined, first);
          continue;
        }
      g_array_index (ties->calls, TtClockCall, n++) =
          (TtClockCall){ first, joined->len - first, call.is_loose, call.is_inferred };
      n_named += i < ties->n_named;
      n_fences += i >= first_fence;
    }
  g_array_set_size (ties->calls, n);
  ties->n_named = n_named;
  ties->n_fences = n_fences;
  g_array_unref (ties->members);
  ties->members = joined;
}

gboolean
tt_clock_ties_join_hosts (TtClockTies *self, TtStore *store, GError **error)
{
  gsize n = (gsize) self->n_clocks + 1;
  g_auto (Hosts) hosts = { .ties = self,
                           .numbers = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL),
                           .host_of = g_new0 (guint32, n),
                           .first_of = g_new0 (guint32, n),
                           .new_of = g_new0 (guint32, n) };

  if (!find_hosts (&hosts, store, error))
    return FALSE;
  if (g_hash_table_size (hosts.numbers) == 0)
    return TRUE;
  deny_contradicted (&hosts);
  if (!number_again (&hosts))
    return TRUE;
  guint32 n_processes = tt_store_max_process (store);
  for (guint32 i = 0; i <= n_processes; i++)
    if (self->clock_of[i] < n - 1)
      self->clock_of[i] = hosts.new_of[self->clock_of[i]];
  join_messages (&hosts);
  join_calls (&hosts);
  for (guint i = 0; i < self->returns->len; i++)
    {
      TtClockMember *member = &g_array_index (self->returns, TtClockMember, i);

      member->clock = hosts.new_of[member->clock];
    }
  return TRUE;
}
