/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/shards/workers.h"

#include "src/base/error.h"
#include "src/base/progress.h"
#include "src/base/temporary-file.h"
#include "src/shards/directory.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif
#include <sys/wait.h>
#include <unistd.h>

#define WAIT_MS 200       /* until Ctrl-C is looked for again */
#define MAX_MESSAGE 2048u /* bytes of the text of an error: shorter than what a pipe takes at once */

typedef enum
{
  MESSAGE_BEGIN, /* of an input */
  MESSAGE_DONE,
  MESSAGE_ERROR,
} MessageKind;

/* What a worker says; a text of @n_bytes follows an error. */
typedef struct
{
  guint32 kind, input;
  guint64 offset, n_bytes;
  gint64 code;
} Message;

typedef struct
{
  pid_t pid;    /* 0: it has ended */
  int pipe;     /* what it says; -1: it has ended */
  int fd;       /* its shards */
  gint64 input; /* that it decodes; -1: none */
} Worker;

/* Where a shard lies. */
typedef struct
{
  gboolean is_planned, is_done;
  guint worker;
  guint64 offset, n_bytes;
} Place;

struct _TtShardWorkers
{
  TtShardJob job;
  GArray *order;
  guint32 *next;   /* shared: of the order */
  GArray *workers; /* of Worker */
  Place *places;   /* by input */
};

/* -- in a worker --------------------------------------------------------------------------------------------------- */

static gboolean
say (int pipe, const Message *message, const char *text)
{
  guint8 bytes[sizeof *message + MAX_MESSAGE];
  gsize len = sizeof *message + (text == NULL ? 0 : message->n_bytes), done = 0;

  memcpy (bytes, message, sizeof *message);
  if (text != NULL)
    memcpy (bytes + sizeof *message, text, message->n_bytes);
  while (done < len)
    {
      gssize n = write (pipe, bytes + done, len - done);
      if (n < 0 && errno != EINTR)
        return FALSE;
      done += n > 0 ? (gsize) n : 0;
    }
  return TRUE;
}

static void
say_error (int pipe, guint32 input, const GError *error)
{
  const Message message = { MESSAGE_ERROR, input, 0, MIN (strlen (error->message), MAX_MESSAGE), error->code };

  say (pipe, &message, error->message);
}

static gboolean
decode (const TtShardWorkers *self, guint i, int fd, guint64 offset, guint64 *n_bytes, GError **error)
{
  const TtShardJob *job = &self->job;

  return job->folder == NULL ? tt_shard_job_write (job, i, fd, NULL, offset, n_bytes, error)
                             : tt_shard_folder_write (job->folder, job->id, job, i, error);
}

static void
work (TtShardWorkers *self, int pipe, int fd)
{
  guint64 offset = 0;

  for (;;)
    {
      guint32 turn = __atomic_fetch_add (self->next, 1, __ATOMIC_RELAXED);
      GError *error = NULL;

      if (turn >= self->order->len)
        return;
      Message message = { MESSAGE_BEGIN, g_array_index (self->order, guint32, turn), offset, 0, 0 };
      if (!say (pipe, &message, NULL))
        return;
      if (!decode (self, message.input, fd, offset, &message.n_bytes, &error))
        {
          say_error (pipe, message.input, error);
          return;
        }
      message.kind = MESSAGE_DONE;
      if (!say (pipe, &message, NULL))
        return;
      offset += message.n_bytes;
    }
}

/* -- starting ------------------------------------------------------------------------------------------------------ */

static gboolean
fail_start (int number, GError **error)
{
  g_set_error (error, TT_ERROR, TT_ERROR_STORE, "cannot start a process for '--jobs': %s", g_strerror (number));
  return FALSE;
}

static gboolean
start_worker (TtShardWorkers *self, GError **error)
{
  const pid_t parent = getpid ();
  Worker worker = { .fd = tt_temporary_file (error), .input = -1 };
  int ends[2];

  if (worker.fd < 0)
    return FALSE;
  if (pipe (ends) != 0)
    {
      fail_start (errno, error);
      close (worker.fd);
      return FALSE;
    }
  worker.pid = fork ();
  if (worker.pid == 0)
    {
      signal (SIGPIPE, SIG_IGN);
#ifdef __linux__
      prctl (PR_SET_PDEATHSIG, SIGKILL);
      if (getppid () == parent)
#endif
        work (self, ends[1], worker.fd);
      _exit (0);
    }
  int number = errno;
  close (ends[1]);
  worker.pipe = ends[0];
  if (worker.pid > 0)
    {
      g_array_append_val (self->workers, worker);
      return TRUE;
    }
  close (ends[0]);
  close (worker.fd);
  return fail_start (number, error);
}

TtShardWorkers *
tt_shard_workers_start (const TtShardJob *job, guint n, GError **error)
{
  g_autoptr (TtShardWorkers) self = g_new0 (TtShardWorkers, 1);

  self->job = *job;
  self->order = tt_shard_job_order (job);
  self->workers = g_array_new (FALSE, FALSE, sizeof (Worker));
  self->places = g_new0 (Place, job->plan->len);
  for (guint i = 0; i < self->order->len; i++)
    self->places[g_array_index (self->order, guint32, i)].is_planned = TRUE;
  void *shared = mmap (NULL, sizeof *self->next, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (shared == MAP_FAILED)
    {
      fail_start (errno, error);
      return NULL;
    }
  self->next = shared;
  for (guint i = 0; i < MIN (n, self->order->len); i++)
    if (!start_worker (self, error))
      return NULL;
  return g_steal_pointer (&self);
}

static int
reap (Worker *worker)
{
  int status = 0;

  while (worker->pid > 0 && waitpid (worker->pid, &status, 0) < 0 && errno == EINTR)
    ;
  worker->pid = 0;
  if (worker->pipe >= 0)
    close (worker->pipe);
  worker->pipe = -1;
  return status;
}

void
tt_shard_workers_free (TtShardWorkers *self)
{
  if (self == NULL)
    return;
  for (guint i = 0; i < self->workers->len; i++)
    {
      Worker *worker = &g_array_index (self->workers, Worker, i);
      if (worker->pid > 0)
        kill (worker->pid, SIGKILL);
      reap (worker);
      close (worker->fd);
    }
  if (self->next != NULL)
    munmap (self->next, sizeof *self->next);
  g_array_unref (self->workers);
  g_array_unref (self->order);
  g_free (self->places);
  g_free (self);
}

gboolean
tt_shard_workers_has (const TtShardWorkers *self, guint i)
{
  return self->places[i].is_planned;
}

/* -- listening -------------------------------------------------------------------------------------------------------- */

/* FALSE: the end, or what is no message. */
static gboolean
hear (int pipe, void *bytes, gsize len)
{
  for (gsize done = 0; done < len;)
    {
      gssize n = read (pipe, (guint8 *) bytes + done, len - done);
      if (n == 0 || (n < 0 && errno != EINTR))
        return FALSE;
      done += n > 0 ? (gsize) n : 0;
    }
  return TRUE;
}

static const char *
name_of (const TtShardWorkers *self, guint i)
{
  const TtPlannedInput *input = self->job.plan->pdata[i];

  return input->set->paths->pdata[0];
}

/* Its pipe is closed. */
static gboolean
note_end (TtShardWorkers *self, Worker *worker, GError **error)
{
  int status = reap (worker);
  g_autofree char *how = WIFSIGNALED (status) ? g_strdup_printf ("was killed by signal %d (%s)", WTERMSIG (status),
                                                                 g_strsignal (WTERMSIG (status)))
                                              : g_strdup_printf ("ended with status %d", WEXITSTATUS (status));

  if (worker->input < 0)
    return TRUE;
  g_set_error (error, TT_ERROR, TT_ERROR_STORE, "%s: the process that read it %s",
               name_of (self, (guint) worker->input), how);
  return FALSE;
}

static gboolean
take_message (TtShardWorkers *self, guint number, GError **error)
{
  Worker *worker = &g_array_index (self->workers, Worker, number);
  Message message;
  char text[MAX_MESSAGE + 1];

  if (!hear (worker->pipe, &message, sizeof message) || message.input >= self->job.plan->len)
    return note_end (self, worker, error);
  switch ((MessageKind) message.kind)
    {
    case MESSAGE_BEGIN:
      worker->input = message.input;
      return TRUE;
    case MESSAGE_DONE:
      worker->input = -1;
      self->places[message.input] = (Place){ TRUE, TRUE, number, message.offset, message.n_bytes };
      return TRUE;
    case MESSAGE_ERROR:
    default:
      if (message.n_bytes > MAX_MESSAGE || !hear (worker->pipe, text, message.n_bytes))
        return note_end (self, worker, error);
      text[message.n_bytes] = '\0';
      g_set_error_literal (error, TT_ERROR, message.code == TT_ERROR_CANCELLED ? TT_ERROR_CANCELLED : TT_ERROR_STORE,
                           text);
      return FALSE;
    }
}

/* Until somebody has said something. */
static gboolean
listen_once (TtShardWorkers *self, GError **error)
{
  g_autofree struct pollfd *ends = g_new0 (struct pollfd, self->workers->len);
  guint n = 0;

  for (guint i = 0; i < self->workers->len; i++)
    {
      ends[i] = (struct pollfd){ .fd = g_array_index (self->workers, Worker, i).pipe, .events = POLLIN };
      n += ends[i].fd >= 0;
    }
  if (n == 0)
    {
      g_set_error (error, TT_ERROR, TT_ERROR_STORE, "the processes of '--jobs' have ended before their work was done");
      return FALSE;
    }
  if (poll (ends, self->workers->len, WAIT_MS) < 0)
    return TRUE;
  for (guint i = 0; i < self->workers->len; i++)
    if (ends[i].fd >= 0 && ends[i].revents != 0 && !take_message (self, i, error))
      return FALSE;
  return TRUE;
}

gboolean
tt_shard_workers_finish (TtShardWorkers *self, GError **error)
{
  for (guint i = 0; i < self->job.plan->len; i++)
    while (self->places[i].is_planned && !self->places[i].is_done)
      if (tt_cancelled (error) || !listen_once (self, error))
        return FALSE;
  return TRUE;
}

TtShard *
tt_shard_workers_wait (TtShardWorkers *self, guint i, GError **error)
{
  const Place *place = &self->places[i];

  while (!place->is_done)
    if (tt_cancelled (error) || !listen_once (self, error))
      return NULL;
  g_autofree char *name = g_strdup_printf ("the shard of '%s'", name_of (self, i));
  return tt_shard_open (g_array_index (self->workers, Worker, place->worker).fd, place->offset, place->n_bytes, name,
                        error);
}
