/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/tau/layout.h"
#include "formats/tau/tau-name.h"

static void
test_split (void)
{
  static const struct
  {
    const char *name, *op, *file;
    gint64 line;
  } cases[] = {
    { "work(int) [{mpidemo.c} {8,1}-{12,1}]", "work(int)", "mpidemo.c", 8 },
    { "func [{/src/a.cpp} {160,0}]", "func", "/src/a.cpp", 160 },
    { "name(params) [{file.c} {17}]", "name(params)", "file.c", 17 },
    { "foo() [{a b.c} {1,1}-{9,1}]", "foo()", "a b.c", 1 },
    { "foo [{only.c}]", "foo", "only.c", 0 },
    { "A [{a.c} {1,1}] => B [{b.c} {2,1}] => C(int) [{c.c} {3,1}]", "C(int)", "c.c", 3 },
    { "main => foo() [{a b.c} {1,1}-{9,1}] => bar()", "bar()", "", 0 },
    { "parallelfor (loop body) [OpenMP location: file:/x.c <91, 101>]", "parallelfor (loop body)", "/x.c", 91 },
    { "barrier enter/exit [OpenMP location: file:/x.c <7>]", "barrier enter/exit", "/x.c", 7 },
    { "[SAMPLE] foo [{/src/a.c} {17}]", "[SAMPLE] foo", "/src/a.c", 17 },
    { "[UNWIND] /src/a.c.17 [@] foo [{/src/a.c} {17}]", "[UNWIND] /src/a.c.17 [@] foo", "/src/a.c", 17 },
    { "foo [{a.c} {1,1}] [THROTTLED]", "foo [THROTTLED]", "a.c", 1 },
    { "std::sort[abi:cxx11](int*) [{a.cpp} {5,0}]", "std::sort[abi:cxx11](int*)", "a.cpp", 5 },
    { "f(int (&)[3])", "f(int (&)[3])", "", 0 },
    { "main int (int, char **)", "main", "", 0 },
    { "main() int ()", "main()", "", 0 },
    { "thread_work() void *(void *)", "thread_work()", "", 0 },
    { "work(int) void (int) [{a.c} {1,1}-{2,1}]", "work(int)", "a.c", 1 },
    { "solve double (Matrix &, int)", "solve", "", 0 },
    { "f(int) const", "f(int) const", "", 0 },
    { "operator new(unsigned long)", "operator new(unsigned long)", "", 0 },
    { "void foo(int)", "void foo(int)", "", 0 },
    { "unsigned int (int)", "unsigned int (int)", "", 0 },
    { "operator*(Matrix const&)", "operator*(Matrix const&)", "", 0 },
    { "f*(int)", "f*(int)", "", 0 },
    { "pthread_create", "pthread_create", "", 0 },
    { "MPI Collective Sync", "MPI Collective Sync", "", 0 },
    { ".TAU application", ".TAU application", "", 0 },
    { "Iteration [3]", "Iteration [3]", "", 0 },
    { "vecadd(float const*, float*, int)", "vecadd(float const*, float*, int)", "", 0 },
    { "x [{unclosed.c {1,1}", "x [{unclosed.c {1,1}", "", 0 },
    { "x [{big.c} {99999999999999999999,1}]", "x", "big.c", 0 },
    { "[{a.c} {1,1}]", "[{a.c} {1,1}]", "a.c", 1 },
    { " => ", "", "", 0 },
    { "", "", "", 0 },
  };
  g_auto (TtTauName) name = { 0 };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      tt_tau_name_split (&name, cases[i].name);
      g_assert_cmpstr (name.op->str, ==, cases[i].op);
      g_assert_cmpstr (name.file->str, ==, cases[i].file);
      g_assert_cmpint (name.line, ==, cases[i].line);
    }
}

static void
test_message (void)
{
  TtTauMessage message = tt_tau_message ((gint64) G_GUINT64_CONSTANT (0x0102abcd00000000));

  /* peer 0x01.., tag 0x02.., comm and length from 0xabcd. */
  g_assert_cmpuint (message.peer, ==, 0x0100);
  g_assert_cmpuint (message.tag, ==, 0x0200);
  g_assert_cmpuint (message.comm, ==, 0xabcd >> 10);
  g_assert_cmpuint (message.bytes, ==, (0xabcdu & 0x3ff) << 16);
  message = tt_tau_message ((gint64) G_GUINT64_CONSTANT (0x0000000003046789));
  g_assert_cmpuint (message.peer, ==, 3);
  g_assert_cmpuint (message.tag, ==, 4);
  g_assert_cmpuint (message.bytes, ==, 0x6789);
  message = tt_tau_message (-1);
  g_assert_cmpuint (message.peer, ==, 0xffff);
  g_assert_cmpuint (message.tag, ==, 0xffff);
  g_assert_cmpuint (message.comm, ==, 63);
  g_assert_cmpuint (message.bytes, ==, (1 << 26) - 1);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_set_nonfatal_assertions ();
  g_test_add_func ("/tau/name/split", test_split);
  g_test_add_func ("/tau/message", test_message);
  return g_test_run ();
}
