/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/ctf/schema/label-table.h"

#include "formats/ctf/schema/sections.h"
#include "src/base/compare.h"
#include "src/base/heap.h"

#include <string.h>

#define MAX_FOUND (TT_CTF_MAX_LABELS + 1)

/* Values from @low to the next segment, and their mappings: the @n of the pool that begin at @from and then, one after the
 * other, those up to @until, each of which is one more or, where it is among them, one less. */
typedef struct
{
  guint64 low;
  guint from, n, until;
} Segment;

/* A mapping of a bit map: its number, its bits, and which of the labels that may be found it has. */
typedef struct
{
  guint64 bits;
  guint number, label;
} Flag;

struct _TtCtfLabelTable
{
  const Segment *segments;
  guint n_segments;
  const guint *pool;
  const guint *by_label; /* numbers of the mappings, in the order of their labels' addresses */
  const Flag *flags;     /* of a bit map, in place of segments */
  guint n_flags;
};

/* -- a set of mappings ------------------------------------------------------------------------------------------------ */

typedef struct
{
  guint n;
  guint numbers[MAX_FOUND + 1]; /* sorted */
} Set;

/* Where @number is, or would be. */
static inline guint
set_place (const guint *numbers, guint n, guint number)
{
  guint at = n;

  while (at > 0 && numbers[at - 1] >= number)
    at--;
  return at;
}

/* Adds it, or removes it. */
static void
set_toggle (guint *numbers, guint *n, guint number)
{
  guint at = set_place (numbers, *n, number);

  if (at < *n && numbers[at] == number)
    memmove (&numbers[at], &numbers[at + 1], (--*n - at) * sizeof *numbers);
  else
    {
      memmove (&numbers[at + 1], &numbers[at], ((*n)++ - at) * sizeof *numbers);
      numbers[at] = number;
    }
}

/* What is only in @a. */
static void
append_missing (GArray *to, const Set *a, const Set *b)
{
  for (guint i = 0, k = 0; i < a->n; i++)
    {
      while (k < b->n && b->numbers[k] < a->numbers[i])
        k++;
      if (k == b->n || b->numbers[k] != a->numbers[i])
        g_array_append_val (to, a->numbers[i]);
    }
}

/* -- the sweep over all values -------------------------------------------------------------------------------------- */

typedef enum
{
  AWAY,
  WAITS, /* more than MAX_FOUND before it have the value */
  IN_SET,
} Place;

typedef struct
{
  Set set, last; /* at the value at hand; of the last segment */
  GArray *waiting;
  guint8 *places; /* of each mapping */
  GArray *segments, *pool;
  guint n_full; /* of the pool: where the last list ends that is whole */
} Sweep;

static void
sweep_enter (Sweep *self, guint number)
{
  Set *set = &self->set;

  self->places[number] = WAITS;
  if (set->n < MAX_FOUND || number < set->numbers[set->n - 1])
    {
      set_toggle (set->numbers, &set->n, number);
      self->places[number] = IN_SET;
      if (set->n <= MAX_FOUND)
        return;
      number = set->numbers[--set->n];
      self->places[number] = WAITS;
    }
  const TtCtfSection waits = { .key = number };
  tt_heap_push (self->waiting, &waits, sizeof waits, tt_ctf_section_before, NULL);
}

static void
sweep_leave (Sweep *self, guint number)
{
  Set *set = &self->set;
  const gboolean was_in = self->places[number] == IN_SET;

  self->places[number] = AWAY;
  if (!was_in)
    return;
  set_toggle (set->numbers, &set->n, number);
  while (set->n < MAX_FOUND && self->waiting->len > 0)
    {
      TtCtfSection first;
      tt_heap_pop (self->waiting, &first, sizeof first, tt_ctf_section_before, NULL);
      number = first.key;
      if (self->places[number] != WAITS)
        continue;
      set_toggle (set->numbers, &set->n, number);
      self->places[number] = IN_SET;
    }
}

/* From @low on it is the set at hand. Lists are whole only where what has changed since the last is as long. */
static void
sweep_put (Sweep *self, guint64 low)
{
  const guint begin = self->pool->len;
  const Segment *before =
      self->segments->len == 0 ? NULL : &g_array_index (self->segments, Segment, self->segments->len - 1);
  Segment segment = { .low = low, .n = self->set.n };

  append_missing (self->pool, &self->last, &self->set);
  append_missing (self->pool, &self->set, &self->last);
  if (self->pool->len == begin)
    return;
  if (before != NULL && self->pool->len - self->n_full < self->set.n)
    {
      segment.from = before->from;
      segment.n = before->n;
    }
  else
    {
      g_array_set_size (self->pool, begin);
      segment.from = begin;
      g_array_append_vals (self->pool, self->set.numbers, self->set.n);
      self->n_full = self->pool->len;
    }
  segment.until = self->pool->len;
  g_array_append_val (self->segments, segment);
  self->last = self->set;
}

static gint
compare_ends (gconstpointer a, gconstpointer b)
{
  const TtCtfSection *first = a, *second = b;

  return TT_COMPARE (first->high, second->high);
}

static void
sweep_run (Sweep *self, const TtCtfSection *begins, const TtCtfSection *ends, guint n)
{
  for (guint i = 0, k = 0; k < n;)
    {
      guint64 at = i < n ? begins[i].low : G_MAXUINT64;

      if (ends[k].high < at)
        at = ends[k].high + 1;
      while (k < n && ends[k].high < at)
        sweep_leave (self, ends[k++].key);
      while (i < n && begins[i].low == at)
        sweep_enter (self, begins[i++].key);
      sweep_put (self, at);
      if (i == n && (k == n || ends[k].high == G_MAXUINT64))
        return;
    }
}

/* -- making --------------------------------------------------------------------------------------------------------- */

static gint
compare_labels (gconstpointer a, gconstpointer b, gpointer data)
{
  const TtCtfMapping *mappings = data;
  const guint *first = a, *second = b;
  guintptr one = (guintptr) mappings[*first].label, other = (guintptr) mappings[*second].label;

  return one != other ? TT_COMPARE (one, other) : TT_COMPARE (*first, *second);
}

/* The ranges of each label, without overlaps: of several that have a value the first counts. */
static GArray *
ranges_of_labels (const TtCtfMapping *mappings, const guint *by_label, guint n, gboolean is_signed)
{
  GArray *ranges = g_array_new (FALSE, FALSE, sizeof (TtCtfSection));
  g_autoptr (GArray) same = g_array_new (FALSE, FALSE, sizeof (TtCtfSection));

  for (guint i = 0; i < n; i++)
    {
      const TtCtfMapping *mapping = &mappings[by_label[i]];

      tt_ctf_sections_append (same, mapping->low, mapping->high, is_signed, by_label[i]);
      if (i + 1 < n && mappings[by_label[i + 1]].label == mapping->label)
        continue;
      if (same->len > 1)
        g_array_sort (same, (GCompareFunc) tt_ctf_section_compare);
      tt_ctf_sections_make ((const TtCtfSection *) (gpointer) same->data, same->len, ranges);
      g_array_set_size (same, 0);
    }
  return ranges;
}

static void
make_segments (TtCtfSchema *schema, const TtCtfType *type, TtCtfLabelTable *self)
{
  g_autoptr (GArray) begins = ranges_of_labels (type->mappings, self->by_label, type->n_mappings, type->is_signed);
  g_autoptr (GArray) ends = g_array_sized_new (FALSE, FALSE, sizeof (TtCtfSection), begins->len);
  g_autoptr (GArray) waiting = g_array_new (FALSE, FALSE, sizeof (TtCtfSection));
  g_autofree guint8 *places = g_new0 (guint8, type->n_mappings);
  Sweep sweep = { .waiting = waiting,
                  .places = places,
                  .segments = g_array_new (FALSE, FALSE, sizeof (Segment)),
                  .pool = g_array_new (FALSE, FALSE, sizeof (guint)) };

  g_array_append_vals (ends, begins->data, begins->len);
  g_array_sort (begins, (GCompareFunc) tt_ctf_section_compare);
  g_array_sort (ends, compare_ends);
  sweep_run (&sweep, (const TtCtfSection *) (gpointer) begins->data, (const TtCtfSection *) (gpointer) ends->data,
             begins->len);
  self->n_segments = sweep.segments->len;
  self->segments = tt_ctf_schema_take (schema, sweep.segments);
  self->pool = tt_ctf_schema_take (schema, sweep.pool);
}

/* The bits that the mapping names. */
static guint64
bits_of (const TtCtfMapping *mapping)
{
  if (mapping->low > 63 || mapping->low > mapping->high)
    return 0;
  return G_MAXUINT64 << mapping->low & G_MAXUINT64 >> (63 - MIN (mapping->high, 63));
}

/* Of a bit map: the first labels of each bit are all that any value can have, so there are no more flags than that. */
static void
make_flags (TtCtfSchema *schema, const TtCtfType *type, TtCtfLabelTable *self)
{
  GArray *flags = g_array_new (FALSE, FALSE, sizeof (Flag));
  GArray *had = g_array_new (FALSE, FALSE, sizeof (guint64));    /* the bits that have a label already */
  g_autoptr (GHashTable) labels = g_hash_table_new (NULL, NULL); /* label -> its number, from 1 */
  guint n[64] = { 0 };
  guint64 full = 0;

  for (guint i = 0; i < type->n_mappings && full != G_MAXUINT64; i++)
    {
      const TtCtfMapping *mapping = &type->mappings[i];
      guint label = GPOINTER_TO_UINT (g_hash_table_lookup (labels, mapping->label));
      Flag flag = { .bits = bits_of (mapping) & ~full, .number = i };
      guint64 more = label == 0 ? flag.bits : flag.bits & ~g_array_index (had, guint64, label - 1);

      if (more == 0)
        continue;
      if (label == 0)
        {
          g_array_append_val (had, more);
          label = had->len;
          g_hash_table_insert (labels, (gpointer) mapping->label, GUINT_TO_POINTER (label));
        }
      else
        g_array_index (had, guint64, label - 1) |= more;
      flag.label = label - 1;
      g_array_append_val (flags, flag);
      for (guint bit = 0; bit < 64; bit++)
        if ((more >> bit & 1) != 0 && ++n[bit] == MAX_FOUND)
          full |= G_GUINT64_CONSTANT (1) << bit;
    }
  self->n_flags = flags->len;
  self->flags = tt_ctf_schema_take (schema, flags);
  g_array_unref (had);
}

void
tt_ctf_label_table_make (TtCtfSchema *schema, TtCtfType *type, GArray *array)
{
  TtCtfLabelTable *self = tt_ctf_schema_alloc (schema, sizeof *self);
  const guint n = array->len;
  TtCtfMapping *mappings = tt_ctf_schema_take (schema, array);
  GArray *numbers = g_array_sized_new (FALSE, FALSE, sizeof (guint), n);

  for (guint i = 0; i < n; i++)
    g_array_append_val (numbers, i);
  g_array_sort_with_data (numbers, compare_labels, mappings);
  self->by_label = tt_ctf_schema_take (schema, numbers);
  for (guint i = 0; i < n; i++)
    {
      TtCtfMapping *mapping = &mappings[self->by_label[i]];

      mapping->is_of_several = mapping->low != mapping->high ||
                               (i > 0 && mappings[self->by_label[i - 1]].label == mapping->label) ||
                               (i + 1 < n && mappings[self->by_label[i + 1]].label == mapping->label);
    }
  type->mappings = mappings;
  type->n_mappings = n;
  type->labels = self;
  if (type->is_bit_map)
    make_flags (schema, type, self);
  else
    make_segments (schema, type, self);
}

/* -- what is found -------------------------------------------------------------------------------------------------- */

static guint
find_flags (const TtCtfType *type, guint64 value, guint *found)
{
  const TtCtfLabelTable *self = type->labels;
  guint64 seen[MAX_FOUND] = { 0 }; /* a bit for each label */
  guint n = 0;

  for (guint i = 0; i < self->n_flags && n < MAX_FOUND; i++)
    {
      const Flag *flag = &self->flags[i];

      if ((flag->bits & value) == 0 || (seen[flag->label / 64] >> flag->label % 64 & 1) != 0)
        continue;
      seen[flag->label / 64] |= G_GUINT64_CONSTANT (1) << flag->label % 64;
      found[n++] = flag->number;
    }
  return n;
}

guint
tt_ctf_label_table_find (const TtCtfType *type, guint64 value, guint found[MAX_FOUND])
{
  const TtCtfLabelTable *self = type->labels;
  const guint64 at = tt_ctf_ordered (value, type->is_signed);
  guint first = 0;

  if (self == NULL)
    return 0;
  if (type->is_bit_map)
    return find_flags (type, value, found);
  for (guint until = self->n_segments; first < until;)
    {
      guint middle = first + (until - first) / 2;

      if (self->segments[middle].low <= at)
        first = middle + 1;
      else
        until = middle;
    }
  if (first == 0)
    return 0;
  const Segment *segment = &self->segments[first - 1];
  guint n = segment->n;
  for (guint i = 0; i < n; i++)
    found[i] = self->pool[segment->from + i];
  for (guint i = segment->from + segment->n; i < segment->until; i++)
    set_toggle (found, &n, self->pool[i]);
  return n;
}

gboolean
tt_ctf_label_table_ranges (TtCtfSchema *schema, const TtCtfType *type, const char *label, guint key, GArray *ranges)
{
  const guint *by_label = type->labels == NULL ? NULL : type->labels->by_label;
  guint first = 0, until = by_label == NULL ? 0 : type->n_mappings;

  while (first < until)
    {
      guint middle = first + (until - first) / 2;

      if ((guintptr) type->mappings[by_label[middle]].label < (guintptr) label)
        first = middle + 1;
      else
        until = middle;
    }
  for (guint i = first; by_label != NULL && i < type->n_mappings && type->mappings[by_label[i]].label == label; i++)
    {
      const TtCtfMapping *mapping = &type->mappings[by_label[i]];

      if (!tt_ctf_schema_has_room (schema))
        return FALSE;
      tt_ctf_sections_append (ranges, mapping->low, mapping->high, type->is_signed, key);
    }
  return TRUE;
}
