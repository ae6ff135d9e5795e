/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A plan that another rank is told is the one that was made; what is cut or changed is refused, or another plan, but nothing worse.
 */
#include "config.h"

#include "src/shards/told-plan.h"

#include <glib/gstdio.h>
#include <string.h>

#define WORDS "--step-rule seed"

static char *folder;

static void
check_texts (const GPtrArray *is, const GPtrArray *was)
{
  g_assert_cmpuint (is->len, ==, was->len);
  for (guint i = 0; i < is->len; i++)
    g_assert_cmpstr (is->pdata[i], ==, was->pdata[i]);
}

static TtPlannedInput *
new_input (const char *format, const char *const *names)
{
  TtInputSet *set = tt_input_set_new ();

  for (guint i = 0; names[i] != NULL; i++)
    {
      char *path = g_build_filename (folder, names[i], NULL);
      g_assert_true (g_file_set_contents (path, names[i], -1, NULL));
      g_ptr_array_add (set->paths, path);
    }
  return tt_planned_input_new (tt_format_by_name (format, NULL), set);
}

static GPtrArray *
new_plan (void)
{
  GPtrArray *plan = tt_format_plan_new ();

  g_ptr_array_add (plan, new_input ("tau", (const char *const[]){ "a.trc", "a.edf", NULL }));
  g_ptr_array_add (plan, new_input ("kineto", (const char *const[]){ "\xff \n.json", NULL }));
  g_ptr_array_add (plan, new_input ("ctf", (const char *const[]){ "metadata", "stream", NULL }));
  const TtPlannedInput *tau = plan->pdata[0], *ctf = plan->pdata[2];
  tau->set->last_rank = 1023;
  ctf->set->root = g_strdup (folder);
  g_ptr_array_add (ctf->set->joined, g_strdup ("/of/devices"));
  return plan;
}

static GArray *
new_order (void)
{
  const guint32 order[] = { 2, 0, 1 };

  return g_array_append_vals (g_array_new (FALSE, FALSE, sizeof *order), order, G_N_ELEMENTS (order));
}

static void
check_told (void)
{
  g_autoptr (GPtrArray) plan = new_plan ();
  g_autoptr (GArray) order = new_order ();
  g_autoptr (GByteArray) bytes = tt_told_plan_pack (plan, order, WORDS);
  g_autoptr (GError) error = NULL;
  g_autoptr (TtToldPlan) told = tt_told_plan_new (bytes, WORDS, &error);

  g_assert_no_error (error);
  g_assert_cmpuint (told->plan->len, ==, plan->len);
  for (guint i = 0; i < plan->len; i++)
    {
      const TtPlannedInput *is = told->plan->pdata[i], *was = plan->pdata[i];
      g_assert_true (is->format == was->format);
      g_assert_cmpstr (is->set->root, ==, was->set->root);
      g_assert_cmpint (is->set->last_rank, ==, was->set->last_rank);
      check_texts (is->set->paths, was->set->paths);
      check_texts (is->set->joined, was->set->joined);
      g_assert_true (tt_told_plan_check (told, i, &error));
    }
  g_assert_cmpmem (told->order->data, told->order->len * sizeof (guint32), order->data, order->len * sizeof (guint32));
}

static void
check_other_files (void)
{
  g_autoptr (GPtrArray) plan = new_plan ();
  g_autoptr (GArray) order = new_order ();
  g_autoptr (GByteArray) bytes = tt_told_plan_pack (plan, order, WORDS);
  g_autoptr (TtToldPlan) told = tt_told_plan_new (bytes, WORDS, NULL);
  const TtInputSet *tau = ((const TtPlannedInput *) plan->pdata[0])->set,
                   *ctf = ((const TtPlannedInput *) plan->pdata[2])->set;
  g_autoptr (GError) error = NULL;

  g_assert_true (g_file_set_contents (ctf->paths->pdata[1], "longer than it was", -1, NULL));
  g_assert_false (tt_told_plan_check (told, 2, &error));
  g_assert_nonnull (strstr (error->message, "stream' has another size or date"));
  g_clear_error (&error);
  g_unlink (tau->paths->pdata[1]);
  g_assert_false (tt_told_plan_check (told, 0, &error));
  g_assert_nonnull (strstr (error->message, "a.edf' is not there"));
  g_assert_true (tt_told_plan_check (told, 1, NULL));
}

static void
check_refused (const GByteArray *bytes, const char *words, const char *why)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (TtToldPlan) told = tt_told_plan_new (bytes, words, &error);

  g_assert_null (told);
  g_assert_nonnull (strstr (error->message, why));
}

static void
check_damaged (void)
{
  g_autoptr (GPtrArray) plan = new_plan ();
  g_autoptr (GArray) order = new_order ();
  g_autoptr (GByteArray) bytes = tt_told_plan_pack (plan, order, WORDS);
  const guint len = bytes->len;

  check_refused (bytes, "--step-rule none", "has other options");
  for (guint n = 0; n < len; n++)
    {
      g_autoptr (GByteArray) cut = g_byte_array_append (g_byte_array_new (), bytes->data, n);
      check_refused (cut, WORDS, "rank 0 tells a plan that ");
    }
  for (guint i = 0; i < len; i++)
    for (guint bit = 0; bit < 8; bit++)
      {
        bytes->data[i] ^= (guint8) (1u << bit);
        g_autoptr (TtToldPlan) told = tt_told_plan_new (bytes, WORDS, NULL);
        for (guint k = 0; told != NULL && k < told->plan->len; k++)
          tt_told_plan_check (told, k, NULL);
        bytes->data[i] ^= (guint8) (1u << bit);
      }
  g_byte_array_append (bytes, (const guint8 *) "", 1);
  check_refused (bytes, WORDS, "cannot be read");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  folder = g_dir_make_tmp (NULL, NULL);
  g_test_add_func ("/told-plan/told", check_told);
  g_test_add_func ("/told-plan/other-files", check_other_files);
  g_test_add_func ("/told-plan/damaged", check_damaged);
  int status = g_test_run ();
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  for (const char *name; dir != NULL && (name = g_dir_read_name (dir)) != NULL;)
    {
      g_autofree char *path = g_build_filename (folder, name, NULL);
      g_unlink (path);
    }
  g_rmdir (folder);
  g_free (folder);
  return status;
}
