/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/stack-export/stack-export.h"

#include "formats/stack-export/labels.h"
#include "formats/stack-export/profiles.h"
#include "src/base/array.h"
#include "src/base/error.h"
#include "src/base/map64.h"
#include "src/base/packed.h"

#define SCHEMA "https://www.speedscope.app/file-format-schema.json"

typedef struct
{
  TtStore *store;
  TtOutput *out;
  gboolean original_names;
  TtStackLabels *labels;
  TtMap64 by_name;     /* name id -> frame */
  GHashTable *by_text; /* name, file and line -> frame + 1 */
  GArray *frames;      /* of guint32: a name of each */

  gint64 window_ns; /* begin of the time window, from the run's; 0: none */
  gint64 begin_ns, end_ns;
  gboolean has_profiles, has_events, is_ticks;

  TtStackReport *report;
  const TtCrew *crew; /* NULL: alone */
} Speedscope;

static void
speedscope_clear (Speedscope *self)
{
  g_clear_pointer (&self->labels, tt_stack_labels_free);
  tt_map64_clear (&self->by_name);
  g_hash_table_unref (self->by_text);
  g_array_unref (self->frames);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Speedscope, speedscope_clear)

/* -- frames --------------------------------------------------------------------------------------- */

static guint32
find_frame (Speedscope *self, guint32 name)
{
  guint32 frame = tt_map64_get (&self->by_name, name);

  if (frame != TT_MAP64_NONE)
    return frame;
  g_autofree char *label = tt_stack_label_name (self->store, name, self->original_names);
  const TtStoredName *stored = tt_store_peek_name (self->store, name);
  char *text = stored == NULL || stored->file == NULL
                   ? g_strdup (label)
                   : g_strdup_printf ("%s\n%s\n%" G_GINT64_FORMAT, label, stored->file, stored->line);
  gpointer known = g_hash_table_lookup (self->by_text, text);

  if (known != NULL)
    {
      frame = GPOINTER_TO_UINT (known) - 1;
      g_free (text);
    }
  else
    {
      frame = self->frames->len;
      g_array_append_val (self->frames, name);
      g_hash_table_insert (self->by_text, text, GUINT_TO_POINTER (frame + 1));
    }
  tt_map64_set (&self->by_name, name, frame);
  return frame;
}

static void
write_frames (Speedscope *self)
{
  TtOutput *out = self->out;

  for (guint i = 0; i < self->frames->len; i++)
    {
      guint32 name = g_array_index (self->frames, guint32, i);
      g_autofree char *label = tt_stack_label_name (self->store, name, self->original_names);
      const TtStoredName *stored = tt_store_peek_name (self->store, name);

      tt_output_text (out, i == 0 ? "\n{\"name\":" : ",\n{\"name\":");
      tt_output_json_string (out, label);
      if (stored != NULL && stored->file != NULL)
        {
          tt_output_literal (out, ",\"file\":");
          tt_output_json_string (out, stored->file);
          if (stored->line > 0)
            {
              tt_output_literal (out, ",\"line\":");
              tt_output_int (out, stored->line);
            }
        }
      tt_output_literal (out, "}");
    }
}

/* -- profiles ------------------------------------------------------------------------------------- */

static void
begin_profile (const TtStackProfile *profile, gpointer data)
{
  Speedscope *self = data;
  g_autoptr (GString) name = g_string_new (tt_stack_labels_process (self->labels, profile->thread));

  g_string_append_printf (name, " / %s", tt_stack_labels_thread (self->labels, profile->thread));
  if (profile->is_async && profile->number > 1)
    g_string_append_printf (name, " (async %u)", profile->number);
  else if (profile->is_async)
    g_string_append (name, " (async)");
  else if (profile->number > 1)
    g_string_append_printf (name, " (%u)", profile->number);
  tt_output_text (self->out, self->has_profiles ? ",\n" : "\n");
  tt_output_literal (self->out, "{\"type\":\"evented\",\"name\":");
  tt_output_json_string (self->out, name->str);
  tt_output_literal (self->out, ",\"unit\":\"");
  tt_output_text (self->out, profile->is_ticks ? "none" : "nanoseconds");
  tt_output_literal (self->out, "\",\"events\":[");
  self->has_profiles = TRUE;
  self->has_events = FALSE;
  self->is_ticks = profile->is_ticks;
}

static void
write_event (Speedscope *self, char type, guint32 name, gint64 at_ns)
{
  TtOutput *out = self->out;

  tt_output_text (out, self->has_events ? ",\n{\"type\":\"" : "\n{\"type\":\"");
  tt_output_bytes (out, &type, 1);
  tt_output_literal (out, "\",\"frame\":");
  tt_output_int (out, find_frame (self, name));
  tt_output_literal (out, ",\"at\":");
  tt_output_int (out, at_ns);
  tt_output_literal (out, "}");
  if (!self->has_events)
    self->begin_ns = at_ns;
  self->has_events = TRUE;
  self->end_ns = at_ns;
}

static void
write_open (guint32 name, gint64 at_ns, gpointer data)
{
  write_event (data, 'O', name, at_ns);
}

static void
write_close (guint32 name, gint64 at_ns, gpointer data)
{
  write_event (data, 'C', name, at_ns);
}

/* All profiles start where the run or the window does, so that one time is at one place in all of them. */
static void
end_profile (gpointer data)
{
  Speedscope *self = data;

  tt_output_literal (self->out, "\n],\"startValue\":");
  tt_output_int (self->out, MIN (self->begin_ns, self->is_ticks ? 0 : self->window_ns));
  tt_output_literal (self->out, ",\"endValue\":");
  tt_output_int (self->out, self->end_ns);
  tt_output_literal (self->out, "}");
}

static const TtStackProfileWriter writer = { begin_profile, write_open, write_close, end_profile };

/* -- the file ------------------------------------------------------------------------------------- */

static gboolean
bind_selection (Speedscope *self, TtSelection *selection, GError **error)
{
  gint64 first_ns, last_ns, begin_ns, end_ns;

  if (selection == NULL)
    return TRUE;
  if (!tt_selection_bind (selection, self->store, error))
    return FALSE;
  tt_selection_window (selection, &begin_ns, &end_ns);
  if (begin_ns == G_MININT64 || !tt_store_main_range (self->store, &first_ns, &last_ns, error))
    return error == NULL || *error == NULL;
  self->window_ns = begin_ns > first_ns ? begin_ns - first_ns : 0;
  return TRUE;
}

static void
write_head (Speedscope *self)
{
  guint n;
  const TtSource *sources = tt_store_sources (self->store, &n);
  g_autofree char *name = n > 0 && sources[0].path != NULL ? g_path_get_basename (sources[0].path) : g_strdup ("trace");

  tt_output_literal (self->out, "{\"$schema\":\"" SCHEMA "\",\"exporter\":\"tracetool " PACKAGE_VERSION "\",\"name\":");
  tt_output_json_string (self->out, name);
  tt_output_literal (self->out, ",\"activeProfileIndex\":0,\"profiles\":[");
}

static void
write_tail (Speedscope *self)
{
  tt_output_literal (self->out, "\n],\"shared\":{\"frames\":[");
  write_frames (self);
  tt_output_literal (self->out, "\n]}}\n");
}

/* -- ranks -------------------------------------------------------------------------------------------- */

/* What all have agreed on. */
typedef struct
{
  Speedscope *self;
  GByteArray *told, *names; /* names: those that are new to the ranks before */
  guint64 last, n_names;
  guint first_rank; /* that has any; n: none */
  gboolean is_odd;
} Agreement;

static void
tell_agreement (Agreement *self)
{
  tt_pack_number (self->told, self->is_odd);
  tt_pack_number (self->told, self->first_rank);
  tt_pack_number (self->told, self->n_names);
  g_byte_array_append (self->told, self->names->data, self->names->len);
}

/* Threads of a rank come after those of ranks before it, or one has to write all. */
static gboolean
add_part (guint rank, const GByteArray *said, gpointer data, GError **error)
{
  Agreement *self = data;
  TtUnpack from = tt_unpack_all (said);
  const gboolean has_any = tt_unpack_below (&from, TRUE) != 0;

  self->is_odd |= tt_unpack_below (&from, TRUE) != 0;
  const guint64 first = tt_unpack_number (&from), last = tt_unpack_number (&from);
  const guint64 n = tt_unpack_below (&from, tt_store_max_name (self->self->store));
  for (guint64 i = 0; i < n && !from.is_bad; i++)
    {
      const guint32 name = (guint32) tt_unpack_below (&from, tt_store_max_name (self->self->store));
      if (from.is_bad || tt_map64_get (&self->self->by_name, name) != TT_MAP64_NONE)
        continue;
      find_frame (self->self, name);
      tt_pack_number (self->names, name);
      self->n_names++;
    }
  if (from.is_bad)
    return tt_crew_refuse (rank, error);
  if (has_any)
    {
      self->is_odd |= self->first_rank < rank && first <= self->last;
      self->first_rank = MIN (self->first_rank, rank);
      self->last = last;
    }
  if (rank + 1 == self->self->crew->n)
    tell_agreement (self);
  return TRUE;
}

static gboolean
hear_agreement (Speedscope *self, const GByteArray *told, GError **error)
{
  TtUnpack from = tt_unpack_all (told);

  self->report->is_odd = tt_unpack_below (&from, TRUE) != 0;
  self->has_profiles = tt_unpack_below (&from, self->crew->n) < self->crew->rank;
  for (guint64 i = tt_unpack_number (&from); i > 0 && !from.is_bad; i--)
    {
      const guint32 name = (guint32) tt_unpack_below (&from, tt_store_max_name (self->store));
      if (!from.is_bad)
        find_frame (self, name);
    }
  if (!from.is_bad)
    return !self->report->is_odd;
  self->report->is_odd = FALSE;
  g_set_error_literal (error, TT_ERROR, TT_ERROR_INPUT, "what rank 0 tells cannot be right");
  return FALSE;
}

/* FALSE on others than rank 0 without @error: it is over. */
static gboolean
meet (Speedscope *self, const GByteArray *own, TtCrewAddFunc add, gpointer data, GByteArray *told, GError **error)
{
  GError *failure = NULL;
  const gboolean is_met = tt_crew_meet (self->crew, own, add, data, told, &failure);

  self->report->is_over = !is_met && failure == NULL && self->crew->rank > 0;
  if (failure != NULL)
    g_propagate_error (error, failure);
  return is_met;
}

static gboolean
agree (const TtStackPart *part, gpointer data, GError **error)
{
  Speedscope *self = data;
  g_autoptr (GByteArray) own = g_byte_array_new (), told = g_byte_array_new (), names = g_byte_array_new ();
  Agreement agreement = { .self = self, .told = told, .names = names, .first_rank = self->crew->n };

  tt_pack_number (own, part->has_any);
  tt_pack_number (own, part->is_odd);
  tt_pack_number (own, part->has_any ? part->first : 0);
  tt_pack_number (own, part->last);
  tt_pack_number (own, part->names->len);
  for (guint i = 0; i < part->names->len; i++)
    tt_pack_number (own, g_array_index (part->names, guint32, i));
  return meet (self, own, add_part, &agreement, told, error) && hear_agreement (self, told, error);
}

typedef struct
{
  Speedscope *self;
  GByteArray *told;
  TtStackReport sum;
} Reports;

static gboolean
add_report (guint rank, const GByteArray *said, gpointer data, GError **error)
{
  Reports *self = data;
  TtUnpack from = tt_unpack_all (said);

  self->sum.n_crossing += tt_unpack_number (&from);
  self->sum.n_spans += tt_unpack_number (&from);
  self->sum.n_profiles += tt_unpack_number (&from);
  self->sum.n_instants += tt_unpack_number (&from);
  if (from.is_bad)
    return tt_crew_refuse (rank, error);
  if (rank + 1 == self->self->crew->n)
    tt_pack_number (self->told, self->sum.n_crossing > 0);
  return TRUE;
}

/* When all have written. On rank 0 its report becomes that of all. */
static gboolean
sum_reports (Speedscope *self, GError **error)
{
  TtStackReport *report = self->report;
  g_autoptr (GByteArray) own = g_byte_array_new (), told = g_byte_array_new ();
  Reports reports = { .self = self, .told = told };

  tt_pack_number (own, report->n_crossing);
  tt_pack_number (own, report->n_spans);
  tt_pack_number (own, report->n_profiles);
  tt_pack_number (own, report->n_instants);
  if (!meet (self, own, add_report, &reports, told, error))
    return FALSE;
  report->is_odd = told->len != 1 || told->data[0] != 0;
  if (self->crew->rank > 0)
    return TRUE;
  report->n_spans = reports.sum.n_spans;
  report->n_profiles = reports.sum.n_profiles;
  report->n_instants = reports.sum.n_instants;
  return TRUE;
}

/* Ids of events fall with ranks, as a scan of all begins with the last; what is written rises. */
static gboolean
write_part (Speedscope *self, TtSelection *selection, GError **error)
{
  TtCrew mirrored = *self->crew;
  g_auto (TtSharedScan) scan = { NULL };

  mirrored.rank = self->crew->n - 1 - self->crew->rank;
  tt_shared_scan_init (&scan, self->store, &mirrored, FALSE);
  const TtStackSharing sharing = { &scan, agree };
  self->report->is_odd = !scan.is_shared;
  return scan.is_shared &&
         tt_stack_profiles_write (self->store, selection, self->report, &sharing, &writer, self, error);
}

/* -- public --------------------------------------------------------------------------------------- */

gboolean
tt_speedscope_export (TtStore *store,
                      const TtStackOptions *options,
                      TtOutput *out,
                      TtStackReport *report,
                      GError **error)
{
  TtSelection *selection = options->selection;
  g_auto (Speedscope) self = {
    .store = store,
    .out = out,
    .original_names = options->original_names,
    .labels = tt_stack_labels_new (store),
    .by_text = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL),
    .frames = g_array_new (FALSE, FALSE, sizeof (guint32)),
  };

  self.report = report;
  self.crew = options->crew;
  if (!bind_selection (&self, selection, error))
    return FALSE;
  if (self.crew == NULL || self.crew->rank == 0)
    write_head (&self);
  if (self.crew == NULL ? !tt_stack_profiles_write (store, selection, report, NULL, &writer, &self, error)
                        : !write_part (&self, selection, error))
    return report->is_odd || report->is_over;
  if (self.crew == NULL || self.crew->rank + 1 == self.crew->n)
    write_tail (&self);
  report->n_renamed += tt_stack_labels_n_renamed (self.labels);
  return self.crew == NULL || sum_reports (&self, error) || report->is_over;
}
