#include "config.h"

#include "src/base/compare.h"
#include "src/trace/arrange/private.h"

#include <string.h>

/* Records of one key kept in memory; more get a sorter of their own. */
#define MOST_IN_MEMORY 4096u
#define SORT_BYTES ((gsize) 4 << 20)
#define CHECK_EVERY 65536u

/* Records of one key. */
typedef struct
{
  gsize record_size;
  guint8 *records;
  guint n, allocated;
  guint64 high, low;
  TtSorter *sorter; /* of those beyond */
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

/* Orders by length what has one code. */
static inline guint64
shortness (const ArrangeRecord *record)
{
  return arrange_kind (record) == ARRANGE_SPAN ? (guint64) (G_MAXINT64 - record->dur_ns) : 0;
}

static int
compare (gconstpointer a, gconstpointer b, gpointer data)
{
  const ArrangeRecord *one = a, *two = b;
  guint64 x = shortness (one), y = shortness (two);

  return x != y ? TT_COMPARE (x, y) : TT_COMPARE (one->number, two->number);
}

static void
group_to_sorter (Group *group)
{
  if (group->sorter == NULL)
    group->sorter = tt_sorter_new (group->record_size, SORT_BYTES);
  for (guint i = 0; i < group->n; i++)
    {
      ArrangeRecord *record = tt_sorter_add (group->sorter);

      memcpy (record, record_at (group, i), group->record_size);
      record->high = shortness (record);
      record->low = record->number;
    }
  group->n = 0;
}

static void
group_add (Group *group, const ArrangeRecord *record)
{
  if (group->n == MOST_IN_MEMORY)
    group_to_sorter (group);
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
group_finish (Group *group, ArrangeTake take, gpointer data, GError **error)
{
  g_autoptr (GError) failed = NULL;
  gboolean is_sorted = TRUE;

  if (G_UNLIKELY (group->sorter != NULL))
    {
      group_to_sorter (group);
      gboolean ok = tt_sorter_finish (group->sorter, error);
      const ArrangeRecord *sorted = ok ? tt_sorter_next (group->sorter, &failed) : NULL;
      g_autofree ArrangeRecord *record = g_malloc (group->record_size);

      for (; sorted != NULL; sorted = tt_sorter_next (group->sorter, &failed))
        {
          memcpy (record, sorted, group->record_size);
          record->high = group->high;
          record->low = group->low;
          take (record, data);
        }
      g_clear_pointer (&group->sorter, tt_sorter_free);
      if (failed != NULL)
        g_propagate_error (error, g_steal_pointer (&failed));
      return ok && (error == NULL || *error == NULL);
    }

  for (guint i = 1; i < group->n && is_sorted; i++)
    is_sorted = compare (record_at (group, i - 1), record_at (group, i), NULL) < 0;
  if (!is_sorted)
    g_qsort_with_data (group->records, (int) group->n, group->record_size, compare, NULL);
  for (guint i = 0; i < group->n; i++)
    take (record_at (group, i), data);
  group->n = 0;
  return TRUE;
}

static gboolean
take_all (TtSorter *sorter,
          Group *group,
          gboolean is_mixed,
          TtSink *sink,
          ArrangeTake take,
          gpointer data,
          GError **error)
{
  g_autoptr (GError) failed = NULL;
  guint64 n = 0;

  for (const ArrangeRecord *record; (record = tt_sorter_next (sorter, &failed)) != NULL;)
    {
      gboolean is_same = group->n > 0 && record->high == group->high && record->low == group->low;

      if (group->n > 0 && !is_same && !group_finish (group, take, data, error))
        return FALSE;
      if (is_mixed || arrange_code_is_rounded (arrange_code (record)))
        group_add (group, record);
      else
        take (record, data);
      if (++n % CHECK_EVERY == 0 && !tt_sink_check (sink, 0, error))
        return FALSE;
    }
  if (failed == NULL)
    return group_finish (group, take, data, error);
  g_propagate_error (error, g_steal_pointer (&failed));
  return FALSE;
}

gboolean
arrange_each (TtSorter *sorter,
              gsize record_size,
              gboolean is_mixed,
              TtSink *sink,
              ArrangeTake take,
              gpointer data,
              GError **error)
{
  Group group = { .record_size = record_size };
  gboolean ok = tt_sorter_finish (sorter, error) && take_all (sorter, &group, is_mixed, sink, take, data, error);

  tt_sorter_free (group.sorter);
  g_free (group.records);
  return ok;
}
