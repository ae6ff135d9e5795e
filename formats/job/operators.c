/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/job/operators.h"

#include "formats/job/model.h"
#include "formats/job/rows.h"
#include "formats/job/temp-operators.h"

#include "src/base/id-table.h"
#include "src/base/sorter.h"
#include "src/base/text-ids.h"

#include <string.h>

/*
 * The operators of one GPU: ordered by thread and time, the pieces of one operator joined ("sub-traces": neighbours on
 * a thread with one name, in one step), then surveyed or given their rows. What is joined lasts as long as any of its
 * pieces runs; the time between its first begin and its last end is its metric "hull".
 */

#define SORT_BYTES ((gsize) 16 << 20)
#define ARGS_BYTES ((gsize) 4 << 20)
#define ROWS_PER_CHECK 65536u

typedef struct
{
  guint64 track; /* then ts_key */
  guint64 ts_key;
  gint64 dur_ns;
  guint64 offset;
  guint64 args; /* on the tape */
  guint32 args_len;
  guint32 name;
  gint32 step;
  guint32 reserved;
} Row;

/* The node of a name in the model's graph: TT_TF_NO_NODE: none. */
typedef struct
{
  guint32 is_known;
  guint32 node;
} Node;

/* One or more pieces that go on. */
typedef struct
{
  Row row; /* of the first, with the duration of all */
  gint64 end_ns;
  guint n;
} Open;

typedef struct
{
  TtJobImport *job;
  TtJobImportProcess *process;
  TtTextIds *tracks; /* text of the source -> number + 1 */
  guint32 n_tracks;
  TtIdTable threads;  /* by track: id of the sink (guint32); empty while surveying */
  TtIdTable nodes;    /* by id of a name: Node; likewise */
  GHashTable *inputs; /* node -> its predecessors as members of a JSON object (char *) */
  TtSorter *rows;
  TtTape *args;
  GString *text;
  guint64 n;
} Operators;

/* -- collecting ------------------------------------------------------------------------------------------- */

static guint
find_track (Operators *self, const char *track)
{
  gsize len = strlen (track);
  guint32 number = tt_text_ids_find (self->tracks, 0, track, len);

  if (number != 0)
    return number - 1;
  number = self->n_tracks++;
  tt_text_ids_add (self->tracks, 0, track, len, number + 1);
  if (self->job->arrange != NULL)
    {
      g_autofree char *tid = g_strdup_printf ("operator%u", number);
      guint32 thread = tt_sink_thread (self->job->sink, self->process->process, tid, track, number);
      *(guint32 *) tt_id_table_at (&self->threads, number) = thread;
    }
  return number;
}

/* A graph has raw names or standard ones. */
static guint32
find_node (const TtJobImportModel *model, const TtOperator *row)
{
  g_autofree char *standard = g_strdup_printf ("%s.%s", row->op_cat, row->op_name);
  g_auto (TtTfName) by_standard = tt_tf_names_resolve (model->names, standard);
  g_auto (TtTfName) by_raw = tt_tf_names_resolve (model->names, row->op_name);

  return by_standard.node != TT_TF_NO_NODE ? by_standard.node : by_raw.node;
}

/* Once for each name. */
static void
note_node (Operators *self, guint32 name, const TtOperator *row)
{
  const TtJobImportModel *model = self->job->model;
  Node *found = model->graph == NULL ? NULL : tt_id_table_at (&self->nodes, name);

  if (found != NULL && !found->is_known)
    *found = (Node){ TRUE, find_node (model, row) };
}

/* ,"input0":"FW.x","input1":... */
static const char *
make_inputs (Operators *self, guint32 name)
{
  const TtJobImportModel *model = self->job->model;
  const Node *found = model->graph == NULL ? NULL : tt_id_table_at (&self->nodes, name);
  g_autoptr (GString) members = NULL;
  guint n;

  if (found == NULL || !found->is_known || found->node == TT_TF_NO_NODE)
    return "";
  const char *known = g_hash_table_lookup (self->inputs, GUINT_TO_POINTER (found->node));
  if (known != NULL)
    return known;
  const guint32 *inputs = tt_local_graph_predecessors (model->graph, found->node, &n);
  members = g_string_new (NULL);
  for (guint i = 0; i < n; i++)
    {
      g_autofree char *text = tt_job_import_node_json (model, inputs[i]);
      g_string_append_printf (members, ",\"input%u\":%s", i, text);
    }
  char *made = g_string_free (g_steal_pointer (&members), FALSE);
  g_hash_table_insert (self->inputs, GUINT_TO_POINTER (found->node), made);
  return made;
}

static gboolean
check_tables (const Operators *self, GError **error)
{
  return tt_tape_check (self->args, error) && tt_text_ids_check (self->tracks, error) &&
         tt_id_table_check (&self->threads, error) && tt_id_table_check (&self->nodes, error);
}

static gboolean
on_operator (const TtOperator *row, gpointer data, GError **error)
{
  Operators *self = data;
  TtSink *sink = self->job->sink;
  gint64 end_ns;

  if (row->dur_ns < 0 || __builtin_add_overflow (row->ts_ns, row->dur_ns, &end_ns))
    {
      tt_sink_repair (sink, TT_REPAIR_ODD_RECORD, row->offset);
      return TRUE;
    }
  const TtRawName raw = { .raw = row->op_name, .op_cat = row->op_cat, .sub_op = row->sub_op, .group = "operator" };
  Row *kept = tt_sorter_add (self->rows);
  *kept = (Row){
    .track = find_track (self, row->track == NULL ? "" : row->track),
    .ts_key = tt_sort_key (row->ts_ns),
    .dur_ns = row->dur_ns,
    .offset = row->offset,
    .name = tt_sink_name (sink, &raw),
    .step = row->step,
  };
  tt_job_import_see (self->job, self->process, (guint32) kept->track, row->ts_ns, row->dur_ns);
  if (self->job->arrange != NULL)
    {
      kept->args = tt_tape_append (self->args, row->args.bytes, row->args.len);
      kept->args_len = (guint32) row->args.len;
      note_node (self, kept->name, row);
    }
  return ++self->n % ROWS_PER_CHECK != 0 || check_tables (self, error);
}

/* -- rows ------------------------------------------------------------------------------------------------- */

static TtStepClass
find_class (Operators *self, guint32 name)
{
  TtName found;

  return tt_names_get (self->job->sink->names, name, &found) ? tt_step_class (found.op_cat) : TT_STEP_OTHER;
}

static void
survey_row (Operators *self, const Row *row, gint64 end_ns)
{
  TtJobImportProcess *process = self->process;
  gint64 ts_ns = tt_sort_value (row->ts_key);

  if (process->first_ns == TT_NO_TIME || ts_ns < process->first_ns)
    process->first_ns = ts_ns;
  if (process->end_ns == TT_NO_TIME || end_ns > process->end_ns)
    process->end_ns = end_ns;
  tt_step_finder_add (self->job->finder, process->process, row->name, ts_ns, find_class (self, row->name), row->step);
}

/* The source's arguments and the predecessors in the graph. */
static void
make_args (Operators *self, const Row *row)
{
  const char *inputs = make_inputs (self, row->name);
  GString *text = self->text;

  g_string_set_size (text, row->args_len);
  tt_tape_read (self->args, row->args, text->str, row->args_len);
  if (*inputs == '\0')
    return;
  while (text->len > 0 && text->str[text->len - 1] != '}')
    g_string_truncate (text, text->len - 1);
  if (text->len == 0)
    g_string_assign (text, "{}");
  g_string_truncate (text, text->len - 1);
  while (text->len > 1 && g_ascii_isspace (text->str[text->len - 1]))
    g_string_truncate (text, text->len - 1);
  g_string_append (text, g_str_has_suffix (text->str, "{") ? inputs + 1 : inputs);
  g_string_append_c (text, '}');
}

static void
finish_row (Operators *self, const Open *open)
{
  const Row *row = &open->row;

  if (self->job->arrange == NULL)
    {
      survey_row (self, row, open->end_ns);
      return;
    }
  make_args (self, row);
  const TtJobImportSpan span = {
    .process = self->process,
    .thread = *(const guint32 *) tt_id_table_at (&self->threads, (guint32) row->track),
    .name = row->name,
    .ts_ns = tt_sort_value (row->ts_key),
    .dur_ns = row->dur_ns,
    .hull_ns = open->n > 1 ? open->end_ns - tt_sort_value (row->ts_key) : 0,
    .step = row->step,
    .flags = TT_ARRANGE_SEEN,
    .args = self->text->str,
    .args_len = self->text->len,
    .offset = row->offset,
  };
  tt_job_import_add_span (self->job, &span);
}

/* Joins @row to @open if both are pieces of one operator. FALSE: they are not. */
static gboolean
join_pieces (Operators *self, Open *open, const Row *row)
{
  Row *first = &open->row;
  gint64 ts_ns = tt_sort_value (row->ts_key), end_ns = MAX (open->end_ns, ts_ns + row->dur_ns), hull_ns;

  if (first->track != row->track || first->name != row->name || first->step != row->step ||
      __builtin_sub_overflow (end_ns, tt_sort_value (first->ts_key), &hull_ns))
    return FALSE;
  first->dur_ns += end_ns - MAX (ts_ns, open->end_ns);
  open->end_ns = end_ns;
  open->n++;
  tt_sink_repair (self->job->sink, TT_REPAIR_SUB_TRACE, row->offset);
  return TRUE;
}

static gboolean
finish_rows (Operators *self, GError **error)
{
  GError *failure = NULL;
  const Row *row;
  Open open = { 0 };

  if (!tt_sorter_finish (self->rows, error))
    return FALSE;
  for (guint64 i = 1; (row = tt_sorter_next (self->rows, &failure)) != NULL; i++)
    {
      if (i % ROWS_PER_CHECK == 0 && !tt_sink_check (self->job->sink, 0, error))
        return FALSE;
      if (open.n > 0 && join_pieces (self, &open, row))
        continue;
      if (open.n > 0)
        finish_row (self, &open);
      open = (Open){ *row, tt_sort_value (row->ts_key) + row->dur_ns, 1 };
    }
  if (failure != NULL)
    {
      g_propagate_error (error, failure);
      return FALSE;
    }
  if (open.n > 0)
    finish_row (self, &open);
  return check_tables (self, error);
}

static TtOperatorSource
make_source (const TtJobImport *self, const char *path)
{
  return (TtOperatorSource){ .path = path,
                             /* Operators that metadata.json does not list may still have run. */
                             .graph = self->model->source == TT_JOB_FILE_METADATA ? NULL : self->model->graph,
                             .names = self->model->names,
                             .sink = self->sink,
                             .strict = self->options->strict };
}

gboolean
tt_job_import_read_operators (TtJobImport *job,
                              TtJobImportProcess *process,
                              const char *path,
                              gboolean is_temp,
                              GError **error)
{
  const TtOperatorSource source = make_source (job, path);
  g_autoptr (TtTextIds) tracks = tt_text_ids_new ();
  g_autoptr (GHashTable) inputs = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  g_autoptr (TtSorter) rows = tt_sorter_new (sizeof (Row), SORT_BYTES);
  g_autoptr (TtTape) args = tt_tape_new (ARGS_BYTES);
  g_autoptr (GString) text = g_string_new (NULL);
  Operators self = {
    .job = job,
    .process = process,
    .tracks = tracks,
    .threads = { .row_size = sizeof (guint32) },
    .nodes = { .row_size = sizeof (Node) },
    .inputs = inputs,
    .rows = rows,
    .args = args,
    .text = text,
  };
  gboolean is_read = (is_temp ? tt_temp_operators : tt_tf_profile_operators) (&source, on_operator, &self, error) &&
                     finish_rows (&self, error);

  tt_id_table_clear (&self.threads);
  tt_id_table_clear (&self.nodes);
  return is_read;
}
