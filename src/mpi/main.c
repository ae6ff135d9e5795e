/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/base/screen.h"
#include "src/base/temporary-file.h"
#include "src/cli/program.h"
#include "src/mpi/ranks.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/*
 * tracetool as the ranks of an MPI job: rank 0 is the program, the others help it with an import into a directory of shards
 * and else sleep.
 */

#define MAX_TEXT 4096 /* of an error that is told to rank 0 */
#define PREFIX "tracetool: "

/* What the program said last. Free it. */
static char *
last_message (int fd)
{
  char text[MAX_TEXT + 1];
  struct stat status;

  fflush (stderr);
  if (fd < 0 || fstat (fd, &status) != 0)
    return g_strdup ("it failed");
  const off_t from = MAX (status.st_size - MAX_TEXT, 0);
  const gssize len = pread (fd, text, MAX_TEXT, from);
  text[MAX (len, 0)] = '\0';
  const char *last = g_strrstr (text, "\n" PREFIX);
  const char *begin = last != NULL ? last + 1 : text;
  return g_strdup (g_strstrip ((char *) begin + (g_str_has_prefix (begin, PREFIX) ? strlen (PREFIX) : 0)));
}

/* Only rank 0 is heard. */
static void
help (int argc, char **argv)
{
  int fd = tt_temporary_file (NULL), nothing = open ("/dev/null", O_WRONLY | O_CLOEXEC);

  dup2 (nothing, STDOUT_FILENO);
  dup2 (fd >= 0 ? fd : nothing, STDERR_FILENO);
  const int status = tt_program (argc, argv);
  g_autofree char *text = status == 0 ? g_strdup ("") : last_message (fd);
  tt_mpi_report (status, text);
}

int
main (int argc, char **argv)
{
  /* Without one of these nobody has started it but a shell. */
  const gboolean is_started = g_getenv ("OMPI_COMM_WORLD_RANK") != NULL || g_getenv ("PMIX_RANK") != NULL ||
                              g_getenv ("PMI_RANK") != NULL || g_getenv ("SLURM_PROCID") != NULL;
  const TtShardRanks *ranks = tt_mpi_start (&argc, &argv);
  int status = 0;

  if (is_started)
    tt_screen_none ();
  tt_shard_ranks_use (ranks);
  if (ranks->rank == 0)
    status = tt_program (argc, argv);
  else if (tt_mpi_wait ())
    {
      help (argc, argv);
      tt_mpi_wait ();
    }
  tt_mpi_end ();
  return status;
}
