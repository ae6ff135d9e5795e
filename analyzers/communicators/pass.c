/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/communicators/inference.h"
#include "analyzers/pass.h"
#include "src/base/array.h"
#include "src/base/error.h"
#include "src/store/clocks.h"
#include "src/store/import/groups.h"
#include "src/store/schema.h"

/* If more of the calls than one in so many are explained by no communicator, then calls that all ranks make equally
 * often are rather ones of all ranks whose clocks differ. */
#define FEW 20u

static int
compare_meetings (gconstpointer a, gconstpointer b, gpointer data)
{
  const TtMeeting *x = tt_meeting (data, *(const guint32 *) a), *y = tt_meeting (data, *(const guint32 *) b);

  if (x->begin_ns != y->begin_ns)
    return x->begin_ns < y->begin_ns ? -1 : 1;
  return (*(const guint32 *) a > *(const guint32 *) b) - (*(const guint32 *) a < *(const guint32 *) b);
}

/* Those that were chosen, by time. */
static GArray *
list_meetings (TtMemberSets *sets, const TtChoice *choice)
{
  GArray *meetings = g_array_new (FALSE, FALSE, sizeof (guint32));
  g_autoptr (GHashTable) seen = g_hash_table_new (NULL, NULL);

  for (guint i = 0; i < sets->calls->calls->len; i++)
    {
      guint32 meeting = choice->meeting_of[i];

      if (meeting != TT_NO_CALL && g_hash_table_add (seen, GUINT_TO_POINTER (meeting)))
        g_array_append_val (meetings, meeting);
    }
  g_array_sort_with_data (meetings, compare_meetings, sets);
  return meetings;
}

/* Numbers of communicators, by set: 0 is all ranks. */
static guint32 *
number_comms (const TtMemberSets *sets, const GArray *chosen, const TtChoice *choice)
{
  guint32 *comm_of = g_new0 (guint32, (gsize) sets->sets->len + 1), n_comms = 0;

  for (guint i = 0; i < chosen->len; i++)
    {
      guint32 set = g_array_index (chosen, guint32, i);

      if (choice->n_used[set] > 0 && tt_member_set (sets, set)->n < sets->calls->n_ranks)
        comm_of[set] = ++n_comms;
    }
  return comm_of;
}

static void
add_meeting (GArray *rows, const TtMemberSets *sets, const TtMeeting *meeting, gint64 comm, gint64 ordinal)
{
  const guint32 *members = tt_meeting_calls (sets, meeting);

  for (guint m = 0; m < tt_member_set (sets, meeting->set)->n; m++)
    {
      const TtGroupedCall row = { tt_rank_call (sets->calls, members[m])->event, comm, ordinal, TT_NO_ID,
                                  TT_COLLECTIVE_INFERRED };

      g_array_append_val (rows, row);
    }
}

static gboolean
write_groups (TtStoreImport *import, TtMemberSets *sets, const GArray *chosen, const TtChoice *choice, GError **error)
{
  const TtRankCalls *calls = sets->calls;
  gsize n_functions = calls->functions->len;
  g_autoptr (GArray) rows = g_array_new (FALSE, TRUE, sizeof (TtGroupedCall));
  g_autoptr (GArray) meetings = list_meetings (sets, choice);
  g_autofree guint32 *comm_of = number_comms (sets, chosen, choice);
  g_autofree gint64 *counts = g_new0 (gint64, ((gsize) sets->sets->len + 1) * (n_functions + 1));

  for (guint i = 0; i < meetings->len; i++)
    {
      const TtMeeting *meeting = tt_meeting (sets, g_array_index (meetings, guint32, i));
      const TtRankCall *call = tt_rank_call (calls, tt_meeting_calls (sets, meeting)[0]);
      guint32 function = g_array_index (calls->kinds, TtCallKind, call->kind).function;

      add_meeting (rows, sets, meeting, comm_of[meeting->set], counts[meeting->set * n_functions + function]++);
    }
  for (guint i = 0; i < calls->calls->len; i++)
    if (choice->meeting_of[i] == TT_NO_CALL)
      {
        /* No two are of one call. */
        const TtGroupedCall row = { tt_rank_call (calls, i)->event, 0, G_MAXINT32 + (gint64) i, TT_NO_ID,
                                    TT_COLLECTIVE_UNDECIDED };

        g_array_append_val (rows, row);
      }
  return tt_store_import_groups (import, TT_ARRAY (rows, TtGroupedCall), rows->len, error);
}

static gboolean
infer (TtStoreImport *import, TtStore *store, gboolean *is_found, GError **error)
{
  g_autoptr (TtRankCalls) calls = tt_rank_calls_new (store, error);

  *is_found = FALSE;
  if (calls == NULL)
    return FALSE;
  if (calls->n_ranks < 2 || calls->is_crossing || !tt_rank_calls_take_out_agreeing (calls))
    return TRUE;
  if (!tt_rank_calls_read_syncs (calls, store, error) || !tt_rank_calls_read_bytes (calls, store, error))
    return FALSE;
  g_autoptr (TtMemberSets) sets = tt_member_sets_new (calls);
  g_autoptr (GArray) chosen = g_array_new (FALSE, FALSE, sizeof (guint32));
  g_autoptr (TtChoice) choice = tt_inference_new (sets, chosen);
  if (!calls->is_uneven && choice->n_open * FEW > calls->first_waiting[calls->n_ranks])
    return TRUE;
  *is_found = TRUE;
  return write_groups (import, sets, chosen, choice, error);
}

static gboolean
run (TtStoreImport *import, gpointer prepared, GError **error)
{
  TtStore *store = tt_store_import_store (import);
  gboolean is_found;

  if (store == NULL)
    {
      g_set_error_literal (error, TT_ERROR, TT_ERROR_STORE, "cannot read the database that is being written");
      return FALSE;
    }
  if (tt_store_has_clock (store, TT_CLOCK_TICKS))
    return TRUE;
  if (!tt_store_choose_correction (store, TT_CORRECTION_LINEAR, error))
    return FALSE;
  gboolean is_done = infer (import, store, &is_found, error);
  return tt_store_choose_correction (store, TT_CORRECTION_NONE, is_done ? error : NULL) && is_done &&
         (!is_found || tt_pass_clocks.run (import, NULL, error));
}

static const char *const reads[] = { "process", "event", "collective", "counter", "clock_map", NULL };
static const char *const writes[] = { "collective", "clock", "clock_map", NULL };

const TtPass tt_pass_communicators = {
  .name = "communicators",
  .summary = "who takes part in collectives, where the source does not say",
  .reads = reads,
  .writes = writes,
  .run = run,
};
