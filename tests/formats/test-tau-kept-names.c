/* SPDX-License-Identifier: Apache-2.0 */
/* Names that callbacks get live as long as the program, as programs written for TAU's reader expect. */
#include "config.h"

#include "tests/formats/tau-log.h"

#include <string.h>

#define N_EVENTS 3000
#define N_READERS 4

typedef struct
{
  GPtrArray *kept;   /* as the callbacks gave them */
  GPtrArray *copies; /* of what they said then */
} Names;

static void
names_init (Names *self)
{
  self->kept = g_ptr_array_new ();
  self->copies = g_ptr_array_new_with_free_func (g_free);
}

static void
names_clear (Names *self)
{
  g_ptr_array_unref (self->kept);
  g_ptr_array_unref (self->copies);
}

static int
keep (void *data, const char *name)
{
  Names *self = data;

  g_ptr_array_add (self->kept, (gpointer) name);
  g_ptr_array_add (self->copies, g_strdup (name));
  return 0;
}

static int
keep_thread (void *data, unsigned node, unsigned thread, const char *name)
{
  return keep (data, name);
}

static int
keep_group (void *data, unsigned token, const char *name)
{
  return keep (data, name);
}

static int
keep_state (void *data, unsigned token, const char *name, unsigned group)
{
  return keep (data, name);
}

static int
keep_event (void *data, unsigned token, const char *name, int is_monotonic)
{
  return keep (data, name);
}

/* Definitions with names of many lengths, a few groups, and one name that two events share. */
static char *
make_definitions (void)
{
  g_autoptr (GString) text = g_string_new (NULL);

  g_string_printf (text, "%d dynamic_trace_events\n# FunctionId Group Tag \"Name Type\" Parameters\n", N_EVENTS + 2);
  g_string_append (text, "60000 TRACER 0 \"EV_INIT\" none\n60005 TRACER 0 \"WALL_CLOCK\" none\n");
  for (int i = 1; i <= N_EVENTS; i++)
    {
      g_autofree char *tail = g_strnfill ((gsize) (i * 7919 % (i % 100 == 0 ? 40000 : 90)), 'x');
      if (i % 10 == 0)
        g_string_append_printf (text, "%d TAUEVENT 0 \"value %d %s\" TriggerValue\n", i, i, tail);
      else
        g_string_append_printf (text, "%d GROUP_%d 0 \"%s\" EntryExit\n", i, i % 13, i % 500 == 1 ? "shared " : tail);
    }
  return g_string_free (g_steal_pointer (&text), FALSE);
}

/* A trace of as many threads as names of threads are wanted. */
static GByteArray *
make_records (void)
{
  GByteArray *bytes = tau_begin_trace ();

  for (guint16 node = 0; node < 40; node++)
    {
      tau_put_record (bytes, 1, node, 0, 1, 1001);
      tau_put_record (bytes, 1, node, 0, -1, 1002);
    }
  return bytes;
}

static void
read_names (Ttf_FileHandleT file, Names *names)
{
  Ttf_CallbacksT callbacks = { 0 };

  callbacks.UserData = names;
  callbacks.DefThread = keep_thread;
  callbacks.DefStateGroup = keep_group;
  callbacks.DefState = keep_state;
  callbacks.DefUserEvent = keep_event;
  while (Ttf_ReadNumEvents (file, callbacks, 100) > 0)
    ;
}

/* What a program might do before it looks at the names again. */
static void
use_memory (void)
{
  g_autoptr (GPtrArray) blocks = g_ptr_array_new_with_free_func (g_free);

  for (int i = 0; i < 20000; i++)
    {
      gsize n = (gsize) i % 300 + 8;
      g_ptr_array_add (blocks, memset (g_malloc (n), 'Z', n));
    }
}

static void
check_names (const Names *names)
{
  for (guint i = 0; i < names->kept->len; i++)
    g_assert_cmpstr (names->kept->pdata[i], ==, names->copies->pdata[i]);
}

static void
after_the_end (TauFiles *fixture, gconstpointer data)
{
  g_autofree char *definitions = make_definitions ();
  Names names;

  names_init (&names);
  Ttf_FileHandleT file = tau_open_trace (fixture, make_records (), definitions);
  read_names (file, &names);
  /* Threads, groups, and an event each. */
  g_assert_cmpuint (names.kept->len, ==, 40 + 13 + N_EVENTS);
  use_memory ();
  check_names (&names);
  Ttf_CloseFile (file);
  use_memory ();
  check_names (&names);
  names_clear (&names);
}

static void
once_each (TauFiles *fixture, gconstpointer data)
{
  g_autofree char *definitions = make_definitions ();
  Names names[2];

  for (guint i = 0; i < 2; i++)
    {
      names_init (&names[i]);
      Ttf_FileHandleT file = tau_open_trace (fixture, make_records (), definitions);
      read_names (file, &names[i]);
      Ttf_CloseFile (file);
    }
  g_assert_cmpuint (names[0].kept->len, ==, names[1].kept->len);
  for (guint i = 0; i < names[0].kept->len; i++)
    g_assert_true (names[0].kept->pdata[i] == names[1].kept->pdata[i]);
  check_names (&names[0]);
  names_clear (&names[0]);
  names_clear (&names[1]);
}

static gpointer
read_in_thread (gpointer data)
{
  TauFiles *files = data;
  Names *names = g_new0 (Names, 1);
  Ttf_FileHandleT file = Ttf_OpenFileForInput (files->trc, files->edf);

  names_init (names);
  read_names (file, names);
  Ttf_CloseFile (file);
  return names;
}

static void
at_once (TauFiles *fixture, gconstpointer data)
{
  g_autofree char *definitions = make_definitions ();
  GThread *threads[N_READERS];
  Names *names[N_READERS];

  Ttf_CloseFile (tau_open_trace (fixture, make_records (), definitions));
  for (guint i = 0; i < N_READERS; i++)
    threads[i] = g_thread_new ("reader", read_in_thread, fixture);
  for (guint i = 0; i < N_READERS; i++)
    names[i] = g_thread_join (threads[i]);
  for (guint i = 0; i < N_READERS; i++)
    {
      g_assert_cmpuint (names[i]->kept->len, ==, 40 + 13 + N_EVENTS);
      check_names (names[i]);
    }
  for (guint i = 0; i < N_READERS; i++)
    {
      names_clear (names[i]);
      g_free (names[i]);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_set_nonfatal_assertions ();
  g_test_add ("/tau-names/after-the-end", TauFiles, NULL, tau_files_set_up, after_the_end, tau_files_tear_down);
  g_test_add ("/tau-names/once-each", TauFiles, NULL, tau_files_set_up, once_each, tau_files_tear_down);
  g_test_add ("/tau-names/at-once", TauFiles, NULL, tau_files_set_up, at_once, tau_files_tear_down);
  return g_test_run ();
}
