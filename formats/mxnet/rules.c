/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/mxnet/rules.h"

#include <string.h>

typedef enum
{
  SURVEY_BEFORE,
  SURVEY_FW,
  SURVEY_BW,
  SURVEY_DONE,
} Survey;

typedef enum
{
  AFTER_NOTHING,
  AFTER_LAST_FW,
  AFTER_LAST_BW,
} Position;

struct _TtMxnetRules
{
  const TtLocalGraph *graph;
  GString *op_name, *node; /* scratch */
  Survey survey;
  gboolean has_nodes, has_operators;
  GString *last_fw, *last_bw; /* of the first iteration; "" = none */
  Position position;
  gboolean has_output;
  TtMxnetOperator output; /* OUTPUT0 as far as it goes */
  gboolean has_calculation, has_update;
  gint64 calculation_ns, calculation_end_ns;
  guint update; /* number of the next */
};

TtMxnetRules *
tt_mxnet_rules_new (const TtLocalGraph *graph)
{
  TtMxnetRules *self = g_new0 (TtMxnetRules, 1);

  self->graph = graph;
  self->op_name = g_string_new (NULL);
  self->node = g_string_new (NULL);
  self->last_fw = g_string_new (NULL);
  self->last_bw = g_string_new (NULL);
  return self;
}

void
tt_mxnet_rules_free (TtMxnetRules *self)
{
  if (self == NULL)
    return;
  g_string_free (self->op_name, TRUE);
  g_string_free (self->node, TRUE);
  g_string_free (self->last_fw, TRUE);
  g_string_free (self->last_bw, TRUE);
  g_free (self);
}

/* Leaves the standard name in self->node. */
static gboolean
is_node (TtMxnetRules *self, const TtMxnetName *name)
{
  guint32 node;

  g_string_printf (self->node, "%s.%s", name->op_cat, self->op_name->str);
  return name->kind != TT_MXNET_ENGINE && self->graph != NULL &&
         tt_local_graph_find (self->graph, self->node->str, &node);
}

void
tt_mxnet_rules_survey (TtMxnetRules *self, const char *raw)
{
  const TtMxnetName name = tt_mxnet_name (raw, self->op_name);

  if (self->survey == SURVEY_DONE)
    return;
  self->has_operators |= name.kind != TT_MXNET_ENGINE;
  if (!is_node (self, &name))
    return;
  self->has_nodes = TRUE;
  if (strcmp (name.op_cat, "FW") == 0)
    {
      self->survey = self->survey == SURVEY_BW ? SURVEY_DONE : SURVEY_FW;
      if (self->survey == SURVEY_FW)
        g_string_assign (self->last_fw, self->node->str);
    }
  else if (self->survey != SURVEY_BEFORE)
    {
      self->survey = SURVEY_BW;
      g_string_assign (self->last_bw, self->node->str);
    }
}

gboolean
tt_mxnet_rules_settle (TtMxnetRules *self)
{
  if (self->has_nodes || !self->has_operators)
    return TRUE;
  self->graph = NULL;
  return FALSE;
}

static gboolean
flush_output (TtMxnetRules *self, TtMxnetFunc func, gpointer data, GError **error)
{
  if (!self->has_output)
    return TRUE;
  self->has_output = FALSE;
  self->output.raw = "OUTPUT0";
  self->output.op_cat = "OUTPUT";
  self->output.op_name = "0";
  return func (&self->output, data, error);
}

static void
extend_output (TtMxnetRules *self, const TtMxnetOperator *span)
{
  if (span->dur_ns == TT_NO_TIME)
    return;
  if (!self->has_output)
    {
      self->output = *span;
      self->output.is_operator = TRUE;
      self->output.sub_op = NULL;
      self->output.args = 0;
      self->has_output = TRUE;
    }
  gint64 end_ns = span->ts_ns + span->dur_ns;
  self->output.dur_ns = MAX (self->output.dur_ns, end_ns - self->output.ts_ns);
}

static gboolean
put_calculation (TtMxnetRules *self, const TtMxnetOperator *update, TtMxnetFunc func, gpointer data, GError **error)
{
  TtMxnetOperator operator= * update;

  operator.is_operator = TRUE;
  operator.raw = "UPDATE_CAL";
  operator.op_cat = "UPDATE_";
  operator.op_name = "CAL";
  operator.args = 0;
  operator.ts_ns = self->has_calculation ? self->calculation_ns : update->ts_ns;
  operator.dur_ns = self->has_calculation ? self->calculation_end_ns - self->calculation_ns : 0;
  return func (&operator, data, error);
}

static gboolean
put_update (TtMxnetRules *self, const TtMxnetOperator *span, TtMxnetFunc func, gpointer data, GError **error)
{
  TtMxnetOperator operator= * span;
  char number[16];

  if (self->position == AFTER_LAST_BW && !self->has_update && !put_calculation (self, span, func, data, error))
    return FALSE;
  self->has_update = TRUE;
  g_snprintf (number, sizeof number, "%u", self->update++);
  g_string_printf (self->node, "UPDATE_%s", number);
  operator.is_operator = TRUE;
  operator.raw = self->node->str;
  operator.op_cat = "UPDATE_";
  operator.op_name = number;
  return func (&operator, data, error);
}

static gboolean
put_node (TtMxnetRules *self, const TtMxnetOperator *operator, TtMxnetFunc func, gpointer data, GError **error)
{
  if (!flush_output (self, func, data, error))
    return FALSE;
  self->position = AFTER_NOTHING;
  if (self->graph == NULL || self->last_bw->len == 0)
    self->update = strcmp (operator->op_cat, "FW") == 0 ? 0 : self->update;
  if (self->graph != NULL && g_string_equal (self->node, self->last_fw))
    self->position = AFTER_LAST_FW;
  else if (self->graph != NULL && g_string_equal (self->node, self->last_bw))
    {
      self->position = AFTER_LAST_BW;
      self->update = 0;
      self->has_update = self->has_calculation = FALSE;
    }
  return func (operator, data, error);
}

/* Named as nodes are ("x_fwd", "x_backward"), or among them: the graph does not know all. */
static gboolean
is_outside (const TtMxnetRules *self, const TtMxnetName *name, const char *raw)
{
  return name->kind == TT_MXNET_OPERATOR && (self->position == AFTER_NOTHING || strstr (raw, "_fwd") != NULL ||
                                             strstr (raw, "_backward") != NULL);
}

static gboolean
put_outside (TtMxnetRules *self, const TtMxnetOperator *operator, TtMxnetFunc func, gpointer data, GError **error)
{
  gboolean is_fw = strcmp (operator->op_cat, "FW") == 0;

  /* The first of the next phase ends that after the last node of the one before. */
  if (is_fw ? self->position == AFTER_LAST_BW : self->position == AFTER_LAST_FW)
    self->position = AFTER_NOTHING;
  return flush_output (self, func, data, error) && func (operator, data, error);
}

static void
take_calculation (TtMxnetRules *self, const TtMxnetOperator *span)
{
  gint64 end_ns = span->ts_ns + span->dur_ns;

  if (span->dur_ns == TT_NO_TIME || self->has_update)
    return;
  if (!self->has_calculation)
    self->calculation_ns = self->calculation_end_ns = span->ts_ns;
  self->has_calculation = TRUE;
  self->calculation_end_ns = MAX (self->calculation_end_ns, end_ns);
}

gboolean
tt_mxnet_rules_span (TtMxnetRules *self, const TtMxnetOperator *span, TtMxnetFunc func, gpointer data, GError **error)
{
  const TtMxnetName name = tt_mxnet_name (span->raw, self->op_name);
  TtMxnetOperator operator= * span;

  operator.op_cat = name.op_cat;
  operator.op_name = self->op_name->str;
  operator.sub_op = name.sub_op;
  operator.is_operator = FALSE;
  if (name.kind == TT_MXNET_ENGINE)
    return func (&operator, data, error);
  gboolean is_in_graph = is_node (self, &name);
  if (name.kind == TT_MXNET_UPDATE && !is_in_graph)
    return put_update (self, span, func, data, error);
  if (is_in_graph || self->graph == NULL)
    {
      operator.is_operator = TRUE;
      return put_node (self, &operator, func, data, error);
    }
  if (is_outside (self, &name, span->raw))
    {
      operator.is_operator = operator.is_outside = TRUE;
      return put_outside (self, &operator, func, data, error);
    }
  operator.op_cat = "COMP";
  if (self->position == AFTER_LAST_FW)
    extend_output (self, span);
  else if (self->position == AFTER_LAST_BW && name.kind == TT_MXNET_CALCULATION)
    take_calculation (self, span);
  return func (&operator, data, error);
}

gboolean
tt_mxnet_rules_end (TtMxnetRules *self, TtMxnetFunc func, gpointer data, GError **error)
{
  return flush_output (self, func, data, error);
}
