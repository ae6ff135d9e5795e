/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/base/unpacked.h"

#include "src/base/error.h"
#include "src/base/input.h"
#include "src/base/look.h"
#include "src/base/tar.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <glib/gstdio.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define MAX_OPEN 16

typedef struct
{
  char *archive, *folder;
  guint n_left_out;
  gboolean is_whole; /* FALSE: it may be tried again */
} Unpacked;

static GPtrArray *all; /* of Unpacked */
static char *root;     /* above their folders; NULL: none yet */

/* Who removes them if this process dies: one that waits for the end of a pipe. */
static pid_t owner, remover;

static int
remove_one (const char *path, const struct stat *facts, int type, struct FTW *where)
{
  return remove (path);
}

static void
wait_and_remove (int pipe_end)
{
  static const int ignored[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE };
  char byte;

  for (guint i = 0; i < G_N_ELEMENTS (ignored); i++)
    signal (ignored[i], SIG_IGN);
  setsid ();
  for (int fd = 0; fd < 3; fd++)
    close (fd);
  /* Nobody writes into it: it ends. Should it not be readable, the process that has it has died when this one is another's. */
  while (read (pipe_end, &byte, 1) != 0 && getppid () == owner)
    poll (NULL, 0, 100);
  nftw (root, remove_one, MAX_OPEN, FTW_DEPTH | FTW_PHYS);
  _exit (0);
}

static void
on_exit_remove (void)
{
  if (getpid () != owner)
    return;
  nftw (root, remove_one, MAX_OPEN, FTW_DEPTH | FTW_PHYS);
  kill (remover, SIGKILL);
  waitpid (remover, NULL, 0);
  /* What one of two that remove the same has begun the other may have stopped at. */
  if (access (root, F_OK) == 0)
    nftw (root, remove_one, MAX_OPEN, FTW_DEPTH | FTW_PHYS);
}

static gboolean
make_root (GError **error)
{
  g_autofree char *template = g_build_filename (g_get_tmp_dir (), "tracetool-XXXXXX", NULL);
  int ends[2];

  if (root != NULL)
    return TRUE;
  if (g_mkdtemp (template) == NULL || pipe2 (ends, O_CLOEXEC) != 0)
    {
      int number = errno;
      g_rmdir (template);
      g_set_error (error, TT_ERROR, TT_ERROR_INPUT, "cannot make a folder in '%s': %s", g_get_tmp_dir (),
                   g_strerror (number));
      return FALSE;
    }
  root = g_steal_pointer (&template);
  owner = getpid ();
  remover = fork ();
  if (remover == 0)
    {
      close (ends[1]);
      wait_and_remove (ends[0]);
    }
  if (remover < 0)
    {
      int number = errno;
      g_rmdir (root);
      g_clear_pointer (&root, g_free);
      close (ends[0]);
      close (ends[1]);
      g_set_error (error, TT_ERROR, TT_ERROR_INPUT, "cannot start a process: %s", g_strerror (number));
      return FALSE;
    }
  close (ends[0]);
  all = g_ptr_array_new ();
  return atexit (on_exit_remove) == 0;
}

gboolean
tt_unpacked_is_archive (const char *path)
{
  guint8 head[TT_TAR_BLOCK];
  gssize n = tt_look_test (path, G_FILE_TEST_IS_REGULAR) ? tt_input_peek (path, head, sizeof head, NULL, NULL) : 0;

  return n > 0 && tt_tar_is_head (head, (gsize) n);
}

const char *
tt_unpacked_folder (const char *path, guint *n_left_out, GError **error)
{
  for (guint i = 0; all != NULL && i < all->len; i++)
    {
      const Unpacked *known = all->pdata[i];

      *n_left_out = known->n_left_out;
      if (known->is_whole && strcmp (known->archive, path) == 0)
        return known->folder;
    }
  if (!make_root (error))
    return NULL;

  Unpacked *self = g_new0 (Unpacked, 1);
  self->archive = g_strdup (path);
  self->folder = g_strdup_printf ("%s/%u", root, all->len);
  g_ptr_array_add (all, self);
  if (g_mkdir (self->folder, 0700) != 0)
    {
      int number = errno;
      g_set_error (error, TT_ERROR, TT_ERROR_INPUT, "cannot make the folder '%s': %s", self->folder,
                   g_strerror (number));
    }
  else if (tt_tar_unpack (path, self->folder, &self->n_left_out, error))
    {
      self->is_whole = TRUE;
      *n_left_out = self->n_left_out;
      return self->folder;
    }
  return NULL;
}

/* The folder that @text begins with; NULL: none. */
static const Unpacked *
find_begin (const char *text)
{
  for (guint i = 0; all != NULL && i < all->len; i++)
    {
      const Unpacked *self = all->pdata[i];

      if (g_str_has_prefix (text, self->folder) && !g_ascii_isdigit (text[strlen (self->folder)]))
        return self;
    }
  return NULL;
}

char *
tt_unpacked_show (const char *text)
{
  const char *found = root == NULL ? NULL : strstr (text, root);
  g_autoptr (GString) shown = NULL;

  if (found == NULL)
    return NULL;
  shown = g_string_new (NULL);
  for (; found != NULL; found = strstr (text, root))
    {
      const Unpacked *self = find_begin (found);

      g_string_append_len (shown, text, (gssize) (found - text));
      g_string_append (shown, self != NULL ? self->archive : root);
      text = found + strlen (self != NULL ? self->folder : root);
    }
  g_string_append (shown, text);
  return g_string_free (g_steal_pointer (&shown), FALSE);
}

const char *
tt_unpacked_archive (const char *path)
{
  const Unpacked *self = root == NULL ? NULL : find_begin (path);

  return self == NULL ? path : self->archive;
}
