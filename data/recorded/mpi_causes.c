/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An MPI program that makes ranks wait for a cause that is known, to be recorded by a tracer:
 *   mpicc -O1 -o mpi_causes mpi_causes.c -lpthread -ldl; STAMPS=FOLDER mpirun -n RANKS ./mpi_causes CAUSE
 * What it says of itself is described in mpi_stamps.h.
 */
#define _GNU_SOURCE
#include "mpi_messages.h"

static void
barrier (void)
{
  for (int i = 0; i < ROUNDS; i++)
    {
      const char *made = label ("assemble%d", i), *call = label ("barrier%d", i);
      path (of (made, 2));
      work_or_late (made, "assemble", 2, LATE);
      CALL (call, "MPI_Barrier()", MPI_Barrier (MPI_COMM_WORLD));
      wait_for (call, "wait at barrier", of (made, 2), call);
    }
}

static void
reduce_all (const char *what, MPI_Comm comm, const char *root, const char *until)
{
  double value = rank, sum;
  CALL (what, "MPI_Allreduce()", MPI_Allreduce (&value, &sum, 1, MPI_DOUBLE, MPI_SUM, comm));
  wait_for (what, "wait at NxN", root, until);
}

static void
allreduce (void)
{
  for (int i = 0; i < ROUNDS; i++)
    {
      const char *made = label ("assemble%d", i), *call = label ("allreduce%d", i);
      path (of (made, 1));
      work_or_late (made, "assemble", 1, LATE);
      reduce_all (call, MPI_COMM_WORLD, of (made, 1), call);
    }
}

/* The late rank waits at once, for a collective goes on only while a rank is within MPI. */
static void
iallreduce (void)
{
  for (int i = 0; i < ROUNDS; i++)
    {
      const char *made = label ("assemble%d", i), *call = label ("iallreduce%d", i), *done = label ("wait%d", i);
      double value = rank, sum;
      MPI_Request request;
      path (of (made, 3));
      work_or_late (made, "assemble", 3, 2 * LATE);
      CALL (call, "MPI_Iallreduce()", MPI_Iallreduce (&value, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD, &request));
      if (rank != 3)
        work (label ("solve%d", i), "solve", 10);
      CALL (done, "MPI_Wait()", MPI_Wait (&request, MPI_STATUS_IGNORE));
      wait_for (done, "wait at NxN", of (made, 3), call);
    }
}

/*
 * Rows of a grid of 4 x 4 reduce as often as their number says, columns once. Even rows begin with their row, odd rows
 * with their columns. Rank 5 (row 1) is late: so is its column, hence row 3 by rank 13, and its row; in the second round
 * rows 0 and 2 by ranks 1 and 9.
 */
static void
sub_communicators (void)
{
  int row = rank / 4, column = rank % 4;
  MPI_Comm rows, columns;
  MPI_Comm_split (MPI_COMM_WORLD, row, column, &rows);
  MPI_Comm_split (MPI_COMM_WORLD, column, row, &columns);
  PMPI_Barrier (MPI_COMM_WORLD);
  for (int i = 0; i < 2; i++)
    {
      const char *made = label ("assemble%d", i);
      work_or_late (made, "assemble", i == 0 ? 5 : -1, 2 * LATE);
      for (int half = 0; half < 2; half++)
        {
          int by_row = (row + half) % 2 == 0;
          const char *line = by_row ? label ("row%d_%d", row, i) : label ("column%d_%d", column, i);
          for (int n = 0; n < (by_row ? row + 1 : 1); n++)
            {
              const char *call = label ("%s_%d", line, n);
              int waits = n == 0 && (by_row ? row % 2 != i : column == 1 && i == 0);
              reduce_all (call, by_row ? rows : columns, waits ? of ("assemble0", 5) : "-", call);
            }
        }
    }
  path ("assemble0.5");
  MPI_Comm_free (&rows);
  MPI_Comm_free (&columns);
}

/* Ranks 0 to 2 meet five times, 3 to 5 twice. Rank 1 is late for the fourth meeting of its half, rank 5 for the first. */
static void
two_halves (void)
{
  int half = rank / 3;
  MPI_Comm comm;
  MPI_Comm_split (MPI_COMM_WORLD, half, rank, &comm);
  PMPI_Barrier (MPI_COMM_WORLD);
  for (int i = 0; i < (half == 0 ? 5 : 2); i++)
    {
      const char *made = label ("half%d_assemble%d", half, i), *call = label ("half%d_call%d", half, i), *root = "-";
      if (half == 0 && i == 3)
        root = of (made, 1);
      if (half == 1 && i == 0)
        root = of (made, 5);
      work_or_late (made, "assemble", *root == '-' ? -1 : half == 0 ? 1 : 5, half == 0 ? LATE : 2 * LATE);
      if (i % 2 == 0)
        {
          reduce_all (call, comm, root, call);
        }
      else
        {
          CALL (call, "MPI_Barrier()", MPI_Barrier (comm));
          wait_for (call, "wait at barrier", root, call);
        }
    }
  path ("half1_assemble0.5");
  MPI_Comm_free (&comm);
}

static void
late_broadcast (void)
{
  for (int i = 0; i < ROUNDS; i++)
    {
      const char *made = label ("assemble%d", i), *call = label ("bcast%d", i);
      int value = rank;
      path (of (made, 1));
      work_or_late (made, "assemble", 1, LATE);
      CALL (call, "MPI_Bcast()", MPI_Bcast (&value, 1, MPI_INT, 1, MPI_COMM_WORLD));
      if (rank != 1)
        wait_for (call, "late broadcast", of (made, 1), of (call, 1));
    }
}

/* The wait of the root ends with the last of the others; all are late alike. */
static void
early_reduce (void)
{
  for (int i = 0; i < ROUNDS; i++)
    {
      const char *made = label ("assemble%d", i), *call = label ("reduce%d", i);
      int value = rank, sum;
      if (rank == 0)
        work (made, "assemble", SHORT);
      else
        late (made, "assemble", LATE);
      CALL (call, "MPI_Reduce()", MPI_Reduce (&value, &sum, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD));
      if (rank == 0)
        wait_for (call, "early reduce", made, call);
    }
}

static void
scatter_gather (void)
{
  for (int i = 0; i < ROUNDS; i++)
    {
      const char *made = label ("assemble%d", i), *solved = label ("solve%d", i);
      const char *scatter = label ("scatter%d", i), *gather = label ("gather%d", i);
      int values[16] = { 0 }, mine = 0;
      path (of (made, 0));
      path (of (solved, 2));
      work_or_late (made, "assemble", 0, LATE);
      CALL (scatter, "MPI_Scatter()", MPI_Scatter (values, 1, MPI_INT, &mine, 1, MPI_INT, 0, MPI_COMM_WORLD));
      if (rank != 0)
        wait_for (scatter, "late broadcast", of (made, 0), of (scatter, 0));
      work_or_late (solved, "solve", 2, LATE);
      CALL (gather, "MPI_Gather()", MPI_Gather (&mine, 1, MPI_INT, values, 1, MPI_INT, 0, MPI_COMM_WORLD));
      if (rank == 0)
        wait_for (gather, "early reduce", of (solved, 2), gather);
    }
}

static void
fence (void)
{
  int here = -1, value = rank;
  MPI_Win window;
  CALL ("win_create", "MPI_Win_create()",
        MPI_Win_create (&here, sizeof here, sizeof here, MPI_INFO_NULL, MPI_COMM_WORLD, &window));
  wait_for ("win_create", "wait at window", "-", "win_create");
  CALL ("open", "MPI_Win_fence()", MPI_Win_fence (0, window));
  wait_for ("open", "wait at fence", "-", "open");
  for (int i = 0; i < ROUNDS; i++)
    {
      const char *made = label ("assemble%d", i), *call = label ("fence%d", i);
      path (of (made, 2));
      CALL (label ("put%d", i), "MPI_Put()", MPI_Put (&value, 1, MPI_INT, (rank + 1) % size, 0, 1, MPI_INT, window));
      work_or_late (made, "assemble", 2, LATE);
      CALL (call, "MPI_Win_fence()", MPI_Win_fence (0, window));
      wait_for (call, "wait at fence", of (made, 2), call);
    }
  CALL ("win_free", "MPI_Win_free()", MPI_Win_free (&window));
  wait_for ("win_free", "wait at window", "-", "win_free");
}

/* That of the tracer where there is one, for Open MPI has threads of its own. */
static int
thread_number (int nth)
{
  int (*number) (void);
  *(void **) &number = dlsym (RTLD_DEFAULT, "Tau_get_thread");
  return number ? number () : 1 + nth;
}

static void *
assemble_aside (void *round)
{
  thread = thread_number (*(int *) round);
  late (label ("assemble%d", *(int *) round), "assemble", LATE);
  return NULL;
}

/* Rank 0 waits for its own thread, rank 1 for rank 0. */
static void
thread_join (void)
{
  for (int i = 0; i < ROUNDS; i++)
    {
      const char *made = label ("assemble%d", i), *sent = label ("send%d", i);
      path (of (made, 0));
      if (rank == 0)
        {
          const char *join = label ("join%d", i);
          pthread_t worker;
          pthread_create (&worker, NULL, assemble_aside, &i);
          work (label ("solve%d", i), "solve", SHORT);
          CALL (join, "pthread_join", pthread_join (worker, NULL));
          wait_for (join, "wait for thread", of (made, 0), label ("end:%s", of (made, 0)));
          send_to (sent, 1, i);
        }
      else
        {
          work (label ("solve%d", i), "solve", SHORT);
          receive_from (label ("recv%d", i), 0, i, of (made, 0), of (sent, 0));
        }
    }
}

static pthread_mutex_t shared = PTHREAD_MUTEX_INITIALIZER;

/* The other thread comes to the lock 10 ms after the main thread took it. */
static void *
update_aside (void *round)
{
  int i = *(int *) round;
  thread = thread_number (i);
  const char *held = label ("update%d", i), *call = label ("lock%d", i);
  work (label ("solve%d", i), "solve", 10);
  CALL (call, "pthread_mutex_lock", timer_start ("pthread_mutex_lock"); pthread_mutex_lock (&shared);
        timer_stop ("pthread_mutex_lock"));
  wait_for (call, "wait for lock", of (held, rank), label ("end:%s", of (held, rank)));
  work (label ("smooth%d", i), "smooth", SHORT);
  pthread_mutex_unlock (&shared);
  return NULL;
}

static void
mutex (void)
{
  for (int i = 0; i < ROUNDS; i++)
    {
      const char *join = label ("join%d", i), *smooth = label ("smooth%d", i);
      pthread_t worker;
      path (of (label ("update%d", i), 0));
      path (of (smooth, 0));
      pthread_mutex_lock (&shared);
      pthread_create (&worker, NULL, update_aside, &i);
      late (label ("update%d", i), "update", LATE);
      pthread_mutex_unlock (&shared);
      CALL (join, "pthread_join", pthread_join (worker, NULL));
      wait_for (join, "wait for thread", "-", label ("end:%s", of (smooth, rank)));
    }
}

/* "assemble" is called by "setup", where it takes as long on all ranks, and by "step", where rank 2 is late. */
static void
call_path (void)
{
  for (int i = 0; i < ROUNDS; i++)
    {
      const char *made = label ("step_assemble%d", i), *call = label ("allreduce%d", i);
      path (of (made, 2));
      timer_start ("setup");
      work (label ("setup_assemble%d", i), "assemble", 20);
      timer_stop ("setup");
      timer_start ("step");
      if (rank == 2)
        late_path (made, "step>assemble", "assemble", LATE);
      else
        work (made, "assemble", SHORT);
      timer_stop ("step");
      work (label ("solve%d", i), "solve", 10);
      reduce_all (call, MPI_COMM_WORLD, of (made, 2), call);
    }
}

/* Rank 0 makes 1 late, 1 makes 2 late, and 3 and 0 pay for it in a barrier. */
static void
propagated (void)
{
  for (int i = 0; i < ROUNDS; i++)
    {
      const char *made = label ("assemble%d", i), *sent = label ("send%d", i), *call = label ("barrier%d", i);
      path (of (made, 0));
      if (rank == 0)
        late (made, "assemble", 2 * LATE);
      else
        work (label ("solve%d", i), "solve", SHORT);
      if (rank == 1 || rank == 2)
        receive_from (label ("recv%d", i), rank - 1, i, of (made, 0), of (sent, rank - 1));
      if (rank < 2)
        send_to (sent, rank + 1, i);
      CALL (call, "MPI_Barrier()", MPI_Barrier (MPI_COMM_WORLD));
      wait_for (call, "wait at barrier", rank == 3 ? of (made, 0) : "-", call);
    }
}

static void
imbalance (void)
{
  for (int i = 0; i < ROUNDS; i++)
    {
      const char *call = label ("allreduce%d", i);
      work (label ("solve%d", i), "solve", 10);
      reduce_all (call, MPI_COMM_WORLD, "-", call);
    }
  if (rank == size - 1)
    late ("postprocess", "postprocess", 2 * LATE);
  path (of ("postprocess", size - 1));
}

static void
balanced (void)
{
  int left = (rank + size - 1) % size, right = (rank + 1) % size;
  for (int i = 0; i < ROUNDS; i++)
    {
      const char *swap = label ("sendrecv%d", i), *call = label ("allreduce%d", i);
      int from;
      work (label ("solve%d", i), "solve", 20);
      CALL (swap, "MPI_Sendrecv()",
            MPI_Sendrecv (&rank, 1, MPI_INT, right, i, &from, 1, MPI_INT, left, i, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
      wait_for (swap, "late sender", "-", of (swap, left));
      reduce_all (call, MPI_COMM_WORLD, "-", call);
    }
}

static const struct
{
  const char *name;
  void (*run) (void);
} causes[] = { { "late-sender", late_sender },
               { "late-sender-chain", late_sender_chain },
               { "late-receiver", late_receiver },
               { "wrong-order", wrong_order },
               { "barrier", barrier },
               { "allreduce", allreduce },
               { "iallreduce", iallreduce },
               { "probe", probe },
               { "test-polling", test_polling },
               { "waitall", waitall },
               { "waitsome", waitsome },
               { "persistent", persistent },
               { "sub-communicators", sub_communicators },
               { "two-halves", two_halves },
               { "late-broadcast", late_broadcast },
               { "early-reduce", early_reduce },
               { "scatter-gather", scatter_gather },
               { "fence", fence },
               { "thread-join", thread_join },
               { "mutex", mutex },
               { "call-path", call_path },
               { "propagated", propagated },
               { "imbalance", imbalance },
               { "balanced", balanced } };

int
main (int argc, char **argv)
{
  int provided;
  void (*run) (void) = NULL;
  for (size_t i = 0; argc == 2 && i < sizeof causes / sizeof *causes; i++)
    if (strcmp (argv[1], causes[i].name) == 0)
      run = causes[i].run;
  if (!run)
    {
      fprintf (stderr, "usage: mpi_causes CAUSE\n");
      return 2;
    }
  begin_stamps ();
  MPI_Init_thread (&argc, &argv, MPI_THREAD_FUNNELED, &provided);
  MPI_Comm_rank (MPI_COMM_WORLD, &rank);
  MPI_Comm_size (MPI_COMM_WORLD, &size);
  /* No tracer sees this one: the ranks begin together, and what starting takes is nobody's wait. */
  PMPI_Barrier (MPI_COMM_WORLD);
  timer_start ("main");
  run ();
  timer_stop ("main");
  CALL ("finalize", "MPI_Finalize()", MPI_Finalize ());
  write_stamps ();
  return 0;
}
