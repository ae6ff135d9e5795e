/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include "src/gpu/record/record.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

typedef struct
{
  TtCuHandle handle;
  TtRecordPlan *plan;
  TtRecordKernel *kernel; /* NULL: it is a module */
} Known;

static Known *known;
static size_t n_known, n_modules;

/* -- what is known ------------------------------------------------------------------------------------ */

/* The last of a handle counts: modules are unloaded, and their handles used again. */
static const Known *
find (TtCuHandle handle, int is_module)
{
  for (size_t i = n_known; i-- > 0;)
    if (known[i].handle == handle && (known[i].kernel == NULL) == is_module)
      return &known[i];
  return NULL;
}

static void
add (TtCuHandle handle, TtRecordPlan *plan, TtRecordKernel *kernel)
{
  Known *more = realloc (known, (n_known + 1) * sizeof *known);

  if (more == NULL)
    return;
  known = more;
  known[n_known++] = (Known){ handle, plan, kernel };
}

void
tt_record_forget (TtCuHandle handle)
{
  size_t kept = 0;

  for (size_t i = 0; i < n_known; i++)
    if (known[i].handle != handle)
      known[kept++] = known[i];
  n_known = kept;
}

void
tt_record_same_module (TtCuHandle library, TtCuHandle module)
{
  const Known *found = find (library, 1);
  TtRecordPlan *plan = found == NULL ? NULL : found->plan;

  tt_record_forget (module);
  if (plan != NULL)
    add (module, plan, NULL);
}

void
tt_record_add_module (TtCuHandle module, TtRecordPlan *plan)
{
  tt_record_forget (module);
  add (module, plan, NULL);
}

TtRecordKernel *
tt_record_find (TtCuHandle function, TtRecordPlan **plan)
{
  const Known *found = find (function, 0);

  if (found == NULL)
    return NULL;
  *plan = found->plan;
  return found->kernel;
}

void
tt_record_same_function (TtCuHandle kernel, TtCuHandle function)
{
  const Known *found = find (kernel, 0);
  Known same = found == NULL ? (Known){ 0 } : *found;

  if (kernel == function)
    return;
  tt_record_forget (function);
  if (same.kernel == NULL)
    return;
  tt_record_note ("[mod] cuKernelGetFunction %p %p", function, kernel);
  add (function, same.plan, same.kernel);
}

/* -- files of a kernel --------------------------------------------------------------------------------- */

static int
write_info (const char *folder, const TtRecordPlan *plan, const TtRecordKernel *kernel)
{
  char path[4096];
  FILE *file = snprintf (path, sizeof path, "%s/kernel.info", folder) < (int) sizeof path ? fopen (path, "we") : NULL;
  int ok;

  if (file == NULL)
    return 0;
  fprintf (file, "%s\n%u\n%u\n", kernel->name, kernel->n_params - 1, plan->n_maps);
  for (unsigned i = 0; i < plan->n_maps; i++)
    if (plan->maps[i].cap == 0)
      fprintf (file, "%d,-1\n", plan->maps[i].is_warp);
    else
      fprintf (file, "%d,%llu\n", plan->maps[i].is_warp,
               (unsigned long long) (plan->maps[i].record_bytes * plan->maps[i].cap));
  ok = !ferror (file);
  return fclose (file) == 0 && ok;
}

static int
fill_folder (const TtRecordPlan *plan, const TtRecordKernel *kernel)
{
  char folder[4000], path[4096];

  if (snprintf (folder, sizeof folder, "%s/kernel/%s", tt_record_directory (), kernel->folder) >= (int) sizeof folder)
    {
      errno = ENAMETOOLONG;
      return 0;
    }
  snprintf (path, sizeof path, "%s/probed.ptx", folder);
  return mkdir (folder, 0777) == 0 && write_info (folder, plan, kernel) && link (plan->woven, path) == 0;
}

/* Its folder, made when it is first asked for. NULL: there is no memory for its name. */
static const char *
make_folder (const TtRecordPlan *plan, TtRecordKernel *kernel)
{
  static unsigned n_kernels;

  if (kernel->folder != NULL)
    return kernel->folder;
  if (asprintf (&kernel->folder, "%u_%s", n_kernels, kernel->hash) < 0)
    return kernel->folder = NULL;
  n_kernels++;
  if (!fill_folder (plan, kernel))
    {
      const char *why = strerror (errno);

      tt_record_note ("[probe] cannot write %s: %s", kernel->folder, why);
      fprintf (stderr, "tracetool: cannot write the folder of kernel '%s': %s\n", kernel->name, why);
    }
  return kernel->folder;
}

static void
list_kernel (const TtRecordPlan *plan, TtRecordKernel *kernel, TtCuHandle function, TtCuHandle module)
{
  const char *folder = make_folder (plan, kernel);

  tt_record_note ("[mod] cuModuleGetFunction func %p mod %p name %s\n[probe] find %p name %s bin %p size 0", function,
                  module, kernel->name, function, kernel->name, module);
  tt_record_note ("[probe] rename %s %s\n[probe] finish %p name %s n_param %u", kernel->name,
                  folder == NULL ? kernel->hash : folder, function, kernel->name, kernel->n_params - 1);
}

void
tt_record_add_function (TtCuHandle module, TtCuHandle function, const char *name)
{
  const Known *found = find (module, 1);
  TtRecordPlan *plan = found == NULL ? NULL : found->plan;

  tt_record_forget (function);
  for (unsigned i = 0; plan != NULL && i < plan->n_kernels; i++)
    if (strcmp (plan->kernels[i].name, name) == 0)
      {
        list_kernel (plan, &plan->kernels[i], function, module);
        add (function, plan, &plan->kernels[i]);
        return;
      }
}

/* -- weaving ---------------------------------------------------------------------------------------------- */

static int
write_file (const char *path, const char *text)
{
  FILE *file = fopen (path, "we");
  int ok = file != NULL && fputs (text, file) >= 0;

  return (file == NULL || fclose (file) == 0) && ok;
}

static char *
read_file (const char *path)
{
  FILE *file = fopen (path, "re");
  struct stat status;
  char *text = NULL;

  if (file != NULL && fstat (fileno (file), &status) == 0 && (text = malloc ((size_t) status.st_size + 1)) != NULL)
    {
      text[status.st_size] = '\0';
      if (fread (text, 1, (size_t) status.st_size, file) != (size_t) status.st_size)
        {
          free (text);
          text = NULL;
        }
    }
  if (file != NULL)
    fclose (file);
  return text;
}

/* Without what is preloaded into this program, which may have cleared it. */
static char **
clean_environment (void)
{
  size_t n = 0, kept = 0;
  char **copy;

  while (environ != NULL && environ[n] != NULL)
    n++;
  copy = calloc (n + 1, sizeof *copy);
  for (size_t i = 0; copy != NULL && i < n; i++)
    if (strncmp (environ[i], "LD_PRELOAD=", 11) != 0)
      copy[kept++] = environ[i];
  return copy;
}

/* 0: it ended well. */
static int
run_weaver (const char *text, const char *woven, const char *plan, const char *errors)
{
  const char *tool = tt_record_tool ();
  char toml[4096];
  char **environment = clean_environment ();
  posix_spawn_file_actions_t actions;
  pid_t child;
  int status = -1;

  if (tool == NULL || environment == NULL ||
      snprintf (toml, sizeof toml, "%s/probe.toml", tt_record_directory ()) >= (int) sizeof toml)
    {
      free (environment);
      return -1;
    }
  const char *argv[] = { tool, "probe", "weave", "--plan", plan, "-o", woven, text, toml, NULL };
  posix_spawn_file_actions_init (&actions);
  posix_spawn_file_actions_addopen (&actions, 1, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_addopen (&actions, 2, errors, O_WRONLY | O_CREAT | O_TRUNC, 0666);
  if (posix_spawn (&child, tool, &actions, NULL, (char **) argv, environment) == 0)
    {
      pid_t ended;

      while ((ended = waitpid (child, &status, 0)) < 0 && errno == EINTR)
        ;
      /* A program that ignores SIGCHLD, or waits for any child, leaves what was written to judge by. */
      if (ended < 0)
        status = access (woven, R_OK);
    }
  posix_spawn_file_actions_destroy (&actions);
  free (environment);
  return status;
}

/* Its first line, in the log and for who looks on. */
static void
say (const char *what, const char *why)
{
  int n = (int) strcspn (why, "\n");

  tt_record_note ("[probe] %s: %.*s\n[probe] python failed", what, n, why);
  fprintf (stderr, "tracetool: a module is not probed: %.*s\n", n, why);
}

/* Of a weaver that failed. */
static void
say_messages (const char *path)
{
  char *messages = read_file (path);

  say ("weave", messages != NULL && *messages != '\0' ? messages : "the weaver did not end well");
  free (messages);
}

static char *
take_woven (const char *woven, const char *plan_path, TtRecordPlan **plan)
{
  char why[64], *text;
  unsigned line;

  *plan = tt_record_plan_read (plan_path, woven, &line);
  if (*plan == NULL)
    {
      snprintf (why, sizeof why, "line %u of its plan is damaged, or out of range", line);
      say ("weave", why);
      return NULL;
    }
  text = read_file (woven);
  if (text == NULL)
    {
      say ("weave", "what is woven cannot be read");
      tt_record_plan_free (*plan);
      *plan = NULL;
    }
  return text;
}

static char *
weave_text (const char *text, TtRecordPlan **plan)
{
  const char *directory = tt_record_directory ();
  char paths[4][4096];
  static const char *const suffixes[] = { "original.ptx", "probed.ptx", "plan", "messages" };
  char *woven = NULL;

  for (unsigned i = 0; i < 4; i++)
    if (snprintf (paths[i], sizeof paths[i], "%s/module/%zu.%s", directory, n_modules, suffixes[i]) >=
        (int) sizeof paths[i])
      return NULL;
  if (!write_file (paths[0], text))
    {
      say ("cannot write", paths[0]);
      return NULL;
    }
  if (run_weaver (paths[0], paths[1], paths[2], paths[3]) == 0)
    woven = take_woven (paths[1], paths[2], plan);
  else
    say_messages (paths[3]);
  unlink (paths[2]);
  unlink (paths[3]);
  return woven;
}

char *
tt_record_weave (const void *image, size_t n, TtRecordPlan **plan)
{
  const char *why = "there is no memory for its text";
  char *text, *woven;

  if (!tt_record_is_on () || image == NULL)
    return NULL;
  text = tt_record_image_text (image, n, &why);
  if (text == NULL)
    {
      say ("image", why);
      return NULL;
    }
  woven = weave_text (text, plan);
  n_modules++;
  free (text);
  return woven;
}
