/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/base/symbols.h"

#include "src/base/error.h"

#include <glib/gstdio.h>
#include <string.h>

/* A folder with a program addr2line of our own, the only one in PATH. */

typedef struct
{
  char *folder, *program;
} Fixture;

static void
set_up (Fixture *self, gconstpointer script)
{
  self->folder = g_dir_make_tmp ("symbols-XXXXXX", NULL);
  g_assert_nonnull (self->folder);
  self->program = g_build_filename (self->folder, "addr2line", NULL);
  if (script != NULL)
    {
      g_assert_true (g_file_set_contents (self->program, script, -1, NULL));
      g_assert_cmpint (g_chmod (self->program, 0700), ==, 0);
    }
  g_setenv ("PATH", self->folder, TRUE);
}

static void
tear_down (Fixture *self, gconstpointer script)
{
  g_unlink (self->program);
  g_rmdir (self->folder);
  g_free (self->program);
  g_free (self->folder);
}

/* Two lines an address, its function and its place; "??" is what addr2line does not know. The third argument on are
 * the addresses. */
#define ANSWER \
  "#!/bin/sh\nshift 2\nfor a in \"$@\"; do case $a in\n" \
  "0x10) echo main; echo '/src/a.c:12 (discriminator 3)';;\n" \
  "0x20) echo '\?\?'; echo '\?\?:0';;\n" \
  "*) echo \"f_$a\"; echo 'b.c:?';;\nesac; done\n"

static void
test_finds (Fixture *self, gconstpointer data)
{
  const guint64 addresses[] = { 0x10, 0x20, G_GUINT64_CONSTANT (0xffffffffffffffff) };
  g_autoptr (GError) error = NULL;
  g_autoptr (GArray) found = tt_symbols_find ("program", addresses, G_N_ELEMENTS (addresses), &error);

  g_assert_no_error (error);
  g_assert_cmpuint (found->len, ==, 3);
  const TtSymbol *symbols = (const TtSymbol *) found->data;
  g_assert_cmpstr (symbols[0].function, ==, "main");
  g_assert_cmpstr (symbols[0].place, ==, "/src/a.c:12");
  g_assert_null (symbols[1].function);
  g_assert_null (symbols[1].place);
  g_assert_cmpstr (symbols[2].function, ==, "f_0xffffffffffffffff");
}

/* More than one command line takes: each address still has its own answer. */
static void
test_many (Fixture *self, gconstpointer data)
{
  const guint n = 2500;
  g_autofree guint64 *addresses = g_new (guint64, n);
  g_autoptr (GError) error = NULL;

  for (guint i = 0; i < n; i++)
    addresses[i] = 0x1000 + i;
  g_autoptr (GArray) found = tt_symbols_find ("program", addresses, n, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (found->len, ==, n);
  for (guint i = 0; i < n; i++)
    {
      g_autofree char *expected = g_strdup_printf ("f_0x%x", 0x1000 + i);
      g_assert_cmpstr (g_array_index (found, TtSymbol, i).function, ==, expected);
    }
}

static void
assert_refused (const char *part)
{
  const guint64 addresses[] = { 0x10, 0x20 };
  g_autoptr (GError) error = NULL;

  g_assert_null (tt_symbols_find ("program", addresses, G_N_ELEMENTS (addresses), &error));
  g_assert_error (error, TT_ERROR, TT_ERROR_INPUT);
  if (strstr (error->message, part) == NULL)
    g_test_fail_printf ("'%s' is not in '%s'", part, error->message);
}

static void
test_fails (Fixture *self, gconstpointer data)
{
  assert_refused ("program: addr2line: 'program': no such file");
}

/* Fewer answers than addresses: none of them can be trusted to be the right one. */
static void
test_too_few (Fixture *self, gconstpointer data)
{
  assert_refused ("program: addr2line: no answer");
}

static void
test_missing (Fixture *self, gconstpointer data)
{
  assert_refused ("'--exe' needs the program addr2line");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_set_nonfatal_assertions ();
  g_test_add ("/symbols/finds", Fixture, ANSWER, set_up, test_finds, tear_down);
  g_test_add ("/symbols/many", Fixture, ANSWER, set_up, test_many, tear_down);
  g_test_add ("/symbols/failure", Fixture, "#!/bin/sh\necho main; echo a.c:1; echo main; echo a.c:2\n"
              "echo \"'program': no such file\" >&2; exit 1\n", set_up, test_fails, tear_down);
  g_test_add ("/symbols/too-few-answers", Fixture, "#!/bin/sh\necho main; echo a.c:1\n", set_up, test_too_few, tear_down);
  g_test_add ("/symbols/no-addr2line", Fixture, NULL, set_up, test_missing, tear_down);
  return g_test_run ();
}
