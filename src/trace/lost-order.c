/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/trace/lost-order.h"

/* Of what is beyond nothing is proven. */
#define MAX_CHANNELS (1u << 18)

typedef struct
{
  TtMessageHalf any; /* one of its halves */
  guint64 n[2];      /* receives, sends */
} Channel;

struct _TtLostOrder
{
  GHashTable *after_ns; /* process -> gint64 */
  GHashTable *channels; /* of Channel; those with a process that lost something */
};

static guint
hash_channel (gconstpointer data)
{
  const TtMessageHalf *half = data;
  guint64 mixed = ((guint64) half->src << 32 | half->dst) * G_GUINT64_CONSTANT (0x9e3779b97f4a7c15);

  mixed = (mixed ^ (guint64) half->tag) * G_GUINT64_CONSTANT (0xff51afd7ed558ccd);
  mixed = (mixed ^ (guint64) half->comm ^ half->onesided) * G_GUINT64_CONSTANT (0xff51afd7ed558ccd);
  return (guint) (mixed >> 32);
}

static gboolean
equal_channels (gconstpointer a, gconstpointer b)
{
  return tt_message_half_compare_channels (a, b) == 0;
}

TtLostOrder *
tt_lost_order_new (void)
{
  TtLostOrder *self = g_new0 (TtLostOrder, 1);

  self->after_ns = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  self->channels = g_hash_table_new_full (hash_channel, equal_channels, g_free, NULL);
  return self;
}

void
tt_lost_order_free (TtLostOrder *self)
{
  g_hash_table_unref (self->after_ns);
  g_hash_table_unref (self->channels);
  g_free (self);
}

void
tt_lost_order_lose (TtLostOrder *self, guint32 process, gint64 after_ns)
{
  gint64 *known = g_hash_table_lookup (self->after_ns, GUINT_TO_POINTER (process));

  if (known != NULL)
    *known = MIN (*known, after_ns);
  else
    g_hash_table_insert (self->after_ns, GUINT_TO_POINTER (process), g_memdup2 (&after_ns, sizeof after_ns));
}

void
tt_lost_order_lose_text (TtLostOrder *self, guint32 process, const char *value)
{
  gint64 after_ns;

  if (value == NULL || !g_ascii_string_to_signed (value, 10, G_MININT64, G_MAXINT64, &after_ns, NULL))
    after_ns = G_MININT64;
  tt_lost_order_lose (self, process, after_ns);
}

gboolean
tt_lost_order_has_any (const TtLostOrder *self)
{
  return g_hash_table_size (self->after_ns) > 0;
}

gboolean
tt_lost_order_is_lost (const TtLostOrder *self, guint32 process, gint64 *after_ns)
{
  const gint64 *known = g_hash_table_lookup (self->after_ns, GUINT_TO_POINTER (process));

  if (known != NULL && after_ns != NULL)
    *after_ns = *known;
  return known != NULL;
}

void
tt_lost_order_count (TtLostOrder *self, const TtMessageHalf *half)
{
  if (!tt_lost_order_is_lost (self, half->src, NULL) && !tt_lost_order_is_lost (self, half->dst, NULL))
    return;
  Channel *channel = g_hash_table_lookup (self->channels, half);
  if (channel == NULL && g_hash_table_size (self->channels) < MAX_CHANNELS)
    {
      channel = g_new0 (Channel, 1);
      channel->any = *half;
      g_hash_table_add (self->channels, channel);
    }
  if (channel != NULL)
    channel->n[half->is_send != 0]++;
}

static gboolean
is_after (const TtLostOrder *self, guint32 process, const TtMessageHalf *half)
{
  gint64 after_ns;

  return tt_lost_order_is_lost (self, process, &after_ns) && half->order_ns > after_ns;
}

gboolean
tt_lost_order_is_sure (const TtLostOrder *self, const TtMessageHalf *send, const TtMessageHalf *recv)
{
  /* The two of a one-sided transfer have an id of their own. */
  if (send->onesided || (!is_after (self, send->src, send) && !is_after (self, recv->dst, recv)))
    return TRUE;
  const Channel *channel = g_hash_table_lookup (self->channels, send);
  gboolean is_one_whole =
      !tt_lost_order_is_lost (self, send->src, NULL) || !tt_lost_order_is_lost (self, recv->dst, NULL);
  return channel != NULL && is_one_whole && channel->n[0] == channel->n[1];
}
