/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/cli/picture.h"

#include "src/base/error.h"
#include "src/base/filter-run.h"
#include "src/base/progress.h"

#define PNG_TIMEOUT_MS 60000u

/* With two pixels for one, for screens and paper that have more. */
static GBytes *
make_png (GBytes *svg, GError **error)
{
  g_autofree char *program = g_find_program_in_path ("rsvg-convert");
  const char *const arguments[] = { program, "--format=png", "--zoom=2", NULL };
  g_auto (TtFilterRun) run = { 0 };

  if (program == NULL)
    {
      g_set_error (
          error, TT_ERROR, TT_ERROR_GRAPH,
          "png needs the program 'rsvg-convert', which is not installed (package librsvg2-bin); or write .svg, "
          "which browsers show");
      return NULL;
    }
  tt_filter_run (&run, arguments, svg, PNG_TIMEOUT_MS);
  if (tt_cancelled (error))
    return NULL;
  if (tt_filter_run_is_done (&run))
    return g_bytes_ref (run.output);
  g_autofree char *message = run.is_late         ? g_strdup ("it took more than a minute")
                             : run.error != NULL ? g_strdup (run.error->message)
                                                 : tt_filter_run_message (&run);
  g_set_error (error, TT_ERROR, TT_ERROR_GRAPH, "'rsvg-convert' failed: %s; write .svg, which browsers show", message);
  return NULL;
}

GBytes *
tt_picture_finish (TtOutput *memory, gboolean is_png, GError **error)
{
  g_autoptr (GBytes) svg = g_string_free_to_bytes (tt_output_steal_text (memory));

  return is_png ? make_png (svg, error) : g_steal_pointer (&svg);
}
