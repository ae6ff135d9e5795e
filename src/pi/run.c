/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/pi/run.h"

#include "src/base/error.h"
#include "src/base/signals.h"
#include "src/pi/watch.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

/* Errors of the child before it becomes the program, in shared memory. */
typedef struct
{
  int filter_error, exec_error;
} ChildErrors;

static void
become_program (const TtPiRun *self, int go, ChildErrors *errors)
{
  char how = 0;

  tt_signals_restore ();
  gssize n;
  do
    n = read (go, &how, 1);
  while (n < 0 && errno == EINTR);
  int why = n < 0 ? errno : ECANCELED;
  close (go);
  if (how == 'w')
    errors->filter_error = tt_pi_watch_filter ();
  if (how != 0)
    execve (self->executable, self->argv, self->envp);
  errors->exec_error = how != 0 ? errno : why;
  _exit (127);
}

static void
wait_for (pid_t child, int *status)
{
  while (waitpid (child, status, 0) < 0 && errno == EINTR)
    continue;
}

/* The program, for the handler. */
static volatile sig_atomic_t program;

static void
pass_on (int number)
{
  kill ((pid_t) program, number);
}

/* Who ends the recorder means the program; one that is ignored stays so. */
static void
pass_signals_on (pid_t child, struct sigaction *before)
{
  static const int numbers[] = { SIGTERM, SIGHUP };
  const struct sigaction action = { .sa_handler = pass_on };

  program = (sig_atomic_t) child;
  for (guint i = 0; i < G_N_ELEMENTS (numbers); i++)
    if (sigaction (numbers[i], NULL, &before[i]) == 0 && before[i].sa_handler != SIG_IGN)
      sigaction (numbers[i], &action, NULL);
}

/* Interrupts from the terminal go to the program; the recording is completed after it. */
static gboolean
run_child (const TtPiRun *self, TtPiRan *ran, pid_t child, int go, const ChildErrors *errors, GError **error)
{
  const char *missing = self->watch || self->redirects != NULL ? tt_pi_watch_missing (self) : NULL;
  gboolean wants = (self->watch || self->redirects != NULL) && missing == NULL;
  int denied = wants ? tt_pi_watch_seize (child) : 0;
  gboolean watches = wants && denied == 0;

  if (missing != NULL)
    ran->unseen = g_strdup (missing);
  else if (denied != 0)
    ran->unseen = g_strdup_printf ("ptrace: %s", g_strerror (denied));
  if (write (go, watches ? "w" : "g", 1) != 1)
    ran->unseen = g_strdup ("the program did not wait");
  close (go);
  if (watches)
    tt_pi_watch_loop (self, ran, child);
  else
    wait_for (child, &ran->wait_status);

  if (errors->exec_error != 0)
    {
      g_set_error (error, TT_ERROR, TT_ERROR_INPUT, "cannot run '%s': %s", self->executable,
                   g_strerror (errors->exec_error));
      return FALSE;
    }
  if (watches && errors->filter_error != 0)
    ran->unseen = g_strdup_printf ("seccomp: %s", g_strerror (errors->filter_error));
  return TRUE;
}

gboolean
tt_pi_run (const TtPiRun *self, TtPiRan *ran, GError **error)
{
  int go[2] = { -1, -1 };
  ChildErrors *errors = mmap (NULL, sizeof *errors, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

  *ran = (TtPiRan){ .files = g_ptr_array_new_with_free_func (g_free) };
  pid_t child = errors != MAP_FAILED && pipe (go) == 0 ? fork () : -1;
  if (child < 0)
    {
      g_set_error (error, TT_ERROR, TT_ERROR_INPUT, "cannot start a process: %s", g_strerror (errno));
      return FALSE;
    }
  if (child == 0)
    {
      close (go[1]);
      become_program (self, go[0], errors);
    }
  close (go[0]);

  /* A child that gives up early closes the pipe on which it is told to go on. */
  struct sigaction ignore = { .sa_handler = SIG_IGN }, interrupt, quit, broken_pipe, passed[2];
  sigaction (SIGPIPE, &ignore, &broken_pipe);
  sigaction (SIGINT, &ignore, &interrupt);
  sigaction (SIGQUIT, &ignore, &quit);
  pass_signals_on (child, passed);
  gboolean ok = run_child (self, ran, child, go[1], errors, error);
  sigaction (SIGTERM, &passed[0], NULL);
  sigaction (SIGHUP, &passed[1], NULL);
  sigaction (SIGINT, &interrupt, NULL);
  sigaction (SIGQUIT, &quit, NULL);
  sigaction (SIGPIPE, &broken_pipe, NULL);
  munmap (errors, sizeof *errors);
  return ok;
}

void
tt_pi_ran_clear (TtPiRan *ran)
{
  g_clear_pointer (&ran->files, g_ptr_array_unref);
  g_clear_pointer (&ran->unseen, g_free);
}

int
tt_pi_exit_status (int wait_status, char **ending)
{
  *ending = NULL;
  if (WIFEXITED (wait_status))
    return WEXITSTATUS (wait_status);
  *ending =
      g_strdup_printf ("was killed by signal %d (%s)", WTERMSIG (wait_status), g_strsignal (WTERMSIG (wait_status)));
  return 128 + WTERMSIG (wait_status);
}
