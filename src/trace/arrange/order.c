/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/base/compare.h"
#include "src/trace/arrange/private.h"

#include <string.h>

/* Records of one key in memory; more get a sorter of their own. */
#define MAX_IN_MEMORY 4096u
#define SORT_BYTES ((gsize) 4 << 20)
#define CHECK_EVERY 65536u

/* Records of one key. */
typedef struct
{
  gsize record_size;
  gboolean is_by_end;
  guint8 *records;
  guint n, allocated;
  guint64 high, low;
  TtSorter *sorter; /* of the records that memory has no room for */
} Group;

guint32
arrange_code_of_span (gint64 dur_ns)
{
  if (dur_ns < ARRANGE_EXACT)
    return ARRANGE_CODE_EMPTY - (guint32) dur_ns;

  guint exponent = 63 - (guint) __builtin_clzll ((guint64) dur_ns);
  guint32 mantissa = (guint32) ((guint64) dur_ns >> (exponent - 24)) & 0xffffff;
  return ARRANGE_CODE_EMPTY - (guint32) ARRANGE_EXACT - ((exponent - 30) << 24) - mantissa;
}

static const ArrangeRecord *
record_at (const Group *group, guint i)
{
  return (const ArrangeRecord *) (gconstpointer) (group->records + i * group->record_size);
}

/* Orders the records of one code by length. */
static inline guint64
find_shortness (const ArrangeRecord *record)
{
  return arrange_kind (record) == ARRANGE_SPAN ? (guint64) (G_MAXINT64 - record->dur_ns) : 0;
}

/* Orders those of one length. */
static inline guint64
find_rank (const ArrangeRecord *record, gboolean is_by_end)
{
  return is_by_end && arrange_kind (record) == ARRANGE_SPAN ? ~(guint64) record->number : record->number;
}

static int
compare_records (gconstpointer a, gconstpointer b, gpointer data)
{
  const Group *group = data;
  const ArrangeRecord *one = a, *two = b;
  guint64 x = find_shortness (one), y = find_shortness (two);

  return x != y ? TT_COMPARE (x, y)
                : TT_COMPARE (find_rank (one, group->is_by_end), find_rank (two, group->is_by_end));
}

static void
write_group (Group *group)
{
  if (group->sorter == NULL)
    group->sorter = tt_sorter_new (group->record_size, SORT_BYTES);
  for (guint i = 0; i < group->n; i++)
    {
      ArrangeRecord *record = tt_sorter_add (group->sorter);

      memcpy (record, record_at (group, i), group->record_size);
      record->high = find_shortness (record);
      record->low = find_rank (record, group->is_by_end);
    }
  group->n = 0;
}

static void
group_add (Group *group, const ArrangeRecord *record)
{
  if (group->n == MAX_IN_MEMORY)
    write_group (group);
  if (group->n == group->allocated)
    {
      group->allocated = MAX (2 * group->allocated, 16);
      group->records = g_realloc (group->records, group->allocated * group->record_size);
    }
  memcpy (group->records + group->n * group->record_size, record, group->record_size);
  group->n++;
  group->high = record->high;
  group->low = record->low;
}

static gboolean
group_finish (Group *group, ArrangeFunc func, gpointer data, GError **error)
{
  g_autoptr (GError) failed = NULL;
  gboolean is_sorted = TRUE;

  if (G_UNLIKELY (group->sorter != NULL))
    {
      write_group (group);
      gboolean ok = tt_sorter_finish (group->sorter, error);
      const ArrangeRecord *sorted = ok ? tt_sorter_next (group->sorter, &failed) : NULL;
      g_autofree ArrangeRecord *record = g_malloc (group->record_size);

      for (; sorted != NULL; sorted = tt_sorter_next (group->sorter, &failed))
        {
          memcpy (record, sorted, group->record_size);
          record->high = group->high;
          record->low = group->low;
          func (record, data);
        }
      g_clear_pointer (&group->sorter, tt_sorter_free);
      if (failed != NULL)
        g_propagate_error (error, g_steal_pointer (&failed));
      return ok && (error == NULL || *error == NULL);
    }

  for (guint i = 1; i < group->n && is_sorted; i++)
    is_sorted = compare_records (record_at (group, i - 1), record_at (group, i), group) < 0;
  if (!is_sorted)
    g_qsort_with_data (group->records, (int) group->n, group->record_size, compare_records, group);
  for (guint i = 0; i < group->n; i++)
    func (record_at (group, i), data);
  group->n = 0;
  return TRUE;
}

static gboolean
order_records (const ArrangeOrder *self, Group *group, GError **error)
{
  g_autoptr (GError) failed = NULL;
  guint64 n = 0;

  for (const ArrangeRecord *record; (record = tt_sorter_next (self->sorter, &failed)) != NULL;)
    {
      gboolean is_same = group->n > 0 && record->high == group->high && record->low == group->low;

      if (group->n > 0 && !is_same && !group_finish (group, self->func, self->data, error))
        return FALSE;
      if (self->is_mixed || self->is_by_end || arrange_code_is_rounded (arrange_code (record)))
        group_add (group, record);
      else
        self->func (record, self->data);
      if (++n % CHECK_EVERY == 0 && !tt_sink_check (self->sink, 0, error))
        return FALSE;
    }
  if (failed == NULL)
    return group_finish (group, self->func, self->data, error);
  g_propagate_error (error, g_steal_pointer (&failed));
  return FALSE;
}

gboolean
arrange_each (const ArrangeOrder *self, GError **error)
{
  Group group = { .record_size = self->record_size, .is_by_end = self->is_by_end };
  gboolean ok = tt_sorter_finish (self->sorter, error) && order_records (self, &group, error);

  tt_sorter_free (group.sorter);
  g_free (group.records);
  return ok;
}
