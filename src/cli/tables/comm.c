#include "config.h"

#include "src/cli/tables/comm.h"

#include "src/base/error.h"
#include "src/base/suggest.h"

static const char *const quantities[] = { "bytes", "count", "wait", NULL };

gboolean
tt_comm_quantity_parse (const char *text, const char *option, TtCommQuantity *quantity, GError **error)
{
  for (guint i = 0; quantities[i] != NULL; i++)
    if (g_str_equal (quantities[i], text))
      {
        *quantity = (TtCommQuantity) i;
        return TRUE;
      }

  const char *near = tt_suggest (text, quantities);
  g_set_error (error, TT_ERROR, TT_ERROR_USAGE, "'%s %s' is not one of bytes, count, wait%s%s%s", option, text,
               near == NULL ? "" : "; did you mean '", near == NULL ? "" : near, near == NULL ? "" : "'?");
  return FALSE;
}

static const char *
pid_of (TtStore *store, guint32 process)
{
  const TtProcess *found = tt_store_process (store, process);

  return found == NULL ? NULL : found->pid;
}

static tt_int128
quantity_of (const TtCommSums *sums, TtCommQuantity quantity)
{
  switch (quantity)
    {
    case TT_COMM_BYTES:
      return sums->bytes;
    case TT_COMM_COUNT:
      return sums->count;
    case TT_COMM_WAIT:
      return sums->wait_ns;
    }
  g_return_val_if_reached (0);
}

/* -- pairs --------------------------------------------------------------------------------------- */

typedef struct
{
  TtStore *store;
  TtCommQuantity quantity;
} PairOrder;

static int
compare_pairs (gconstpointer a, gconstpointer b, gpointer data)
{
  const TtCommPair *pair_a = a, *pair_b = b;
  const PairOrder *order = data;
  tt_int128 value_a = quantity_of (&pair_a->sums, order->quantity);
  tt_int128 value_b = quantity_of (&pair_b->sums, order->quantity);

  if (value_a != value_b)
    return value_a < value_b ? 1 : -1;
  if (pair_a->src != pair_b->src)
    return tt_comm_compare_processes (order->store, pair_a->src, pair_b->src);
  return tt_comm_compare_processes (order->store, pair_a->dst, pair_b->dst);
}

static void
add_sums (TtReport *report, const TtCommSums *sums)
{
  tt_report_int (report, (gint64) sums->count);
  tt_report_int128 (report, sums->bytes);
  if (sums->n_sized > 0)
    {
      tt_report_int (report, sums->min_bytes);
      tt_report_real (report, (double) sums->bytes / (double) sums->n_sized);
      tt_report_int (report, sums->max_bytes);
    }
  else
    for (guint i = 0; i < 3; i++)
      tt_report_empty (report);
  tt_report_int128 (report, sums->wait_ns);
  tt_report_int (report, (gint64) (sums->count - sums->n_matched));
}

TtReport *
tt_comm_pair_table (TtStore *store, TtComm *comm, TtCommQuantity sort, guint top, TtUnit unit)
{
  TtReport *report = tt_report_new (unit);
  tt_int128 all = quantity_of (&comm->all, sort), rest = all;
  guint n = top > 0 ? MIN (top, comm->pairs->len) : comm->pairs->len;
  PairOrder order = { store, sort };

  g_array_sort_with_data (comm->pairs, compare_pairs, &order);
  tt_report_column (report, TT_COLUMN_TEXT, "From", "src");
  tt_report_column (report, TT_COLUMN_TEXT, "To", "dst");
  tt_report_column (report, TT_COLUMN_COUNT, "Messages", "count");
  tt_report_column (report, TT_COLUMN_BYTES, "Bytes", "bytes");
  tt_report_column (report, TT_COLUMN_BYTES, "Min", "min_bytes");
  tt_report_column (report, TT_COLUMN_BYTES, "Avg", "avg_bytes");
  tt_report_column (report, TT_COLUMN_BYTES, "Max", "max_bytes");
  tt_report_column (report, TT_COLUMN_TIME, "Wait", "wait");
  tt_report_column (report, TT_COLUMN_COUNT, "Unmatched", "unmatched");
  for (guint i = 0; i < n; i++)
    {
      const TtCommPair *pair = &g_array_index (comm->pairs, TtCommPair, i);

      rest -= quantity_of (&pair->sums, sort);
      tt_report_text (report, pid_of (store, pair->src));
      tt_report_text (report, pid_of (store, pair->dst));
      add_sums (report, &pair->sums);
    }
  if (n < comm->pairs->len)
    {
      char count[TT_TIME_TEXT];
      g_autofree char *footer =
          g_strdup_printf ("and %s more (%.2f %% of %s)", tt_count_text (count, comm->pairs->len - n),
                           all == 0 ? 0.0 : 100.0 * (double) rest / (double) all, quantities[sort]);
      tt_report_footer (report, footer);
    }
  return report;
}

/* -- processes and collectives ------------------------------------------------------------------- */

TtReport *
tt_comm_process_table (TtStore *store, const TtComm *comm, TtUnit unit)
{
  TtReport *report = tt_report_new (unit);

  tt_report_heading (report, "messages sent and received, calls of collective functions, and waits in both");
  tt_report_column (report, TT_COLUMN_TEXT, "Process", "pid");
  tt_report_column (report, TT_COLUMN_COUNT, "Sent", "sent");
  tt_report_column (report, TT_COLUMN_BYTES, "Bytes out", "bytes_sent");
  tt_report_column (report, TT_COLUMN_COUNT, "Recvd", "received");
  tt_report_column (report, TT_COLUMN_BYTES, "Bytes in", "bytes_received");
  tt_report_column (report, TT_COLUMN_TIME, "Msg wait", "message_wait");
  tt_report_column (report, TT_COLUMN_COUNT, "Calls", "collectives");
  tt_report_column (report, TT_COLUMN_TIME, "Coll wait", "collective_wait");
  for (guint i = 0; i < comm->processes->len; i++)
    {
      const TtCommProcess *process = &g_array_index (comm->processes, TtCommProcess, i);

      tt_report_text (report, pid_of (store, process->process));
      tt_report_int (report, (gint64) process->n_sent);
      tt_report_int128 (report, process->bytes_sent);
      tt_report_int (report, (gint64) process->n_received);
      tt_report_int128 (report, process->bytes_received);
      tt_report_int128 (report, process->message_wait_ns);
      tt_report_int (report, (gint64) process->n_collectives);
      tt_report_int128 (report, process->collective_wait_ns);
    }
  return report;
}

TtReport *
tt_comm_collective_table (TtStore *store, const TtComm *comm, TtUnit unit, gboolean is_narrow)
{
  TtReport *report = tt_report_new (unit);

  tt_report_heading (
      report, is_narrow ? "collective calls: spread of arrivals (avg, max), wait, who came last most often"
                        : "collective calls: spread of arrivals (min, avg, max), wait, who came last how many times");
  tt_report_column (report, TT_COLUMN_TEXT, "Function", "function");
  tt_report_column (report, TT_COLUMN_COUNT, "Calls", "calls");
  if (!is_narrow)
    {
      tt_report_column (report, TT_COLUMN_COUNT, "Ranks", "ranks");
      tt_report_column (report, TT_COLUMN_TIME, "Min", "spread_min");
    }
  tt_report_column (report, TT_COLUMN_TIME, "Avg", "spread_avg");
  tt_report_column (report, TT_COLUMN_TIME, "Max", "spread_max");
  tt_report_column (report, TT_COLUMN_TIME, "Wait", "wait");
  tt_report_column (report, TT_COLUMN_TEXT, "Last", "last");
  if (!is_narrow)
    tt_report_column (report, TT_COLUMN_COUNT, "Times", "last_times");
  for (guint i = 0; i < comm->collectives->len; i++)
    {
      const TtCommCollective *collective = &g_array_index (comm->collectives, TtCommCollective, i);

      tt_report_text (report, collective->function);
      tt_report_int (report, (gint64) collective->n_calls);
      if (!is_narrow)
        tt_report_int (report, collective->n_processes);
      if (collective->n_spreads > 0)
        {
          if (!is_narrow)
            tt_report_int (report, collective->min_spread_ns);
          tt_report_real (report, (double) collective->spread_ns / (double) collective->n_spreads);
          tt_report_int (report, collective->max_spread_ns);
        }
      else
        for (guint k = is_narrow ? 1 : 0; k < 3; k++)
          tt_report_empty (report);
      tt_report_int128 (report, collective->wait_ns);
      tt_report_text (report, pid_of (store, collective->last_process));
      if (!is_narrow)
        tt_report_int (report, (gint64) collective->n_last);
    }
  return report;
}

/* -- matrix -------------------------------------------------------------------------------------- */

/* Position of each process in comm->processes, + 1. */
static GArray *
number_processes (const TtComm *comm)
{
  GArray *numbers = g_array_new (FALSE, TRUE, sizeof (guint));

  for (guint i = 0; i < comm->processes->len; i++)
    {
      guint32 id = g_array_index (comm->processes, TtCommProcess, i).process;
      if (id >= numbers->len)
        g_array_set_size (numbers, id + 1);
      g_array_index (numbers, guint, id) = i + 1;
    }
  return numbers;
}

static guint
number_of (const GArray *numbers, guint32 id)
{
  return id < numbers->len ? g_array_index (numbers, guint, id) : 0;
}

static void
declare_matrix (TtReport *report, TtStore *store, const TtComm *comm, TtCommQuantity quantity)
{
  const TtColumnKind kind = quantity == TT_COMM_BYTES   ? TT_COLUMN_BYTES
                            : quantity == TT_COMM_COUNT ? TT_COLUMN_COUNT
                                                        : TT_COLUMN_TIME;

  tt_report_column (report, TT_COLUMN_WORD, "From \\ to", "src");
  for (guint i = 0; i < comm->processes->len; i++)
    {
      const char *pid = pid_of (store, g_array_index (comm->processes, TtCommProcess, i).process);
      tt_report_column (report, kind, pid == NULL ? "?" : pid, pid == NULL ? "?" : pid);
    }
  tt_report_column (report, kind, "Sum", "sum");
}

TtReport *
tt_comm_matrix (TtStore *store, const TtComm *comm, TtCommQuantity quantity, TtUnit unit)
{
  TtReport *report = tt_report_new (unit);
  g_autoptr (GArray) numbers = number_processes (comm);
  gsize n = comm->processes->len;
  /* One more row and column than processes, for the sums. */
  g_autofree tt_int128 *cells = g_new0 (tt_int128, (n + 1) * (n + 1));

  for (guint i = 0; i < comm->pairs->len; i++)
    {
      const TtCommPair *pair = &g_array_index (comm->pairs, TtCommPair, i);
      guint row = number_of (numbers, pair->src), column = number_of (numbers, pair->dst);
      tt_int128 value = quantity_of (&pair->sums, quantity);

      if (row == 0 || column == 0)
        continue;
      cells[(row - 1) * (n + 1) + column - 1] += value;
      cells[(row - 1) * (n + 1) + n] += value;
      cells[n * (n + 1) + column - 1] += value;
      cells[n * (n + 1) + n] += value;
    }

  declare_matrix (report, store, comm, quantity);
  for (gsize row = 0; row <= n; row++)
    {
      tt_report_text (report,
                      row == n ? "sum" : pid_of (store, g_array_index (comm->processes, TtCommProcess, row).process));
      for (gsize column = 0; column <= n; column++)
        tt_report_int128 (report, cells[row * (n + 1) + column]);
    }
  return report;
}

char *
tt_comm_describe (const TtComm *comm)
{
  char count[TT_TIME_TEXT], matched[TT_TIME_TEXT], bytes[TT_TIME_TEXT], min[TT_TIME_TEXT], avg[TT_TIME_TEXT],
      max[TT_TIME_TEXT];
  const TtCommSums *all = &comm->all;

  tt_count_text (count, all->count);
  tt_count_text (matched, all->n_matched);
  if (all->n_sized == 0)
    return g_strdup_printf ("%s messages, %s matched, sizes unknown", count, matched);
  return g_strdup_printf ("%s messages, %s matched, %s; sizes %s to %s, %s on average", count, matched,
                          tt_bytes_auto (bytes, (guint64) MIN (all->bytes, (tt_int128) G_MAXINT64)),
                          tt_bytes_auto (min, (guint64) all->min_bytes), tt_bytes_auto (max, (guint64) all->max_bytes),
                          tt_bytes_auto (avg, (guint64) (all->bytes / all->n_sized)));
}
