/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/communicators/own-clocks.h"

#include <string.h>

#include "analyzers/communicators/one-communicator.h"
#include "src/store/clocks.h"
#include "src/store/rows.h"
#include "src/trace/span.h"

/* -- whether anything else moves them ------------------------------------------------------------------------------ */

static gboolean
note_moved (const TtClockFit *fit, gpointer is_moved)
{
  *(gboolean *) is_moved |= fit->offset_ns != 0 || fit->drift_ns != 0 || fit->n_violated > 0;
  return !*(gboolean *) is_moved;
}

static gboolean
note_early (const TtMessageTimes *message, gpointer is_early)
{
  *(gboolean *) is_early =
      message->send_ns != TT_NO_TIME && message->recv_ns != TT_NO_TIME && message->recv_ns < message->send_ns;
  return !*(gboolean *) is_early;
}

gboolean
tt_own_clocks_ask (TtStore *store, gboolean *may_be_right, GError **error)
{
  gboolean is_moved = FALSE, is_early = FALSE;

  if (!tt_store_each_clock_fit (store, note_moved, &is_moved, error))
    return FALSE;
  if (is_moved && (!tt_store_choose_correction (store, TT_CORRECTION_NONE, error) ||
                   !tt_store_each_message_times (store, note_early, &is_early, error) ||
                   !tt_store_choose_correction (store, TT_CORRECTION_LINEAR, error)))
    return FALSE;
  *may_be_right = is_moved && !is_early;
  return TRUE;
}

/* -- what the calls say -------------------------------------------------------------------------------------------- */

/* With all that is known of them. @is_out: by kind, as it is before bytes are known. */
static TtRankCalls *
read_calls (TtStore *store, const guint8 *is_out, GError **error)
{
  g_autoptr (TtRankCalls) calls = tt_rank_calls_new (store, error);

  if (calls == NULL)
    return NULL;
  if (tt_rank_calls_take_out (calls, is_out) &&
      (!tt_rank_calls_read_syncs (calls, store, error) || !tt_rank_calls_read_bytes (calls, store, error)))
    return NULL;
  return g_steal_pointer (&calls);
}

/* Those that all ranks are in, nobody leaving before all have come, and the steady ones. NULL with @error. */
static guint8 *
find_explained (TtStore *store, const guint8 *is_steady, GError **error)
{
  g_autoptr (TtRankCalls) calls = tt_rank_calls_new (store, error);

  if (calls == NULL)
    return NULL;
  guint8 *is_out = g_new (guint8, (gsize) calls->kinds->len + 1);
  memset (is_out, 1, (gsize) calls->kinds->len + 1);
  calls->slack_ns = 0;
  if (calls->n_ranks > 1 && !calls->is_crossing && tt_rank_calls_take_out_agreeing (calls))
    for (guint i = 0; i < calls->calls->len; i++)
      {
        guint32 kind = tt_rank_call (calls, i)->kind;

        is_out[kind] = is_steady[kind];
      }
  return is_out;
}

gboolean
tt_own_clocks_infer (TtInference *found, TtRankCalls **calls, TtStore *store, const guint8 *is_steady, GError **error)
{
  g_autofree guint8 *is_out = NULL;
  g_autoptr (TtRankCalls) own = NULL, moved = NULL;
  g_auto (TtInference) by_own = { NULL }, by_moved = { NULL };

  *calls = NULL;
  if (!tt_store_choose_correction (store, TT_CORRECTION_NONE, error))
    return FALSE;
  is_out = find_explained (store, is_steady, error);
  own = is_out == NULL ? NULL : read_calls (store, is_out, error);
  if (own == NULL || !tt_store_choose_correction (store, TT_CORRECTION_LINEAR, error))
    return FALSE;
  own->slack_ns = 0;
  if (own->first_waiting[own->n_ranks] == 0)
    return TRUE;
  tt_inference_init (&by_own, own);
  if (by_own.choice->n_open > 0 || by_own.choice->price >= 0)
    return TRUE;
  moved = read_calls (store, is_out, error);
  if (moved == NULL)
    return FALSE;
  tt_inference_init (&by_moved, moved);
  if (by_own.choice->price >= by_moved.choice->price + TT_SHIFT_BITS * own->n_ranks)
    return TRUE;
  *found = by_own;
  by_own = (TtInference){ NULL };
  *calls = g_steal_pointer (&own);
  return TRUE;
}
