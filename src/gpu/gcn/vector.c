/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/gpu/gcn/machine.h"

#include <math.h>
#include <string.h>

/*
 * Forms: what is written '=' what is read, a letter each as in machine.h. Behind them '+': the result is read, too; '!': a
 * bit of VCC is read.
 */

static gboolean
is_wide (char letter)
{
  return letter == 'q' || letter == 'd';
}

/* -- plain ones --------------------------------------------------------------------------------------- */

static void
read_all (const TtGcnWave *wave, const TtGcnOp *op, guint lane, TtGcnValues *values)
{
  const char *form = op->alu->form, *letter = strchr (form, '=');
  guint first = (guint) (letter - form), n = 0;
  const TtGcnOperand *operands = op->source->operands;

  *values = (TtGcnValues){ .wave = wave, .lane = lane };
  for (letter++; *letter != '\0'; letter++)
    switch (*letter)
      {
      case '+':
        values->in[n++] = tt_gcn_read (op, wave, &operands[0], lane, form[0]);
        break;
      case '!':
        values->bit = wave->scalars[TT_GCN_VCC_PLACE + lane / 32] >> (lane % 32) & 1;
        break;
      case 'm':
        values->bit = tt_gcn_read (op, wave, &operands[first++], lane, 'm') != 0;
        break;
      default:
        values->in[n++] = tt_gcn_read (op, wave, &operands[first++], lane, *letter);
      }
}

static void
run_alu (TtGcnLaunch *self, TtGcnWave *wave, const TtGcnOp *op)
{
  const TtGcnOperand *operands = op->source->operands;
  guint64 exec = tt_gcn_exec (wave), carries = 0;
  gboolean has_carry = op->alu->form[1] == 'm';

  for (guint lane = 0; lane < TT_GCN_WAVE; lane++)
    {
      TtGcnValues values;

      if ((exec >> lane & 1) == 0)
        continue;
      read_all (wave, op, lane, &values);
      guint64 result = op->alu->compute (&values);
      tt_gcn_write (wave, &operands[0], lane, result, is_wide (op->alu->form[0]));
      carries |= (guint64) values.carry << lane;
    }
  if (has_carry)
    tt_gcn_write_scalar (wave, tt_gcn_place (&operands[1]), carries, TRUE);
}

/* -- comparisons -------------------------------------------------------------------------------------- */

typedef enum
{
  EQ,
  NE,
  LT,
  LE,
  GT,
  GE,
  LG,
  ORDERED,
  UNORDERED,
  NOT_EQ,
  NOT_LT,
  NOT_LE,
  NOT_GT,
  NOT_GE,
  NOT_LG,
} Comparison;

static const char *const comparison_names[] = {
  "eq", "ne", "lt", "le", "gt", "ge", "lg", "o", "u", "neq", "nlt", "nle", "ngt", "nge", "nlg",
};
static const char comparison_letters[] = "wwqqfdww";
static const char *const comparison_types[] = { "u32", "i32", "u64", "i64", "f32", "f64", "u16", "i16" };

static gboolean
holds (Comparison how, int order, gboolean is_ordered)
{
  switch (how)
    {
    case EQ:
      return is_ordered && order == 0;
    case NE:
      return order != 0;
    case LT:
      return is_ordered && order < 0;
    case LE:
      return is_ordered && order <= 0;
    case GT:
      return is_ordered && order > 0;
    case GE:
      return is_ordered && order >= 0;
    case LG:
      return is_ordered && order != 0;
    case ORDERED:
      return is_ordered;
    case UNORDERED:
      return !is_ordered;
    default:
      return !holds (how == NOT_LG ? LG : how == NOT_EQ ? EQ : (Comparison) (how - NOT_LT + LT), order, is_ordered);
    }
}

static double
real_of (guint64 bits, gboolean is_double)
{
  double value;
  float single;
  guint32 word = (guint32) bits;

  memcpy (&single, &word, sizeof single);
  memcpy (&value, &bits, sizeof value);
  return is_double ? value : (double) single;
}

#define ORDER(a, b) ((a) < (b) ? -1 : (a) > (b))

static gboolean
compare (Comparison how, guint type, guint64 a, guint64 b)
{
  double x = real_of (a, type == 5), y = real_of (b, type == 5);

  switch (type)
    {
    case 0:
    case 2:
      return holds (how, ORDER (a, b), TRUE);
    case 1:
      return holds (how, ORDER ((gint32) (guint32) a, (gint32) (guint32) b), TRUE);
    case 3:
      return holds (how, ORDER ((gint64) a, (gint64) b), TRUE);
    case 6:
      return holds (how, ORDER ((guint16) a, (guint16) b), TRUE);
    case 7:
      return holds (how, ORDER ((gint16) (guint16) a, (gint16) (guint16) b), TRUE);
    default:
      return holds (how, ORDER (x, y), !isnan (x) && !isnan (y));
    }
}

static void
run_compare (TtGcnLaunch *self, TtGcnWave *wave, const TtGcnOp *op)
{
  const TtGcnOperand *operands = op->source->operands;
  guint64 exec = tt_gcn_exec (wave), result = 0;
  guint type = op->detail & 15;

  for (guint lane = 0; lane < TT_GCN_WAVE; lane++)
    if ((exec >> lane & 1) != 0 && compare ((Comparison) (op->detail >> 4), type,
                                            tt_gcn_read (op, wave, &operands[1], lane, comparison_letters[type]),
                                            tt_gcn_read (op, wave, &operands[2], lane, comparison_letters[type])))
      result |= (guint64) 1 << lane;
  tt_gcn_write_scalar (wave, tt_gcn_place (&operands[0]), result, TRUE);
}

/* Kinds of a real, a bit each: both not a number, -inf, -normal, -subnormal, -0, 0, subnormal, normal, inf. */
static guint
class_of (double value, gboolean is_double, guint64 bits)
{
  gboolean is_small = value != 0 && fabs (value) < (is_double ? 0x1p-1022 : 0x1p-126);
  guint sign = signbit (value) != 0;

  if (isnan (value))
    return (bits >> (is_double ? 51 : 22) & 1) != 0 ? 2 : 1;
  if (isinf (value))
    return sign ? 4 : 512;
  if (value == 0)
    return sign ? 32 : 64;
  return is_small ? (sign ? 16 : 128) : sign ? 8 : 256;
}

static void
run_class (TtGcnLaunch *self, TtGcnWave *wave, const TtGcnOp *op)
{
  const TtGcnOperand *operands = op->source->operands;
  guint64 exec = tt_gcn_exec (wave), result = 0;
  gboolean is_double = op->detail != 0;

  for (guint lane = 0; lane < TT_GCN_WAVE; lane++)
    {
      guint64 bits = tt_gcn_read (op, wave, &operands[1], lane, is_double ? 'd' : 'f');
      guint64 wanted = tt_gcn_read (op, wave, &operands[2], lane, 'w');

      if ((exec >> lane & 1) != 0 && (class_of (real_of (bits, is_double), is_double, bits) & wanted) != 0)
        result |= (guint64) 1 << lane;
    }
  tt_gcn_write_scalar (wave, tt_gcn_place (&operands[0]), result, TRUE);
}

/* -- between lanes -------------------------------------------------------------------------------------- */

static void
run_readlane (TtGcnLaunch *self, TtGcnWave *wave, const TtGcnOp *op)
{
  const TtGcnOperand *operands = op->source->operands;
  guint64 exec = tt_gcn_exec (wave);
  guint lane = exec == 0 ? 0 : (guint) __builtin_ctzll (exec);

  if (op->detail != 0)
    lane = (guint) tt_gcn_read (op, wave, &operands[2], 0, 'w') & 63;
  tt_gcn_write_scalar (wave, tt_gcn_place (&operands[0]), tt_gcn_read (op, wave, &operands[1], lane, 'w'), FALSE);
}

static void
run_writelane (TtGcnLaunch *self, TtGcnWave *wave, const TtGcnOp *op)
{
  const TtGcnOperand *operands = op->source->operands;
  guint lane = (guint) tt_gcn_read (op, wave, &operands[2], 0, 'w') & 63;

  tt_gcn_write (wave, &operands[0], lane, tt_gcn_read (op, wave, &operands[1], 0, 'w'), FALSE);
}

static void
run_nothing (TtGcnLaunch *self, TtGcnWave *wave, const TtGcnOp *op)
{
}

/* Two halves, each from a half that op_sel names. */
static void
run_pk_mov (TtGcnLaunch *self, TtGcnWave *wave, const TtGcnOp *op)
{
  const TtGcnOperand *operands = op->source->operands;
  guint64 exec = tt_gcn_exec (wave);

  for (guint lane = 0; lane < TT_GCN_WAVE; lane++)
    if ((exec >> lane & 1) != 0)
      {
        guint64 a = tt_gcn_read (op, wave, &operands[1], lane, 'q'),
                b = tt_gcn_read (op, wave, &operands[2], lane, 'q');

        a = (op->detail & 1) != 0 ? a >> 32 : a & G_MAXUINT32;
        b = (op->detail & 2) != 0 ? b >> 32 : b & G_MAXUINT32;
        tt_gcn_write (wave, &operands[0], lane, a | b << 32, TRUE);
      }
}

/* -- decoding ------------------------------------------------------------------------------------------- */

static gboolean
has_place (const TtGcnOperand *operand)
{
  return operand->kind >= TT_GCN_VECTOR && operand->kind <= TT_GCN_M0;
}

static gboolean
has_width (const TtGcnOperand *operand, gboolean is_pair)
{
  return !has_place (operand) || operand->n == (is_pair ? 2 : 1);
}

static gboolean
decode_compare (TtGcnOp *op, const char *name)
{
  g_auto (GStrv) parts = g_strsplit (name, "_", -1);
  static const TtGcnAlu shape = { "v_cmp", "m=ww", NULL, 0 };

  if (g_strv_length (parts) != 4 || !g_str_equal (parts[1], "cmp") || op->source->n != 3)
    return FALSE;
  op->alu = &shape;
  if (g_str_equal (parts[2], "class"))
    {
      op->run = run_class;
      op->detail = g_str_equal (parts[3], "f64");
      return has_width (&op->source->operands[1], op->detail != 0) && has_width (&op->source->operands[2], FALSE);
    }
  for (guint how = 0; how < G_N_ELEMENTS (comparison_names); how++)
    for (guint type = 0; type < G_N_ELEMENTS (comparison_types); type++)
      if (g_str_equal (parts[2], comparison_names[how]) && g_str_equal (parts[3], comparison_types[type]))
        {
          gboolean is_pair = is_wide (comparison_letters[type]);

          op->run = run_compare;
          op->detail = (guint8) (how << 4 | type);
          return has_width (&op->source->operands[1], is_pair) && has_width (&op->source->operands[2], is_pair);
        }
  return FALSE;
}

/* Whether operands are as many, and as wide, as the form says. */
static gboolean
fits (const TtGcnOp *op)
{
  gboolean is_read = FALSE;
  guint i = 0;

  for (const char *letter = op->alu->form; *letter != '\0'; letter++)
    {
      const TtGcnOperand *operand = &op->source->operands[i];

      if (*letter == '=')
        is_read = TRUE;
      if (strchr ("=+!", *letter) != NULL)
        continue;
      gboolean is_pair = is_wide (*letter) || *letter == 'm';
      if (i++ >= op->source->n || (!is_read && !has_place (operand)) ||
          (has_place (operand) &&
           (operand->n != (is_pair ? 2 : 1) || (*letter == 'm') > (operand->kind >= TT_GCN_SCALAR))) ||
          (*letter == 'm' && !has_place (operand)) || operand->kind == TT_GCN_OFF)
        return FALSE;
    }
  return i == op->source->n;
}

static gboolean
decode_alu (TtGcnOp *op, const TtGcnAlu *table, const char *name)
{
  for (; table->name != NULL; table++)
    if (g_str_equal (table->name, name))
      {
        op->alu = table;
        op->run = run_alu;
        op->is_trans = table->scc == 't';
        return fits (op) &&
               (op->source->operands[0].kind == TT_GCN_VECTOR || op->source->operands[0].kind == TT_GCN_ACCUM);
      }
  return FALSE;
}

static gboolean
decode_lanes (TtGcnOp *op, const char *name)
{
  static const TtGcnAlu read_first = { "", "w=w", NULL, 0 }, read = { "", "w=ww", NULL, 0 };
  gboolean is_write = g_str_equal (name, "v_writelane_b32"), is_first = g_str_equal (name, "v_readfirstlane_b32");

  if (!is_write && !is_first && !g_str_equal (name, "v_readlane_b32"))
    return FALSE;
  op->run = is_write ? run_writelane : run_readlane;
  op->alu = is_first ? &read_first : &read;
  op->detail = !is_first;
  return fits (op) && (op->source->operands[0].kind == TT_GCN_VECTOR) == is_write &&
         (is_write || (op->source->operands[1].kind == TT_GCN_VECTOR && op->source->operands[0].kind >= TT_GCN_SCALAR));
}

gboolean
tt_gcn_decode_vector (TtGcnOp *op, const char *name)
{
  static const TtGcnAlu pair = { "v_pk_mov_b32", "q=qq", NULL, 0 };
  const char *modifier = op->source->modifier;

  if (g_str_equal (name, "v_nop"))
    {
      op->run = run_nothing;
      return TRUE;
    }
  if (g_str_equal (name, "v_pk_mov_b32"))
    {
      op->alu = &pair;
      op->run = run_pk_mov;
      op->detail = modifier == NULL                         ? 0
                   : g_str_equal (modifier, "op_sel:[0,1]") ? 2
                   : g_str_equal (modifier, "op_sel:[1,0]") ? 1
                                                            : 255;
      return fits (op) && op->detail != 255;
    }
  if (modifier != NULL)
    return FALSE;
  if (g_str_has_prefix (name, "v_cmp_"))
    return decode_compare (op, name) && has_place (&op->source->operands[0]) && op->source->operands[0].n == 2 &&
           op->source->operands[0].kind >= TT_GCN_SCALAR;
  return decode_lanes (op, name) || decode_alu (op, tt_gcn_integers, name) || decode_alu (op, tt_gcn_reals, name);
}
