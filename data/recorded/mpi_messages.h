/* SPDX-License-Identifier: Apache-2.0 */
/* Causes in messages between two ranks; included by mpi_causes.c. */
#include "mpi_stamps.h"

enum
{
  ROUNDS = 3,
  SHORT = 5,
  LATE = 40,
  BIG = 1 << 20
};

/* Work of all ranks, of one it is late. */
static void
work_or_late (const char *what, const char *name, int late_rank, int ms)
{
  if (rank == late_rank)
    late (what, name, ms);
  else
    work (what, name, SHORT);
}

static void
send_to (const char *what, int peer, int tag)
{
  int value = tag;
  CALL (what, "MPI_Send()", MPI_Send (&value, 1, MPI_INT, peer, tag, MPI_COMM_WORLD));
}

static void
receive_from (const char *what, int peer, int tag, const char *root, const char *until)
{
  int value;
  CALL (what, "MPI_Recv()", MPI_Recv (&value, 1, MPI_INT, peer, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
  wait_for (what, "late sender", root, until);
}

static void
late_sender (void)
{
  for (int i = 0; i < ROUNDS; i++)
    {
      const char *made = label ("assemble%d", i), *sent = label ("send%d", i);
      path (of (made, 0));
      if (rank == 0)
        {
          late (made, "assemble", LATE);
          send_to (sent, 1, i);
        }
      else
        {
          work (label ("solve%d", i), "solve", SHORT);
          receive_from (label ("recv%d", i), 0, i, of (made, 0), of (sent, 0));
        }
    }
}

static void
late_sender_chain (void)
{
  for (int i = 0; i < ROUNDS; i++)
    {
      const char *made = label ("assemble%d", i), *sent = label ("send%d", i);
      path (of (made, 0));
      if (rank == 0)
        {
          late (made, "assemble", LATE);
        }
      else
        {
          work (label ("solve%d", i), "solve", SHORT);
          receive_from (label ("recv%d", i), rank - 1, i, of (made, 0), of (sent, rank - 1));
        }
      if (rank < size - 1)
        send_to (sent, rank + 1, i);
    }
}

/* Two rounds of synchronous sends, two of messages that are too long to be sent before they are received. */
static void
late_receiver (void)
{
  static char data[BIG];
  for (int i = 0; i < 4; i++)
    {
      const char *made = label ("assemble%d", i), *sent = label ("send%d", i), *got = label ("recv%d", i);
      int length = i < 2 ? 64 : BIG;
      path (of (made, 1));
      if (rank == 1)
        {
          late (made, "assemble", LATE);
          CALL (got, "MPI_Recv()", MPI_Recv (data, length, MPI_CHAR, 0, i, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        }
      else
        {
          work (label ("solve%d", i), "solve", SHORT);
          if (i < 2)
            CALL (sent, "MPI_Ssend()", MPI_Ssend (data, length, MPI_CHAR, 1, i, MPI_COMM_WORLD));
          else
            CALL (sent, "MPI_Send()", MPI_Send (data, length, MPI_CHAR, 1, i, MPI_COMM_WORLD));
          wait_for (sent, "late receiver", of (made, 1), of (got, 1));
        }
    }
}

static void
wrong_order (void)
{
  for (int i = 0; i < ROUNDS; i++)
    {
      const char *made = label ("assemble%d", i), *second = label ("second%d", i);
      path (of (made, 0));
      if (rank == 0)
        {
          send_to (label ("first%d", i), 1, 10 + i);
          late (made, "assemble", LATE);
          send_to (second, 1, 20 + i);
        }
      else
        {
          int value;
          const char *call = label ("recv_second%d", i);
          work (label ("solve%d", i), "solve", SHORT);
          CALL (call, "MPI_Recv()", MPI_Recv (&value, 1, MPI_INT, 0, 20 + i, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
          wait_for (call, "wrong order", of (made, 0), of (second, 0));
          call = label ("recv_first%d", i);
          CALL (call, "MPI_Recv()", MPI_Recv (&value, 1, MPI_INT, 0, 10 + i, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        }
    }
}

static void
probe (void)
{
  for (int i = 0; i < ROUNDS; i++)
    {
      const char *made = label ("assemble%d", i), *sent = label ("send%d", i);
      path (of (made, 0));
      if (rank == 0)
        {
          late (made, "assemble", LATE);
          send_to (sent, 1, i);
        }
      else
        {
          const char *call = label ("probe%d", i);
          work (label ("solve%d", i), "solve", SHORT);
          CALL (call, "MPI_Probe()", MPI_Probe (0, i, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
          wait_for (call, "late sender", of (made, 0), of (sent, 0));
          int value;
          call = label ("recv%d", i);
          CALL (call, "MPI_Recv()", MPI_Recv (&value, 1, MPI_INT, 0, i, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        }
    }
}

/* The stamp of a polling loop holds all of its calls of MPI_Test. */
static void
test_polling (void)
{
  for (int i = 0; i < ROUNDS; i++)
    {
      const char *made = label ("assemble%d", i), *sent = label ("send%d", i);
      path (of (made, 0));
      if (rank == 0)
        {
          late (made, "assemble", LATE);
          send_to (sent, 1, i);
        }
      else
        {
          int value, done = 0;
          MPI_Request request;
          const char *call = label ("irecv%d", i);
          CALL (call, "MPI_Irecv()", MPI_Irecv (&value, 1, MPI_INT, 0, i, MPI_COMM_WORLD, &request));
          work (label ("solve%d", i), "solve", SHORT);
          call = label ("test%d", i);
          CALL (call, "MPI_Test()", while (MPI_Test (&request, &done, MPI_STATUS_IGNORE), !done) pause_ms (1));
          wait_for (call, "late sender", of (made, 0), of (sent, 0));
        }
    }
}

/*
 * Each rank with both neighbours. Rank 1 is late in the first round; in the second what it did comes to those that
 * were not its neighbours.
 */
static void
waitall (void)
{
  int left = (rank + size - 1) % size, right = (rank + 1) % size;
  for (int i = 0; i < ROUNDS; i++)
    {
      const char *made = label ("assemble%d", i), *call = label ("waitall%d", i), *root = of ("assemble0", 1);
      int from[2], to[2] = { rank, rank };
      MPI_Request requests[4];
      work_or_late (made, "assemble", i == 0 ? 1 : -1, 2 * LATE);
      path (of (made, (1 + i) % size));
      CALL (label ("irecv_left%d", i), "MPI_Irecv()",
            MPI_Irecv (&from[0], 1, MPI_INT, left, i, MPI_COMM_WORLD, &requests[0]));
      CALL (label ("irecv_right%d", i), "MPI_Irecv()",
            MPI_Irecv (&from[1], 1, MPI_INT, right, i, MPI_COMM_WORLD, &requests[1]));
      CALL (label ("isend_left%d", i), "MPI_Isend()",
            MPI_Isend (&to[0], 1, MPI_INT, left, i, MPI_COMM_WORLD, &requests[2]));
      CALL (label ("isend_right%d", i), "MPI_Isend()",
            MPI_Isend (&to[1], 1, MPI_INT, right, i, MPI_COMM_WORLD, &requests[3]));
      CALL (call, "MPI_Waitall()", MPI_Waitall (4, requests, MPI_STATUSES_IGNORE));
      if (i == 2 || (i == 0 && (rank == 1 || rank == 3)))
        root = "-";
      wait_for (call, "late sender", root,
                label ("%s\t%s", of (label ("isend_right%d", i), left), of (label ("isend_left%d", i), right)));
    }
}

/* Ranks 1 to 3 send after 20, 50 and 90 ms. In the last round rank 0 asks for any one, before it asks for some. */
static void
waitsome (void)
{
  static const int after[] = { 0, 20, 50, 90 };
  for (int i = 0; i < ROUNDS; i++)
    {
      const char *made = label ("assemble%d", i), *sent = label ("send%d", i);
      path (of (made, 3));
      if (rank > 0)
        {
          late (made, "assemble", after[rank]);
          send_to (sent, 0, i);
          CALL (label ("bcast%d", i), "MPI_Bcast()", MPI_Bcast (&i, 1, MPI_INT, 0, MPI_COMM_WORLD));
          wait_for (label ("bcast%d", i), "late broadcast", of (made, 3), of (label ("bcast%d", i), 0));
          continue;
        }
      MPI_Request requests[3];
      int values[3], done[3], count;
      for (int r = 0; r < 3; r++)
        CALL (label ("irecv%d_%d", r, i), "MPI_Irecv()",
              MPI_Irecv (&values[r], 1, MPI_INT, r + 1, i, MPI_COMM_WORLD, &requests[r]));
      for (int r = 1; r <= 3;)
        {
          const char *call = label ("wait%d_%d", r, i);
          int first = r;
          if (i < 2)
            {
              CALL (call, "MPI_Waitsome()", MPI_Waitsome (3, requests, &count, done, MPI_STATUSES_IGNORE));
              r += count;
            }
          else
            {
              CALL (call, "MPI_Waitany()", MPI_Waitany (3, requests, done, MPI_STATUS_IGNORE));
              r++;
            }
          wait_for (call, "late sender", of (made, first), of (sent, first));
          work (label ("merge%d_%d", first, i), "merge", 2);
        }
      CALL (label ("bcast%d", i), "MPI_Bcast()", MPI_Bcast (&i, 1, MPI_INT, 0, MPI_COMM_WORLD));
    }
}

static void
persistent (void)
{
  int value = rank;
  MPI_Request request;
  if (rank == 0)
    CALL ("init", "MPI_Send_init()", MPI_Send_init (&value, 1, MPI_INT, 1, 7, MPI_COMM_WORLD, &request));
  else
    CALL ("init", "MPI_Recv_init()", MPI_Recv_init (&value, 1, MPI_INT, 0, 7, MPI_COMM_WORLD, &request));
  for (int i = 0; i < ROUNDS; i++)
    {
      const char *made = label ("assemble%d", i), *start = label ("start%d", i), *done = label ("wait%d", i);
      path (of (made, 0));
      if (rank == 0)
        late (made, "assemble", LATE);
      CALL (start, "MPI_Start()", MPI_Start (&request));
      if (rank == 1)
        work (label ("solve%d", i), "solve", SHORT);
      CALL (done, "MPI_Wait()", MPI_Wait (&request, MPI_STATUS_IGNORE));
      if (rank == 1)
        wait_for (done, "late sender", of (made, 0), of (start, 0));
    }
  MPI_Request_free (&request);
}
