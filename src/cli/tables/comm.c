/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/cli/tables/comm.h"

#include "analyzers/process-order.h"
#include "src/base/compare.h"

const char *const tt_comm_quantity_words[] = { "bytes", "count", "wait", NULL };

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

/* What the columns of pairs and processes know beside their row. */
typedef struct
{
  TtStore *store;
  const TtPairWaits *waits;
} Context;

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
    return TT_COMPARE (value_b, value_a);
  if (pair_a->src != pair_b->src)
    return tt_process_order (order->store, pair_a->src, pair_b->src);
  return tt_process_order (order->store, pair_a->dst, pair_b->dst);
}

enum
{
  LATE_SENDER,
  LATE_RECEIVER,
};

typedef enum
{
  PAIR_COUNT,
  PAIR_BYTES,
  PAIR_MIN_BYTES,
  PAIR_MAX_BYTES,
  PAIR_WAIT,
  PAIR_UNMATCHED,
} PairSum;

static TtReportCell
pair_source (const TtReportField *self, const void *row, const void *context)
{
  return tt_cell_text (pid_of (((const Context *) context)->store, ((const TtCommPair *) row)->src));
}

static TtReportCell
pair_destination (const TtReportField *self, const void *row, const void *context)
{
  return tt_cell_text (pid_of (((const Context *) context)->store, ((const TtCommPair *) row)->dst));
}

static TtReportCell
pair_sum (const TtReportField *self, const void *row, const void *context)
{
  const TtCommSums *sums = &((const TtCommPair *) row)->sums;

  switch ((PairSum) self->id)
    {
    case PAIR_COUNT:
      return tt_cell_int (sums->count);
    case PAIR_BYTES:
      return tt_cell_int (sums->bytes);
    case PAIR_MIN_BYTES:
      return sums->n_sized > 0 ? tt_cell_int (sums->min_bytes) : tt_cell_empty ();
    case PAIR_MAX_BYTES:
      return sums->n_sized > 0 ? tt_cell_int (sums->max_bytes) : tt_cell_empty ();
    case PAIR_WAIT:
      return tt_cell_int (sums->wait_ns);
    case PAIR_UNMATCHED:
      return tt_cell_int (sums->count - sums->n_matched);
    }
  g_return_val_if_reached (tt_cell_empty ());
}

static TtReportCell
pair_average (const TtReportField *self, const void *row, const void *context)
{
  const TtCommSums *sums = &((const TtCommPair *) row)->sums;

  return sums->n_sized > 0 ? tt_cell_real ((double) sums->bytes / (double) sums->n_sized) : tt_cell_empty ();
}

static TtReportCell
pair_late (const TtReportField *self, const void *row, const void *context)
{
  const TtCommPair *pair = row;
  TtPairWait wait = tt_pair_waits_get (((const Context *) context)->waits, pair->src, pair->dst);

  return tt_cell_int (self->id == LATE_SENDER ? wait.late_sender_ns : wait.late_receiver_ns);
}

/* @context: a Context. */
static const TtReportField pair_fields[] = {
  { TT_COLUMN_TEXT, "From", "src", pair_source },
  { TT_COLUMN_TEXT, "To", "dst", pair_destination },
  { TT_COLUMN_COUNT, "Messages", "count", pair_sum, PAIR_COUNT },
  { TT_COLUMN_BYTES, "Bytes", "bytes", pair_sum, PAIR_BYTES },
  { TT_COLUMN_BYTES, "Min", "min_bytes", pair_sum, PAIR_MIN_BYTES },
  { TT_COLUMN_BYTES, "Avg", "avg_bytes", pair_average },
  { TT_COLUMN_BYTES, "Max", "max_bytes", pair_sum, PAIR_MAX_BYTES },
  { TT_COLUMN_TIME, "Wait", "wait", pair_sum, PAIR_WAIT },
  { TT_COLUMN_TIME, "Late send", "late_sender", pair_late, LATE_SENDER, 110 },
  { TT_COLUMN_TIME, "Late recv", "late_receiver", pair_late, LATE_RECEIVER, 110 },
  { TT_COLUMN_COUNT, "Unmatched", "unmatched", pair_sum, PAIR_UNMATCHED },
};

static TtTrustPlace
place_of_pair (const void *row, const void *data)
{
  const TtCommPair *pair = row;

  return (TtTrustPlace){ pair->src, pair->dst, TT_NO_ID, TRUE };
}

TtReport *
tt_comm_pair_table (TtStore *store,
                    TtComm *comm,
                    const TtPairWaits *waits,
                    TtCommQuantity sort,
                    TtTrustMarks *marks,
                    const TtReportView *view)
{
  const Context context = { store, waits };
  TtReport *report = tt_report_of_fields (pair_fields, G_N_ELEMENTS (pair_fields), view, &context);
  tt_trust_marks_declare (marks, report, view, place_of_pair, NULL);
  tt_int128 all = quantity_of (&comm->all, sort), rest = all;
  guint n = view->top > 0 ? MIN (view->top, comm->pairs->len) : comm->pairs->len;
  PairOrder order = { store, sort };

  g_array_sort_with_data (comm->pairs, compare_pairs, &order);
  for (guint i = 0; i < n; i++)
    {
      const TtCommPair *pair = &g_array_index (comm->pairs, TtCommPair, i);

      rest -= quantity_of (&pair->sums, sort);
      tt_report_row (report, pair);
    }
  if (n < comm->pairs->len)
    {
      g_autofree char *part = g_strdup_printf ("%.2f %% of %s", all == 0 ? 0.0 : 100.0 * (double) rest / (double) all,
                                               tt_comm_quantity_words[sort]);
      g_autofree char *footer = tt_report_more (view, comm->pairs->len - n, part);
      tt_report_footer (report, footer);
    }
  return report;
}

/* -- processes ----------------------------------------------------------------------------------- */

typedef enum
{
  PROCESS_SENT,
  PROCESS_BYTES_SENT,
  PROCESS_RECEIVED,
  PROCESS_BYTES_RECEIVED,
  PROCESS_MESSAGE_WAIT,
  PROCESS_COLLECTIVES,
  PROCESS_COLLECTIVE_WAIT,
} ProcessSum;

static TtReportCell
process_pid (const TtReportField *self, const void *row, const void *context)
{
  return tt_cell_text (pid_of (((const Context *) context)->store, ((const TtCommProcess *) row)->process));
}

static TtReportCell
process_sum (const TtReportField *self, const void *row, const void *context)
{
  const TtCommProcess *process = row;

  switch ((ProcessSum) self->id)
    {
    case PROCESS_SENT:
      return tt_cell_int (process->n_sent);
    case PROCESS_BYTES_SENT:
      return tt_cell_int (process->bytes_sent);
    case PROCESS_RECEIVED:
      return tt_cell_int (process->n_received);
    case PROCESS_BYTES_RECEIVED:
      return tt_cell_int (process->bytes_received);
    case PROCESS_MESSAGE_WAIT:
      return tt_cell_int (process->message_wait_ns);
    case PROCESS_COLLECTIVES:
      return tt_cell_int (process->n_collectives);
    case PROCESS_COLLECTIVE_WAIT:
      return tt_cell_int (process->collective_wait_ns);
    }
  g_return_val_if_reached (tt_cell_empty ());
}

static TtReportCell
process_caused (const TtReportField *self, const void *row, const void *context)
{
  TtPairWait wait = tt_pair_waits_caused (((const Context *) context)->waits, ((const TtCommProcess *) row)->process);

  return tt_cell_int (self->id == LATE_SENDER ? wait.late_sender_ns : wait.late_receiver_ns);
}

/* @context: a Context. */
static const TtReportField process_fields[] = {
  { TT_COLUMN_TEXT, "Process", "pid", process_pid },
  { TT_COLUMN_COUNT, "Sent", "sent", process_sum, PROCESS_SENT },
  { TT_COLUMN_BYTES, "Bytes out", "bytes_sent", process_sum, PROCESS_BYTES_SENT },
  { TT_COLUMN_COUNT, "Recvd", "received", process_sum, PROCESS_RECEIVED },
  { TT_COLUMN_BYTES, "Bytes in", "bytes_received", process_sum, PROCESS_BYTES_RECEIVED },
  { TT_COLUMN_TIME, "Msg wait", "message_wait", process_sum, PROCESS_MESSAGE_WAIT },
  { TT_COLUMN_COUNT, "Calls", "collectives", process_sum, PROCESS_COLLECTIVES },
  { TT_COLUMN_TIME, "Coll wait", "collective_wait", process_sum, PROCESS_COLLECTIVE_WAIT },
  { TT_COLUMN_TIME, "Late send", "late_sender", process_caused, LATE_SENDER, 110 },
  { TT_COLUMN_TIME, "Late recv", "late_receiver", process_caused, LATE_RECEIVER, 110 },
};

static TtTrustPlace
place_of_process (const void *row, const void *data)
{
  return (TtTrustPlace){ ((const TtCommProcess *) row)->process, TT_NO_ID, TT_NO_ID, TRUE };
}

TtReport *
tt_comm_process_table (TtStore *store,
                       const TtComm *comm,
                       const TtPairWaits *waits,
                       TtTrustMarks *marks,
                       const TtReportView *view)
{
  const Context context = { store, waits };
  TtReport *report = tt_report_of_fields (process_fields, G_N_ELEMENTS (process_fields), view, &context);
  tt_trust_marks_declare (marks, report, view, place_of_process, NULL);

  tt_report_limit (report, view);
  tt_report_caption (report, "messages sent and received, calls of collective functions, and waits in both");
  for (guint i = 0; i < comm->processes->len; i++)
    tt_report_row (report, &g_array_index (comm->processes, TtCommProcess, i));
  return report;
}

/* -- collectives --------------------------------------------------------------------------------- */

/* A terminal of 80 columns has no room for all. */
#define MIN_COLLECTIVE_WIDTH 100

typedef enum
{
  COLLECTIVE_CALLS,
  COLLECTIVE_RANKS,
  COLLECTIVE_MIN_SPREAD,
  COLLECTIVE_MAX_SPREAD,
  COLLECTIVE_WAIT,
  COLLECTIVE_TIMES_LAST,
} CollectiveSum;

static TtReportCell
collective_function (const TtReportField *self, const void *row, const void *context)
{
  return tt_cell_text (((const TtCommCollective *) row)->function);
}

static TtReportCell
collective_sum (const TtReportField *self, const void *row, const void *context)
{
  const TtCommCollective *collective = row;

  switch ((CollectiveSum) self->id)
    {
    case COLLECTIVE_CALLS:
      return tt_cell_int (collective->n_calls);
    case COLLECTIVE_RANKS:
      return tt_cell_int (collective->n_processes);
    case COLLECTIVE_MIN_SPREAD:
      return collective->n_spreads > 0 ? tt_cell_int (collective->min_spread_ns) : tt_cell_empty ();
    case COLLECTIVE_MAX_SPREAD:
      return collective->n_spreads > 0 ? tt_cell_int (collective->max_spread_ns) : tt_cell_empty ();
    case COLLECTIVE_WAIT:
      return tt_cell_int (collective->wait_ns);
    case COLLECTIVE_TIMES_LAST:
      return tt_cell_int (collective->n_last);
    }
  g_return_val_if_reached (tt_cell_empty ());
}

static TtReportCell
collective_spread (const TtReportField *self, const void *row, const void *context)
{
  const TtCommCollective *collective = row;

  return collective->n_spreads > 0 ? tt_cell_real ((double) collective->spread_ns / (double) collective->n_spreads)
                                   : tt_cell_empty ();
}

static TtReportCell
collective_last (const TtReportField *self, const void *row, const void *context)
{
  return tt_cell_text (pid_of ((TtStore *) context, ((const TtCommCollective *) row)->last_process));
}

/* @context: the store. */
static const TtReportField collective_fields[] = {
  { TT_COLUMN_TEXT, "Function", "function", collective_function },
  { TT_COLUMN_COUNT, "Calls", "calls", collective_sum, COLLECTIVE_CALLS },
  { TT_COLUMN_COUNT, "Ranks", "ranks", collective_sum, COLLECTIVE_RANKS, MIN_COLLECTIVE_WIDTH },
  { TT_COLUMN_TIME, "Min", "spread_min", collective_sum, COLLECTIVE_MIN_SPREAD, MIN_COLLECTIVE_WIDTH },
  { TT_COLUMN_TIME, "Avg", "spread_avg", collective_spread },
  { TT_COLUMN_TIME, "Max", "spread_max", collective_sum, COLLECTIVE_MAX_SPREAD },
  { TT_COLUMN_TIME, "Wait", "wait", collective_sum, COLLECTIVE_WAIT },
  { TT_COLUMN_TEXT, "Last", "last", collective_last },
  { TT_COLUMN_COUNT, "Times", "last_times", collective_sum, COLLECTIVE_TIMES_LAST, MIN_COLLECTIVE_WIDTH },
};

TtReport *
tt_comm_collective_table (TtStore *store, const TtComm *comm, TtTrustMarks *marks, const TtReportView *view)
{
  TtReport *report = tt_report_of_fields (collective_fields, G_N_ELEMENTS (collective_fields), view, store);
  tt_trust_marks_declare (marks, report, view, NULL, NULL);

  tt_report_limit (report, view);
  tt_report_caption (report, "collective calls: spread of arrivals, wait, who came last most often");
  for (guint i = 0; i < comm->collectives->len; i++)
    tt_report_row (report, &g_array_index (comm->collectives, TtCommCollective, i));
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

typedef struct
{
  const char *pid;
  const tt_int128 *cells;
} MatrixRow;

static TtReportCell
matrix_source (const TtReportField *self, const void *row, const void *context)
{
  return tt_cell_text (((const MatrixRow *) row)->pid);
}

static TtReportCell
matrix_cell (const TtReportField *self, const void *row, const void *context)
{
  return tt_cell_int (((const MatrixRow *) row)->cells[self->id]);
}

static const char *
matrix_pid (TtStore *store, const TtComm *comm, guint i)
{
  return pid_of (store, g_array_index (comm->processes, TtCommProcess, i).process);
}

/* A column for the source, one for each process, one for the sum. Free it. */
static TtReportField *
matrix_fields (TtStore *store, const TtComm *comm, TtCommQuantity quantity)
{
  const TtColumnKind kind = quantity == TT_COMM_BYTES   ? TT_COLUMN_BYTES
                            : quantity == TT_COMM_COUNT ? TT_COLUMN_COUNT
                                                        : TT_COLUMN_TIME;
  guint n = comm->processes->len;
  TtReportField *fields = g_new0 (TtReportField, n + 2);

  fields[0] = (TtReportField){ TT_COLUMN_WORD, "From \\ to", "src", matrix_source };
  for (guint i = 0; i < n; i++)
    {
      const char *pid = matrix_pid (store, comm, i);
      fields[i + 1] = (TtReportField){ kind, pid == NULL ? "?" : pid, pid == NULL ? "?" : pid, matrix_cell, i };
    }
  fields[n + 1] = (TtReportField){ kind, "Sum", "sum", matrix_cell, n };
  return fields;
}

/* Of (n + 1) rows of n + 1 cells: the last row and column hold the sums. Free it. */
static tt_int128 *
sum_matrix (const TtComm *comm, TtCommQuantity quantity)
{
  g_autoptr (GArray) numbers = number_processes (comm);
  gsize n = comm->processes->len;
  tt_int128 *cells = g_new0 (tt_int128, (n + 1) * (n + 1));

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
  return cells;
}

TtReport *
tt_comm_matrix (TtStore *store, const TtComm *comm, TtCommQuantity quantity, const TtReportView *view)
{
  guint n = comm->processes->len;
  g_autofree tt_int128 *cells = sum_matrix (comm, quantity);
  g_autofree TtReportField *fields = matrix_fields (store, comm, quantity);
  TtReport *report = tt_report_of_fields (fields, n + 2, view, NULL);

  for (guint i = 0; i <= n; i++)
    {
      const MatrixRow row = { i == n ? "sum" : matrix_pid (store, comm, i), cells + (gsize) i * (n + 1) };

      tt_report_row (report, &row);
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
