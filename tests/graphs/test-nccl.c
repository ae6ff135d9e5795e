/* SPDX-License-Identifier: Apache-2.0 */
/* Rings and trees of NCCL: the texts of nccl_rank_graph.json, joining, and the arithmetic of a ring. */
#include "config.h"

#include "graphs/nccl/nccl.h"

#include <string.h>

static void
add_ring (TtNccl *nccl, guint channel, const char *text, gint expected_own)
{
  gint own;
  GError *error = NULL;

  g_assert_true (tt_nccl_add_ring (nccl, TT_NCCL_RING, channel, text, &own, &error));
  g_assert_no_error (error);
  g_assert_cmpint (own, ==, expected_own);
}

/* -- the worked example: 0 -> 1 -> 2 -> 3 -> 0 over two hosts -------------------------------------------- */

static void
test_four_ranks (void)
{
  g_autoptr (TtNccl) nccl = tt_nccl_new ();

  add_ring (nccl, 0, "3[3000] -> 0[2000] [receive] via NET/Socket/0,0[2000] -> 1[3000] via direct shared memory", 0);
  add_ring (nccl, 0, "1[3000] -> 2[2000] [send] via NET/Socket/0", 1);
  add_ring (nccl, 0, "1[3000] -> 2[2000] [receive] via NET/Socket/0,2[2000] -> 3[3000] via direct shared memory", 2);
  add_ring (nccl, 0, "3[3000] -> 0[2000] [send] via NET/Socket/0", 3);
  tt_nccl_join (nccl);

  g_assert_cmpuint (tt_nccl_problems (nccl)->len, ==, 0);
  g_assert_cmpuint (tt_nccl_links (nccl)->len, ==, 4);
  g_assert_cmpuint (tt_nccl_n_ranks (nccl), ==, 4);
  g_assert_cmpuint (tt_nccl_n_channels (nccl, TT_NCCL_RING), ==, 1);
  g_assert_true (tt_nccl_has_ring (nccl, 0));
  g_assert_false (tt_nccl_has_ring (nccl, 1));
  for (gint rank = 0; rank < 4; rank++)
    {
      g_assert_cmpint (tt_nccl_next (nccl, 0, rank), ==, (rank + 1) % 4);
      g_assert_cmpint (tt_nccl_prev (nccl, 0, rank), ==, (rank + 3) % 4);
      g_assert_cmpint (tt_nccl_position (nccl, 0, rank), ==, rank);
    }
  g_assert_cmpint (tt_nccl_next (nccl, 0, 4), ==, TT_NCCL_NONE);
  const TtNcclLink *link = &g_array_index (tt_nccl_links (nccl), TtNcclLink, 0);
  g_assert_cmpstr (link->transport, ==, "direct shared memory");
  g_assert_cmpuint (tt_ring_steps (4), ==, 6);
}

/* -- any ring, any tree ----------------------------------------------------------------------------------- */

static void
shuffle (GRand *rand, gint *ranks, guint n)
{
  for (guint i = 0; i < n; i++)
    ranks[i] = (gint) i;
  for (guint i = n; i > 1; i--)
    {
      guint k = (guint) g_rand_int_range (rand, 0, (gint) i);
      gint swap = ranks[i - 1];
      ranks[i - 1] = ranks[k];
      ranks[k] = swap;
    }
}

static void
test_random_rings (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (4);

  for (guint round = 0; round < 500; round++)
    {
      g_autoptr (TtNccl) nccl = tt_nccl_new ();
      guint n = (guint) g_rand_int_range (rand, 2, 17);
      gint ranks[16];

      shuffle (rand, ranks, n);
      for (guint i = 0; i < n; i++)
        {
          gint prev = ranks[(i + n - 1) % n], me = ranks[i], next = ranks[(i + 1) % n];
          g_autofree char *text =
              g_strdup_printf ("%d[1] -> %d[2] [receive] via NET/IB/0,%d[2] -> %d[3] via P2P/IPC", prev, me, me, next);
          gint own;
          g_assert_true (tt_nccl_add_ring (nccl, TT_NCCL_RING, 7, text, &own, NULL));
          g_assert_cmpint (own, ==, me);
        }
      tt_nccl_join (nccl);
      /* The two ends of every connection name another transport here. */
      g_assert_cmpuint (tt_nccl_problems (nccl)->len, ==, n);
      g_assert_cmpuint (tt_nccl_ring_size (nccl, 7), ==, n);
      for (guint i = 0; i < n; i++)
        {
          gint me = ranks[i], next = ranks[(i + 1) % n];
          g_assert_cmpint (tt_nccl_next (nccl, 7, me), ==, next);
          g_assert_cmpint (tt_nccl_prev (nccl, 7, next), ==, me);
          g_assert_cmpint (tt_nccl_position (nccl, 7, next), ==,
                           next == 0 ? 0 : (tt_nccl_position (nccl, 7, me) + 1) % (gint) n);
        }
    }
}

static void
test_random_trees (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (5);

  for (guint round = 0; round < 500; round++)
    {
      g_autoptr (TtNccl) nccl = tt_nccl_new ();
      guint n = (guint) g_rand_int_range (rand, 1, 17);
      gint ranks[16], parent[16], children[16][TT_NCCL_CHILDREN];
      guint n_children[16] = { 0 };

      shuffle (rand, ranks, n);
      memset (children, 0xff, sizeof children);
      parent[ranks[0]] = TT_NCCL_NONE;
      for (guint i = 1; i < n; i++)
        {
          gint up;
          do
            up = ranks[g_rand_int_range (rand, 0, (gint) i)];
          while (n_children[up] == TT_NCCL_CHILDREN);
          parent[ranks[i]] = up;
          children[up][n_children[up]++] = ranks[i];
        }
      for (guint r = 0; r < n; r++)
        {
          const gint *c = children[r];
          gint own;
          g_autofree char *text = g_strdup_printf ("[3] %d/%d/%d->%u->%d|%d->%u->%d/%d/%d", c[0], c[1], c[2], r,
                                                   parent[r], parent[r], r, c[0], c[1], c[2]);
          g_assert_true (tt_nccl_add_tree (nccl, text, &own, NULL));
          g_assert_cmpint (own, ==, r);
        }
      tt_nccl_join (nccl);
      g_assert_cmpuint (tt_nccl_problems (nccl)->len, ==, 0);
      g_assert_cmpuint (tt_nccl_n_ranks (nccl), ==, n);
      g_assert_cmpuint (tt_nccl_links (nccl)->len, ==, n - 1);
      for (guint r = 0; r < n; r++)
        {
          gint found[TT_NCCL_CHILDREN];
          guint n_found = tt_nccl_children (nccl, 3, (gint) r, found);
          g_assert_cmpint (tt_nccl_parent (nccl, 3, (gint) r), ==, parent[r]);
          g_assert_cmpuint (n_found, ==, n_children[r]);
          for (guint i = 0; i < n_found; i++)
            g_assert_cmpint (parent[found[i]], ==, r);
        }
    }
}

/* -- what does not fit together --------------------------------------------------------------------------- */

typedef struct
{
  const char *ring[4], *tree[4], *problem;
} Misfit;

static const Misfit misfits[] = {
  { { "0[1] -> 1[1] via A" }, { NULL }, "rank 1 sends to nobody" },
  { { "0[1] -> 1[1] via A", "1[1] -> 0[1] via A", "0[1] -> 2[1] via A" }, { NULL }, "rank 0 sends to 1 and to 2" },
  { { "0[1] -> 1[1] via A", "1[1] -> 0[1] via A", "2[1] -> 1[1] via A" },
    { NULL },
    "rank 1 receives from 0 and from 2" },
  { { "0[1] -> 1[1] via A", "1[1] -> 0[1] via A", "2[1] -> 3[1] via A", "3[1] -> 2[1] via A" },
    { NULL },
    "over 2 of 4 ranks and closes" },
  { { "0[1] -> 1[1] via A", "1[1] -> 2[1] via A", "2[1] -> 1[1] via A" }, { NULL }, "never comes back" },
  { { NULL }, { "[0] 1/-1/-1->0->-1|-1->0->2/-1/-1" }, "the way up and the way down of rank 0 differ" },
  { { NULL }, { "[0] -1/-1/-1->0->1|1->0->-1/-1/-1", "[0] -1/-1/-1->1->0|0->1->-1/-1/-1" }, "its own ancestor" },
  { { NULL },
    { "[0] -1/-1/-1->0->1|1->0->-1/-1/-1", "[0] -1/-1/-1->2->3|3->2->-1/-1/-1" },
    "ranks 1 and 3 are both roots" },
  { { NULL },
    { "[0] -1/-1/-1->0->1|1->0->-1/-1/-1", "[0] 0/-1/-1->2->-1|-1->2->0/-1/-1" },
    "rank 0 has the parents 1 and 2" },
};

static void
test_misfits (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (misfits); i++)
    {
      g_autoptr (TtNccl) nccl = tt_nccl_new ();
      g_autoptr (GString) all = g_string_new (NULL);
      gint own;

      for (guint k = 0; k < 4 && misfits[i].ring[k] != NULL; k++)
        g_assert_true (tt_nccl_add_ring (nccl, TT_NCCL_RING, 0, misfits[i].ring[k], &own, NULL));
      for (guint k = 0; k < 4 && misfits[i].tree[k] != NULL; k++)
        g_assert_true (tt_nccl_add_tree (nccl, misfits[i].tree[k], &own, NULL));
      tt_nccl_join (nccl);
      for (guint k = 0; k < tt_nccl_problems (nccl)->len; k++)
        g_string_append_printf (all, "%s\n", (char *) tt_nccl_problems (nccl)->pdata[k]);
      if (strstr (all->str, misfits[i].problem) == NULL)
        g_error ("misfit %u: '%s' is not in:\n%s", i, misfits[i].problem, all->str);
    }
}

static void
test_bad_texts (void)
{
  static const char *const rings[] = {
    "0 1", "x -> 1", "0[1] -> y", "-1[0] -> 2[1]", "0[1] -> 99999999999[1]", "0[1] -> 1[1] via A,nonsense"
  };
  static const char *const trees[] = { "0",
                                       "[0]",
                                       "[0] 1/2->0->1|1->0->1/2",
                                       "[0] 1/-1/-1->0->-1",
                                       "[x] 1/-1/-1->0->-1|-1->0->1/-1/-1",
                                       "[0] 1/-1/-1->0->-1|-1->0->1/-1/-1 [1" };
  g_autoptr (TtNccl) nccl = tt_nccl_new ();
  gint own;

  for (guint i = 0; i < G_N_ELEMENTS (rings); i++)
    {
      g_autoptr (GError) error = NULL;
      g_assert_false (tt_nccl_add_ring (nccl, TT_NCCL_RING, 0, rings[i], &own, &error));
      g_assert_nonnull (error);
    }
  for (guint i = 0; i < G_N_ELEMENTS (trees); i++)
    {
      g_autoptr (GError) error = NULL;
      g_assert_false (tt_nccl_add_tree (nccl, trees[i], &own, &error));
      g_assert_nonnull (error);
    }
  g_assert_true (tt_nccl_add_ring (nccl, TT_NCCL_RING, 0, "", &own, NULL));
  g_assert_cmpint (own, ==, TT_NCCL_NONE);
  tt_nccl_join (nccl);
  g_assert_cmpuint (tt_nccl_links (nccl)->len, ==, 0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/nccl/four-ranks", test_four_ranks);
  g_test_add_func ("/nccl/random-rings", test_random_rings);
  g_test_add_func ("/nccl/random-trees", test_random_trees);
  g_test_add_func ("/nccl/misfits", test_misfits);
  g_test_add_func ("/nccl/bad-texts", test_bad_texts);
  return g_test_run ();
}
