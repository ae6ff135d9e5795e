/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/cli/command.h"

#include "formats/pi/options.h"
#include "formats/pi/print/print.h"
#include "src/base/output.h"
#include "src/base/suggest.h"
#include "src/pi/print/tables.h"

#include <string.h>

#define MAX_KERNELS 8u

typedef enum
{
  STYLE_NAMED,
  STYLE_CLASSIC,
} Style;

typedef struct
{
  char *style_text, *group, *order, *calls, *function, *format_text, *generation, *ids, *output;
  char **threads;
  gboolean is_verbose, has_perf, has_errors, salvage, wide;
  Style style;
  TtReportFormat format;
  TtPiChoice choice;
} Options;

static void
options_clear (Options *self)
{
  char *const texts[] = { self->style_text,  self->group,      self->order, self->calls, self->function,
                          self->format_text, self->generation, self->ids,   self->output };

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    g_free (texts[i]);
  g_strfreev (self->threads);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Options, options_clear)

/* -- options ------------------------------------------------------------------------------------------------ */

/* Place of @text among @words, or of the first if it is NULL; -1 with @error. */
static int
find_word (const char *option, const char *text, const char *const *words, GError **error)
{
  for (int i = 0; words[i] != NULL; i++)
    if (text == NULL || g_str_equal (text, words[i]))
      return i;

  const char *near = tt_suggest (text, words);
  g_autofree char *all = g_strjoinv (", ", (char **) words);
  g_set_error (error, TT_ERROR, TT_ERROR_USAGE, "'%s %s' is not one of %s%s%s%s", option, text, all,
               near == NULL ? "" : "; did you mean '", near == NULL ? "" : near, near == NULL ? "" : "'?");
  return -1;
}

static gboolean
usage_error (GError **error, const char *text)
{
  g_set_error_literal (error, TT_ERROR, TT_ERROR_USAGE, text);
  return FALSE;
}

static const char *const styles[] = { "named", "classic", NULL };
static const char *const groups[] = { "thread", NULL };
static const char *const orders[] = { "name", "directory", NULL };

static gboolean
check_combination (const Options *self, GError **error)
{
  gboolean is_listing = !self->has_perf && !self->has_errors;

  if (self->style == STYLE_CLASSIC && (self->format != TT_FORMAT_TABLE || self->has_errors))
    return usage_error (error, "'--style classic' has neither '--format' nor '--errors'");
  if (self->has_errors && (self->has_perf || self->format != TT_FORMAT_TABLE || self->group != NULL))
    return usage_error (error, "'--errors' goes with none of '--perf', '--format', '--group'; for programs, calls in "
                               "'--format json' say whether they failed");
  if (is_listing && self->format != TT_FORMAT_TABLE && self->format != TT_FORMAT_JSON)
    return usage_error (error, "calls have no columns: '--format json' prints an object a call; '--perf' has "
                               "'--format csv|tsv|markdown' too");
  if (self->has_perf && self->style == STYLE_NAMED && self->output != NULL)
    return usage_error (error, "the table of '--perf' goes to standard output; leave out '--output'");
  return TRUE;
}

static gboolean
check_options (Options *self, GError **error)
{
  int style = find_word ("--style", self->style_text, styles, error);

  if (style < 0 || (self->format_text != NULL && !tt_report_format_parse (self->format_text, &self->format, error)) ||
      find_word ("--group", self->group, groups, error) < 0 || find_word ("--order", self->order, orders, error) < 0 ||
      (self->calls != NULL && !tt_pi_choice_parse_calls (&self->choice, self->calls, error)))
    return FALSE;
  if (self->order != NULL && self->group == NULL)
    return usage_error (error, "'--order' is the order of threads: it needs '--group thread'");
  self->style = (Style) style;
  self->choice.functions = self->function;
  self->choice.threads = self->threads;
  self->choice.names_objects = self->style == STYLE_NAMED && !self->has_perf;
  return check_combination (self, error);
}

/* -- listing ------------------------------------------------------------------------------------------------- */

typedef struct
{
  TtPiTrace *trace;
  const Options *options;
  TtOutput *out;
  GPtrArray *threads; /* their names, safe to print */
  guint thread_width;
  gboolean has_colours;
  TtPiClassicPerf *perf; /* NULL: not wanted */
  GString *line;
  const char *framed; /* the thread whose frame is open; NULL: none */
  guint64 n_calls, n_failed;
} Listing;

static void
listing_clear (Listing *self)
{
  g_clear_pointer (&self->threads, g_ptr_array_unref);
  g_clear_pointer (&self->out, tt_output_free);
  g_clear_pointer (&self->perf, tt_pi_classic_perf_free);
  if (self->line != NULL)
    g_string_free (self->line, TRUE);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Listing, listing_clear)

static void
put_named (Listing *self, const TtPiCall *call, const TtPiWalk *walk)
{
  const TtPiLine line = {
    .number = walk->number,
    .thread = self->threads->pdata[walk->thread],
    .thread_width = self->thread_width,
    .is_verbose = self->options->is_verbose,
    .has_colours = self->has_colours,
    .has_ns = tt_pi_trace_generation (self->trace) == TT_PI_GENERATION_NATIVE,
  };

  if (self->options->format == TT_FORMAT_JSON)
    {
      tt_pi_json_call (self->out, call, walk->handles, &line);
      return;
    }
  g_string_truncate (self->line, 0);
  tt_pi_named_call (self->line, call, walk->handles, &line);
  tt_output_bytes (self->out, self->line->str, self->line->len);
}

/* A thread without calls has none. */
static void
put_frame (Listing *self, const char *thread)
{
  if (self->framed == thread)
    return;
  if (self->framed != NULL)
    tt_output_printf (self->out, "~END THREAD : %s\n\n", self->framed);
  self->framed = thread;
  if (thread != NULL)
    tt_output_printf (self->out, "~START THREAD : %s\n\n", thread);
}

/* The calls of thread @only, or of all. */
static gboolean
put_calls (Listing *self, int only, GError **error)
{
  const Options *options = self->options;
  g_autoptr (TtPiWalk) walk = tt_pi_walk_new (self->trace, &options->choice, only, error);
  const TtPiCall *call;
  GError *fault = NULL;

  if (walk == NULL)
    return FALSE;
  while ((call = tt_pi_walk_next (walk, &fault)) != NULL)
    {
      const char *thread = self->threads->pdata[walk->thread];

      self->n_calls++;
      self->n_failed += tt_pi_call_failed (call);
      if (self->perf != NULL)
        tt_pi_classic_perf_add (self->perf, call);
      if (only >= 0 && options->style == STYLE_CLASSIC)
        put_frame (self, thread);
      if (options->style == STYLE_CLASSIC)
        tt_pi_classic_call (self->out, call, only < 0 ? thread : NULL, options->is_verbose ? thread : NULL);
      else
        put_named (self, call, walk);
    }
  if (fault == NULL)
    return TRUE;
  g_propagate_error (error, fault);
  return FALSE;
}

static gboolean
put_threads (Listing *self, GError **error)
{
  const Options *options = self->options;
  const guint *order = g_strcmp0 (options->order, "directory") == 0 ? tt_pi_trace_directory_order (self->trace) : NULL;

  for (guint i = 0; i < self->threads->len; i++)
    {
      guint thread = order != NULL ? order[i] : i;

      if (!tt_pi_choice_has_thread (&options->choice, tt_pi_trace_thread_name (self->trace, thread)))
        continue;
      if (!put_calls (self, (int) thread, error))
        return FALSE;
    }
  return TRUE;
}

/* -- what stands before the calls ------------------------------------------------------------------------------ */

static void
put_image_line (TtOutput *out, const TtPiImage *image)
{
  static const char *const formats[] = { "no declared format", "native", "SPIR-V", "LLVM bitcode" };
  g_autoptr (GString) text = g_string_new (NULL);

  g_string_append_printf (text, "# image %u: %s for ", image->index,
                          image->format < G_N_ELEMENTS (formats) ? formats[image->format] : "unknown format");
  tt_pi_text_append (text, image->target, strlen (image->target), FALSE);
  for (guint i = 0; i < MIN (image->entries->len, MAX_KERNELS); i++)
    {
      const char *name = tt_pi_kernel_short_name (((const TtPiEntry *) image->entries->pdata[i])->name);

      g_string_append (text, i == 0 ? "; kernels " : ", ");
      tt_pi_text_append (text, name, strlen (name), FALSE);
    }
  if (image->entries->len > MAX_KERNELS)
    g_string_append_printf (text, " and %u more", image->entries->len - MAX_KERNELS);
  g_string_append_c (text, '\n');
  tt_output_bytes (out, text->str, text->len);
}

static void
put_command_line (TtOutput *out, const TtPiConfig *config)
{
  g_autoptr (GString) text = g_string_new ("# ");

  if (config->command != NULL)
    tt_pi_text_append (text, config->command, strlen (config->command), FALSE);
  for (char **argument = config->arguments; *argument != NULL; argument++)
    {
      g_string_append_c (text, ' ');
      tt_pi_text_append (text, *argument, strlen (*argument), FALSE);
    }
  g_string_append_c (text, '\n');
  tt_output_bytes (out, text->str, text->len);
}

static void
put_head (Listing *self)
{
  g_autoptr (GPtrArray) warnings = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GPtrArray) images = tt_pi_images_read (self->trace, warnings);

  for (guint i = 0; i < warnings->len; i++)
    tt_warning ("%s", (const char *) warnings->pdata[i]);
  if (self->options->style == STYLE_CLASSIC)
    {
      tt_pi_classic_images (self->out, images);
      return;
    }
  if (self->options->format == TT_FORMAT_JSON)
    return;

  g_autoptr (GError) error = NULL;
  g_autoptr (TtPiConfig) config = tt_pi_config_read (self->trace, &error);
  if (error != NULL)
    tt_warning ("%s", error->message);
  if (config != NULL)
    put_command_line (self->out, config);
  tt_output_printf (self->out, "# %s\n", tt_pi_trace_description (self->trace));
  for (guint i = 0; i < images->len; i++)
    put_image_line (self->out, images->pdata[i]);
  tt_pi_named_heading (self->line, self->thread_width);
  tt_output_bytes (self->out, self->line->str, self->line->len);
}

/* -- the command --------------------------------------------------------------------------------------------------- */

/* @n_passes: how often the calls were read, each time with the same warnings. */
static void
say_warnings (const TtPiTrace *trace, guint n_passes)
{
  const GPtrArray *warnings = tt_pi_trace_warnings (trace);

  for (guint i = 0; i < warnings->len; i++)
    {
      const TtPiWarning *warning = warnings->pdata[i];
      g_autoptr (GString) place = g_string_new (NULL);
      g_autofree char *text = tt_pi_safe_text (warning->text);

      if (warning->path != NULL)
        tt_pi_text_append (place, warning->path, strlen (warning->path), FALSE);
      if (warning->path != NULL && warning->record != G_MAXUINT64)
        g_string_append_printf (place, ": record %" G_GUINT64_FORMAT, warning->record);
      if (warning->path != NULL && warning->offset != G_MAXUINT64)
        g_string_append_printf (place, " at byte %" G_GUINT64_FORMAT, warning->offset);
      if (place->len > 0)
        g_string_append (place, ": ");
      if (warning->count > n_passes)
        tt_warning ("%s%s (%" G_GUINT64_FORMAT " times in all)", place->str, text, warning->count / n_passes);
      else
        tt_warning ("%s%s", place->str, text);
    }
}

static void
say_nothing (const Options *options)
{
  gboolean is_filtered = options->threads != NULL || options->function != NULL || options->calls != NULL;

  tt_message (is_filtered ? "no call matches" : "there is no call in this trace");
}

static gboolean
print_listing (TtPiTrace *trace, const Options *options, GError **error)
{
  g_auto (Listing) self = { .trace = trace, .options = options, .line = g_string_new (NULL) };
  GError *fault = NULL;

  self.out = tt_output_open (options->output, error);
  if (self.out == NULL)
    return FALSE;
  self.has_colours = options->output == NULL && tt_terminal_colours (1);
  if (options->style == STYLE_NAMED && options->format != TT_FORMAT_JSON)
    tt_output_is_clean (self.out);
  if (options->has_perf)
    self.perf = tt_pi_classic_perf_new ();
  self.threads = g_ptr_array_new_with_free_func (g_free);
  self.thread_width = (guint) strlen ("Thread");
  for (guint i = 0; i < tt_pi_trace_n_threads (trace); i++)
    {
      char *name = tt_pi_safe_text (tt_pi_trace_thread_name (trace, i));

      g_ptr_array_add (self.threads, name);
      self.thread_width = MAX (self.thread_width, (guint) g_utf8_strlen (name, -1));
    }

  put_head (&self);
  if (!(options->group != NULL ? put_threads (&self, &fault) : put_calls (&self, -1, &fault)))
    {
      /* What was read before the damage is shown. */
      tt_output_close (self.out, NULL);
      g_propagate_error (error, fault);
      return FALSE;
    }
  if (self.perf != NULL)
    tt_pi_classic_perf_write (self.perf, self.out);
  /* The original's summary stands inside the last frame. */
  put_frame (&self, NULL);
  if (!tt_output_close (self.out, error))
    return FALSE;
  if (self.n_calls == 0)
    say_nothing (options);
  else if (self.n_failed > 0 && options->style == STYLE_NAMED)
    tt_message ("%" G_GUINT64_FORMAT " of %" G_GUINT64_FORMAT
                " calls failed; '--errors' shows the first and what led to it",
                self.n_failed, self.n_calls);
  return TRUE;
}

static gboolean
print_perf (TtPiTrace *trace, const Options *options, GError **error)
{
  g_autoptr (TtReport) report = tt_pi_perf_table (trace, &options->choice, options->group != NULL, error);

  if (report == NULL)
    return FALSE;
  if (tt_report_n_rows (report) == 0)
    say_nothing (options);
  tt_report_print (report, options->format, options->wide ? G_MAXUINT : 0);
  return tt_report_check (report, error);
}

static gboolean
print_errors (TtPiTrace *trace, const TtPiOptions *how, const Options *options, GError **error)
{
  g_autoptr (TtOutput) out = tt_output_open (options->output, error);

  if (out == NULL)
    return FALSE;
  tt_output_is_clean (out);
  return tt_pi_write_first_error (trace, how, &options->choice, out, error) && tt_output_close (out, error);
}

/* Thread by thread, calls are named as in order of start: all are read for each. */
static guint
count_passes (const TtPiTrace *trace, const Options *options)
{
  guint n = 0;

  if (options->group == NULL || options->has_perf || options->style != STYLE_NAMED)
    return 1;
  for (guint i = 0; i < tt_pi_trace_n_threads (trace); i++)
    n += tt_pi_choice_has_thread (&options->choice, tt_pi_trace_thread_name (trace, i));
  return MAX (n, 1);
}

static gboolean
print_trace (const char *path, const Options *options, GError **error)
{
  TtPiOptions how = TT_PI_OPTIONS_INIT;
  gboolean is_ok;

  how.salvage = options->salvage;
  if (!tt_pi_options_parse (&how, options->generation, options->ids, error))
    return FALSE;
  g_autoptr (TtPiTrace) trace = tt_pi_trace_open (path, &how, error);
  if (trace == NULL || !tt_pi_choice_check (&options->choice, trace, error))
    return FALSE;

  if (options->has_errors)
    is_ok = print_errors (trace, &how, options, error);
  else if (options->has_perf && options->style == STYLE_NAMED)
    is_ok = print_perf (trace, options, error);
  else
    is_ok = print_listing (trace, options, error);
  say_warnings (trace, count_passes (trace, options));
  if (!is_ok && !options->salvage && error != NULL && g_error_matches (*error, TT_ERROR, TT_ERROR_FORMAT))
    {
      g_autofree char *text = (*error)->message;
      (*error)->message = g_strdup_printf ("%s; '--salvage' keeps what is good", text);
    }
  return is_ok;
}

static int
run (const TtContext *context G_GNUC_UNUSED, int argc, char **argv, GError **error)
{
  g_auto (Options) options = { .choice = { .first = 1, .last = G_MAXUINT64 } };
  int status;
  const GOptionEntry entries[] = {
    { "style", 0, 0, G_OPTION_ARG_STRING, &options.style_text, "Names and symbols, or the original's listing",
      "named|classic" },
    { "group", 0, 0, G_OPTION_ARG_STRING, &options.group, "Thread after thread instead of by time", "thread" },
    { "order", 0, 0, G_OPTION_ARG_STRING, &options.order, "Of the threads then (default: name)", "name|directory" },
    { "verbose", 'v', 0, G_OPTION_ARG_NONE, &options.is_verbose, "An argument a line, and where the call was recorded",
      NULL },
    { "perf", 0, 0, G_OPTION_ARG_NONE, &options.has_perf, "Times of each function instead of the calls", NULL },
    { "errors", 0, 0, G_OPTION_ARG_NONE, &options.has_errors, "The first failing call and what led to it", NULL },
    { "thread", 0, 0, G_OPTION_ARG_STRING_ARRAY, &options.threads, "Only this thread; may be repeated", "NAME" },
    { "filter-function", 0, 0, G_OPTION_ARG_STRING, &options.function, "Only functions whose name matches", "GLOB" },
    { "calls", 0, 0, G_OPTION_ARG_STRING, &options.calls, "Only calls number A to B in order of start", "A:B" },
    { "format", 0, 0, G_OPTION_ARG_STRING, &options.format_text, "json: an object a call; of --perf also csv, tsv ...",
      "table|csv|tsv|json|markdown" },
    { "output", 'o', 0, G_OPTION_ARG_FILENAME, &options.output, "Write the calls to a file", "FILE[.gz]" },
    { "wide", 0, 0, G_OPTION_ARG_NONE, &options.wide, "Do not cut long names", NULL },
    { "salvage", 0, 0, G_OPTION_ARG_NONE, &options.salvage, "Keep what is good of a damaged file", NULL },
    { "pi-generation", 0, 0, G_OPTION_ARG_STRING, &options.generation,
      "Layout of the files: g0, doc, g1, g2, g3, native", "NAME" },
    { "pi-ids", 0, 0, G_OPTION_ARG_STRING, &options.ids,
      "Numbering of functions: that of release 2021.1, 2021.2, 2021.3, 2021.4, 2022.0, 2022.1, 2022.2, "
      "2023.0, 2023.1, 2023.2, 2024.0, 2024.1, 2024.2; or 2021-summer, 2021-12, 2022-05, 2024",
      "LIST" },
    G_OPTION_ENTRY_NULL,
  };

  if (!tt_command_parse (&tt_command_pi_print, entries, &argc, &argv, &status, error))
    return status;
  if (!check_options (&options, error))
    return -1;
  if (argc != 2)
    {
      usage_error (error, argc < 2 ? "which trace? give its directory, one thread's file, or a packed archive"
                                   : "one trace at a time");
      return -1;
    }
  return print_trace (argv[1], &options, error) ? 0 : -1;
}

/* Calls have no columns. */
static char **
list_formats (const TtValuesQuestion *question)
{
  static const char *const of_calls[] = { "table", "json", NULL };

  return g_strdupv ((char **) (tt_values_question_has (question, "--perf") ? tt_report_format_words : of_calls));
}

static const TtOptionValues values[] = {
  { "style", TT_VALUES_ONE, styles },
  { "group", TT_VALUES_ONE, groups },
  { "order", TT_VALUES_ONE, orders },
  { "format", TT_VALUES_ONE, .list = list_formats },
  { NULL },
};

const TtCommand tt_command_pi_print = {
  .name = "pi print",
  .summary = "The calls of a recording, by time or by thread, with times and errors",
  .usage = "TRACE",
  .details = "TRACE is a directory, one thread's file, or a packed archive. A line is a call: its number in order of\n"
             "start, start and duration, thread, function, arguments, result. A '!' marks calls that failed. Outputs\n"
             "that were recorded follow '->'.\n"
             "Objects are named where they are created or first seen: queue#1, kernel#2 vector_add. Most recordings\n"
             "do not hold the handle that a call returns; then the first unseen handle of a type is taken for the\n"
             "oldest object made and not seen yet, and '?' marks both calls.\n"
             "\n"
             "'--style classic' prints what dpcpp_trace print does, with its '--group thread', '--verbose' and\n"
             "'--perf', to the letter; calls with equal starts stand in order of thread and record.\n"
             "'--perf': total, share, shortest, average, median, percentiles, longest and errors of each function,\n"
             "with '--group thread' of each function of each thread.",
  .example = "tracetool pi print pi-run\n"
             "tracetool pi print --perf pi-run\n"
             "tracetool pi print --errors pi-run\n"
             "tracetool pi print --style classic --group thread pi-run",
  .ignores_db = TRUE,
  .ignores_run = TRUE,
  .values = values,
  .run = run,
};
