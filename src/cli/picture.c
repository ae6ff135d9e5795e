/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/cli/picture.h"

#include "src/base/error.h"
#include "src/base/filter-run.h"
#include "src/base/progress.h"

#include <math.h>
#include <string.h>

#define PNG_TIMEOUT_MS 60000u
/* Cairo, which draws for it, has no larger pictures; and so many pixels take it some seconds. */
#define MOST_LENGTH 32000.0
#define MOST_PIXELS 24e6

/* A length of the picture from its first element. */
static double
read_length (const char *head, const char *key)
{
  const char *at = strstr (head, key);

  return at == NULL ? 0 : g_ascii_strtod (at + strlen (key), NULL);
}

/* Two pixels for one, for screens and paper that have more, where there is room. Free it. */
static char *
zoom_option (GBytes *svg)
{
  gsize size;
  const char *text = g_bytes_get_data (svg, &size);
  g_autofree char *head = g_strndup (text, MIN (size, 400));
  double width = read_length (head, " width=\""), height = read_length (head, " height=\"");
  double zoom = 2;
  char number[G_ASCII_DTOSTR_BUF_SIZE];

  if (width > 0 && height > 0)
    zoom = MIN (zoom, MIN (MOST_LENGTH / MAX (width, height), sqrt (MOST_PIXELS / width / height)));
  g_ascii_formatd (number, sizeof number, "%.3f", MAX (zoom, 0.1));
  return g_strconcat ("--zoom=", number, NULL);
}

static GBytes *
make_png (GBytes *svg, GError **error)
{
  g_autofree char *program = g_find_program_in_path ("rsvg-convert");
  g_autofree char *zoom = zoom_option (svg);
  const char *const arguments[] = { program, "--format=png", "--unlimited", zoom, NULL };
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
