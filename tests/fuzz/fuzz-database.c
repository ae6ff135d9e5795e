/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <sqlite3.h>
#include <string.h>
#include <unistd.h>

#include "src/base/failure.h"
#include "src/cli/command.h"
#include "src/store/page-checksum.h"
#include "src/store/side-files.h"
#include "tests/fuzz/kept-connections.h"
#include "tests/fuzz/kept-threads.h"
#include "tests/fuzz/memory-vfs.h"
#include "tests/fuzz/page-section.h"
#include "tests/fuzz/small-database.h"
#include "tests/fuzz/sqlite-memory.h"

/*
 * Databases that are not as an import leaves them, with right checksums, under the commands that read. The first byte
 * chooses the command, the next its runs and of a report a section; then come changes of 8 bytes each: of values by SQL,
 * or of a byte of a page. What holds: a command ends, with an answer or an error; without changes it does not find the
 * database damaged. Where the schema is as it was, connections and statements are kept; one input in 64 does without any
 * of that.
 *
 * Links: tests/fuzz/memory-vfs.c
 * Links: tests/fuzz/small-database.c
 * Links: tests/fuzz/sqlite-memory.c
 * Links: tests/fuzz/kept-threads.c
 * Links: tests/fuzz/kept-connections.c
 * Links: tests/fuzz/page-section.c
 * Links: tests/fuzz/no-comparisons.c
 * Options: -entropic=0
 */

int LLVMFuzzerTestOneInput (const guint8 *bytes, size_t len);
/* Not where inputs are only replayed. */
#pragma weak fuzz_kept_connections
#pragma weak fuzz_kept_threads_refuse
#pragma weak fuzz_page_section
extern void __sanitizer_set_report_fd (void *fd) __attribute__ ((weak));

#define CHANGE 8u
#define MAX_CHANGES 6u
#define N_RUNS 7u
#define ALL "all"
#define REST_BYTES (FUZZ_PAGE_BYTES - TT_PAGE_CHECKSUM_BYTES)
/* Of a page that begins a database: 2 where a log goes with it. */
#define WRITE_VERSION_AT 18
#define READ_VERSION_AT 19
#define HEAD_BYTES ((gsize) 100)
/* What any change of a database changes there: a counter, how many pages there are and which are free, and the counter
 * again, with the version of SQLite. */
#define COUNTER_AT 24
#define COUNTED_END 40
#define COUNTER_AGAIN_AT 92

/* It counts rows, of which the small database has lost some. It looks at all runs, which ever are chosen, and takes as
 * long as four other commands: it is `info` unless all are. */
#define CHECK "info --check"

static const char *const outputs[] = { "OUT.json", "OUT.svg" };

static const char *const commands[] = {
  "stats",
  "stats --by tid,op_cat",
  "stats --by op_long_name --top 0 --format json",
  "info",
  "info --names",
  "info --format json",
  "comm",
  "comm --show pairs",
  "steps",
  "params",
  "nccl",
  "depgraph -o -",
  "depgraph --level task -o -",
  "critical-path",
  "critical-path --model",
  "simulate",
  "export --chrome -o -",
  "export --perfetto -o -",
  "export --folded -o -",
  "export --speedscope -o -",
  "export --template -o -",
  "export --max-size 20k -o -",
  "export --filter name~a -o -",
  "stats --filter pid=1 --time-window 0:1000",
  "stats --per rank",
  "tree",
  "tree --callers a --format json",
  "breakdown",
  "breakdown --per step",
  "breakdown --per stream --of host --format json",
  "imbalance",
  "imbalance --over thread --format json",
  "kernels",
  "kernels --format json",
  "kernels --show nvtx_sum --format csv",
  "stats --by path --format json",
  "tree --time-window 0:1ms",
  "kernels --show operators",
  "compare 1 2 --format json",
  "compare 1 2 --by rank",
  "waits",
  "waits --clock linear --format json",
  "waits --show causes",
  "waits --show causes --format json",
  "waits --time-window 0:1ms --filter pid=1",
  "critical-path --segments --format json",
  "critical-path --show ranks",
  "critical-path --show kinds",
  "critical-path --show steps",
  "critical-path --step 1",
  "critical-path --clock original -o OUT.json",
  "critical-path --model --merge-ranks --format json",
  "critical-path --show segments -o OUT.json",
  "imbalance --show collectives",
  "imbalance --show ranks --absent zero",
  "imbalance --show steps --format json",
  "kernels --show copies",
  "kernels --show cuda_gpu_mem_size_sum --format csv",
  "kernels --show cuda_kern_exec_sum --format csv",
  "kernels --show cuda_kern_exec_trace --format csv",
  "breakdown --show efficiency",
  "breakdown --show efficiency --format json --clock linear",
  "compare 1 2 --per rank --format json",
  "compare 1 2 --show categories --fail-above 5",
  "stats --by path,rank",
  "stats --callers main",
  "stats --callees main --format json",
  "stats --metric list",
  "stats --by lexgion",
  "tree --depth 3 --min 0",
  "comm --matrix wait",
  "comm --show groups --format json",
  "comm --show collectives",
  "comm --show ranks --sort wait",
  "steps --per run --measure operators",
  "steps --per rank --format json",
  "nccl --format json",
  "simulate --sweep --format json",
  "simulate --show path -o OUT.json",
  "simulate --lanes shared --recv clipped --bandwidth 2",
  "simulate --gpus 16 --algo ring",
  "depgraph --level job -o -",
  "depgraph --level event --around main --format json -o -",
  "export --names original --absolute -o -",
  "waits --by path,step,cause_name --format json",
  "report -o -",
  "report --against 1 -o -",
  "depgraph -o OUT.svg",
  "plot steps -o -",
  "plot breakdown -o -",
  "plot matrix -o -",
  "plot histogram -o -",
  "plot timeline -o -",
  "plot flame -o -",
  "plot waits --by cause -o -",
  "plot roofline -o -",
  "plot what-if -o -",
  "plot dmat -o -",
  "plot blocks -o -",
  "simulate --fusion 1M --no-overlap",
  "simulate --overlap --gpus 8 --gpus-per-host 4",
  "simulate --sweep-over nics,channels,algo,fusion=0:1M --format json",
  "critical-path --imbalance",
  "export --waits -o -",
  CHECK,
};

typedef struct
{
  char *name;
  GPtrArray *columns; /* of char* */
} Table;

typedef struct
{
  char *folder, *path;
  char *out[G_N_ELEMENTS (outputs)]; /* where commands write what cannot go to their standard output */
  int head;                          /* of the file @path, which has no more than the first page of the database */
  int null;
  gsize n_pages;     /* before any change */
  GPtrArray *tables; /* of Table */
  GArray *schema;    /* of gsize: pages of it but the first */
  sqlite3 *db;       /* changes rows; SQLite notices that its pages are others after a reset */
} Base;

static Base base;

/* -- the database that is changed ------------------------------------------------------------------------------- */

static void
list_columns (Table *table)
{
  sqlite3_stmt *row = NULL;
  int status = sqlite3_prepare_v2 (base.db, "SELECT name FROM pragma_table_info (?1)", -1, &row, NULL);

  g_assert (status == SQLITE_OK);
  sqlite3_bind_text (row, 1, table->name, -1, SQLITE_STATIC);
  while (sqlite3_step (row) == SQLITE_ROW)
    g_ptr_array_add (table->columns, g_strdup ((const char *) sqlite3_column_text (row, 0)));
  sqlite3_finalize (row);
}

static void
list_tables (void)
{
  sqlite3_stmt *row = NULL;
  int status =
      sqlite3_prepare_v2 (base.db, "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name", -1, &row, NULL);

  g_assert (status == SQLITE_OK);
  base.tables = g_ptr_array_new ();
  while (sqlite3_step (row) == SQLITE_ROW)
    {
      Table *table = g_new0 (Table, 1);

      table->name = g_strdup ((const char *) sqlite3_column_text (row, 0));
      table->columns = g_ptr_array_new ();
      list_columns (table);
      g_ptr_array_add (base.tables, table);
    }
  sqlite3_finalize (row);
}

static void
list_schema_pages (void)
{
  sqlite3_stmt *row = NULL;
  int status = sqlite3_prepare_v2 (base.db, "SELECT pageno - 1 FROM dbstat WHERE name = 'sqlite_schema' AND pageno > 1",
                                   -1, &row, NULL);

  g_assert (status == SQLITE_OK);
  base.schema = g_array_new (FALSE, FALSE, sizeof (gsize));
  while (sqlite3_step (row) == SQLITE_ROW)
    {
      gsize page = (gsize) sqlite3_column_int64 (row, 0);
      g_array_append_val (base.schema, page);
    }
  sqlite3_finalize (row);
  g_assert (base.schema->len > 0);
}

static void
remove_folder (void)
{
  g_unlink (base.path);
  for (guint i = 0; i < G_N_ELEMENTS (outputs); i++)
    g_unlink (base.out[i]);
  g_rmdir (base.folder);
}

static void
prepare (void)
{
  if (base.db != NULL)
    return;
  fuzz_sqlite_memory_use ();
  /* The layer of checksums comes upon the default one. */
  const char *vfs = fuzz_memory_vfs ();
  fuzz_memory_vfs_bypass (TRUE);
  fuzz_memory_vfs_set (fuzz_small_database_new ());
  fuzz_memory_vfs_bypass (FALSE);
  base.n_pages = fuzz_memory_vfs_n_pages ();
  base.folder = g_dir_make_tmp ("tracetool-fuzz-XXXXXX", NULL);
  base.path = g_build_filename (base.folder, "some.db", NULL);
  for (guint i = 0; i < G_N_ELEMENTS (outputs); i++)
    base.out[i] = g_build_filename (base.folder, outputs[i], NULL);
  base.head = g_open (base.path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  base.null = g_open ("/dev/null", O_RDWR | O_CLOEXEC, 0);
  g_assert (base.folder != NULL && base.null >= 0 && base.head >= 0);
  int status = sqlite3_open_v2 (base.path, &base.db, SQLITE_OPEN_READWRITE, vfs);
  g_assert (status == SQLITE_OK);
  sqlite3_exec (base.db, "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA ignore_check_constraints = ON",
                NULL, NULL, NULL);
  list_tables ();
  list_schema_pages ();
  atexit (remove_folder);
}

/* -- changes ------------------------------------------------------------------------------------------------------ */

/* An SQL expression over the row; @column: its quoted name. Free it. */
static char *
choose_value (guint8 kind, guint8 more, const char *column)
{
  static const char *const values[] = {
    "0",
    "1",
    "-1",
    "NULL",
    "127",
    "2147483647",
    "2147483648",
    "4294967295",
    "4294967296",
    "9223372036854775807",
    "-9223372036854775808",
    "1000000000000000",
    "1.5",
    "1e300",
    "''",
    "'x'",
    "x'ff00ff'",
    "'{\"a\":1}'",
    "'%s%n'",
    "zeroblob (100000)",
    "hex (zeroblob (5000))",
    "char (27, 93, 7)",
    "CAST (x'c328' AS TEXT)",
    "'epoch'",
    "'ticks'",
  };

  if (kind < G_N_ELEMENTS (values))
    return g_strdup (values[kind]);
  switch (kind % 5)
    {
    case 0:
      return g_strdup_printf ("%s + %u", column, more + 1u);
    case 1:
      return g_strdup_printf ("%s - %u", column, more + 1u);
    case 2:
      return g_strdup_printf ("-%s", column);
    case 3:
      return g_strdup_printf ("%s << %u", column, more % 63u);
    default:
      return g_strdup_printf ("%u", more);
    }
}

static void
change_values (const guint8 *change)
{
  const Table *table = g_ptr_array_index (base.tables, change[1] % base.tables->len);
  const char *name = g_ptr_array_index (table->columns, change[2] % table->columns->len);
  g_autofree char *column = g_strdup_printf ("\"%s\"", name), *value = choose_value (change[3], change[4], column);
  g_autofree char *where = change[5] == 0 ? g_strdup ("")
                                          : g_strdup_printf (" WHERE %s %s (SELECT %s FROM %s LIMIT 1 OFFSET %u)",
                                                             column, change[5] % 3 == 0 ? ">=" : "=", column,
                                                             table->name, change[6] * (1u + change[7] % 8u));
  g_autofree char *sql = change[0] % 8 == 1
                             ? g_strdup_printf ("DELETE FROM %s%s", table->name, where)
                             : g_strdup_printf ("UPDATE OR IGNORE %s SET %s = %s%s", table->name, column, value, where);

  sqlite3_exec (base.db, sql, NULL, NULL, NULL);
}

/* Behind SQLite. A changed schema is refused before anything else is read: three of four changes of it go elsewhere. */
static void
change_page (const guint8 *change)
{
  gsize page = (gsize) (change[1] | change[2] << 8) % base.n_pages,
        at = (gsize) (change[3] | change[4] << 8) % REST_BYTES;

  for (guint i = 0; change[6] % 4 != 0 && i < base.schema->len; i++)
    if (page == g_array_index (base.schema, gsize, i))
      page = change[7] % base.n_pages;
  if (page < fuzz_memory_vfs_n_pages ())
    fuzz_memory_vfs_page (page)[at] = change[5];
}

static gboolean
has_same_schema (void)
{
  for (guint i = 0; i < base.schema->len; i++)
    if (fuzz_memory_vfs_differs (g_array_index (base.schema, gsize, i), 0, REST_BYTES))
      return FALSE;
  return !fuzz_memory_vfs_differs (0, 0, COUNTER_AT) && !fuzz_memory_vfs_differs (0, COUNTED_END, COUNTER_AGAIN_AT) &&
         !fuzz_memory_vfs_differs (0, HEAD_BYTES, REST_BYTES);
}

/* Connections that are kept read again what another one has changed. */
static void
count_change (void)
{
  static guint32 n = 0x40000000;
  guint32 counter = GUINT32_TO_BE (++n);
  guint8 *first = fuzz_memory_vfs_page (0);

  memcpy (first + COUNTER_AT, &counter, sizeof counter);
  memcpy (first + COUNTER_AGAIN_AT, &counter, sizeof counter);
}

/* The file: what the program itself looks at. Where a log would go with it, files beside it count: then it is whole,
 * TRUE, and SQLite opens that. */
static gboolean
write_file (void)
{
  gsize n_bytes = fuzz_memory_vfs_n_pages () * FUZZ_PAGE_BYTES;
  const guint8 *first = n_bytes == 0 ? (const guint8 *) "" : fuzz_memory_vfs_page (0);
  gboolean is_whole = n_bytes > 0 && (first[WRITE_VERSION_AT] != 1 || first[READ_VERSION_AT] != 1);
  gsize n = is_whole ? n_bytes : MIN (HEAD_BYTES, n_bytes);

  g_assert (ftruncate (base.head, (off_t) n) == 0 && pwrite (base.head, first, n, 0) == (gssize) n);
  return is_whole;
}

static void
change_database (const guint8 *bytes, size_t len)
{
  size_t n = MIN (len / CHANGE, MAX_CHANGES);

  for (size_t i = 0; i < n; i++)
    if (bytes[i * CHANGE] % 8 != 0)
      change_values (bytes + i * CHANGE);
  for (size_t i = 0; i < n; i++)
    if (bytes[i * CHANGE] % 8 == 0)
      change_page (bytes + i * CHANGE);
}

/* -- a command ------------------------------------------------------------------------------------------------------ */

static char **
split_command (const char *line)
{
  char **words = g_strsplit (line, " ", -1);

  for (char **word = words; *word != NULL; word++)
    for (guint i = 0; i < G_N_ELEMENTS (outputs); i++)
      if (strcmp (*word, outputs[i]) == 0)
        {
          g_free (*word);
          *word = g_strdup (base.out[i]);
        }
  return words;
}

static void
run_command (const char *line, const char *run, gboolean is_changed)
{
  g_auto (GStrv) words = split_command (line);
  int n = (int) g_strv_length (words);
  /* Options are taken out of it. */
  g_autofree char **argv = g_memdup2 (words, ((gsize) n + 1) * sizeof *words);
  g_autoptr (GError) error = NULL;
  TtContext context = { .db_path = base.path, .db_given = TRUE, .run = run, .commands = tt_commands };
  const TtCommand *command = tt_command_find (tt_commands, words[0]);

  g_assert (command != NULL);
  tt_command_bind (&context);
  int status = command->run (&context, n, argv, &error);
  g_assert (status != 2 && (status != -1 || error != NULL));
  g_assert (is_changed || strcmp (line, CHECK) == 0 || error == NULL || strstr (error->message, "damaged") == NULL);
  tt_failure_forget ();
}

/* What commands print goes nowhere, but reports of sanitizers do not. */
static void
run_silently (const char *line, const char *run, gboolean is_changed)
{
  int kept[2];

  for (int i = 0; i < 2; i++)
    {
      kept[i] = fcntl (i + 1, F_DUPFD_CLOEXEC, 3);
      fflush (i == 0 ? stdout : stderr);
      g_assert (kept[i] >= 0 && dup2 (base.null, i + 1) == i + 1);
    }
  if (__sanitizer_set_report_fd != NULL)
    __sanitizer_set_report_fd (GINT_TO_POINTER (kept[1]));
  run_command (line, run, is_changed);
  for (int i = 0; i < 2; i++)
    {
      fflush (i == 0 ? stdout : stderr);
      g_assert (dup2 (kept[i], i + 1) == i + 1);
      close (kept[i]);
    }
  clearerr (stdout);
  if (__sanitizer_set_report_fd != NULL)
    __sanitizer_set_report_fd (GINT_TO_POINTER (2));
}

/* @choice: of the runs, of a section of a report, and of whether all is as it is in the program, shortcuts left out. */
static void
choose_shortcuts (guint8 choice)
{
  gboolean is_program = choice >= G_MAXUINT8 - 3, are_kept = !is_program && has_same_schema ();

  if (fuzz_page_section == NULL || fuzz_kept_connections == NULL || fuzz_kept_threads_refuse == NULL)
    return;
  fuzz_kept_threads_refuse (is_program ? NULL : "tally");
  fuzz_page_section (is_program ? G_MAXUINT : choice / N_RUNS);
  if (are_kept)
    count_change ();
  fuzz_kept_connections (are_kept);
}

int
LLVMFuzzerTestOneInput (const guint8 *bytes, size_t len)
{
  static const char *const runs[N_RUNS] = { NULL, ALL, "1", "4", "5", "6", "7" };

  if (len < 2)
    return 0;
  prepare ();
  fuzz_memory_vfs_reset ();
  change_database (bytes + 2, len - 2);
  choose_shortcuts (bytes[1]);
  fuzz_memory_vfs_seal_changed ();
  gboolean is_on_disk = write_file ();
  fuzz_memory_vfs_bypass (is_on_disk);
  const char *line = commands[bytes[0] % G_N_ELEMENTS (commands)], *run = runs[bytes[1] % N_RUNS];
  if (strcmp (line, CHECK) == 0 && g_strcmp0 (run, ALL) != 0)
    line = "info";
  run_silently (line, run, len >= 2 + CHANGE);
  fuzz_memory_vfs_bypass (FALSE);
  if (is_on_disk)
    tt_side_files_remove (base.path);
  return 0;
}
