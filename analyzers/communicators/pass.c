/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include <string.h>

#include "analyzers/communicators/agreement-shifts.h"
#include "analyzers/communicators/agreement.h"
#include "analyzers/communicators/alignment.h"
#include "analyzers/communicators/inference.h"
#include "analyzers/communicators/joint.h"
#include "analyzers/communicators/meeting-shifts.h"
#include "analyzers/communicators/one-communicator.h"
#include "analyzers/communicators/own-clocks.h"
#include "analyzers/communicators/rivals.h"
#include "analyzers/pass.h"
#include "src/base/array.h"
#include "src/base/error.h"
#include "src/store/clocks.h"
#include "src/store/import/groups.h"
#include "src/store/schema.h"

/* If more of the calls than one in so many are explained by no communicator, then the others are by chance: clocks differ
 * in a way that nothing tells. So are all if some are, or only clocks that were made to fit explain them, and they save less
 * than so many bits a call. */
#define FEW 20u
#define MIN_SAVED_OPEN 0.5
#define MIN_SAVED_WITHIN 2.0

/* By how much clocks may differ that nothing else tells. */
static const gint64 slacks_ns[] = { 16000, 64000, 128000, 256000 };
#define MAX_MEETING_ROUNDS 12

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
add_meeting (GArray *rows,
             const TtMemberSets *sets,
             const TtMeeting *meeting,
             const guint8 *is_doubtful,
             gint64 comm,
             gint64 ordinal)
{
  const guint32 *members = tt_meeting_calls (sets, meeting);

  for (guint m = 0; m < tt_member_set (sets, meeting->set)->n; m++)
    {
      const TtGroupedCall row = { tt_rank_call (sets->calls, members[m])->event, comm, ordinal, TT_NO_ID,
                                  TT_COLLECTIVE_INFERRED | (is_doubtful[members[m]] ? TT_COLLECTIVE_DOUBTFUL : 0) };

      g_array_append_val (rows, row);
    }
}

/* No two of them are of one call. */
static void
add_undecided (GArray *rows, const TtRankCalls *calls, guint32 call)
{
  const TtGroupedCall row = { tt_rank_call (calls, call)->event, 0, G_MAXINT32 + (gint64) call, TT_NO_ID,
                              TT_COLLECTIVE_UNDECIDED };

  g_array_append_val (rows, row);
}

static gboolean
write_undecided (TtStoreImport *import, const TtRankCalls *calls, GError **error)
{
  g_autoptr (GArray) rows = g_array_new (FALSE, TRUE, sizeof (TtGroupedCall));

  for (guint i = 0; i < calls->calls->len; i++)
    add_undecided (rows, calls, i);
  return tt_store_import_groups (import, TT_ARRAY (rows, TtGroupedCall), rows->len, error);
}

static gboolean
write_groups (TtStoreImport *import, TtMemberSets *sets, const GArray *chosen, TtChoice *choice, GError **error)
{
  const TtRankCalls *calls = sets->calls;
  gsize n_functions = calls->functions->len;
  g_autoptr (GArray) rows = g_array_new (FALSE, TRUE, sizeof (TtGroupedCall));
  tt_choice_move (sets, chosen, choice);
  g_autofree guint8 *is_doubtful = tt_choice_find_doubtful (sets, chosen, choice);
  g_autoptr (GArray) meetings = list_meetings (sets, choice);
  g_autofree guint32 *comm_of = number_comms (sets, chosen, choice);
  g_autofree gint64 *counts = g_new0 (gint64, ((gsize) sets->sets->len + 1) * (n_functions + 1));

  for (guint i = 0; i < meetings->len; i++)
    {
      const TtMeeting *meeting = tt_meeting (sets, g_array_index (meetings, guint32, i));
      const TtRankCall *call = tt_rank_call (calls, tt_meeting_calls (sets, meeting)[0]);
      guint32 function = g_array_index (calls->kinds, TtCallKind, call->kind).function;

      add_meeting (rows, sets, meeting, is_doubtful, comm_of[meeting->set],
                   counts[meeting->set * n_functions + function]++);
    }
  for (guint i = 0; i < calls->calls->len; i++)
    if (choice->meeting_of[i] == TT_NO_CALL)
      add_undecided (rows, calls, i);
  return tt_store_import_groups (import, TT_ARRAY (rows, TtGroupedCall), rows->len, error);
}

static gboolean
is_convincing (const TtInference *self, const TtRankCalls *calls)
{
  guint n = calls->first_waiting[calls->n_ranks];
  double wanted = self->is_within ? MIN_SAVED_WITHIN : self->choice->n_open > 0 ? MIN_SAVED_OPEN : 0;

  return self->choice->n_open * FEW <= n && (wanted <= 0 || self->choice->price <= -wanted * n);
}

static void
restore (TtRankCalls *calls, const GArray *times)
{
  memcpy (calls->calls->data, times->data, times->len * sizeof (TtRankCall));
}

/* By clocks that differ by as much at the most, and then by as much as those who met ended apart: what the times of clocks
 * that nothing else tells leave open. */
static void
infer_within (TtInference *best, TtRankCalls *calls, const GArray *times, gint64 slack_ns)
{
  restore (calls, times);
  for (int i = 0; i < MAX_MEETING_ROUNDS; i++)
    {
      g_auto (TtInference) found = { NULL };

      calls->slack_ns = i < MAX_MEETING_ROUNDS / 2 ? slack_ns : MAX (calls->slack_ns / 2, slacks_ns[0]);
      tt_inference_init (&found, calls);
      found.is_within = TRUE;
      if (!tt_rank_calls_align_by_meetings (calls, found.sets, found.choice))
        i = MAX (i, MAX_MEETING_ROUNDS / 2 - 1);
      if (calls->slack_ns == slacks_ns[0] && is_convincing (&found, calls))
        tt_inference_keep_better (best, &found);
    }
}

/* By clocks that differ: as ends of calls tell, or by a little, whichever explains most. */
static void
infer_by_ends (TtInference *best, TtRankCalls *calls, const GArray *times, const GArray *shifted)
{
  gint64 slack_ns = calls->slack_ns;

  if (tt_rank_calls_align (calls))
    {
      g_auto (TtInference) aligned = { NULL };

      tt_inference_init (&aligned, calls);
      tt_inference_keep_better (best, &aligned);
    }
  for (guint i = 0; i < G_N_ELEMENTS (slacks_ns); i++)
    if (slacks_ns[i] > slack_ns)
      infer_within (best, calls, times, slacks_ns[i]);
  for (guint i = 0; i < G_N_ELEMENTS (slacks_ns) && shifted != NULL; i++)
    infer_within (best, calls, shifted, slacks_ns[i]);
}

/* What the times say as they are; where that leaves calls open or hardly explains them, by clocks that differ. */
static void
infer_best (TtInference *best, TtRankCalls *calls, const gint64 *shifts_ns)
{
  g_autoptr (GArray) times = g_array_copy (calls->calls), shifted = NULL;
  g_auto (TtInference) joint = { NULL };
  guint n = calls->first_waiting[calls->n_ranks];

  tt_inference_init (best, calls);
  if (best->choice->n_open == 0 && best->choice->price <= -MIN_SAVED_WITHIN * n)
    return;
  if (shifts_ns != NULL)
    {
      tt_rank_calls_shift (calls, shifts_ns);
      shifted = g_array_copy (calls->calls);
      restore (calls, times);
    }
  if (best->choice->n_open > 0)
    infer_by_ends (best, calls, times, shifted);
  restore (calls, shifted != NULL ? shifted : times);
  tt_joint_infer (&joint, calls);
  if (joint.choice != NULL && is_convincing (&joint, calls) &&
      (best->is_within || joint.choice->price < best->choice->price - TT_SHIFT_BITS * calls->n_ranks))
    tt_inference_keep_better (best, &joint);
}

/* By the ranks' own clocks. */
static guint8 *
find_steady (TtStore *store, GError **error)
{
  g_autoptr (TtRankCalls) own = NULL;

  if (tt_store_choose_correction (store, TT_CORRECTION_NONE, error))
    own = tt_rank_calls_new (store, error);
  if (own == NULL || !tt_store_choose_correction (store, TT_CORRECTION_LINEAR, error))
    return NULL;
  return tt_rank_calls_find_steady (own);
}

static gboolean
write_found (TtStoreImport *import, TtInference *found, const TtRankCalls *calls, GError **error)
{
  if (!is_convincing (found, calls))
    return write_undecided (import, calls, error);
  return write_groups (import, found->sets, found->chosen, found->choice, error);
}

/* *@is_found: nothing else need be asked. */
static gboolean
infer_by_own_clocks (TtStoreImport *import, TtStore *store, const guint8 *is_steady, gboolean *is_found, GError **error)
{
  g_autoptr (TtRankCalls) calls = NULL;
  g_auto (TtInference) found = { NULL };

  if (!tt_own_clocks_infer (&found, &calls, store, is_steady, error))
    return FALSE;
  *is_found = calls != NULL;
  return calls == NULL || write_found (import, &found, calls, error);
}

static gboolean
infer (TtStoreImport *import, TtStore *store, gboolean *is_found, GError **error)
{
  g_autoptr (TtRankCalls) calls = NULL;
  g_auto (TtInference) found = { NULL };
  gboolean may_be_right, agree = FALSE;

  *is_found = FALSE;
  if (!tt_own_clocks_ask (store, &may_be_right, error) ||
      (!may_be_right && !tt_rank_calls_agree (store, &agree, error)))
    return FALSE;
  if (agree)
    return TRUE;
  calls = tt_rank_calls_new (store, error);
  if (calls == NULL)
    return FALSE;
  g_autofree gint64 *shifts_ns = tt_rank_calls_find_agreement_shifts (calls);
  if (calls->n_ranks < 2 || calls->is_crossing || (!tt_rank_calls_take_out_agreeing (calls) && !may_be_right))
    return TRUE;
  g_autofree guint8 *is_steady = find_steady (store, error);
  if (is_steady == NULL || (may_be_right && !infer_by_own_clocks (import, store, is_steady, is_found, error)))
    return FALSE;
  if (*is_found || !tt_rank_calls_take_out (calls, is_steady))
    return TRUE;
  if (!tt_rank_calls_read_syncs (calls, store, error) || !tt_rank_calls_read_bytes (calls, store, error))
    return FALSE;
  infer_best (&found, calls, shifts_ns);
  *is_found = TRUE;
  return write_found (import, &found, calls, error);
}

static gboolean
run (TtStoreImport *import, gpointer prepared, GError **error)
{
  TtStore *store = tt_store_import_store (import);
  TtStoreCounts counts;
  gboolean is_found;

  if (store == NULL)
    {
      g_set_error_literal (error, TT_ERROR, TT_ERROR_STORE, "cannot read the database that is being written");
      return FALSE;
    }
  if (tt_store_has_clock (store, TT_CLOCK_TICKS))
    return TRUE;
  if (!tt_store_counts (store, &counts, error))
    return FALSE;
  if (counts.n_collectives == 0)
    return TRUE;
  if (!tt_store_complete (store, error))
    return FALSE;
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
