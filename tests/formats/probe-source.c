/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "tests/formats/probe-source-private.h"

#include <string.h>

static Node *make_value (ProbeSource *self, guint width, guint depth);
static Node *make_condition (ProbeSource *self, guint depth);
static Node *make_leaf (ProbeSource *self, guint width);
static Node *make_element (ProbeSource *self);
static gboolean folds (const Node *node);

static guint
pick (ProbeSource *self, guint n)
{
  return (guint) g_rand_int_range (self->rand, 0, (gint32) n);
}

/* -- making: values ----------------------------------------------------------------------------------- */

static Node *
new_node (ProbeSource *self, NodeKind kind, guint width)
{
  Node *node = tt_nl_arena_new0 (self->arena, Node);

  node->kind = kind;
  node->width = width;
  node->style = g_rand_int (self->rand) >> 8;
  return node;
}

static guint64
random_number (ProbeSource *self)
{
  static const guint64 edges[] = {
    0,
    1,
    2,
    3,
    7,
    8,
    31,
    32,
    33,
    63,
    64,
    65,
    100,
    255,
    0x7fffffff,
    0x80000000,
    0xfffffffe,
    0xffffffff,
    0x100000000,
    0x100000001,
    0x7fffffffffffffff,
    0x8000000000000000,
    0xfffffffffffffffe,
    0xffffffffffffffff,
  };
  guint64 number = (guint64) g_rand_int (self->rand) << 32 | g_rand_int (self->rand);

  return pick (self, 3) > 0 ? edges[pick (self, G_N_ELEMENTS (edges))] : number >> pick (self, 64);
}

static Node *
make_constant (ProbeSource *self, guint width)
{
  Node *node = new_node (self, NODE_CONSTANT, 0);

  node->value = random_number (self) & tt_nl_mask (width);
  return node;
}

/* The index may be one too large. */
static Node *
make_index (ProbeSource *self)
{
  Node *index = new_node (self, pick (self, 4) == 0 ? NODE_CONSTANT : NODE_BINARY, 0);

  if (index->kind == NODE_CONSTANT)
    {
      index->value = pick (self, N_ELEMENTS);
      return index;
    }
  index->op = FIRST_AND;
  index->width = pick (self, 2) ? 32 : 64;
  index->a = make_leaf (self, index->width);
  index->b = new_node (self, NODE_CONSTANT, 0);
  index->b->value = N_ELEMENTS;
  return index;
}

static Node *
make_element (ProbeSource *self)
{
  Node *node = new_node (self, NODE_ELEMENT, self->element_width);

  node->a = make_index (self);
  return node;
}

static Node *
make_leaf (ProbeSource *self, guint width)
{
  Node *node;

  for (guint i = 0; i < 4; i++)
    {
      node = new_node (self, NODE_VARIABLE, width);
      node->value = pick (self, self->n_variables);
      if (self->widths[node->value] == width)
        return node;
    }
  if (self->element_width == width && pick (self, 3) == 0)
    return make_element (self);
  if (self->at_instruction && pick (self, 3) > 0)
    {
      node = new_node (self, NODE_HELPER, width);
      node->value = pick (self, TT_NL_IN4);
      return node;
    }
  return new_node (self, width == 32 ? NODE_SMID : pick (self, 2) ? NODE_TIME : NODE_CLOCK, width);
}

/* A constant that is shifted by what no compiler knows. */
static Node *
make_shifted_constant (ProbeSource *self, guint width)
{
  Node *node = new_node (self, NODE_BINARY, 0);

  node->op = FIRST_SHIFT + pick (self, 2);
  node->a = make_constant (self, width);
  node->b = make_leaf (self, pick (self, 2) ? 32 : 64);
  return node;
}

/* Numbers that a compiler rounds: bits of the nearest float, found by hand for both widths. */
static const struct
{
  const char *text;
  guint64 narrow, wide;
} decimals[] = {
  { "0.1", 0x3dcccccd, 0x3fb999999999999a },
  { "-0.5", 0xbf000000, 0xbfe0000000000000 },
  { "3", 0x40400000, 0x4008000000000000 },
  { "-2", 0xc0000000, 0xc000000000000000 },
  { "16_777_217.0", 0x4b800000, 0x4170000010000000 },
  { "4294967295", 0x4f800000, 0x41efffffffe00000 },
  { "1.0000000596046448", 0x3f800001, 0x3ff0000010000000 },
  { "1e-45", 0x00000001, 0x3696d601ad376ab9 },
  { "0", 0, 0 },
};

const char *
probe_source_decimal (guint64 i)
{
  return decimals[i].text;
}

/* Bits of all kinds of floats: any, small integers, the ends of integers, infinities, no numbers. */
static guint64
random_float (ProbeSource *self, guint width)
{
  static const guint64 narrow[] = { 0,          0x80000000, 0x7f800000, 0xff800000, 0x7fc00001, 0x4f800000,
                                    0x4f000000, 0xcf000000, 0x4effffff, 0x5f800000, 0x5f7fffff, 1,
                                    0x3f800000, 0xbf800000, 0x4b800000, 0xc0a00000 };
  static const guint64 wide[] = { 0,
                                  G_GUINT64_CONSTANT (0x8000000000000000),
                                  0x7ff0000000000000,
                                  G_GUINT64_CONSTANT (0xfff0000000000000),
                                  0x7ff8000000000001,
                                  0x41f0000000000000,
                                  0x41efffffffffffff,
                                  0x43f0000000000000,
                                  0x43efffffffffffff,
                                  0x41dfffffffe00000,
                                  G_GUINT64_CONSTANT (0xc1e0000000000000),
                                  G_GUINT64_CONSTANT (0xc1e0000000200000),
                                  1,
                                  0x3ff0000000000000,
                                  G_GUINT64_CONSTANT (0xbff8000000000000),
                                  0x4340000000000001,
                                  0x43e5555555555555,
                                  G_GUINT64_CONSTANT (0xc014000000000000) };
  guint64 any = (guint64) g_rand_int (self->rand) << 32 | g_rand_int (self->rand);

  if (width == 32)
    return pick (self, 3) ? narrow[pick (self, G_N_ELEMENTS (narrow))] : any & G_MAXUINT32;
  return pick (self, 3)   ? wide[pick (self, G_N_ELEMENTS (wide))]
         : pick (self, 2) ? any
                          : (any & 0x000fffffffffffff) | (guint64) (1000 + pick (self, 100)) << 52;
}

/* Whose bits are those of a value, or of one that is made so that they mean something. */
static Node *
make_float (ProbeSource *self, guint width, guint depth)
{
  Node *node = new_node (self, NODE_FLOAT, width);

  if (depth > 0 && pick (self, 6) == 0)
    {
      node->kind = NODE_FLOAT_CHOICE;
      node->c = make_condition (self, depth - 1);
      node->a = make_float (self, width, depth - 1);
      node->b = make_float (self, width, depth - 1);
      return node;
    }
  node->a = make_value (self, width, depth);
  if (pick (self, 3) > 0 || folds (node->a) || (node->a->kind == NODE_HELPER && node->a->value == TT_NL_ADDR))
    {
      /* What is no constant, though it has but these bits. */
      Node *mask = new_node (self, NODE_BINARY, width), *sum = new_node (self, NODE_BINARY, width);

      mask->op = FIRST_AND;
      mask->a = make_leaf (self, width);
      mask->b = new_node (self, NODE_CONSTANT, 0);
      sum->op = OP_OR;
      sum->a = mask;
      sum->b = new_node (self, NODE_CONSTANT, 0);
      sum->b->value = random_float (self, width);
      node->a = sum;
    }
  return node;
}

static Node *
make_float_compare (ProbeSource *self, guint width, guint depth)
{
  Node *node = new_node (self, NODE_FLOAT_COMPARE, width);

  node->op = pick (self, N_COMPARE);
  node->a = make_float (self, width, depth);
  if (pick (self, 2))
    {
      guint i = pick (self, G_N_ELEMENTS (decimals));

      node->b = new_node (self, NODE_FLOAT_NUMBER, width);
      node->b->op = i;
      node->b->value = width == 32 ? decimals[i].narrow : decimals[i].wide;
    }
  else
    node->b = make_float (self, width, depth);
  if (pick (self, 2))
    {
      Node *left = node->a;

      node->a = node->b;
      node->b = left;
    }
  return node;
}

/* What may stand beside a value of @width bits without making the result another width. */
static Node *
make_partner (ProbeSource *self, guint width, guint depth)
{
  Node *node;

  if (self->at_instruction && pick (self, 6) == 0)
    {
      node = new_node (self, NODE_HELPER, 0);
      node->value = TT_NL_BYTES;
      return node;
    }
  if (pick (self, 3) == 0)
    return pick (self, 3) ? make_constant (self, width) : make_shifted_constant (self, width);
  if (pick (self, 8) == 0)
    {
      node = new_node (self, NODE_CHOICE, 0);
      node->c = make_condition (self, depth);
      node->a = make_constant (self, width);
      node->b = make_constant (self, width);
      return node;
    }
  return make_value (self, width == 64 && pick (self, 3) == 0 ? 32 : width, depth);
}

/* Whether a compiler can know the value. */
static gboolean
folds (const Node *node)
{
  if (node->kind == NODE_CONSTANT)
    return TRUE;
  if (node->kind == NODE_BINARY)
    return folds (node->a) && folds (node->b);
  return (node->kind == NODE_CAST || node->kind == NODE_UNARY || node->kind == NODE_POPC || node->kind == NODE_SEXT) &&
         folds (node->a);
}

/* Counts that are known must be less than @width. */
static Node *
make_count (ProbeSource *self, guint width, guint depth)
{
  Node *count = make_value (self, pick (self, 2) ? 32 : 64, depth);

  if (pick (self, 2) && !folds (count))
    return count;
  count = new_node (self, NODE_CONSTANT, 0);
  count->value = pick (self, width);
  return count;
}

static Node *
make_shift (ProbeSource *self, guint width, guint op, guint depth)
{
  Node *node = new_node (self, NODE_BINARY, width);

  node->op = op;
  node->a = make_value (self, width, depth);
  node->b = make_count (self, width, depth);
  return node;
}

/* What division by 0 gives is left open: a divisor that is not constant has a bit that is. */
static Node *
make_divisor (ProbeSource *self, guint width, guint depth)
{
  Node *node = pick (self, 2) ? make_constant (self, width) : NULL;

  if (node != NULL)
    {
      node->value = pick (self, 3) == 0 ? (guint64) 1 << pick (self, width) : MAX (node->value, 1);
      return node;
    }
  node = new_node (self, NODE_BINARY, width);
  node->op = OP_OR;
  node->a = make_value (self, width, depth);
  node->b = new_node (self, NODE_CONSTANT, 0);
  node->b->value = 1;
  return node;
}

static Node *
make_binary (ProbeSource *self, guint width, guint depth)
{
  guint op = pick (self, N_BINARY);
  Node *node;

  if (op >= FIRST_SHIFT)
    return make_shift (self, width, op, depth);
  node = new_node (self, NODE_BINARY, width);
  node->op = op;
  node->a = make_value (self, width, depth);
  if (op >= FIRST_DIVISION && op < FIRST_AND)
    {
      node->b = make_divisor (self, width, depth);
      return node;
    }
  node->b = make_partner (self, width, depth);
  if (pick (self, 2))
    {
      Node *left = node->a;

      node->a = node->b;
      node->b = left;
    }
  return node;
}

/* One whose width is exactly @width. */
static Node *
make_value (ProbeSource *self, guint width, guint depth)
{
  Node *node;

  if (depth == 0 || pick (self, 5) == 0)
    return make_leaf (self, width);
  switch (pick (self, 10))
    {
    case 9:
      node = new_node (self, NODE_FLOAT_CUT, width);
      node->op = pick (self, 2) ? 2 : width == 64 && pick (self, 2);
      node->a = make_float (self, node->op == 2 || pick (self, 2) ? width : 96 - width, depth - 1);
      return node;
    case 8:
      node = new_node (self, width == 32 ? NODE_POPC : NODE_SEXT, width);
      node->a = make_value (self, pick (self, 2) ? 32 : 64, depth - 1);
      return node;
    case 0:
      node = new_node (self, NODE_CAST, width);
      node->a = pick (self, 4) ? make_value (self, pick (self, 2) ? 32 : 64, depth - 1) : make_constant (self, 64);
      return node;
    case 1:
      node = new_node (self, NODE_UNARY, width);
      node->op = pick (self, 2);
      node->a = make_value (self, width, depth - 1);
      return node;
    case 2:
      node = new_node (self, NODE_CHOICE, width);
      node->c = make_condition (self, depth - 1);
      node->a = make_value (self, width, depth - 1);
      node->b = make_partner (self, width, depth - 1);
      return node;
    default:
      return make_binary (self, width, depth - 1);
    }
}

static Node *
make_condition (ProbeSource *self, guint depth)
{
  guint width = pick (self, 2) ? 32 : 64, inner = depth > 0 ? depth - 1 : 0;
  Node *node;

  switch (depth == 0 ? 5 : pick (self, 8))
    {
    case 0:
    case 1:
      node = new_node (self, pick (self, 2) ? NODE_AND : NODE_OR, 0);
      node->a = make_condition (self, inner);
      node->b = make_condition (self, inner);
      return node;
    case 2:
      node = new_node (self, NODE_NOT, 0);
      node->a = make_condition (self, inner);
      return node;
    case 3:
      return pick (self, 2) ? make_value (self, width, inner) : make_float (self, width, inner);
    case 4:
    case 6:
      return make_float_compare (self, width, inner);
    default:
      node = new_node (self, NODE_COMPARE, width);
      node->op = pick (self, N_COMPARE);
      node->a = make_value (self, width, inner);
      node->b = make_partner (self, width, inner);
      if (pick (self, 2))
        {
          Node *left = node->a;

          node->a = node->b;
          node->b = left;
        }
      return node;
    }
}

/* -- making: statements ------------------------------------------------------------------------------- */

static Step *
make_assign (ProbeSource *self)
{
  Step *step = tt_nl_arena_new0 (self->arena, Step);

  step->kind = STEP_ASSIGN;
  step->variable = pick (self, self->n_variables);
  step->width = self->widths[step->variable];
  if (pick (self, 4) == 0)
    {
      step->index = make_index (self);
      step->width = self->element_width;
    }
  step->op = N_BINARY;
  if (pick (self, 3) == 0)
    {
      step->op = pick (self, N_BINARY);
      step->value = step->op >= FIRST_SHIFT                              ? make_count (self, step->width, 1)
                    : step->op < FIRST_DIVISION || step->op >= FIRST_AND ? make_partner (self, step->width, 1)
                                                                         : make_divisor (self, step->width, 1);
    }
  else
    step->value = pick (self, 6)   ? make_value (self, pick (self, 4) ? step->width : 32, 2)
                  : pick (self, 2) ? make_constant (self, step->width)
                                   : make_shifted_constant (self, step->width);
  return step;
}

static Step *
make_save (ProbeSource *self, guint width)
{
  Step *step = tt_nl_arena_new0 (self->arena, Step);
  guint n = self->dialect == TT_NL_CURRENT ? 3 : 1 + pick (self, 4);

  /* Those of 32 bits are stored by twos. */
  if (width == 32)
    n += n % 2;
  step->kind = STEP_SAVE;
  step->width = width;
  for (guint i = 0; i < n; i++)
    {
      guint item_width = self->dialect == TT_NL_CURRENT && i >= 1 ? 32 : width;

      step->items[i] = pick (self, 5) == 0 ? make_constant (self, item_width)
                                           : make_value (self, pick (self, 2) ? 32 : 64, pick (self, 2));
    }
  return step;
}

static Step *
make_steps (ProbeSource *self, guint n, guint depth)
{
  Step *first = NULL, **end = &first;

  for (guint i = 0; i < n; i++)
    {
      Step *step;
      guint kind = pick (self, 8);

      if (kind < 3 && depth > 0)
        {
          step = tt_nl_arena_new0 (self->arena, Step);
          step->kind = STEP_IF;
          step->value = make_condition (self, 1);
          step->then = make_steps (self, 1 + pick (self, 2), depth - 1);
          step->otherwise = pick (self, 2) ? make_steps (self, 1 + pick (self, 2), depth - 1) : NULL;
        }
      else if (kind == 7 && self->may_save)
        step = make_save (self, self->dialect == TT_NL_CURRENT || pick (self, 2) ? 64 : 32);
      else
        step = make_assign (self);
      *end = step;
      end = &step->next;
    }
  return first;
}

/* Saves of all variables at the end tell what became of them. */
static Step *
append_save (Step **steps, TtNlArena *arena)
{
  Step *step = tt_nl_arena_new0 (arena, Step);

  while (*steps != NULL)
    steps = &(*steps)->next;
  *steps = step;
  step->kind = STEP_SAVE;
  step->width = 64;
  return step;
}

static void
append_elements (ProbeSource *self, Step **steps)
{
  Step *step = append_save (steps, self->arena);

  for (guint i = 0; i < N_ELEMENTS; i++)
    {
      step->items[i] = new_node (self, NODE_ELEMENT, self->element_width);
      step->items[i]->a = new_node (self, NODE_CONSTANT, 0);
      step->items[i]->a->value = i;
    }
}

static void
append_variables (ProbeSource *self, Step **steps)
{
  for (guint first = 0; first < self->n_variables; first++)
    {
      Step *step = append_save (steps, self->arena);

      for (guint i = 0; i < (self->dialect == TT_NL_SEED ? 1 : 3); i++)
        {
          step->items[i] = new_node (self, NODE_VARIABLE, 0);
          step->items[i]->value = (first + i % 2) % self->n_variables;
          step->items[i]->width = self->widths[step->items[i]->value];
        }
    }
}

/* -- the whole ---------------------------------------------------------------------------------------- */

static guint
most_saved (const Step *step)
{
  guint bytes = 0;

  for (; step != NULL; step = step->next)
    {
      if (step->kind == STEP_IF)
        bytes += MAX (most_saved (step->then), most_saved (step->otherwise));
      for (guint i = 0; step->kind == STEP_SAVE && i < 4 && step->items[i] != NULL; i++)
        bytes += step->width / 8;
    }
  return bytes;
}

static void
print_source (ProbeSource *self)
{
  static const char *const seed[] = { "pos='kernel'", "pos='ld.global:st'", "pos='kernel', after=True" };
  static const char *const current[] = { "pos='kernel', before=True", "pos='ld.global:st'", "pos='kernel'" };
  gboolean is_seed = self->dialect == TT_NL_SEED;

  g_string_append (self->text, "from neutrino import probe, Map\nimport neutrino.language as nl\n");
  for (guint i = 0; i < self->n_variables; i++)
    g_string_append_printf (self->text, "v%c: nl.u%u = %" G_GUINT64_FORMAT "\n", 'a' + (int) i, self->widths[i],
                            self->initial[i]);
  g_string_append_printf (self->text, "list: nl.u%u[%u] = 7\n", self->element_width, N_ELEMENTS);
  if (!is_seed)
    g_string_append (self->text, "@Map(level='thread', type='array', size=16, cap=99)\nclass M:\n"
                                 "  x: nl.u64\n  y: nl.u32\n  z: nl.u32\n");
  for (guint i = 0; i < G_N_ELEMENTS (self->steps); i++)
    {
      g_string_append_printf (self->text, "@%s(%s", is_seed ? "nl.probe" : "probe", is_seed ? seed[i] : current[i]);
      if (is_seed)
        g_string_append_printf (self->text, ", size=%u", most_saved (self->steps[i]));
      g_string_append_printf (self->text, ")\ndef p%u():\n  pass\n", i);
      probe_source_print (self, self->steps[i], 2, self->text);
    }
}

ProbeSource *
probe_source_new (GRand *rand, TtNlDialect dialect)
{
  ProbeSource *self = g_new0 (ProbeSource, 1);

  self->rand = rand;
  self->dialect = dialect;
  self->text = g_string_new (NULL);
  self->arena = tt_nl_arena_new ();
  self->n_variables = 1 + pick (self, MOST_VARIABLES);
  for (guint i = 0; i < self->n_variables; i++)
    {
      self->widths[i] = pick (self, 2) ? 32 : 64;
      self->initial[i] = random_number (self) & tt_nl_mask (self->widths[i]);
    }
  self->element_width = pick (self, 2) ? 32 : 64;
  for (guint i = 0; i < N_ELEMENTS; i++)
    self->initial[MOST_VARIABLES + i] = 7;
  for (guint i = 0; i < G_N_ELEMENTS (self->steps); i++)
    {
      self->at_instruction = i == 1;
      self->may_save = i > 0;
      self->steps[i] = make_steps (self, pick (self, 4), 3);
    }
  append_variables (self, &self->steps[2]);
  append_elements (self, &self->steps[2]);
  print_source (self);
  return self;
}

void
probe_source_free (ProbeSource *self)
{
  if (self == NULL)
    return;
  g_string_free (self->text, TRUE);
  tt_nl_arena_free (self->arena);
  g_free (self);
}

const char *
probe_source_text (const ProbeSource *self)
{
  return self->text->str;
}
