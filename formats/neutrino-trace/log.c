#include "config.h"

#include "formats/neutrino-trace/log.h"

#include "formats/neutrino-trace/lines.h"
#include "src/error.h"
#include "src/units.h"

#include <string.h>

/* Launches that wait for lines; more threads than launch at once. */
#define MOST_OPEN 256u

#define MOST_WORDS 24

/* How far the lines of a launch have come. */
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

typedef struct
{
  TtNeutrinoLog *log;
  GPtrArray *open;   /* of TtNeutrinoLaunch, oldest first; borrowed from the log's */
  GHashTable *names; /* function -> name */
  TtNeutrinoLines lines;
  char *word[MOST_WORDS];
  guint n;
} Reader;

static void
launch_free (gpointer data)
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

/* -- words ---------------------------------------------------------------------------------------------------- */

static gboolean
is_word (const Reader *self, guint i, const char *text)
{
  return i < self->n && g_str_equal (self->word[i], text);
}

static gboolean
number_at (const Reader *self, guint i, guint64 most, guint64 *number)
{
  return i < self->n && g_ascii_string_to_unsigned (self->word[i], 10, 0, most, number, NULL);
}

static gboolean
address_at (const Reader *self, guint i, guint64 *address)
{
  const char *text = i < self->n ? self->word[i] : "";

  return g_ascii_string_to_unsigned (g_str_has_prefix (text, "0x") ? text + 2 : text, 16, 0, G_MAXUINT64, address,
                                     NULL);
}

/* Milliseconds, exactly. */
static gboolean
time_at (const Reader *self, guint i, gint64 *ns)
{
  return i < self->n && tt_time_parse (self->word[i], -1, TT_UNIT_MS, ns, NULL) && *ns >= 0;
}

/* "X Y Z block X Y Z shared N" from word @i. */
static gboolean
grid_at (const Reader *self, guint i, TtNeutrinoLaunch *launch)
{
  guint64 number[7];

  for (guint k = 0; k < 7; k++)
    if (!number_at (self, i + k + (k >= 3) + (k >= 6), G_MAXUINT32, &number[k]))
      return FALSE;
  if (!is_word (self, i + 3, "block") || !is_word (self, i + 7, "shared"))
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

/* What follows word @i in the line as it stands. */
static const char *
text_after (const Reader *self, guint i)
{
  const char *text = self->lines.text->str;

  for (guint k = 0; k <= i; k++)
    {
      text += strspn (text, " ");
      text += strcspn (text, " ");
    }
  return text + strspn (text, " ");
}

/* -- which launch ------------------------------------------------------------------------------------------------- */

static void
odd_line (Reader *self)
{
  tt_repairs_add (&self->log->repairs, TT_REPAIR_ODD_RECORD, self->lines.offset);
}

/* The oldest that has come as far as @least and not beyond @most, and of which @agrees holds. */
static TtNeutrinoLaunch *
find_launch (Reader *self,
             guint least,
             guint most,
             gboolean (*agrees) (const TtNeutrinoLaunch *launch, const guint64 *facts),
             const guint64 *facts)
{
  TtNeutrinoLaunch *found = NULL;

  for (guint i = 0; i < self->open->len; i++)
    {
      TtNeutrinoLaunch *launch = self->open->pdata[i];
      if (launch->stage < least || launch->stage > most || (agrees != NULL && !agrees (launch, facts)))
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
close_launch (Reader *self, TtNeutrinoLaunch *launch, TtNeutrinoOutcome outcome)
{
  launch->outcome = outcome;
  g_ptr_array_remove (self->open, launch);
}

static guint64
product (const guint32 size[3])
{
  return (guint64) size[0] * size[1] * size[2];
}

static gboolean
has_blocks (const TtNeutrinoLaunch *launch, const guint64 *facts)
{
  return product (launch->grid) == facts[0];
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
begin_launch (Reader *self)
{
  TtNeutrinoLaunch *launch = g_new0 (TtNeutrinoLaunch, 1);

  launch->offset = self->lines.offset;
  launch->order = self->log->launches->len;
  launch->ts_ns = launch->prologue_ns = launch->kernel_ns = launch->epilogue_ns = launch->original_ns = TT_NO_TIME;
  launch->record_bytes = -1;
  if (!address_at (self, 2, &launch->function))
    odd_line (self);
  launch->kernel = g_strdup (g_hash_table_lookup (self->names, &launch->function));
  g_ptr_array_add (self->log->launches, launch);
  g_ptr_array_add (self->open, launch);
  if (self->open->len > MOST_OPEN)
    g_ptr_array_remove_index (self->open, 0);
}

/* NS param WORD... */
static gboolean
read_start (Reader *self)
{
  TtNeutrinoLaunch *launch = find_launch (self, STAGE_FOUND, STAGE_FOUND, NULL, NULL);
  guint64 ns;

  if (launch == NULL || !number_at (self, 1, G_MAXINT64, &ns))
    return FALSE;
  launch->ts_ns = (gint64) ns;
  launch->parameters = g_utf8_make_valid (text_after (self, 2), -1);
  g_strchomp (launch->parameters);
  launch->stage = STAGE_STARTED;
  return TRUE;
}

/* grid X Y Z block X Y Z shared N; or per map: grid G block B probe SIZE total T, grid G warp W probe SIZE total T. */
static gboolean
read_grid (Reader *self)
{
  TtNeutrinoLaunch *launch;
  guint64 facts[1], total;

  if (self->n >= 10 && is_word (self, 5, "block"))
    {
      launch = find_launch (self, STAGE_STARTED, STAGE_STARTED, NULL, NULL);
      if (launch == NULL || !grid_at (self, 2, launch))
        return FALSE;
      launch->stage = STAGE_GRID;
      return TRUE;
    }
  if (!number_at (self, 2, G_MAXUINT64, &facts[0]) || !is_word (self, 7, "total") ||
      !number_at (self, 8, G_MAXUINT64, &total))
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
read_memory (Reader *self)
{
  guint64 facts[1];

  if (!number_at (self, 2, G_MAXUINT64, &facts[0]))
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
read_result (Reader *self)
{
  gboolean is_failure = is_word (self, 1, "failed");
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
read_save (Reader *self)
{
  const char *path = text_after (self, 1);
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

/* prologue A kernel B epilogue C ... */
static gboolean
read_times (Reader *self, gboolean is_benchmark)
{
  TtNeutrinoLaunch *launch = find_launch (self, is_benchmark ? STAGE_MEMORY : STAGE_SAVED, STAGE_SAVED, NULL, NULL);
  gint64 prologue_ns, kernel_ns, epilogue_ns;

  if (launch == NULL)
    launch = find_launch (self, STAGE_STARTED, STAGE_SAVED, NULL, NULL);
  if (launch == NULL || !is_word (self, 3, "kernel") || !is_word (self, 5, "epilogue") ||
      !time_at (self, 2, &prologue_ns) || !time_at (self, 4, &kernel_ns) || !time_at (self, 6, &epilogue_ns))
    return FALSE;
  launch->prologue_ns = prologue_ns;
  launch->kernel_ns = kernel_ns;
  launch->epilogue_ns = epilogue_ns;
  if (is_benchmark && is_word (self, 7, "original"))
    time_at (self, 8, &launch->original_ns);
  close_launch (self, launch, is_benchmark ? TT_NEUTRINO_BENCHMARKED : TT_NEUTRINO_PROBED);
  return TRUE;
}

static gboolean
read_backup (Reader *self)
{
  TtNeutrinoLaunch *launch = find_launch (self, STAGE_FOUND, STAGE_MEMORY, NULL, NULL);

  if (launch == NULL || !grid_at (self, 2, launch))
    return FALSE;
  close_launch (self, launch, TT_NEUTRINO_UNPROBED);
  return TRUE;
}

static gboolean
read_exec (Reader *self)
{
  const char *what = self->n > 1 ? self->word[1] : "";

  if (g_str_equal (what, "funcmap-find"))
    begin_launch (self);
  else if (is_word (self, 2, "param"))
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
  return TRUE; /* what the driver tells its developers */
}

/* -- other tags -------------------------------------------------------------------------------------------------- */

static gboolean
name_function (Reader *self, guint64 function, const char *name)
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
read_module (Reader *self)
{
  guint64 function, kernel;

  if (self->n < 4)
    return TRUE;
  if (g_str_has_suffix (self->word[1], "KernelGetFunction"))
    {
      if (!address_at (self, 2, &function) || !address_at (self, 3, &kernel))
        return FALSE;
      const char *name = g_hash_table_lookup (self->names, &kernel);
      if (name == NULL && (name = g_hash_table_lookup (self->names, &function)) != NULL)
        function = kernel;
      return name == NULL || name_function (self, function, name);
    }
  if (!is_word (self, 6, "name"))
    return TRUE;
  return address_at (self, 3, &function) && name_function (self, function, text_after (self, 6));
}

/* find F name NAME bin P size N; finish F name NAME n_param N. */
static gboolean
read_probe (Reader *self)
{
  guint64 function;

  if (!is_word (self, 3, "name") || !(is_word (self, 1, "find") || is_word (self, 1, "finish")))
    return TRUE;
  return self->n > 4 && address_at (self, 2, &function) && name_function (self, function, self->word[4]);
}

static gboolean
read_init (Reader *self)
{
  guint64 number;

  if (is_word (self, 1, "pid"))
    {
      if (!number_at (self, 2, G_MAXUINT32, &number))
        return FALSE;
      g_free (self->log->pid);
      self->log->pid = g_strdup (self->word[2]);
    }
  else if (is_word (self, 1, "cmd"))
    {
      if (!number_at (self, 2, G_MAXUINT32, &number))
        return FALSE;
      const char *text = text_after (self, 2);
      g_autofree char *cut = g_strndup (text, (gsize) number);
      g_free (self->log->command);
      self->log->command = g_strstrip (g_utf8_make_valid (cut, -1));
    }
  return TRUE;
}

static gboolean
read_count (Reader *self)
{
  TtNeutrinoLaunch *launch = find_launch (self, STAGE_STARTED, STAGE_MAPS, NULL, NULL);
  guint64 number;

  if (!is_word (self, 1, "size:"))
    return TRUE;
  if (launch == NULL || !number_at (self, 2, G_MAXINT64, &number))
    return FALSE;
  launch->record_bytes = (gint64) number;
  return TRUE;
}

static gboolean
read_benchmark (Reader *self)
{
  return !is_word (self, 1, "prologue") || read_times (self, TRUE);
}

static gboolean
read_callback (Reader *self)
{
  return TRUE;
}

static const struct
{
  const char *tag;
  gboolean (*read) (Reader *self); /* FALSE: an odd line */
} tags[] = {
  { "[init]", read_init },         { "[mod]", read_module },  { "[probe]", read_probe },
  { "[exec]", read_exec },         { "[count]", read_count }, { "[benchmark]", read_benchmark },
  { "[callback]", read_callback },
};

/* -- the file ------------------------------------------------------------------------------------------------------ */

static void
split_line (Reader *self, char *text)
{
  self->n = 0;
  for (char *word = strtok_r (text, " ", &text); word != NULL && self->n < MOST_WORDS;
       word = strtok_r (NULL, " ", &text))
    self->word[self->n++] = word;
}

static void
read_line (Reader *self)
{
  g_autofree char *copy = g_strdup (self->lines.text->str);

  split_line (self, copy);
  if (self->n == 0)
    return;
  for (guint i = 0; i < G_N_ELEMENTS (tags); i++)
    if (g_str_equal (tags[i].tag, self->word[0]))
      {
        if (!tags[i].read (self))
          odd_line (self);
        return;
      }
  /* The rest of a command with newlines in it, or another tag. */
  if (self->word[0][0] != '[')
    odd_line (self);
}

static int
by_time (gconstpointer a, gconstpointer b)
{
  const TtNeutrinoLaunch *x = *(TtNeutrinoLaunch *const *) a, *y = *(TtNeutrinoLaunch *const *) b;

  return x->ts_ns != y->ts_ns ? (x->ts_ns < y->ts_ns ? -1 : 1) : (x->order > y->order) - (x->order < y->order);
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
  Reader self = { .log = log, .open = open, .names = names };

  log->by_result = g_hash_table_new (g_str_hash, g_str_equal);
  log->launches = g_ptr_array_new_with_free_func (launch_free);
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
  g_ptr_array_sort (log->launches, by_time);
  return g_steal_pointer (&log);
}

const TtNeutrinoLaunch *
tt_neutrino_log_of_result (const TtNeutrinoLog *self, const char *result)
{
  return g_hash_table_lookup (self->by_result, result);
}
