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
#include "tests/fuzz/memory-vfs.h"
#include "tests/fuzz/small-database.h"
#include "tests/fuzz/sqlite-memory.h"

/*
 * Databases that are not as an import leaves them, with right checksums, under the commands that read. The first byte
 * chooses the command, the next its runs; then come changes of 8 bytes each: of values by SQL, or of a byte of a page.
 * What holds: a command ends, with an answer or an error; without changes it does not find the database damaged.
 *
 * Links: tests/fuzz/memory-vfs.c
 * Links: tests/fuzz/small-database.c
 * Links: tests/fuzz/sqlite-memory.c
 * Links: tests/fuzz/kept-threads.c
 * Links: tests/fuzz/no-comparisons.c
 * Options: -entropic=0
 */

int LLVMFuzzerTestOneInput (const guint8 *bytes, size_t len);
extern void __sanitizer_set_report_fd (void *fd) __attribute__ ((weak));

#define CHANGE 8u
#define MAX_CHANGES 6u
#define REST_BYTES (FUZZ_PAGE_BYTES - TT_PAGE_CHECKSUM_BYTES)
/* Of a page that begins a database: 2 where a log goes with it. */
#define WRITE_VERSION_AT 18
#define READ_VERSION_AT 19
#define HEAD_BYTES ((gsize) 100)

/* It counts rows, of which the small database has lost some. */
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

/* Behind SQLite. */
static void
change_page (const guint8 *change)
{
  gsize page = (gsize) (change[1] | change[2] << 8) % base.n_pages;

  if (page < fuzz_memory_vfs_n_pages ())
    fuzz_memory_vfs_page (page)[(gsize) (change[3] | change[4] << 8) % REST_BYTES] = change[5];
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
  fuzz_memory_vfs_seal_changed ();
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

int
LLVMFuzzerTestOneInput (const guint8 *bytes, size_t len)
{
  static const char *const runs[] = { NULL, "all", "1", "4", "5", "6", "7" };

  if (len < 2)
    return 0;
  prepare ();
  fuzz_memory_vfs_reset ();
  change_database (bytes + 2, len - 2);
  gboolean is_on_disk = write_file ();
  fuzz_memory_vfs_bypass (is_on_disk);
  run_silently (commands[bytes[0] % G_N_ELEMENTS (commands)], runs[bytes[1] % G_N_ELEMENTS (runs)], len >= 2 + CHANGE);
  fuzz_memory_vfs_bypass (FALSE);
  if (is_on_disk)
    tt_side_files_remove (base.path);
  return 0;
}
