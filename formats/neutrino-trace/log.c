/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/neutrino-trace/log-private.h"

#include "src/base/compare.h"
#include "src/base/error.h"

#include <string.h>

static void
free_launch (gpointer data)
{
  TtNeutrinoLaunch *launch = data;

  g_free (launch->kernel);
  g_free (launch->parameters);
  g_free (launch->result);
  g_free (launch);
}

void
tt_neutrino_log_free (TtNeutrinoLog *self)
{
  if (self == NULL)
    return;
  g_hash_table_unref (self->by_result);
  g_ptr_array_unref (self->launches);
  g_free (self->pid);
  g_free (self->command);
  g_free (self);
}

/* -- other tags -------------------------------------------------------------------------------------------------- */

static gboolean
name_function (LogReader *self, guint64 function, const char *name)
{
  g_autofree char *text = g_strchomp (g_utf8_make_valid (name, -1));

  if (*text == '\0')
    return FALSE;
  g_hash_table_replace (self->names, g_memdup2 (&function, sizeof function), g_steal_pointer (&text));
  return TRUE;
}

/* cuModuleGetFunction func F mod M name NAME, cuLibraryGetKernel kernel F lib L name NAME, cuKernelGetFunction F K; hip
 * likewise. */
static gboolean
read_module (LogReader *self)
{
  guint64 function, kernel;

  if (self->n < 4)
    return TRUE;
  if (g_str_has_suffix (self->word[1], "KernelGetFunction"))
    {
      if (!tt_neutrino_log_address_at (self, 2, &function) || !tt_neutrino_log_address_at (self, 3, &kernel))
        return FALSE;
      const char *name = g_hash_table_lookup (self->names, &kernel);
      if (name == NULL && (name = g_hash_table_lookup (self->names, &function)) != NULL)
        function = kernel;
      return name == NULL || name_function (self, function, name);
    }
  if (!tt_neutrino_log_is_word (self, 6, "name"))
    return TRUE;
  return tt_neutrino_log_address_at (self, 3, &function) &&
         name_function (self, function, tt_neutrino_log_text_after (self, 6));
}

/* find F name NAME bin P size N; finish F name NAME n_param N. */
static gboolean
read_probe (LogReader *self)
{
  guint64 function;

  if (!tt_neutrino_log_is_word (self, 3, "name") ||
      !(tt_neutrino_log_is_word (self, 1, "find") || tt_neutrino_log_is_word (self, 1, "finish")))
    return TRUE;
  return self->n > 4 && tt_neutrino_log_address_at (self, 2, &function) &&
         name_function (self, function, self->word[4]);
}

static gboolean
read_init (LogReader *self)
{
  guint64 number;

  if (tt_neutrino_log_is_word (self, 1, "pid"))
    {
      if (!tt_neutrino_log_number_at (self, 2, G_MAXUINT32, &number))
        return FALSE;
      g_free (self->log->pid);
      self->log->pid = g_strdup (self->word[2]);
    }
  else if (tt_neutrino_log_is_word (self, 1, "cmd"))
    {
      if (!tt_neutrino_log_number_at (self, 2, G_MAXUINT32, &number))
        return FALSE;
      const char *text = tt_neutrino_log_text_after (self, 2);
      g_autofree char *cut = g_strndup (text, strnlen (text, (gsize) number));
      g_free (self->log->command);
      self->log->command = g_strstrip (g_utf8_make_valid (cut, -1));
    }
  return TRUE;
}

static gboolean
read_callback (LogReader *self)
{
  return TRUE;
}

static const struct
{
  const char *tag;
  gboolean (*read) (LogReader *self); /* FALSE: an odd line */
} tags[] = {
  { "[init]", read_init },
  { "[mod]", read_module },
  { "[probe]", read_probe },
  { "[exec]", tt_neutrino_log_read_exec },
  { "[count]", tt_neutrino_log_read_count },
  { "[benchmark]", tt_neutrino_log_read_benchmark },
  { "[callback]", read_callback },
};

/* -- the file ------------------------------------------------------------------------------------------------------ */

static void
split_line (LogReader *self, char *text)
{
  self->n = 0;
  for (char *word = strtok_r (text, " ", &text); word != NULL && self->n < TT_NEUTRINO_LOG_MAX_WORDS;
       word = strtok_r (NULL, " ", &text))
    self->word[self->n++] = word;
}

static void
read_line (LogReader *self)
{
  g_autofree char *copy = g_strdup (self->lines.text->str);

  split_line (self, copy);
  if (self->n == 0)
    return;
  for (guint i = 0; i < G_N_ELEMENTS (tags); i++)
    if (g_str_equal (tags[i].tag, self->word[0]))
      {
        if (!tags[i].read (self))
          tt_neutrino_log_odd_line (self);
        return;
      }
  /* The rest of a command with newlines in it, or another tag. */
  if (self->word[0][0] != '[')
    tt_neutrino_log_odd_line (self);
}

/* -- order ---------------------------------------------------------------------------------------------------------- */

/* The program writes a line when it has asked for the time: threads change places for less. */
#define MAX_LATE_NS G_GINT64_CONSTANT (1000000000)
#define N_NEAR 2u

static gboolean
is_against (const TtNeutrinoLaunch *before, const TtNeutrinoLaunch *after)
{
  return before->ts_ns > after->ts_ns && (guint64) before->ts_ns - (guint64) after->ts_ns > MAX_LATE_NS;
}

/* How many of the launches next to @i in the log contradict its time. */
static guint
count_against (const GPtrArray *timed, guint i)
{
  const TtNeutrinoLaunch *launch = timed->pdata[i];
  guint n = 0;

  for (guint k = 1; k <= N_NEAR; k++)
    n += (i >= k && is_against (timed->pdata[i - k], launch)) +
         (i + k < timed->len && is_against (launch, timed->pdata[i + k]));
  return n;
}

/* A launch whose time two of the others contradict, which no two others do, gets that of the one before. */
static void
mend_order (TtNeutrinoLog *log)
{
  g_autoptr (GPtrArray) timed = g_ptr_array_new ();

  for (guint i = 0; i < log->launches->len; i++)
    if (((const TtNeutrinoLaunch *) log->launches->pdata[i])->ts_ns != TT_NO_TIME)
      g_ptr_array_add (timed, log->launches->pdata[i]);
  for (guint i = 0; i < timed->len; i++)
    {
      TtNeutrinoLaunch *launch = timed->pdata[i];
      gboolean is_wrong = count_against (timed, i) >= N_NEAR;

      for (guint k = i >= N_NEAR ? i - N_NEAR : 0; is_wrong && k < timed->len && k <= i + N_NEAR; k++)
        is_wrong = k == i || count_against (timed, k) < N_NEAR;
      if (!is_wrong)
        continue;
      launch->ts_ns = ((const TtNeutrinoLaunch *) timed->pdata[i > 0 ? i - 1 : i + 1])->ts_ns;
      tt_repairs_add (&log->repairs, TT_REPAIR_TIME_OUTLIER, launch->offset);
    }
}

static int
by_time (gconstpointer a, gconstpointer b)
{
  const TtNeutrinoLaunch *x = *(TtNeutrinoLaunch *const *) a, *y = *(TtNeutrinoLaunch *const *) b;
  int order = TT_COMPARE (x->ts_ns, y->ts_ns);

  return order != 0 ? order : TT_COMPARE (x->order, y->order);
}

gboolean
tt_neutrino_log_probe (const guint8 *head, gsize len)
{
  static const char *const begins[] = { "[init] pid ", "[init] cmd ", "[init] dl ", "[exec] funcmap-find " };

  for (guint i = 0; i < G_N_ELEMENTS (begins); i++)
    if (len > strlen (begins[i]) && memcmp (head, begins[i], strlen (begins[i])) == 0)
      return TRUE;
  return FALSE;
}

TtNeutrinoLog *
tt_neutrino_log_read (TtInput *input, GError **error)
{
  g_autoptr (TtNeutrinoLog) log = g_new0 (TtNeutrinoLog, 1);
  g_autoptr (GPtrArray) open = g_ptr_array_new ();
  g_autoptr (GHashTable) names = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, g_free);
  g_autoptr (GError) fault = NULL;
  LogReader self = { .log = log, .open = open, .names = names };

  log->by_result = g_hash_table_new (g_str_hash, g_str_equal);
  log->launches = g_ptr_array_new_with_free_func (free_launch);
  tt_neutrino_lines_init (&self.lines, input);
  while (tt_neutrino_lines_next (&self.lines, &fault))
    {
      /* Half a line may end in half a number. */
      if (self.lines.is_cut || !self.lines.has_newline)
        tt_repairs_add (&log->repairs, TT_REPAIR_NO_CLOSE, self.lines.offset);
      else
        read_line (&self);
    }
  tt_neutrino_lines_clear (&self.lines);
  if (fault != NULL)
    {
      g_propagate_error (error, g_steal_pointer (&fault));
      return NULL;
    }
  for (guint i = 0; i < log->launches->len; i++)
    {
      const TtNeutrinoLaunch *launch = log->launches->pdata[i];
      if (launch->outcome == TT_NEUTRINO_UNFINISHED)
        tt_repairs_add (&log->repairs, TT_REPAIR_UNCLOSED, launch->offset);
    }
  mend_order (log);
  g_ptr_array_sort (log->launches, by_time);
  return g_steal_pointer (&log);
}

const TtNeutrinoLaunch *
tt_neutrino_log_of_result (const TtNeutrinoLog *self, const char *result)
{
  return g_hash_table_lookup (self->by_result, result);
}
