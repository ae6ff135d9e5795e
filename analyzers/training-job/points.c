/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/training-job/points.h"

#include "src/base/error.h"
#include "src/base/suggest.h"

#include <string.h>

/* Multiples of the traced number, which is not known yet. */
#define GPUS_USUAL "x1:x2:x4:x8:x16"

const char *const tt_sweep_words[] = { "bandwidth",     "nic-bandwidth", "latency", "nics", "channels",  "gpus",
                                       "gpus-per-host", "compression",   "compute", "algo", "fusion",    "overlap",
                                       "no-overlap",    "remove",        "delay",   "op",   "straggler", NULL };
/* Of what is named none are usual. "yes": there is nothing to choose. */
static const char *const usual[] = { "0.25:0.5:1:2:4:8",
                                     "0.25:0.5:1:2:4:8",
                                     "0.25:0.5:1:2:4",
                                     "1:2:4:8",
                                     "1:2:4:8:16",
                                     GPUS_USUAL,
                                     "1:2:4:8",
                                     "0.1:0.25:0.5:1",
                                     "0.5:1:2:4",
                                     "ring:tree",
                                     "0:1M:4M:16M:64M",
                                     "yes",
                                     "yes",
                                     NULL,
                                     NULL,
                                     NULL,
                                     NULL };
G_STATIC_ASSERT (G_N_ELEMENTS (usual) + 1 == G_N_ELEMENTS (tt_sweep_words));

static void
clear_point (gpointer data)
{
  TtSweepPoint *self = data;

  g_free (self->what);
  g_free (self->value);
  g_free (self->at_what);
  g_free (self->at_value);
}

static gboolean
find_word (const char *text, guint *word, GError **error)
{
  for (guint i = 0; tt_sweep_words[i] != NULL; i++)
    if (strcmp (tt_sweep_words[i], text) == 0)
      {
        *word = i;
        return TRUE;
      }
  const char *near = tt_suggest (text, tt_sweep_words);
  g_autofree char *all = g_strjoinv (", ", (char **) tt_sweep_words);
  g_set_error (error, TT_ERROR, TT_ERROR_USAGE, "nothing to sweep over is called '%s'; %s %s%s", text,
               near != NULL ? "did you mean" : "there are", near != NULL ? near : all, near != NULL ? "?" : "");
  return FALSE;
}

static gboolean
add_values (GArray *points, const char *word, const char *what, const char *text, GError **error)
{
  g_auto (GStrv) values = g_strsplit (text, ":", TT_SWEEP_MAX_POINTS + 2);

  for (char **value = values; *value != NULL; value++)
    {
      const TtSweepPoint point = { .word = word, .what = g_strdup (what), .value = g_strdup (*value) };
      g_array_append_val (points, point);
      if (**value == '\0')
        g_set_error (error, TT_ERROR, TT_ERROR_USAGE, "'%s' has a value that is empty: '%s'", word, text);
      else if (points->len > TT_SWEEP_MAX_POINTS)
        g_set_error (error, TT_ERROR, TT_ERROR_USAGE, "a sweep has at most %d values", TT_SWEEP_MAX_POINTS);
      else
        continue;
      return FALSE;
    }
  return TRUE;
}

/* "gpus=2:4", "latency", "op=BW.x=0.5:2". */
static gboolean
add_option (GArray *points, const char *text, GError **error)
{
  const char *equals = strchr (text, '=');
  g_autofree char *name = equals == NULL ? g_strdup (text) : g_strndup (text, equals - text);
  g_autofree char *what = NULL;
  guint word;

  if (!find_word (name, &word, error))
    return FALSE;
  if (strcmp (name, "remove") == 0 && equals != NULL)
    return add_values (points, tt_sweep_words[word], NULL, equals + 1, error);
  if (!tt_job_change_is_single (name))
    {
      const char *last = strrchr (text, '=');
      if (last == equals || last == equals + 1 || last[1] == '\0')
        {
          g_set_error (error, TT_ERROR, TT_ERROR_USAGE, "'%s' says not what and which values: %s=%s", text, name,
                       strcmp (name, "straggler") == 0 ? "RANK=1:1.5:2"
                       : strcmp (name, "delay") == 0   ? "NAME=100:200"
                       : strcmp (name, "remove") == 0  ? "NAME:NAME"
                                                       : "NAME=0.5:1:2");
          return FALSE;
        }
      what = g_strndup (equals + 1, last - equals - 1);
      equals = last;
    }
  return add_values (points, tt_sweep_words[word], what, equals == NULL ? usual[word] : equals + 1, error);
}

gboolean
tt_sweep_excludes (const char *word, const char *other)
{
  gboolean is_overlap = g_str_has_suffix (word, "overlap") && g_str_has_suffix (other, "overlap");

  return is_overlap || (strcmp (word, other) == 0 && tt_job_change_is_single (word));
}

static GArray *
new_points (void)
{
  GArray *points = g_array_new (FALSE, FALSE, sizeof (TtSweepPoint));

  g_array_set_clear_func (points, clear_point);
  return points;
}

/* Where the second option of a grid begins; NULL: it is none. An operation may have an @ in its name. */
static const char *
find_second (const char *text)
{
  gsize n = strcspn (text, "=@");
  g_autofree char *first = g_strndup (text, n);

  if (tt_job_change_is_single (first))
    return strchr (text, '@') == NULL ? NULL : strchr (text, '@') + 1;
  for (const char *at = strchr (text, '@'); at != NULL; at = strchr (at + 1, '@'))
    for (guint i = 0; tt_sweep_words[i] != NULL; i++)
      {
        gsize len = strlen (tt_sweep_words[i]);
        if (strncmp (at + 1, tt_sweep_words[i], len) == 0 && (at[1 + len] == '\0' || at[1 + len] == '='))
          return at + 1;
      }
  return NULL;
}

/* "bandwidth=1:2@gpus=2:4": all values of the first option at each of the second. */
static gboolean
add_grid (GArray *points, const char *text, const char *second, GError **error)
{
  g_autofree char *first = g_strndup (text, (gsize) (second - 1 - text));
  g_autoptr (GArray) inner = new_points ();
  g_autoptr (GArray) outer = new_points ();

  if (!add_option (inner, first, error) || !add_option (outer, second, error))
    return FALSE;
  if (inner->len * outer->len + points->len > TT_SWEEP_MAX_POINTS)
    {
      g_set_error (error, TT_ERROR, TT_ERROR_USAGE, "a sweep has at most %d values, '%s' has %u times %u",
                   TT_SWEEP_MAX_POINTS, text, inner->len, outer->len);
      return FALSE;
    }
  for (guint i = 0; i < outer->len; i++)
    for (guint k = 0; k < inner->len; k++)
      {
        const TtSweepPoint *at = &g_array_index (outer, TtSweepPoint, i),
                           *own = &g_array_index (inner, TtSweepPoint, k);
        if (tt_sweep_excludes (own->word, at->word))
          {
            g_set_error (error, TT_ERROR, TT_ERROR_USAGE, "'%s' is a grid of an option and itself", text);
            return FALSE;
          }
        const TtSweepPoint point = { .word = own->word,
                                     .what = g_strdup (own->what),
                                     .value = g_strdup (own->value),
                                     .at_word = at->word,
                                     .at_what = g_strdup (at->what),
                                     .at_value = g_strdup (at->value) };
        g_array_append_val (points, point);
      }
  return TRUE;
}

GArray *
tt_sweep_points_new (const char *text, GError **error)
{
  g_autoptr (GArray) points = new_points ();
  g_auto (GStrv) options = g_strsplit (text, ",", TT_SWEEP_MAX_POINTS + 2);

  for (char **option = options; *option != NULL; option++)
    {
      const char *second = find_second (*option);
      if (second != NULL ? !add_grid (points, *option, second, error) : !add_option (points, *option, error))
        return NULL;
    }
  if (points->len > 0)
    return g_steal_pointer (&points);
  g_set_error (error, TT_ERROR, TT_ERROR_USAGE, "say what to sweep over: bandwidth,gpus=2:4:8");
  return NULL;
}

GArray *
tt_sweep_points_usual (TtJobModels *models)
{
  const char *text =
      models->recording != NULL
          ? tt_job_models_recorded_network (models, NULL) != NULL ? "bandwidth,latency,compression,compute" : "compute"
      : tt_job_models_network (models) != NULL || tt_job_models_server_network (models) != NULL
          ? "bandwidth,latency,compression,gpus,compute"
          : "bandwidth,compute";

  GArray *points = tt_sweep_points_new (text, NULL);
  for (guint i = 0; i < points->len; i++)
    g_array_index (points, TtSweepPoint, i).is_usual = TRUE;
  return points;
}

/* "x2": twice as many as traced. */
static gboolean
settle_gpus (const char *word, char **value, guint n_ranks, GError **error)
{
  guint64 times;

  if (g_strcmp0 (word, "gpus") != 0 || **value != 'x')
    return TRUE;
  if (!g_ascii_string_to_unsigned (*value + 1, 10, 1, 1 << 16, &times, NULL))
    {
      g_set_error (error, TT_ERROR, TT_ERROR_USAGE, "'%s' is no number of GPUs, and no multiple such as x2", *value);
      return FALSE;
    }
  g_free (*value);
  *value = g_strdup_printf ("%" G_GUINT64_FORMAT, times * n_ranks);
  return TRUE;
}

gboolean
tt_sweep_points_settle (GArray *points, guint n_ranks, GError **error)
{
  for (guint i = 0; i < points->len; i++)
    {
      TtSweepPoint *point = &g_array_index (points, TtSweepPoint, i);
      if (!settle_gpus (point->word, &point->value, n_ranks, error) ||
          !settle_gpus (point->at_word, &point->at_value, n_ranks, error))
        return FALSE;
    }
  return TRUE;
}

static gboolean
is_of_network (const char *word)
{
  return word != NULL && tt_job_change_is_single (word) && strcmp (word, "compute") != 0;
}

gboolean
tt_sweep_points_have_network (const GArray *points)
{
  for (guint i = 0; i < points->len; i++)
    {
      const TtSweepPoint *point = &g_array_index (points, TtSweepPoint, i);
      if (is_of_network (point->word) || is_of_network (point->at_word))
        return TRUE;
    }
  return FALSE;
}

char *
tt_sweep_point_title (const TtSweepPoint *self)
{
  GString *text = g_string_new (self->word);

  if (self->what != NULL)
    g_string_append_printf (text, " %s", self->what);
  if (self->at_word != NULL)
    g_string_append_printf (text, " at %s", self->at_word);
  if (self->at_what != NULL)
    g_string_append_printf (text, " %s", self->at_what);
  /* "yes" of what is on: there is nothing to choose. */
  if (self->at_word != NULL && !g_str_has_suffix (self->at_word, "overlap"))
    g_string_append_printf (text, " %s", self->at_value);
  return g_string_free (text, FALSE);
}
