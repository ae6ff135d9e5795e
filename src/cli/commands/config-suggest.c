/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/cli/commands/config.h"

#include "formats/ctf/fingerprint.h"
#include "formats/formats.h"
#include "src/base/look.h"
#include "src/base/output.h"
#include "src/cli/config-file.h"
#include "src/cli/export-options.h"
#include "src/cli/session.h"
#include "src/cli/suggest/describe.h"
#include "src/cli/words.h"

#include <string.h>

#define DEFAULT_LIMIT 5.0

typedef struct
{
  char *size_text, *within_text, *below_text, *pinsight_text, *domains_path, *output;
  TtSuggestionGoal goal;
  TtPInsight pinsight;
} Options;

static void
options_clear (Options *self)
{
  g_free (self->size_text);
  g_free (self->within_text);
  g_free (self->below_text);
  g_free (self->pinsight_text);
  g_free (self->domains_path);
  g_free (self->output);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Options, options_clear)

static gboolean
check_options (Options *self, GError **error)
{
  if (self->size_text == NULL)
    {
      g_set_error (error, TT_ERROR, TT_ERROR_USAGE, "say how large the trace may be: '--max-size 50M'");
      return FALSE;
    }
  return tt_size_parse (self->size_text, &self->goal.max_bytes, error) &&
         (self->within_text == NULL || tt_percent_parse ("within", self->within_text, &self->goal.limit, error)) &&
         (self->below_text == NULL ||
          tt_percent_parse ("ignore-below", self->below_text, &self->goal.min_share, error)) &&
         tt_pinsight_parse (self->pinsight_text, &self->pinsight, error);
}

/* -- the trace -------------------------------------------------------------------------------------------------------- */

static void
free_set (gpointer set)
{
  tt_input_set_free (set);
}

/* The packets that a source was imported from. */
static gboolean
add_source (TtCtfSizes *sizes, const TtSource *source, GError **error)
{
  g_autoptr (GPtrArray) paths = g_ptr_array_new (), sets = g_ptr_array_new_with_free_func (free_set);
  g_autoptr (GPtrArray) notes = g_ptr_array_new_with_free_func (g_free);
  const TtInputSet *set;
  guint64 bytes;

  if (strcmp (source->format, "ctf") != 0)
    {
      g_set_error (error, TT_ERROR, TT_ERROR_FORMAT,
                   "'%s' is no CTF trace but %s: sizes are those of PInsight's packets", source->path, source->format);
      return FALSE;
    }
  if (!tt_look_test (source->path, G_FILE_TEST_IS_DIR))
    {
      g_set_error (error, TT_ERROR, TT_ERROR_INPUT,
                   "'%s', from which the run was imported, is not there: its packets say how large events are",
                   source->path);
      return FALSE;
    }
  g_ptr_array_add (paths, source->path);
  if (!tt_format_ctf.group (paths, FALSE, sets, notes, error))
    return FALSE;
  set = sets->pdata[0];
  if (!tt_ctf_fingerprint (set, &bytes, NULL, error))
    return FALSE;
  if (bytes != source->bytes)
    {
      g_set_error (error, TT_ERROR, TT_ERROR_INPUT, "'%s' has changed since it was imported", source->path);
      return FALSE;
    }
  return tt_ctf_sizes_add (sizes, set, error);
}

static TtCtfSizes *
read_sizes (TtStore *store, GError **error)
{
  g_autoptr (TtCtfSizes) sizes = tt_ctf_sizes_new ();
  guint n;
  const TtSource *sources = tt_store_sources (store, &n);

  for (guint i = 0; i < n; i++)
    if (!add_source (sizes, &sources[i], error))
      return NULL;
  return g_steal_pointer (&sizes);
}

static int
suggest (const TtTrialTrace *trace, const Options *options, const char *path, GError **error)
{
  g_autoptr (TtLevels) levels = NULL;
  g_autoptr (TtSuggestion) choice = NULL;
  g_autoptr (GString) text = g_string_new (NULL);
  GError *fault = NULL;
  guint64 smallest;
  char bytes[TT_TIME_TEXT];

  if (trace->n_spans == 0)
    {
      g_set_error (error, TT_ERROR, TT_ERROR_FORMAT, "the run has no event of PInsight: nothing can be configured");
      return -1;
    }
  levels = tt_levels_new (trace, error);
  choice = levels == NULL ? NULL : tt_suggestion_new (levels, &options->goal, &smallest, &fault);
  if (levels == NULL)
    return -1;
  if (fault != NULL)
    {
      g_propagate_error (error, fault);
      return -1;
    }
  if (choice == NULL)
    {
      g_set_error (error, TT_ERROR, TT_ERROR_FORMAT,
                   "no configuration that was tried keeps the trace within %s; the smallest that does is %s bytes",
                   options->size_text, tt_count_text (bytes, smallest));
      return -1;
    }
  tt_suggestion_write (choice, levels, &options->goal, options->size_text, path, text);
  return tt_output_print (options->output == NULL ? "-" : options->output, text->str, (gssize) text->len, error) ? 0
                                                                                                                 : -1;
}

static int
answer (const TtContext *context, char **paths, const Options *options, GError **error)
{
  g_autoptr (TtConfigDomains) domains = tt_config_domains_load (options->domains_path, error);
  g_autoptr (TtConfigOperations) operations = domains == NULL ? NULL : tt_config_operations_load (domains, error);
  g_autoptr (TtStore) store = operations == NULL ? NULL : tt_command_open_store (context, paths, error);
  g_autoptr (TtTrialTrace) trace = NULL;
  guint n;

  if (store == NULL || !tt_command_check_one_run (store, error))
    return -1;
  TtCtfSizes *sizes = read_sizes (store, error);
  trace = sizes == NULL ? NULL : tt_trial_trace_new (store, domains, operations, options->pinsight, sizes, error);
  if (trace == NULL)
    return -1;
  const TtSource *sources = tt_store_sources (store, &n);
  return suggest (trace, options, n > 0 ? sources[0].path : "", error);
}

static int
run (const TtContext *context, int argc, char **argv, GError **error)
{
  g_auto (Options) options = { .goal.limit = DEFAULT_LIMIT };
  int status;
  const GOptionEntry entries[] = {
    { "max-size", 0, 0, G_OPTION_ARG_STRING, &options.size_text, "What the trace may take, metadata included", "SIZE" },
    { "within", 0, 0, G_OPTION_ARG_STRING, &options.within_text,
      "How far the imbalance of a lexgion may move, in points (default: 5)", "PERCENT" },
    { "ignore-below", 0, 0, G_OPTION_ARG_STRING, &options.below_text,
      "Lexgions of a lesser share of the time may change (default: 0, none)", "PERCENT" },
    { "pinsight", 0, 0, G_OPTION_ARG_STRING, &options.pinsight_text,
      "For whom: the format's document (seed, default), or PInsight's library of that time", "seed|2026-02|head" },
    TT_CONFIG_DOMAINS_ENTRY (&options.domains_path),
    { "output", 'o', 0, G_OPTION_ARG_FILENAME, &options.output, "Write it to this file", "FILE" },
    G_OPTION_ENTRY_NULL,
  };

  if (!tt_command_parse (&tt_command_config_suggest, entries, &argc, &argv, &status, error))
    return status;
  return check_options (&options, error) ? answer (context, argv + 1, &options, error) : -1;
}

const TtCommand tt_command_config_suggest = {
  .name = "config suggest",
  .summary = "A PInsight configuration that would have kept a trace small",
  .usage = "[TRACE...]",
  .details =
      "Of a trace that PInsight recorded: a configuration with which it would have been no larger than --max-size,\n"
      "and of which 'stats --by lexgion' still shows the same imbalance, within 5 points for each lexgion.\n"
      "Comments at its head say what size is predicted and from what, which imbalance changes most, and what is\n"
      "given up. Loss is kept small in this order: every invocation of a code pointer is recorded; else one of a\n"
      "number, or a window of them, such that the largest change of imbalance is the least; else events are\n"
      "turned off: waits inside barriers, then those of which spans last the least for their bytes. What room\n"
      "is left goes to the code pointers with the fewest bytes. If that is not enough, the smallest size that is\n"
      "possible is told, and the exit status is 1. '--config' shows what the configuration keeps.",
  .example = "tracetool config suggest --max-size 50k pinsight-trace\n"
             "tracetool config suggest --max-size 50k -o small.conf pinsight-trace",
  .run = run,
};
