/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/neutrino-trace/log-private.h"

#include "src/base/int128.h"
#include "src/base/units.h"

#include <string.h>

/* Launches whose lines are not complete: more than the threads that launch at once. */
#define MAX_OPEN 256u

/* The last line of a launch that was read. */
enum
{
  STAGE_FOUND,
  STAGE_STARTED,
  STAGE_GRID,
  STAGE_MAPS,
  STAGE_MEMORY,
  STAGE_RAN,
  STAGE_SAVED,
};

/* Milliseconds, exactly. */
static gboolean
read_time_at (const LogReader *self, guint i, gint64 *ns)
{
  return i < self->n && tt_time_parse (self->word[i], -1, TT_UNIT_MS, ns, NULL) && *ns >= 0;
}

/* "X Y Z block X Y Z shared N" from word @i. */
static gboolean
read_grid_at (const LogReader *self, guint i, TtNeutrinoLaunch *launch)
{
  guint64 number[7];

  for (guint k = 0; k < 7; k++)
    if (!tt_neutrino_log_number_at (self, i + k + (k >= 3) + (k >= 6), G_MAXUINT32, &number[k]))
      return FALSE;
  if (!tt_neutrino_log_is_word (self, i + 3, "block") || !tt_neutrino_log_is_word (self, i + 7, "shared"))
    return FALSE;
  for (guint k = 0; k < 3; k++)
    {
      launch->grid[k] = (guint32) number[k];
      launch->block[k] = (guint32) number[3 + k];
    }
  launch->shared_bytes = (guint32) number[6];
  launch->has_grid = TRUE;
  return TRUE;
}

/* -- which launch ------------------------------------------------------------------------------------------------- */

/* Oldest launch in stage [@first, @last] that satisfies @agrees. A second one makes both a guess. */
static TtNeutrinoLaunch *
find_launch (LogReader *self,
             guint first,
             guint last,
             gboolean (*agrees) (const TtNeutrinoLaunch *launch, const guint64 *facts),
             const guint64 *facts)
{
  TtNeutrinoLaunch *found = NULL;

  for (guint i = 0; i < self->open->len; i++)
    {
      TtNeutrinoLaunch *launch = self->open->pdata[i];
      if (launch->stage < first || launch->stage > last || (agrees != NULL && !agrees (launch, facts)))
        continue;
      if (found == NULL)
        {
          found = launch;
          continue;
        }
      found->is_guess = launch->is_guess = TRUE;
      tt_repairs_add (&self->log->repairs, TT_REPAIR_SHARED_LINE, self->lines.offset);
      break;
    }
  return found;
}

static void
close_launch (LogReader *self, TtNeutrinoLaunch *launch, TtNeutrinoOutcome outcome)
{
  launch->outcome = outcome;
  g_ptr_array_remove (self->open, launch);
}

static guint64
multiply (const guint32 size[3])
{
  return (guint64) size[0] * size[1] * size[2];
}

static gboolean
has_blocks (const TtNeutrinoLaunch *launch, const guint64 *facts)
{
  return multiply (launch->grid) == facts[0];
}

static gboolean
has_map_bytes (const TtNeutrinoLaunch *launch, const guint64 *facts)
{
  return launch->map_bytes == facts[0];
}

static gboolean
has_file_bytes (const TtNeutrinoLaunch *launch, const guint64 *facts)
{
  return 32 + 16 * launch->n_maps + launch->map_bytes == facts[0];
}

/* -- [exec] ------------------------------------------------------------------------------------------------------- */

static void
begin_launch (LogReader *self)
{
  TtNeutrinoLaunch *launch = g_new0 (TtNeutrinoLaunch, 1);

  launch->offset = self->lines.offset;
  launch->order = self->log->launches->len;
  launch->ts_ns = launch->prologue_ns = launch->kernel_ns = launch->epilogue_ns = launch->original_ns = TT_NO_TIME;
  launch->record_bytes = -1;
  if (!tt_neutrino_log_address_at (self, 2, &launch->function))
    tt_neutrino_log_odd_line (self);
  launch->kernel = g_strdup (g_hash_table_lookup (self->names, &launch->function));
  g_ptr_array_add (self->log->launches, launch);
  g_ptr_array_add (self->open, launch);
  if (self->open->len > MAX_OPEN)
    g_ptr_array_remove_index (self->open, 0);
}

/* NS param WORD... */
static gboolean
read_start (LogReader *self)
{
  TtNeutrinoLaunch *launch = find_launch (self, STAGE_FOUND, STAGE_FOUND, NULL, NULL);
  guint64 ns;

  if (launch == NULL || !tt_neutrino_log_number_at (self, 1, G_MAXINT64, &ns))
    return FALSE;
  launch->ts_ns = (gint64) ns;
  launch->parameters = g_utf8_make_valid (tt_neutrino_log_text_after (self, 2), -1);
  g_strchomp (launch->parameters);
  launch->stage = STAGE_STARTED;
  return TRUE;
}

/* grid X Y Z block X Y Z shared N; or per map: grid G block B probe SIZE total T, grid G warp W probe SIZE total T. */
static gboolean
read_grid (LogReader *self)
{
  TtNeutrinoLaunch *launch;
  guint64 facts[1], total;

  if (self->n >= 10 && tt_neutrino_log_is_word (self, 5, "block"))
    {
      launch = find_launch (self, STAGE_STARTED, STAGE_STARTED, NULL, NULL);
      if (launch == NULL || !read_grid_at (self, 2, launch))
        return FALSE;
      launch->stage = STAGE_GRID;
      return TRUE;
    }
  if (!tt_neutrino_log_number_at (self, 2, G_MAXUINT64, &facts[0]) || !tt_neutrino_log_is_word (self, 7, "total") ||
      !tt_neutrino_log_number_at (self, 8, G_MAXUINT64, &total))
    return FALSE;
  launch = find_launch (self, STAGE_GRID, STAGE_MAPS, has_blocks, facts);
  if (launch == NULL)
    launch = find_launch (self, STAGE_GRID, STAGE_MAPS, NULL, NULL);
  if (launch == NULL || __builtin_add_overflow (launch->map_bytes, total, &launch->map_bytes))
    return FALSE;
  launch->n_maps++;
  launch->stage = STAGE_MAPS;
  return TRUE;
}

static gboolean
read_memory (LogReader *self)
{
  guint64 facts[1];

  if (!tt_neutrino_log_number_at (self, 2, G_MAXUINT64, &facts[0]))
    return FALSE;
  TtNeutrinoLaunch *launch = find_launch (self, STAGE_GRID, STAGE_MAPS, has_map_bytes, facts);
  if (launch == NULL)
    launch = find_launch (self, STAGE_GRID, STAGE_MAPS, NULL, NULL);
  if (launch == NULL)
    return FALSE;
  launch->stage = STAGE_MEMORY;
  return TRUE;
}

static gboolean
read_result (LogReader *self)
{
  gboolean is_failure = tt_neutrino_log_is_word (self, 1, "failed");
  TtNeutrinoLaunch *launch = find_launch (self, STAGE_MEMORY, STAGE_MEMORY, NULL, NULL);

  if (launch == NULL)
    launch = find_launch (self, STAGE_FOUND, STAGE_MEMORY, NULL, NULL);
  if (launch == NULL)
    return FALSE;
  if (self->n > 2)
    launch->code = g_ascii_strtoll (self->word[2], NULL, 10);
  launch->stage = STAGE_RAN;
  if (is_failure)
    close_launch (self, launch, TT_NEUTRINO_FAILED);
  return TRUE;
}

/* save PATH size N; PATH may have blanks. */
static gboolean
read_save (LogReader *self)
{
  const char *path = tt_neutrino_log_text_after (self, 1);
  char *end = g_strrstr (path, " size ");
  guint64 facts[1];

  if (end == NULL)
    return FALSE;
  g_autofree char *size = g_strstrip (g_strdup (end + 6));
  g_autofree char *whole = g_strndup (path, (gsize) (end - path));
  TtNeutrinoLaunch *launch = NULL;
  if (g_ascii_string_to_unsigned (size, 10, 0, G_MAXUINT64, &facts[0], NULL))
    launch = find_launch (self, STAGE_RAN, STAGE_RAN, has_file_bytes, facts);
  if (launch == NULL)
    launch = find_launch (self, STAGE_RAN, STAGE_RAN, NULL, NULL);
  if (launch == NULL || *whole == '\0')
    return FALSE;
  launch->result = g_path_get_basename (whole);
  launch->stage = STAGE_SAVED;
  g_hash_table_replace (self->log->by_result, launch->result, launch);
  return TRUE;
}

/* Neutrino writes @of / @by behind them, as word @i + 1; all are floats with six digits behind the point. */
static void
check_ratio (LogReader *self, const TtNeutrinoLaunch *launch, guint i, const char *word, gint64 of_ns, gint64 by_ns)
{
  gint64 ratio; /* millionths */

  if (by_ns <= 0 || !tt_neutrino_log_is_word (self, i, word) || !read_time_at (self, i + 1, &ratio))
    return;
  tt_int128 told = (tt_int128) ratio * by_ns, is = (tt_int128) of_ns * 1000000;
  /* Half a digit of each number: 1 ns is a millionth of a millisecond; and what a float leaves out. */
  tt_int128 most = (tt_int128) ratio + by_ns + 2000000 + is / 1000000;

  if (told - is > most || is - told > most)
    tt_repairs_add (&self->log->repairs, TT_REPAIR_OTHER_RATIO, launch->offset);
}

/* prologue A kernel B epilogue C ... */
static gboolean
read_times (LogReader *self, gboolean is_benchmark)
{
  TtNeutrinoLaunch *launch = find_launch (self, is_benchmark ? STAGE_MEMORY : STAGE_SAVED, STAGE_SAVED, NULL, NULL);
  gint64 prologue_ns, kernel_ns, epilogue_ns, sum_ns;

  if (launch == NULL)
    launch = find_launch (self, STAGE_STARTED, STAGE_SAVED, NULL, NULL);
  if (launch == NULL || !tt_neutrino_log_is_word (self, 3, "kernel") ||
      !tt_neutrino_log_is_word (self, 5, "epilogue") || !read_time_at (self, 2, &prologue_ns) ||
      !read_time_at (self, 4, &kernel_ns) || !read_time_at (self, 6, &epilogue_ns))
    return FALSE;
  launch->prologue_ns = prologue_ns;
  launch->kernel_ns = kernel_ns;
  launch->epilogue_ns = epilogue_ns;
  if (!is_benchmark && !__builtin_add_overflow (prologue_ns, kernel_ns, &sum_ns) &&
      !__builtin_add_overflow (sum_ns, epilogue_ns, &sum_ns))
    check_ratio (self, launch, 7, "ratio", sum_ns, kernel_ns);
  if (is_benchmark && tt_neutrino_log_is_word (self, 7, "original") && read_time_at (self, 8, &launch->original_ns))
    check_ratio (self, launch, 9, "impact", kernel_ns, launch->original_ns);
  close_launch (self, launch, is_benchmark ? TT_NEUTRINO_BENCHMARKED : TT_NEUTRINO_PROBED);
  return TRUE;
}

static gboolean
read_backup (LogReader *self)
{
  TtNeutrinoLaunch *launch = find_launch (self, STAGE_FOUND, STAGE_MEMORY, NULL, NULL);

  if (launch == NULL || !read_grid_at (self, 2, launch))
    return FALSE;
  close_launch (self, launch, TT_NEUTRINO_UNPROBED);
  return TRUE;
}

gboolean
tt_neutrino_log_read_exec (LogReader *self)
{
  const char *what = self->n > 1 ? self->word[1] : "";

  if (g_str_equal (what, "funcmap-find"))
    begin_launch (self);
  else if (tt_neutrino_log_is_word (self, 2, "param"))
    return read_start (self);
  else if (g_str_equal (what, "grid"))
    return read_grid (self);
  else if (g_str_equal (what, "probe-mem"))
    return read_memory (self);
  else if (g_str_equal (what, "succeed") || g_str_equal (what, "failed"))
    return read_result (self);
  else if (g_str_equal (what, "save"))
    return read_save (self);
  else if (g_str_equal (what, "prologue"))
    return read_times (self, FALSE);
  else if (g_str_equal (what, "backup"))
    return read_backup (self);
  return TRUE; /* lines for the driver's developers */
}

gboolean
tt_neutrino_log_read_count (LogReader *self)
{
  TtNeutrinoLaunch *launch = find_launch (self, STAGE_STARTED, STAGE_MAPS, NULL, NULL);
  guint64 number;

  if (!tt_neutrino_log_is_word (self, 1, "size:"))
    return TRUE;
  if (launch == NULL || !tt_neutrino_log_number_at (self, 2, G_MAXINT64, &number))
    return FALSE;
  launch->record_bytes = (gint64) number;
  return TRUE;
}

gboolean
tt_neutrino_log_read_benchmark (LogReader *self)
{
  return !tt_neutrino_log_is_word (self, 1, "prologue") || read_times (self, TRUE);
}
