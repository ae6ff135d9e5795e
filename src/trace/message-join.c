/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/trace/message-join.h"

typedef struct
{
  const TtLostOrder *lost;
  TtPairFunc pair;
  gpointer data;
  guint64 n_unsure;
} Join;

/* Those of one number, of which one may be missing. */
static gboolean
join (Join *self, const TtMessageHalf *send, const TtMessageHalf *recv, gint64 ordinal, GError **error)
{
  if (send == NULL || recv == NULL || self->lost == NULL || tt_lost_order_is_sure (self->lost, send, recv))
    return self->pair (send, recv, ordinal, self->data, error);
  self->n_unsure++;
  return self->pair (send, NULL, ordinal, self->data, error) && self->pair (NULL, recv, ordinal, self->data, error);
}

gboolean
tt_message_half_pair (TtKeySort *sends,
                      TtKeySort *recvs,
                      const TtLostOrder *lost,
                      TtPairFunc pair,
                      gpointer data,
                      guint64 *n_unsure,
                      GError **error)
{
  Join self = { .lost = lost, .pair = pair, .data = data };
  GError *failed = NULL;
  TtMessageHalf last = { 0 };
  gint64 ordinal = -1;

  if (!tt_key_sort_finish (sends, error) || !tt_key_sort_finish (recvs, error))
    return FALSE;
  const TtMessageHalf *send = tt_key_sort_next (sends, &failed);
  const TtMessageHalf *recv = failed == NULL ? tt_key_sort_next (recvs, &failed) : NULL;
  while (failed == NULL && (send != NULL || recv != NULL))
    {
      int order = send == NULL ? 1 : recv == NULL ? -1 : tt_message_half_compare_channels (send, recv);
      const TtMessageHalf *any = order <= 0 ? send : recv;

      ordinal = ordinal < 0 || tt_message_half_compare_channels (any, &last) != 0 ? 0 : ordinal + 1;
      last = *any;
      if (!join (&self, order <= 0 ? send : NULL, order >= 0 ? recv : NULL, ordinal, error))
        return FALSE;
      if (order <= 0)
        send = tt_key_sort_next (sends, &failed);
      if (order >= 0 && failed == NULL)
        recv = tt_key_sort_next (recvs, &failed);
    }
  if (n_unsure != NULL)
    *n_unsure = self.n_unsure;
  if (failed == NULL)
    return TRUE;
  g_propagate_error (error, failed);
  return FALSE;
}
