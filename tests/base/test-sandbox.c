/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/base/sandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/require.h"

#define NOT_HERE 77

/* What was refused otherwise than expected ends the process with its number. */
static void
expect (int number, gboolean is_refused, gboolean should_be)
{
  if (is_refused != should_be || (is_refused && errno != EPERM))
    _exit (number);
}

static void
try_all (void)
{
  char *const none[] = { NULL };
  char byte = 0;
  int null = open ("/dev/null", O_RDONLY);

  expect (1, null < 0, FALSE);
  expect (2, read (null, &byte, 1) < 0, FALSE);
  expect (3, open ("/tmp", O_RDWR) < 0, TRUE);
  expect (4, open ("/tmp/tracetool-sandbox", O_WRONLY | O_CREAT | O_TRUNC, 0600) < 0, TRUE);
  expect (5, socket (AF_INET, SOCK_STREAM, 0) < 0, TRUE);
  expect (6, execve ("/bin/true", none, none) < 0, TRUE);
  expect (7, fork () < 0, TRUE);
  expect (8, unlink ("/tmp/tracetool-sandbox") < 0, TRUE);
  expect (9, kill (getppid (), 0) < 0, TRUE);
  expect (10, mmap (NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) == MAP_FAILED, TRUE);
  void *memory = mmap (NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  expect (11, memory == MAP_FAILED, FALSE);
  expect (12, mprotect (memory, 4096, PROT_READ | PROT_EXEC) < 0, TRUE);
  free (malloc ((size_t) 64 << 20));
  /* Still raises its signal. */
  abort ();
}

static void
test_sandbox (void)
{
  pid_t child = fork ();
  int status = 0;

  g_assert_cmpint (child, >=, 0);
  if (child == 0)
    {
      if (!tt_sandbox_enter ())
        _exit (NOT_HERE);
      try_all ();
    }
  g_assert_cmpint (waitpid (child, &status, 0), ==, child);
  if (WIFEXITED (status) && WEXITSTATUS (status) == NOT_HERE)
    {
      g_test_skip ("no filter of system calls here");
      return;
    }
  g_test_message ("ended with %d, signal %d", WEXITSTATUS (status), WTERMSIG (status));
  g_assert_true (WIFSIGNALED (status));
  g_assert_cmpint (WTERMSIG (status), ==, SIGABRT);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/sandbox/refuses", test_sandbox);
  return g_test_run ();
}
