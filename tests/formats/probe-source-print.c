/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "tests/formats/probe-source-private.h"

static const char *const binary_words[N_BINARY] = { "+", "-", "*", "/", "//", "%", "&", "|", "^", "<<", ">>" };
static const char *const compare_words[N_COMPARE] = { "==", "!=", "<", "<=", ">", ">=" };
static const char *const helper_names[] = { "addr", "out", "in1", "in2", "in3", "in4", "bytes" };

static void print_node (const Node *node, GString *text);

static void
print_constant (const Node *node, GString *text)
{
  guint64 part = node->style * 0x100000001;

  switch (node->style % 6)
    {
    case 0:
      g_string_append_printf (text, "0x%" G_GINT64_MODIFIER "x", node->value);
      break;
    case 1:
      g_string_append_printf (text, "(%" G_GUINT64_FORMAT " + %" G_GUINT64_FORMAT ")", part, node->value - part);
      break;
    case 2:
      g_string_append_printf (text, "~%" G_GUINT64_FORMAT, ~node->value);
      break;
    default:
      g_string_append_printf (text, "%" G_GUINT64_FORMAT, node->value);
    }
}

static void
print_pair (const Node *node, const char *word, GString *text)
{
  g_string_append_c (text, '(');
  print_node (node->a, text);
  g_string_append_printf (text, " %s ", word);
  print_node (node->b, text);
  g_string_append_c (text, ')');
}

static void
print_node (const Node *node, GString *text)
{
  switch (node->kind)
    {
    case NODE_CONSTANT:
      print_constant (node, text);
      break;
    case NODE_VARIABLE:
      g_string_append_printf (text, "v%c", 'a' + (int) node->value);
      break;
    case NODE_HELPER:
      g_string_append_printf (text, node->width == 32 ? "nl.u32(nl.%s)" : "nl.%s", helper_names[node->value]);
      break;
    case NODE_TIME:
      g_string_append (text, "nl.time()");
      break;
    case NODE_CLOCK:
      g_string_append (text, node->style % 2 ? "nl.clock()" : "nl.time(local=True)");
      break;
    case NODE_SMID:
      g_string_append (text, node->style % 2 ? "nl.smid()" : "nl.cuid()");
      break;
    case NODE_CAST:
      g_string_append_printf (text, "nl.u%u(", node->width);
      print_node (node->a, text);
      g_string_append_c (text, ')');
      break;
    case NODE_POPC:
    case NODE_SEXT:
    case NODE_ELEMENT:
      g_string_append (text, node->kind == NODE_POPC ? "nl.popc(" : node->kind == NODE_SEXT ? "nl.s32(" : "list[");
      print_node (node->a, text);
      g_string_append_c (text, node->kind == NODE_ELEMENT ? ']' : ')');
      break;
    case NODE_FLOAT:
      g_string_append_printf (text, "nl.f%u(", node->width);
      print_node (node->a, text);
      g_string_append_c (text, ')');
      break;
    case NODE_FLOAT_NUMBER:
      g_string_append (text, probe_source_decimal (node->op));
      break;
    case NODE_FLOAT_CUT:
      g_string_append_printf (text, node->op == 2 ? "nl.bits(" : node->op == 1 ? "nl.s32(" : "nl.u%u(", node->width);
      print_node (node->a, text);
      g_string_append_c (text, ')');
      break;
    case NODE_UNARY:
      g_string_append (text, node->op ? "(~" : "(-");
      print_node (node->a, text);
      g_string_append_c (text, ')');
      break;
    case NODE_BINARY:
      print_pair (node, binary_words[node->op], text);
      break;
    case NODE_COMPARE:
    case NODE_FLOAT_COMPARE:
      print_pair (node, compare_words[node->op], text);
      break;
    case NODE_AND:
    case NODE_OR:
      print_pair (node, node->kind == NODE_AND ? "and" : "or", text);
      break;
    case NODE_NOT:
      g_string_append (text, "(not ");
      print_node (node->a, text);
      g_string_append_c (text, ')');
      break;
    case NODE_CHOICE:
    case NODE_FLOAT_CHOICE:
      g_string_append_c (text, '(');
      print_node (node->a, text);
      g_string_append (text, " if ");
      print_node (node->c, text);
      g_string_append (text, " else ");
      print_node (node->b, text);
      g_string_append_c (text, ')');
      break;
    }
}

static void
print_save (const ProbeSource *self, const Step *step, GString *text)
{
  g_string_append (text, self->dialect == TT_NL_SEED ? "nl.save((" : "M.save(");
  for (guint i = 0; i < 4 && step->items[i] != NULL; i++)
    {
      print_node (step->items[i], text);
      g_string_append (text, ", ");
    }
  if (self->dialect == TT_NL_SEED)
    g_string_append_printf (text, "), dtype=nl.u%u", step->width);
  g_string_append (text, ")\n");
}

static void
print_target (const Step *step, GString *text)
{
  if (step->index == NULL)
    g_string_append_printf (text, "v%c", 'a' + (int) step->variable);
  else
    {
      g_string_append (text, "list[");
      print_node (step->index, text);
      g_string_append_c (text, ']');
    }
  g_string_append_printf (text, " %s= ", step->op < N_BINARY ? binary_words[step->op] : "");
}

void
probe_source_print (const ProbeSource *self, const Step *step, int indent, GString *text)
{
  for (; step != NULL; step = step->next)
    {
      g_string_append_printf (text, "%*s", indent, "");
      if (step->kind == STEP_SAVE)
        {
          print_save (self, step, text);
          continue;
        }
      if (step->kind == STEP_ASSIGN)
        print_target (step, text);
      else
        g_string_append (text, "if ");
      print_node (step->value, text);
      g_string_append (text, step->kind == STEP_IF ? ":\n" : "\n");
      if (step->kind == STEP_IF)
        probe_source_print (self, step->then, indent + 2, text);
      /* An if alone in an else is an elif. */
      if (step->otherwise != NULL && step->otherwise->kind == STEP_IF && step->otherwise->next == NULL)
        {
          g_string_append_printf (text, "%*sel", indent, "");
          gsize at = text->len;
          probe_source_print (self, step->otherwise, indent, text);
          g_string_erase (text, (gssize) at, indent);
        }
      else if (step->otherwise != NULL)
        {
          g_string_append_printf (text, "%*selse:\n", indent, "");
          probe_source_print (self, step->otherwise, indent + 2, text);
        }
    }
}
