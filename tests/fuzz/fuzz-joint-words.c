/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/call-tree/joint-tree.h"
#include "analyzers/dependencies/joint-graph.h"
#include "analyzers/devices/roles.h"
#include "analyzers/imbalance/straggler-words.h"
#include "analyzers/statistics/joint-search.h"
#include "analyzers/statistics/joint-words.h"
#include "analyzers/steps/joint-steps.h"
#include "analyzers/waits/deal.h"
#include "analyzers/waits/pair-waits.h"
#include "formats/stack-export/folded-paths.h"

/*
 * Any bytes as what one rank says to another of stragglers, of waits for messages, of devices, elements of any kind, operations and
 * edges, call paths, folded stacks, training steps, and of statistics: a group, questions about values that are there, and answers by
 * which a search goes on. What is unpacked and not bad packs into what unpacks to the same.
 */

static TtPartValues *
make_values (void)
{
  g_autoptr (TtTally) tally = tt_tally_new (1 << 16);

  for (gint64 i = 0; i < 300; i++)
    (i % 7 == 0 ? tt_tally_add_bounded : tt_tally_add) (tally, (guint32) (i % 3), i * i % 97, i, i);
  g_assert_true (tt_tally_finish (tally, NULL));
  return tt_part_values_new (tally, NULL);
}

static void
check_group (TtUnpack *from)
{
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  TtJointGroup group, again;

  tt_joint_unpack_group (from, &group);
  tt_joint_pack_group (bytes, &group);
  TtUnpack back = tt_unpack_all (bytes);
  tt_joint_unpack_group (&back, &again);
  if (from->is_bad)
    return;
  g_assert_true (!back.is_bad && back.at == back.end);
  g_assert_cmpmem (&group.member, sizeof group.member, &again.member, sizeof again.member);
  g_assert_true (group.mark == again.mark && group.sums.count == again.sums.count &&
                 group.sums.sum_sq == again.sums.sum_sq && group.sums.total_ns == again.sums.total_ns &&
                 group.sums.min_ns == again.sums.min_ns && group.sums.p99_ns == again.sums.p99_ns);
}

static void
check_question (TtPartValues *values, TtUnpack *from)
{
  TtValueQuestion question;
  TtValueAnswer answer;

  tt_joint_unpack_question (from, values, &question);
  if (from->is_bad)
    return;
  tt_part_values_answer (values, &question, TT_MIN_VALUE_SAMPLES, &answer);
  g_assert_cmpuint (answer.n_before + answer.n, <=, 100);
  for (guint i = 0; i < answer.n_samples; i++)
    {
      g_assert_true (!question.has_above || answer.samples[i] > question.above_ns);
      g_assert_true (!question.has_below || answer.samples[i] < question.below_ns);
      g_assert_true (i == 0 || answer.samples[i] >= answer.samples[i - 1]);
    }
}

static void
check_stragglers (TtUnpack from)
{
  g_autoptr (TtStragglers) stragglers = tt_stragglers_unpack (&from);
  g_autoptr (GByteArray) bytes = g_byte_array_new (), again = g_byte_array_new ();

  tt_stragglers_pack (stragglers, bytes);
  TtUnpack back = tt_unpack_all (bytes);
  g_autoptr (TtStragglers) copy = tt_stragglers_unpack (&back);
  tt_stragglers_pack (copy, again);
  g_assert_true (!back.is_bad && back.at == back.end);
  g_assert_cmpmem (bytes->data, bytes->len, again->data, again->len);
}

static void
check_waits (TtUnpack from)
{
  g_autoptr (TtPairWaits) waits = tt_pair_waits_new_empty (), copy = tt_pair_waits_new_empty ();
  g_autoptr (GByteArray) bytes = g_byte_array_new ();

  tt_pair_waits_unpack (waits, &from);
  tt_pair_waits_pack (waits, bytes);
  TtUnpack back = tt_unpack_all (bytes);
  tt_pair_waits_unpack (copy, &back);
  g_assert_true (!back.is_bad && back.at == back.end);
}

/* Elements as they are in memory. */
static void
check_dealt (TtUnpack from)
{
  g_autoptr (GArray) elements = g_array_new (FALSE, FALSE, 12), copy = g_array_new (FALSE, FALSE, 12);
  g_autoptr (GByteArray) bytes = g_byte_array_new ();

  if (!tt_dealt_take (&from, elements))
    return;
  tt_dealt_pack (elements, bytes);
  TtUnpack back = tt_unpack_all (bytes);
  g_assert_true (tt_dealt_take (&back, copy) && back.at == back.end);
  g_assert_cmpmem (elements->data, elements->len * 12, copy->data, copy->len * 12);
}

static void
check_devices (TtUnpack from)
{
  g_autoptr (GByteArray) bytes = g_byte_array_new (), again = g_byte_array_new ();
  g_auto (TtDeviceRoles) roles = { .max_thread = 1000, .n_events = 10 };
  g_auto (TtDeviceRoles) copy = { .max_thread = 1000, .n_events = 10 };

  g_byte_array_append (bytes, from.at, (guint) (from.end - from.at));
  if (!tt_device_roles_unpack (&roles, bytes, NULL))
    return;
  g_byte_array_set_size (bytes, 0);
  tt_device_roles_pack (&roles, bytes);
  g_assert_true (tt_device_roles_unpack (&copy, bytes, NULL));
  tt_device_roles_pack (&copy, again);
  g_assert_cmpmem (bytes->data, bytes->len, again->data, again->len);
}

static void
check_graph (TtUnpack from)
{
  const TtJointGraphBounds bounds = { .n_events = 99, .max_process = 3, .max_name = 20, .n_nodes = 2, .n_all = 5 };
  g_auto (TtJointGraphPart) part = { NULL }, copy = { NULL };
  g_autoptr (GByteArray) bytes = g_byte_array_new ();

  tt_joint_graph_part_init (&part);
  if (!tt_joint_graph_part_unpack (&part, &from, &bounds))
    return;
  tt_joint_graph_part_pack (&part, bytes);
  TtUnpack back = tt_unpack_all (bytes);
  tt_joint_graph_part_init (&copy);
  g_assert_true (tt_joint_graph_part_unpack (&copy, &back, &bounds) && back.at == back.end);
  for (guint i = 0; i < part.edges->len; i++)
    g_assert_cmpuint (g_array_index (part.edges, TtEdge, i).dst, <, bounds.n_all);
}

static void
check_paths (TtUnpack from)
{
  static const guint32 first_names[] = { 0, 1, 2, 2, 4, 5 };
  g_autoptr (TtCallNodes) nodes = tt_call_nodes_new (), copy = tt_call_nodes_new ();
  g_autoptr (GByteArray) bytes = g_byte_array_new ();

  if (!tt_call_nodes_unpack (nodes, &from, first_names, G_N_ELEMENTS (first_names) - 1, 99) || from.is_bad)
    return;
  tt_call_nodes_pack (nodes, bytes);
  TtUnpack back = tt_unpack_all (bytes);
  g_assert_true (tt_call_nodes_unpack (copy, &back, first_names, G_N_ELEMENTS (first_names) - 1, 99));
  g_assert_true (!back.is_bad && back.at == back.end);
  g_assert_cmpuint (tt_call_nodes_count (copy), <=, tt_call_nodes_count (nodes));
}

static void
check_folded (TtUnpack from)
{
  const TtFoldedBounds bounds = { .max_thread = 5, .max_name = 20, .n_events = 99 };
  g_autoptr (GArray) said = g_array_new (FALSE, FALSE, sizeof (TtFoldedSaid));

  tt_folded_said_unpack (said, &from, &bounds);
  for (guint i = 1; i < said->len && !from.is_bad; i++)
    {
      const TtFoldedSaid *one = &g_array_index (said, TtFoldedSaid, i);

      g_assert_cmpuint (one->parent, <, i);
      g_assert_true ((one->parent == 0) == (one->kind == TT_FOLDED_PROCESS));
      g_assert_cmpuint (one->id, <=, one->kind == TT_FOLDED_NAME ? bounds.max_name : bounds.max_thread);
    }
}

/* Of one rank, with its rows. */
static void
check_steps (TtUnpack from)
{
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  TtJointStepRank rank, rank_again;
  TtStepRow row, again;
  gint32 before = -1;

  tt_joint_step_rank_unpack (&rank, &from);
  if (from.is_bad)
    return;
  tt_joint_step_rank_pack (&rank, bytes);
  TtUnpack back = tt_unpack_all (bytes);
  tt_joint_step_rank_unpack (&rank_again, &back);
  g_assert_true (!back.is_bad && back.at == back.end && rank_again.n_rows == rank.n_rows);
  for (guint64 i = 0; i < rank.n_rows; i++)
    {
      tt_joint_step_row_unpack (&row, before, &from);
      if (from.is_bad)
        return;
      g_assert_cmpint (row.step, >, before);
      g_byte_array_set_size (bytes, 0);
      tt_joint_step_row_pack (&row, before, bytes);
      back = tt_unpack_all (bytes);
      tt_joint_step_row_unpack (&again, before, &back);
      g_assert_true (!back.is_bad && back.at == back.end);
      g_assert_cmpmem (&row, sizeof row, &again, sizeof again);
      before = row.step;
    }
}

/* Where the parts of a scan begin and end. */
static void
check_parts (TtUnpack from)
{
  g_auto (TtSharedParts) parts = { NULL };

  tt_shared_parts_init (&parts, 7);
  while (!from.is_bad && from.at < from.end)
    tt_shared_parts_take (&parts, &from);
}

int LLVMFuzzerTestOneInput (const guint8 *bytes, size_t len);

int
LLVMFuzzerTestOneInput (const guint8 *bytes, size_t len)
{
  g_autoptr (TtPartValues) values = make_values ();
  TtUnpack from = { .at = bytes, .end = bytes + len };
  TtJointSearch search = { 0 };

  check_stragglers (from);
  check_waits (from);
  check_dealt (from);
  check_devices (from);
  check_graph (from);
  check_parts (from);
  check_paths (from);
  check_steps (from);
  check_folded (from);
  check_group (&from);
  check_question (values, &from);
  search.place = tt_unpack_number (&from);
  while (!from.is_bad && from.at < from.end && !search.is_found)
    {
      TtValueAnswer answers[2];
      const TtValueAnswer *const each[] = { &answers[0], &answers[1] };
      tt_joint_unpack_answer (&from, TT_VALUE_SAMPLES, &answers[0]);
      tt_joint_unpack_answer (&from, TT_VALUE_SAMPLES, &answers[1]);
      if (from.is_bad || !tt_joint_search_narrow (&search, each, 2))
        break;
    }
  return 0;
}
