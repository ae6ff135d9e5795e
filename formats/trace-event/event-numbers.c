/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/trace-event/event-numbers.h"

#include <string.h>

#define SLOTS TT_ROOM (16384u, 128u) /* a power of two */
#define MAX_STEPS 8u                 /* beyond that a key has no number */
/* Of labels, of name and category each. Two words are all of a text of less than 16 bytes. */
#define LONGEST 256u
#define WORDS 16u

/* Two texts: of each the first and the last eight bytes, which may overlap, and its length. */
typedef struct
{
  guint64 words[4], lens;
  gboolean is_long; /* there are more bytes than in the words */
} Key;

typedef struct
{
  Key key;
  guint32 number; /* 0: free */
  guint32 text;   /* where both lie, if one is longer than its words */
} Slot;

typedef struct
{
  Slot *slots;
  guint32 n, most;
  guint n_lost; /* in a row that had no number */
} Table;

struct _TtEventNumbers
{
  Table lanes, labels;
  GString *text;
};

TtEventNumbers *
tt_event_numbers_new (void)
{
  TtEventNumbers *self = g_new0 (TtEventNumbers, 1);

  self->lanes = (Table){ .slots = g_new0 (Slot, SLOTS), .most = TT_MAX_LANES - 1 };
  self->labels = (Table){ .slots = g_new0 (Slot, SLOTS), .most = TT_MAX_LABELS - 1 };
  self->text = g_string_new (NULL);
  return self;
}

void
tt_event_numbers_free (TtEventNumbers *self)
{
  if (self == NULL)
    return;
  g_free (self->lanes.slots);
  g_free (self->labels.slots);
  g_string_free (self->text, TRUE);
  g_free (self);
}

static inline guint64
load (const char *p)
{
  guint64 word;

  memcpy (&word, p, sizeof word);
  return GUINT64_FROM_LE (word);
}

/* Bytes behind a short one are read and shifted out. */
static inline void
take_text (TtSlice text, guint64 *words)
{
  guint n_over = 64 - 8 * (guint) text.len;

  words[0] = words[1] = 0;
  if (text.len >= 8)
    {
      words[0] = load (text.bytes);
      words[1] = load (text.bytes + text.len - 8);
    }
  else if (text.len > 0)
    words[0] = load (text.bytes) << n_over >> n_over;
}

static inline guint
hash_of (const Key *key)
{
  guint64 sum = key->words[0] * G_GUINT64_CONSTANT (0x9e3779b97f4a7c15) +
                key->words[1] * G_GUINT64_CONSTANT (0xbf58476d1ce4e5b9) +
                key->words[2] * G_GUINT64_CONSTANT (0x94d049bb133111eb) +
                key->words[3] * G_GUINT64_CONSTANT (0xd6e8feb86659fd93) +
                key->lens * G_GUINT64_CONSTANT (0xa0761d6478bd642f);

  sum = (sum ^ sum >> 32) * G_GUINT64_CONSTANT (0xe7037ed1a0b428db);
  return (guint) (sum >> 32) & (SLOTS - 1);
}

static inline gboolean
is_slot (const TtEventNumbers *self, const Slot *slot, const Key *key, TtSlice a, TtSlice b)
{
  if (slot->key.words[0] != key->words[0] || slot->key.words[2] != key->words[2] || slot->key.lens != key->lens ||
      slot->key.words[1] != key->words[1] || slot->key.words[3] != key->words[3])
    return FALSE;
  if (G_LIKELY (!key->is_long))
    return TRUE;
  const char *text = self->text->str + slot->text;
  return memcmp (text, a.bytes, a.len) == 0 && (b.len == 0 || memcmp (text + a.len, b.bytes, b.len) == 0);
}

static void
fill_slot (TtEventNumbers *self, Slot *slot, const Key *key, TtSlice a, TtSlice b)
{
  slot->key = *key;
  slot->text = (guint32) self->text->len;
  if (!key->is_long)
    return;
  g_string_append_len (self->text, a.bytes, (gssize) a.len);
  if (b.len > 0)
    g_string_append_len (self->text, b.bytes, (gssize) b.len);
}

/* Whether a key may have a number that has none: is asked once for each. */
typedef gboolean (*MayFunc) (const TtTraceEvent *event);

static inline guint32
number_of (TtEventNumbers *self, Table *table, TtSlice a, TtSlice b, const TtTraceEvent *event, MayFunc may)
{
  Key key;

  take_text (a, &key.words[0]);
  take_text (b, &key.words[2]);
  key.lens = a.len | (guint64) b.len << 32;
  key.is_long = (a.len | b.len) >= WORDS;
  guint at = hash_of (&key);

  for (guint i = 0; i < MAX_STEPS; i++, at = (at + 1) & (SLOTS - 1))
    {
      Slot *slot = &table->slots[at];

      if (slot->number == 0)
        {
          if (table->n == table->most || !may (event))
            break;
          fill_slot (self, slot, &key, a, b);
          slot->number = ++table->n;
          return slot->number;
        }
      if (is_slot (self, slot, &key, a, b))
        return slot->number;
    }
  return 0;
}

static gboolean
may_always (const TtTraceEvent *event)
{
  (void) event;
  return TRUE;
}

static gboolean
is_ascii (TtSlice text)
{
  for (gsize i = 0; i < text.len; i++)
    if ((guint8) text.bytes[i] >= 0x80)
      return FALSE;
  return TRUE;
}

static gboolean
is_plain (const TtTraceEvent *event)
{
  return is_ascii (event->name.raw) && is_ascii (event->cat.raw);
}

/* Few events are looked for in a table that has little to say. */
static inline gboolean
is_tried (Table *table)
{
  return G_LIKELY (table->n_lost < 256) || ++table->n_lost % 16 == 0;
}

void
tt_event_numbers_set (TtEventNumbers *self, TtTraceEvent *event)
{
  gboolean has_text =
      event->name.kind == TT_JSON_STRING && !event->name.has_escapes &&
      (event->cat.kind == TT_JSON_NONE || (event->cat.kind == TT_JSON_STRING && !event->cat.has_escapes));

  if (event->pid.raw.len <= 16 && event->tid.raw.len <= 16)
    event->lane = number_of (self, &self->lanes, event->pid.raw, event->tid.raw, event, may_always);
  if (!has_text || event->name.raw.len > LONGEST || event->cat.raw.len > LONGEST || !is_tried (&self->labels))
    return;
  event->label = number_of (self, &self->labels, event->name.raw, event->cat.raw, event, is_plain);
  if (G_LIKELY (event->label != 0))
    self->labels.n_lost = 0;
  else
    self->labels.n_lost++;
}
