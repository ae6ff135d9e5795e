#include "config.h"

#include "formats/ctf/session.h"

#include <string.h>

#define LONGEST_NAME ((gsize) 1 << 12)

/* Members that say who, not what; and what PInsight fills with nothing. */
static const char *const identity_words[] = { "hostname", "pid",      "mpirank",    "global_thread_num", "vpid", "vtid",
                                              "tid",      "procname", "pthread_id", "useless",           NULL };

/* -- arguments ----------------------------------------------------------------------------------------------- */

static gboolean
is_wanted (const TtCtfSession *self, const char *name)
{
  return self->options->args == NULL || g_strv_contains ((const char *const *) self->options->args, name);
}

static gboolean
has_argument (const TtCtfPlan *plan, const char *name)
{
  for (guint i = 0; i < plan->args->len; i++)
    if (strcmp (g_array_index (plan->args, TtCtfArgument, i).member->name, name) == 0)
      return TRUE;
  return FALSE;
}

static void
add_argument (TtCtfSession *self, TtCtfPlan *plan, const TtCtfMember *member)
{
  if (!is_wanted (self, member->name) || has_argument (plan, member->name))
    return;

  GString *key = g_string_new (",");
  tt_ctf_append_quoted (key, member->name, LONGEST_NAME);
  g_string_append_c (key, ':');
  const TtCtfArgument argument = { .member = member, .key = g_string_free (key, FALSE) };
  g_array_append_val (plan->args, argument);
}

/* An end adds what its begin has not, and the one member that only it knows. */
static gboolean
is_news_of_end (const TtCtfPlan *plan, const char *name)
{
  static const char *const ends[] = { "return_val", "return_value", "provided", "dev_ptr", NULL };

  return g_strv_contains (ends, name) || (plan->span->end_field != NULL && strcmp (plan->span->end_field, name) == 0);
}

/* Of an array: LTTng's "_values_length" before "values". */
static gboolean
is_length (const char *name)
{
  return name[0] == '_' && g_str_has_suffix (name, "_length");
}

static void
list_arguments (TtCtfSession *self, TtCtfPlan *plan, const TtCtfClass *klass)
{
  gboolean is_pinsight = strstr (klass->name, "pinsight") != NULL;
  gboolean is_end = plan->span != NULL && !plan->is_begin;

  for (int scope = TT_CTF_PAYLOAD; scope >= 0; scope--)
    for (guint i = 0; i < klass->members->len; i++)
      {
        const TtCtfMember *member = &g_array_index (klass->members, TtCtfMember, i);
        gboolean is_context = member->scope != TT_CTF_PAYLOAD;

        if ((int) member->scope != scope || (is_context && is_pinsight) ||
            ((is_context || is_pinsight) && g_strv_contains (identity_words, member->name)) ||
            (member->scope == TT_CTF_PACKET && strcmp (member->name, "cpu_id") != 0) || is_length (member->name))
          continue;
        if (!is_end || (is_pinsight && is_news_of_end (plan, member->name)) || (!is_pinsight && !is_context))
          add_argument (self, plan, member);
      }
}

static guint64
parse_codeptr (const TtCtfPlan *plan, const TtCtfEvent *event)
{
  gint64 codeptr = 0;

  tt_ctf_integer (event, plan->codeptr, &codeptr);
  return (guint64) codeptr;
}

guint64
tt_ctf_plan_args (TtCtfSession *self, const TtCtfPlan *plan, const TtCtfEvent *event)
{
  GString *json = self->json;
  guint64 codeptr = plan->span == NULL || plan->is_begin ? parse_codeptr (plan, event) : 0;
  gboolean has_codeptr = codeptr != 0 && is_wanted (self, "codeptr");

  if (!has_codeptr && plan->args->len == 0)
    return 0;
  g_string_assign (json, "{");
  if (has_codeptr)
    {
      char text[48];
      int len = g_snprintf (text, sizeof text, "\"codeptr\":\"0x%" G_GINT64_MODIFIER "x\"", codeptr);
      g_string_append_len (json, text, len);
    }
  for (guint i = 0; i < plan->args->len; i++)
    {
      const TtCtfArgument *argument = &g_array_index (plan->args, TtCtfArgument, i);
      g_string_append (json, argument->key + (json->len == 1));
      tt_ctf_append_json (event, argument->member, json);
    }
  g_string_append_c (json, '}');
  return tt_sink_args (self->sink, json->str, json->len);
}

/* -- names ----------------------------------------------------------------------------------------------------- */

/* @text is "*" with a word in place of its star, or without one as it is. */
static char *
with_stem (const char *text, const char *stem)
{
  const char *star = strchr (text, '*');

  return star == NULL ? g_strdup (text)
                      : g_strdup_printf ("%.*s%s%s", (int) (star - text), text, stem == NULL ? "" : stem, star + 1);
}

static guint32
make_name (TtCtfSession *self, const TtCtfPlan *plan, const char *op, const char *sub_op)
{
  const TtCtfSpanRule *span = plan->span;
  const TtRawName raw = {
    .raw = op,
    .group = plan->provider,
    .op_cat = span != NULL         ? span->op_cat
              : plan->fact != NULL ? plan->fact->op_cat
                                   : NULL,
    .sub_op = sub_op,
  };

  return tt_sink_name (self->sink, &raw);
}

static char *
text_of_name (const TtCtfPlan *plan, const TtCtfEvent *event)
{
  const char *text = tt_ctf_text (event, plan->op_text);
  gint64 number;

  if (text != NULL && *text != '\0')
    {
      g_autofree char *cut = g_strndup (text, LONGEST_NAME);
      return g_utf8_make_valid (cut, -1);
    }
  if (tt_ctf_integer (event, plan->op_text, &number))
    return g_strdup_printf ("0x%" G_GINT64_MODIFIER "x", (guint64) number);
  return g_strdup (plan->op);
}

guint32
tt_ctf_plan_name (TtCtfSession *self, TtCtfPlan *plan, const TtCtfEvent *event, gboolean *is_zero)
{
  const TtCtfSpanRule *span = plan->span;
  const char *sub_op = span != NULL ? span->sub_op : NULL, *word;
  const TtCtfWord *words = span != NULL ? span->words : plan->fact != NULL ? plan->fact->words : NULL;
  gint64 sub = 0;

  *is_zero = span != NULL && span->zero_op != NULL && parse_codeptr (plan, event) == 0;
  if (plan->op_text != NULL)
    {
      g_autofree char *op = text_of_name (plan, event);
      return make_name (self, plan, op, sub_op);
    }
  gboolean has_sub = tt_ctf_integer (event, plan->sub, &sub);
  guint32 *known = sub >= 0 && sub < TT_CTF_NAMES ? &plan->names[*is_zero][sub] : NULL;
  if (known != NULL && *known != TT_NO_ID)
    return *known;
  word = has_sub ? tt_ctf_word (words, sub) : NULL;
  guint32 name = make_name (self, plan, *is_zero ? span->zero_op : plan->op, word != NULL ? word : sub_op);
  if (known != NULL)
    *known = name;
  return name;
}

/* -- plans ----------------------------------------------------------------------------------------------------- */

/* The first of several names that are one member in versions of a tracer: "a|b". */
static const TtCtfMember *
payload_member (const TtCtfClass *klass, const char *names)
{
  g_auto (GStrv) each = g_strsplit (names == NULL ? "" : names, "|", -1);
  const TtCtfMember *member = NULL;

  for (guint i = 0; member == NULL && each[i] != NULL; i++)
    member = tt_ctf_scope_member (klass, TT_CTF_PAYLOAD, each[i]);
  return member;
}

static void
plan_device_call (TtCtfPlan *plan, const TtCtfClass *klass)
{
  static const char *const activities[] = { "cudaKernelActivity", "cudaMemcpyActivity", "hipKernelActivity",
                                            "hipMemcpyActivity" };

  plan->correlation = plan->match[0];
  plan->device_clock = payload_member (klass, "cupti_timeStamp|hip_timeStamp");
  for (guint i = 0; i < G_N_ELEMENTS (activities); i++)
    {
      g_autofree char *name = g_strdup_printf ("%s:%s", plan->provider, activities[i]);
      plan->has_activities |= plan->span->starts_work && tt_ctf_class_has_sibling (klass, name);
    }
}

static void
plan_span (TtCtfPlan *plan, const TtCtfClass *klass, const TtCtfSpanMatch *match)
{
  const TtCtfSpanRule *rule = match->rule;
  g_autofree char *begin = with_stem (rule->begin, match->stem);
  g_autofree char *family = g_strdup_printf ("%s:%s", plan->provider == NULL ? "" : plan->provider, begin);

  plan->span = rule;
  plan->is_begin = match->is_begin;
  plan->family = g_intern_string (family);
  plan->op = with_stem (rule->op != NULL ? rule->op : match->stem != NULL ? "*" : begin, match->stem);
  plan->codeptr = payload_member (klass, rule->codeptr);
  plan->sub = payload_member (klass, rule->sub_field);
  plan->op_text = payload_member (klass, rule->op_field);
  plan->match[0] = payload_member (klass, rule->match[0]);
  plan->match[1] = payload_member (klass, rule->match[1]);
  plan->region[0] = payload_member (klass, "parallel_codeptr");
  plan->region[1] = payload_member (klass, "parallel_record_id");
  if (rule->kind == TT_CTF_DEVICE_CALL)
    plan_device_call (plan, klass);
  if (rule->kind != TT_CTF_MPI)
    return;
  plan->is_old_mpi = strcmp (rule->provider, "lttng_pinsight_mpi") == 0;
  plan->is_mpi_init = g_str_has_prefix (plan->op, "MPI_Init");
  plan->is_nonblocking = g_str_has_prefix (plan->op, "MPI_I") && !plan->is_mpi_init;
  plan->is_wait = strcmp (plan->op, "MPI_Wait") == 0 || strcmp (plan->op, "MPI_Waitall") == 0;
  plan->count = payload_member (klass, "count");
  plan->dest = payload_member (klass, "dest");
  plan->send_tag = payload_member (klass, "sendtag|tag");
  plan->source = payload_member (klass, "source");
  plan->recv_tag = payload_member (klass, "recvtag|tag");
}

static void
plan_fact (TtCtfPlan *plan, const TtCtfClass *klass)
{
  const TtCtfFactRule *rule = plan->fact;

  plan->op = g_strdup (rule->op != NULL ? rule->op : rule->event);
  plan->sub = payload_member (klass, rule->sub_field);
  plan->op_text = payload_member (klass, rule->op_field);
  plan->begin = payload_member (klass, rule->begin_field);
  plan->end = payload_member (klass, rule->end_field);
  plan->device = payload_member (klass, rule->device_field);
  plan->stream = payload_member (klass, rule->stream_field);
  plan->correlation = payload_member (klass, rule->correlation_field);
  plan->key = payload_member (klass, "key");
  plan->value = payload_member (klass, "value");
}

TtCtfPlan *
tt_ctf_plan_new (TtCtfSession *self, const TtCtfClass *klass)
{
  TtCtfPlan *plan = g_new0 (TtCtfPlan, 1);
  TtCtfSpanMatch match = tt_ctf_span_rule (klass->name);
  const char *colon = strchr (klass->name, ':');

  plan->args = g_array_new (FALSE, FALSE, sizeof (TtCtfArgument));
  plan->provider = colon == NULL ? NULL : g_strndup (klass->name, (gsize) (colon - klass->name));
  plan->fact = tt_ctf_fact_rule (klass->name);
  /* Of tracers that nobody knows a name is a begin only if the trace has its end. */
  if (match.rule != NULL && (match.rule->provider != NULL || tt_ctf_class_has_sibling (klass, match.partner)))
    plan_span (plan, klass, &match);
  else if (plan->fact != NULL)
    plan_fact (plan, klass);
  else
    plan->op = g_strdup (colon == NULL ? klass->name : colon + 1);
  tt_ctf_identity_find (&plan->identity, klass);
  list_arguments (self, plan, klass);
  g_free (match.stem);
  g_free (match.partner);
  return plan;
}

void
tt_ctf_plan_free (gpointer data)
{
  TtCtfPlan *plan = data;

  for (guint i = 0; i < plan->args->len; i++)
    g_free (g_array_index (plan->args, TtCtfArgument, i).key);
  g_array_unref (plan->args);
  g_free (plan->provider);
  g_free (plan->op);
  g_free (plan);
}
