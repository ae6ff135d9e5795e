/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/trace-event/event-numbers.h"

#include "src/base/int128.h"

#include <string.h>

#define SLOTS 16384u /* a power of two */
#define MAX_STEPS 8u /* beyond that a key has no number */
/* Of labels, of name and category each. Two words are all of a text of up to 16 bytes. */
#define LONGEST 256u
#define WORDS 16u

/* A text: its first and its last eight bytes, which may overlap. */
typedef struct
{
  guint64 first, last;
  gsize len;
} Text;

typedef struct
{
  guint64 a_first, a_last, b_first, b_last;
  guint32 a_len, b_len;
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
static inline Text
take_text (TtSlice text)
{
  if (text.len == 0)
    return (Text){ 0, 0, 0 };
  if (text.len < 8)
    return (Text){ load (text.bytes) << (64 - 8 * text.len), 0, text.len };
  return (Text){ load (text.bytes), load (text.bytes + text.len - 8), text.len };
}

static inline guint64
fold (guint64 a, guint64 b)
{
  tt_uint128 product = (tt_uint128) a * b;

  return (guint64) product ^ (guint64) (product >> 64);
}

static inline guint64
hash_of (const Text *a, const Text *b)
{
  guint64 low =
      fold (a->first ^ G_GUINT64_CONSTANT (0x9e3779b97f4a7c15), b->first ^ G_GUINT64_CONSTANT (0xbf58476d1ce4e5b9));
  guint64 high = fold (a->last ^ G_GUINT64_CONSTANT (0x94d049bb133111eb),
                       b->last ^ G_GUINT64_CONSTANT (0xd6e8feb86659fd93) ^ a->len << 32 ^ b->len);

  return low ^ high;
}

static inline gboolean
is_slot (const TtEventNumbers *self, const Slot *slot, const Text *a, const Text *b, TtSlice x, TtSlice y)
{
  if (slot->a_first != a->first || slot->b_first != b->first || slot->a_last != a->last || slot->b_last != b->last ||
      slot->a_len != a->len || slot->b_len != b->len)
    return FALSE;
  if (G_LIKELY (a->len <= WORDS && b->len <= WORDS))
    return TRUE;
  const char *text = self->text->str + slot->text;
  return memcmp (text, x.bytes, x.len) == 0 && (y.len == 0 || memcmp (text + x.len, y.bytes, y.len) == 0);
}

static void
fill_slot (TtEventNumbers *self, Slot *slot, const Text *a, const Text *b, TtSlice x, TtSlice y)
{
  *slot = (Slot){ .a_first = a->first,
                  .a_last = a->last,
                  .b_first = b->first,
                  .b_last = b->last,
                  .a_len = (guint32) a->len,
                  .b_len = (guint32) b->len,
                  .text = (guint32) self->text->len };
  if (a->len <= WORDS && b->len <= WORDS)
    return;
  g_string_append_len (self->text, x.bytes, (gssize) x.len);
  if (y.len > 0)
    g_string_append_len (self->text, y.bytes, (gssize) y.len);
}

/* Whether a key may have a number that has none: is asked once for each. */
typedef gboolean (*MayFunc) (const TtTraceEvent *event);

static inline guint32
number_of (TtEventNumbers *self, Table *table, TtSlice x, TtSlice y, const TtTraceEvent *event, MayFunc may)
{
  const Text a = take_text (x), b = take_text (y);
  guint at = (guint) hash_of (&a, &b) & (SLOTS - 1);

  for (guint i = 0; i < MAX_STEPS; i++, at = (at + 1) & (SLOTS - 1))
    {
      Slot *slot = &table->slots[at];

      if (slot->number == 0)
        {
          if (table->n == table->most || !may (event))
            break;
          fill_slot (self, slot, &a, &b, x, y);
          slot->number = ++table->n;
          return slot->number;
        }
      if (is_slot (self, slot, &a, &b, x, y))
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
