#include "config.h"

#include "analyzers/name2sta.h"

#include "analyzers/grouping.h"
#include "src/error.h"
#include "src/progress.h"
#include "src/sorter.h"

#include <string.h>

#define SORT_MEMORY ((gsize) 48 << 20)
#define ROWS_PER_CHECK 65536
/* Every operation lists all steps. */
#define MAX_STEP (1 << 24)

/* A span in (ts, name) order; spans equal in both keep the order of their ends. */
typedef struct
{
  guint64 ts_key;
  guint64 name_rank;
  gint64 dur_ns;
  guint32 group; /* G_MAXUINT32: not selected */
  gint32 step;
} SpanRecord;

/* An appearance of an operation, in the order of the operations' ids. */
typedef struct
{
  guint64 id;
  guint64 index;
  gint32 step;
  guint32 reserved;
} IndexRecord;

typedef struct
{
  guint32 group;
  guint64 count;
  tt_int128 sum_ns;
  gint64 min_ns, max_ns;
} Operation;

typedef struct
{
  TtStore *store;
  TtSelection *selection;
  TtGrouping *grouping;
  guint32 *name_rank; /* by id */
  TtSorter *spans, *indices;
  GArray *operations; /* of Operation, by id */
  gint32 max_step;
} Writer;

/* -- order of names ------------------------------------------------------------------------------ */

static int
compare_names (gconstpointer a, gconstpointer b, gpointer store)
{
  const TtStoredName *name_a = tt_store_name (store, *(const guint32 *) a);
  const TtStoredName *name_b = tt_store_name (store, *(const guint32 *) b);

  return strcmp (name_a->text, name_b->text);
}

/* Equal texts get equal ranks. Free it. */
static guint32 *
rank_names (TtStore *store)
{
  guint32 max = tt_store_max_name (store), rank = 0;
  guint32 *ranks = g_new0 (guint32, (gsize) max + 1);
  g_autoptr (GArray) ids = g_array_new (FALSE, FALSE, sizeof (guint32));

  for (guint32 id = 1; id <= max && id != 0; id++)
    if (tt_store_name (store, id) != NULL)
      g_array_append_val (ids, id);
  g_array_sort_with_data (ids, compare_names, store);
  for (guint i = 0; i < ids->len; i++)
    {
      const guint32 *id = &g_array_index (ids, guint32, i);
      if (i == 0 || compare_names (id - 1, id, store) != 0)
        rank++;
      ranks[*id] = rank;
    }
  return ranks;
}

/* -- collecting ---------------------------------------------------------------------------------- */

static void
add_span (Writer *self, const TtEvent *event)
{
  gboolean is_selected = self->selection == NULL || tt_selection_matches (self->selection, event);
  SpanRecord *record = tt_sorter_add (self->spans);

  record->ts_key = tt_sort_key (event->ts_ns);
  record->name_rank = event->name <= tt_store_max_name (self->store) ? self->name_rank[event->name] : 0;
  record->dur_ns = event->dur_ns;
  record->group =
      is_selected ? tt_grouping_group (self->grouping, event->thread, event->name, TT_NO_STEP) : G_MAXUINT32;
  record->step = event->step;
  self->max_step = MAX (self->max_step, event->step);
}

static gboolean
collect_spans (Writer *self, GError **error)
{
  TtEventScan *scan = tt_event_scan_new (self->store, TT_SCAN_DEFAULT, error);
  g_autoptr (TtProgress) progress = tt_progress_new ("reading", tt_store_n_events (self->store), "events");
  TtEvent event;
  guint64 n = 0;
  gboolean is_cancelled = FALSE;

  if (scan == NULL)
    return FALSE;
  while (!is_cancelled && tt_event_scan_next (scan, &event))
    {
      if (event.dur_ns != TT_NO_TIME)
        add_span (self, &event);
      if (++n % ROWS_PER_CHECK == 0)
        {
          tt_progress_add (progress, ROWS_PER_CHECK);
          is_cancelled = tt_cancelled (error);
        }
    }
  return tt_event_scan_finish (scan, is_cancelled ? NULL : error) && !is_cancelled &&
         tt_sorter_finish (self->spans, error);
}

static void
tally_operation (Operation *operation, gint64 dur_ns)
{
  operation->min_ns = operation->count == 0 ? dur_ns : MIN (operation->min_ns, dur_ns);
  operation->max_ns = operation->count == 0 ? dur_ns : MAX (operation->max_ns, dur_ns);
  operation->sum_ns += dur_ns;
  operation->count++;
}

/* Numbers the spans and, at their first span, the operations. */
static gboolean
number_spans (Writer *self, GError **error)
{
  guint32 n_groups = tt_grouping_count (self->grouping);
  g_autofree guint32 *id_plus_1 = g_new0 (guint32, (gsize) n_groups + 1);
  const SpanRecord *span;
  GError *failure = NULL;

  for (guint64 index = 0; (span = tt_sorter_next (self->spans, &failure)) != NULL; index++)
    {
      if (span->group == G_MAXUINT32)
        continue;
      if (id_plus_1[span->group] == 0)
        {
          const Operation operation = { .group = span->group };
          g_array_append_val (self->operations, operation);
          id_plus_1[span->group] = self->operations->len;
        }

      guint32 id = id_plus_1[span->group] - 1;
      tally_operation (&g_array_index (self->operations, Operation, id), span->dur_ns);
      if (self->max_step != TT_NO_STEP && span->step == TT_NO_STEP)
        continue;
      IndexRecord *record = tt_sorter_add (self->indices);
      *record = (IndexRecord){ .id = id, .index = index, .step = span->step };
    }
  if (failure == NULL)
    return tt_sorter_finish (self->indices, error);
  g_propagate_error (error, failure);
  return FALSE;
}

/* -- writing ------------------------------------------------------------------------------------- */

/* Nanoseconds as milliseconds, exactly. */
static void
write_ms (TtOutput *out, tt_int128 ns)
{
  char digits[TT_INT128_TEXT];
  char fraction[8];
  guint len = 6;

  tt_output_text (out, tt_int128_text (digits, ns / 1000000));
  g_snprintf (fraction, sizeof fraction, "%06d", (int) (ns % 1000000));
  while (len > 0 && fraction[len - 1] == '0')
    fraction[--len] = '\0';
  if (len > 0)
    tt_output_printf (out, ".%s", fraction);
}

/* The shortest text that reads back as the same number. */
static void
write_real (TtOutput *out, double value)
{
  char text[G_ASCII_DTOSTR_BUF_SIZE];

  g_ascii_formatd (text, sizeof text, "%.15g", value);
  if (g_ascii_strtod (text, NULL) != value)
    g_ascii_formatd (text, sizeof text, "%.17g", value);
  tt_output_text (out, text);
}

static void
write_operation (Writer *self, TtOutput *out, guint id)
{
  const Operation *operation = &g_array_index (self->operations, Operation, id);
  TtGroupMember member = tt_grouping_member (self->grouping, operation->group);
  g_autofree char *name =
      tt_group_key_label (self->store, TT_KEY_OP_LONG_NAME, TT_NO_ID, member, tt_store_name (self->store, member.name));

  tt_output_text (out, id == 0 ? "{\n" : ",\n");
  tt_output_json_string (out, name);
  tt_output_literal (out, ":{\"avg\":");
  write_real (out, (double) operation->sum_ns / (double) operation->count / 1e6);
  tt_output_printf (out, ",\"cnt\":%" G_GUINT64_FORMAT ",\"time\":", operation->count);
  write_ms (out, operation->sum_ns);
  tt_output_literal (out, ",\"min_t\":");
  write_ms (out, operation->min_ns);
  tt_output_literal (out, ",\"max_t\":");
  write_ms (out, operation->max_ns);
  tt_output_printf (out, ",\"id\":%u,\"step_ids\":[", id);
}

/* Steps of one operation, filled as its appearances pass. */
typedef struct
{
  gint64 *last; /* by step; -1: none */
  gint32 n;
} StepTable;

static void
write_steps (TtOutput *out, StepTable *steps)
{
  for (gint32 s = 0; s < steps->n; s++)
    {
      if (s > 0)
        tt_output_literal (out, ",");
      if (steps->last[s] < 0)
        tt_output_literal (out, "null");
      else
        tt_output_int (out, steps->last[s]);
      steps->last[s] = -1;
    }
}

static gboolean
write_operations (Writer *self, TtOutput *out, StepTable *steps, GError **error)
{
  GError *failure = NULL;
  const IndexRecord *record = tt_sorter_next (self->indices, &failure);

  for (guint id = 0; id < self->operations->len; id++)
    {
      gboolean is_first = TRUE;

      write_operation (self, out, id);
      for (; record != NULL && record->id == id; record = tt_sorter_next (self->indices, &failure))
        {
          if (steps->n > 0)
            {
              if (record->step >= 0)
                steps->last[record->step] = (gint64) record->index;
              continue;
            }
          if (!is_first)
            tt_output_literal (out, ",");
          tt_output_int (out, (gint64) record->index);
          is_first = FALSE;
        }
      write_steps (out, steps);
      tt_output_literal (out, "]}");
    }
  tt_output_text (out, self->operations->len == 0 ? "{}\n" : "\n}\n");
  if (failure == NULL)
    return TRUE;
  g_propagate_error (error, failure);
  return FALSE;
}

static gboolean
write_all (Writer *self, TtOutput *out, GError **error)
{
  StepTable steps = { 0 };

  if (!collect_spans (self, error) || !number_spans (self, error))
    return FALSE;
  if (self->max_step > MAX_STEP)
    {
      g_set_error (error, TT_ERROR, TT_ERROR_INPUT, "the run has a step %d: too many steps for step_ids",
                   self->max_step);
      return FALSE;
    }
  if (self->max_step != TT_NO_STEP)
    {
      steps.n = self->max_step + 1;
      steps.last = g_new (gint64, steps.n);
      memset (steps.last, 0xff, sizeof (gint64) * (gsize) steps.n);
    }
  gboolean is_ok = write_operations (self, out, &steps, error);
  g_free (steps.last);
  return is_ok;
}

gboolean
tt_name2sta_write (TtStore *store, TtSelection *selection, TtOutput *out, guint *n_rows, GError **error)
{
  const TtGroupKeys keys = { .n = 1, .key = { TT_KEY_OP_LONG_NAME } };
  g_autoptr (TtGrouping) grouping = tt_grouping_new (store, &keys);
  g_autoptr (TtSorter) spans = tt_sorter_new (sizeof (SpanRecord), SORT_MEMORY);
  g_autoptr (TtSorter) indices = tt_sorter_new (sizeof (IndexRecord), SORT_MEMORY);
  g_autoptr (GArray) operations = g_array_new (FALSE, FALSE, sizeof (Operation));
  Writer self = {
    .store = store,
    .selection = selection,
    .grouping = grouping,
    .name_rank = rank_names (store),
    .spans = spans,
    .indices = indices,
    .operations = operations,
    .max_step = TT_NO_STEP,
  };
  gboolean is_ok = write_all (&self, out, error);

  *n_rows = operations->len;
  g_free (self.name_rank);
  return is_ok;
}
