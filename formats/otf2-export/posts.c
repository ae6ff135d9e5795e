/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/otf2-export/posts.h"

/* Larger gaps are not of an order but of what is not there: other threads' receives, or what is not selected. */
#define MOST_AHEAD 64u

typedef struct
{
  gint64 tag, comm;
  guint32 peer, ordinal; /* ordinal: 0 in the key of a channel */
} Key;

typedef struct
{
  Key key;
  guint64 value; /* of a channel the next ordinal, of a receive its request */
} Entry;

struct _TtOtf2ExportPosts
{
  GHashTable *channels; /* of Entry, by its key */
  GHashTable *open;     /* the same: receives that are posted and not done */
  guint64 n_requests;
};

static guint
hash_key (gconstpointer data)
{
  const Key *key = data;
  guint64 mixed = ((guint64) key->tag * 31 + (guint64) key->comm) * 31 + ((guint64) key->peer << 32 | key->ordinal);

  return (guint) (mixed ^ mixed >> 32);
}

static gboolean
are_keys_equal (gconstpointer a, gconstpointer b)
{
  const Key *one = a, *other = b;

  return one->tag == other->tag && one->comm == other->comm && one->peer == other->peer &&
         one->ordinal == other->ordinal;
}

TtOtf2ExportPosts *
tt_otf2_export_posts_new (void)
{
  TtOtf2ExportPosts *self = g_new0 (TtOtf2ExportPosts, 1);

  self->channels = g_hash_table_new_full (hash_key, are_keys_equal, g_free, NULL);
  self->open = g_hash_table_new_full (hash_key, are_keys_equal, g_free, NULL);
  return self;
}

void
tt_otf2_export_posts_free (TtOtf2ExportPosts *self)
{
  if (self == NULL)
    return;
  g_hash_table_unref (self->channels);
  g_hash_table_unref (self->open);
  g_free (self);
}

void
tt_otf2_export_posts_clear (TtOtf2ExportPosts *self)
{
  g_hash_table_remove_all (self->channels);
  g_hash_table_remove_all (self->open);
}

static Entry *
add (GHashTable *table, const Key *key, guint64 value)
{
  Entry *entry = g_new (Entry, 1);

  *entry = (Entry){ *key, value };
  g_hash_table_add (table, entry);
  return entry;
}

guint64
tt_otf2_export_posts_take (TtOtf2ExportPosts *self, const TtRecordExportItem *receive, guint64 *first, guint64 *last)
{
  Key key = { .tag = receive->a, .comm = receive->b, .peer = receive->value };
  Entry *channel = g_hash_table_lookup (self->channels, &key);

  *first = 1;
  *last = 0;
  if (receive->ordinal == G_MAXUINT32)
    return 0;
  if (channel == NULL)
    channel = add (self->channels, &key, receive->ordinal > MOST_AHEAD ? receive->ordinal : 0);
  key.ordinal = receive->ordinal;
  if (receive->ordinal < channel->value)
    {
      const Entry *posted = g_hash_table_lookup (self->open, &key);
      guint64 request = posted == NULL ? 0 : posted->value;
      if (posted != NULL)
        g_hash_table_remove (self->open, &key);
      return request;
    }
  guint64 ahead = receive->ordinal - channel->value;
  guint64 from = channel->value;
  channel->value = (guint64) receive->ordinal + 1;
  if (ahead == 0 || ahead > MOST_AHEAD)
    return 0;
  *first = self->n_requests + 1;
  for (guint64 ordinal = from; ordinal < receive->ordinal; ordinal++)
    {
      key.ordinal = (guint32) ordinal;
      add (self->open, &key, ++self->n_requests);
    }
  *last = ++self->n_requests;
  return *last;
}
