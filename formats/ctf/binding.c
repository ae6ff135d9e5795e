/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Binds a class of events to its rule, and lists the arguments that its events get: of PInsight and of other tracers
 * all of the payload but the members that identify the event, of other tracers the contexts too.
 */
#include "config.h"

#include "formats/ctf/binding.h"

#include <string.h>

#define MAX_NAME_BYTES ((gsize) 1 << 12)

/* Members that say who, not what; and the one that PInsight leaves empty. */
static const char *const identity_words[] = { "hostname", "pid",      "mpirank",    "global_thread_num", "vpid", "vtid",
                                              "tid",      "procname", "pthread_id", "useless",           NULL };

/* -- identity ------------------------------------------------------------------------------------------------ */

static const TtCtfMember *
first_member (const TtCtfClass *klass, TtCtfScope scope, const char *const *names)
{
  for (guint i = 0; names[i] != NULL; i++)
    {
      const TtCtfMember *member = tt_ctf_scope_member (klass, scope, names[i]);
      if (member != NULL && member->kind != TT_CTF_OTHER)
        return member;
    }
  return NULL;
}

/* The member of the stream's context, else of the class's. */
static const TtCtfMember *
context_member (const TtCtfClass *klass, const char *const *names)
{
  const TtCtfMember *member = first_member (klass, TT_CTF_COMMON, names);

  return member != NULL ? member : first_member (klass, TT_CTF_SPECIFIC, names);
}

/* The member whose name is among @names: "a|b", as versions of the tracer call it. */
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
find_identity (TtCtfIdentity *self, const TtCtfClass *klass)
{
  static const char *const pids[] = { "vpid", "pid", NULL };
  static const char *const tids[] = { "vtid", "tid", "pthread_id", NULL };
  static const char *const labels[] = { "procname", NULL };
  gboolean is_pinsight = strstr (klass->name, "pinsight") != NULL;

  /* Other tracers have in the payload the pid of another process (of the new one, in sched_process_fork). */
  if (is_pinsight)
    self->pid = tt_ctf_scope_member (klass, TT_CTF_PAYLOAD, "pid");
  if (self->pid == NULL)
    self->pid = context_member (klass, pids);
  self->tid = context_member (klass, tids);
  self->label = context_member (klass, labels);
  self->cpu = tt_ctf_scope_member (klass, TT_CTF_PACKET, "cpu_id");
  if (self->pid == NULL && self->tid == NULL)
    {
      self->pid = tt_ctf_scope_member (klass, TT_CTF_PAYLOAD, "perf_pid");
      self->is_of_perf = self->pid != NULL && tt_ctf_scope_member (klass, TT_CTF_PAYLOAD, "perf_tid") != NULL;
      /* The kernel's word is that of sched_switch, and knows a thread that ends. */
      if (self->is_of_perf)
        self->tid = payload_member (klass, "common_pid|perf_tid");
    }
  if (is_pinsight)
    {
      self->rank = tt_ctf_scope_member (klass, TT_CTF_PAYLOAD, "mpirank");
      self->number = tt_ctf_scope_member (klass, TT_CTF_PAYLOAD, "global_thread_num");
    }
}

/* -- arguments ----------------------------------------------------------------------------------------------- */

static gboolean
is_wanted (const char *const *wanted, const char *name)
{
  return wanted == NULL || g_strv_contains (wanted, name);
}

/* What the arguments so far are called, and written as: an event may have a million fields. */
typedef struct
{
  GHashTable *names, *keys;
} Known;

static TtCtfForm
choose_form (const TtCtfMember *member)
{
  if (member->kind > TT_CTF_REAL || member->labels != NULL)
    return TT_CTF_FORM_JSON;
  if (member->kind == TT_CTF_REAL || member->is_hex)
    return TT_CTF_FORM_NUMBER;
  return member->kind == TT_CTF_SIGNED ? TT_CTF_FORM_SIGNED : TT_CTF_FORM_UNSIGNED;
}

static void
add_argument (TtCtfBinding *self, const TtCtfMember *member, const char *const *wanted, const Known *known)
{
  if (!is_wanted (wanted, member->name) || !g_hash_table_add (known->names, (gpointer) member->name))
    return;

  g_autoptr (GString) key = g_string_new (",");
  tt_ctf_append_quoted (key, member->name, MAX_NAME_BYTES);
  g_string_append_c (key, ':');
  TtCtfArgument argument = {
    .member = member, .key = g_malloc0 (key->len + TT_CTF_KEY_ROOM), .key_len = key->len, .form = choose_form (member)
  };
  memcpy (argument.key, key->str, key->len);
  self->has_equal_keys |= strcmp (argument.key, ",\"codeptr\":") == 0;
  self->has_equal_keys |= !g_hash_table_add (known->keys, argument.key);
  self->are_numbers &= argument.form != TT_CTF_FORM_JSON;
  self->args_room += argument.key_len + TT_CTF_KEY_ROOM + TT_CTF_MOST_DIGITS;
  g_array_append_val (self->args, argument);
}

/* Arguments that only the end event carries. */
static gboolean
is_only_in_end (const TtCtfBinding *self, const char *name)
{
  static const char *const ends[] = { "return_val", "return_value", "provided", "dev_ptr", NULL };

  return g_strv_contains (ends, name) || (self->span->end_field != NULL && strcmp (self->span->end_field, name) == 0);
}

/* The length of an array: LTTng writes "_values_length" before "values". */
static gboolean
is_length (const char *name)
{
  return name[0] == '_' && g_str_has_suffix (name, "_length");
}

static gboolean
is_perf_identity (const char *name)
{
  return strcmp (name, "perf_pid") == 0 || strcmp (name, "perf_tid") == 0;
}

static void
list_arguments (TtCtfBinding *self, const TtCtfClass *klass, const char *const *wanted)
{
  g_autoptr (GHashTable) names = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr (GHashTable) keys = g_hash_table_new (g_str_hash, g_str_equal);
  const Known known = { names, keys };
  gboolean is_pinsight = strstr (klass->name, "pinsight") != NULL;
  gboolean is_end = self->span != NULL && !self->is_begin;

  for (int scope = TT_CTF_PAYLOAD; scope >= 0; scope--)
    for (guint i = 0; i < klass->members->len; i++)
      {
        const TtCtfMember *member = &g_array_index (klass->members, TtCtfMember, i);
        gboolean is_context = member->scope != TT_CTF_PAYLOAD;

        if ((int) member->scope != scope || (self->identity.is_of_perf && is_perf_identity (member->name)) ||
            (is_context && is_pinsight) ||
            ((is_context || is_pinsight) && g_strv_contains (identity_words, member->name)) ||
            (member->scope == TT_CTF_PACKET && strcmp (member->name, "cpu_id") != 0) || is_length (member->name))
          continue;
        if (!is_end || (is_pinsight && is_only_in_end (self, member->name)) || (!is_pinsight && !is_context))
          add_argument (self, member, wanted, &known);
      }
}

/* -- rules --------------------------------------------------------------------------------------------------- */

/* @text with @stem in place of its star. */
static char *
with_stem (const char *text, const char *stem)
{
  const char *star = strchr (text, '*');

  return star == NULL ? g_strdup (text)
                      : g_strdup_printf ("%.*s%s%s", (int) (star - text), text, stem == NULL ? "" : stem, star + 1);
}

static void
bind_device_call (TtCtfBinding *self, const TtCtfClass *klass)
{
  static const char *const activities[] = { "cudaKernelActivity", "cudaMemcpyActivity", "hipKernelActivity",
                                            "hipMemcpyActivity" };

  self->device.correlation = self->match[0];
  self->device.time_of_call = payload_member (klass, "cupti_timeStamp|hip_timeStamp");
  for (guint i = 0; i < G_N_ELEMENTS (activities); i++)
    {
      g_autofree char *name = g_strdup_printf ("%s:%s", self->provider, activities[i]);
      self->device.has_activities |= self->span->starts_work && tt_ctf_class_has_sibling (klass, name);
    }
}

static void
bind_mpi_call (TtCtfBinding *self, const TtCtfClass *klass)
{
  self->mpi.is_old = strcmp (self->span->provider, "lttng_pinsight_mpi") == 0;
  self->mpi.is_init = g_str_has_prefix (self->op, "MPI_Init");
  self->mpi.is_nonblocking = g_str_has_prefix (self->op, "MPI_I") && !self->mpi.is_init;
  self->mpi.is_wait = strcmp (self->op, "MPI_Wait") == 0 || strcmp (self->op, "MPI_Waitall") == 0;
  self->mpi.count = payload_member (klass, "count");
  self->mpi.dest = payload_member (klass, "dest");
  self->mpi.send_tag = payload_member (klass, "sendtag|tag");
  self->mpi.source = payload_member (klass, "source");
  self->mpi.recv_tag = payload_member (klass, "recvtag|tag");
  self->mpi.root = payload_member (klass, "root");
}

static void
bind_span (TtCtfBinding *self, const TtCtfClass *klass, const TtCtfSpanMatch *match)
{
  const TtCtfSpanRule *rule = match->rule;
  const char *colon = strchr (rule->begin, ':');
  g_autofree char *begin = with_stem (rule->provider == NULL && colon != NULL ? colon + 1 : rule->begin, match->stem);
  g_autofree char *family = g_strdup_printf ("%s:%s", self->provider == NULL ? "" : self->provider, begin);

  self->span = rule;
  self->is_begin = match->is_begin;
  self->family = g_intern_string (family);
  self->op = with_stem (rule->op != NULL ? rule->op : match->stem != NULL ? "*" : begin, match->stem);
  self->codeptr = payload_member (klass, rule->codeptr);
  self->sub = payload_member (klass, rule->sub_field);
  self->op_text = payload_member (klass, rule->op_field);
  self->match[0] = payload_member (klass, rule->match[0]);
  self->match[1] = payload_member (klass, rule->match[1]);
  self->site = rule->kind == TT_CTF_FUNCTION ? payload_member (klass, "call_site") : NULL;
  if (g_strcmp0 (self->provider, "ompt_pinsight_lttng_ust") == 0)
    {
      self->region[0] = payload_member (klass, "parallel_codeptr");
      self->region[1] = payload_member (klass, "parallel_record_id");
      self->team_number = payload_member (klass, "omp_thread_num");
      self->team_size = payload_member (klass, "team_size");
    }
  if (rule->kind == TT_CTF_DEVICE_CALL)
    bind_device_call (self, klass);
  if (rule->kind == TT_CTF_MPI)
    bind_mpi_call (self, klass);
}

static void
bind_fact (TtCtfBinding *self, const TtCtfClass *klass)
{
  const TtCtfFactRule *rule = self->fact;

  self->op = g_strdup (rule->op != NULL ? rule->op : rule->event);
  self->sub = payload_member (klass, rule->sub_field);
  self->op_text = payload_member (klass, rule->op_field);
  self->device.begin = payload_member (klass, rule->begin_field);
  self->device.end = payload_member (klass, rule->end_field);
  self->device.id = payload_member (klass, rule->device_field);
  self->device.stream = payload_member (klass, rule->stream_field);
  self->device.correlation = payload_member (klass, rule->correlation_field);
  self->key = payload_member (klass, "key");
  self->value = payload_member (klass, "value");
}

/* sched_waking comes before sched_wakeup, and stands for it where there is none. */
static gboolean
is_wakeup (const TtCtfClass *klass, const char *name)
{
  if (strcmp (name, "sched_wakeup") == 0 || strcmp (name, "sched_wakeup_new") == 0)
    return TRUE;
  return strcmp (name, "sched_waking") == 0 && !tt_ctf_class_has_sibling (klass, "sched_wakeup") &&
         !tt_ctf_class_has_sibling (klass, "sched:sched_wakeup");
}

static void
bind_state (TtCtfStateBinding *state, const TtCtfClass *klass)
{
  const char *name = tt_ctf_kernel_event (klass->name);

  /* The kernel calls threads pids; LTTng does not. */
  if (strcmp (name, "sched_switch") == 0)
    {
      state->prev_tid = payload_member (klass, "prev_tid|prev_pid");
      state->prev_name = tt_ctf_scope_member (klass, TT_CTF_PAYLOAD, "prev_comm");
      state->prev_state = tt_ctf_scope_member (klass, TT_CTF_PAYLOAD, "prev_state");
      state->next_tid = payload_member (klass, "next_tid|next_pid");
      state->next_name = tt_ctf_scope_member (klass, TT_CTF_PAYLOAD, "next_comm");
      if (state->prev_tid != NULL && state->prev_state != NULL && state->next_tid != NULL)
        state->kind = TT_CTF_SWITCH;
    }
  else if (strcmp (name, "lttng_statedump_process_state") == 0)
    {
      state->next_tid = tt_ctf_scope_member (klass, TT_CTF_PAYLOAD, "tid");
      state->status = tt_ctf_scope_member (klass, TT_CTF_PAYLOAD, "status");
      if (state->next_tid != NULL && state->status != NULL)
        state->kind = TT_CTF_DUMPED;
    }
  else if (is_wakeup (klass, name))
    {
      state->next_tid = payload_member (klass, "tid|pid");
      state->next_name = tt_ctf_scope_member (klass, TT_CTF_PAYLOAD, "comm");
      if (state->next_tid != NULL)
        state->kind = TT_CTF_WAKEUP;
      state->is_new = strcmp (name, "sched_wakeup_new") == 0;
    }
}

static void
bind_memory (TtCtfMemoryBinding *self, const TtCtfClass *klass)
{
  static const struct
  {
    const char *event;
    TtCtfMemoryKind kind;
  } kinds[] = {
    { "lttng_ust_statedump:bin_info", TT_CTF_MEMORY_LOAD },
    { "lttng_ust_lib:load", TT_CTF_MEMORY_LOAD },
    { "lttng_ust_dl:dlopen", TT_CTF_MEMORY_LOAD },
    { "lttng_ust_dl:dlmopen", TT_CTF_MEMORY_LOAD },
    { "lttng_ust_lib:unload", TT_CTF_MEMORY_UNLOAD },
    { "lttng_ust_dl:dlclose", TT_CTF_MEMORY_UNLOAD },
    { "lttng_ust_statedump:build_id", TT_CTF_MEMORY_BUILD_ID },
    { "lttng_ust_lib:build_id", TT_CTF_MEMORY_BUILD_ID },
    { "lttng_ust_dl:build_id", TT_CTF_MEMORY_BUILD_ID },
  };

  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    if (strcmp (klass->name, kinds[i].event) == 0)
      self->kind = kinds[i].kind;
  if (self->kind == TT_CTF_MEMORY_NONE)
    return;
  self->base = payload_member (klass, "baddr");
  self->size = payload_member (klass, "memsz");
  self->path = payload_member (klass, "path");
  self->is_movable = payload_member (klass, "is_pic");
  self->build_id = payload_member (klass, "build_id");
}

TtCtfBinding *
tt_ctf_binding_new (const TtCtfClass *klass, const char *const *wanted_args, const GArray *more)
{
  TtCtfBinding *self = g_new0 (TtCtfBinding, 1);
  TtCtfSpanMatch match = tt_ctf_span_rule (klass->name, klass->names, more);
  const char *colon = strchr (klass->name, ':');

  self->args = g_array_new (FALSE, FALSE, sizeof (TtCtfArgument));
  self->are_numbers = TRUE;
  self->wants_codeptr = is_wanted (wanted_args, "codeptr");
  self->provider = colon == NULL ? NULL : g_strndup (klass->name, (gsize) (colon - klass->name));
  self->fact = tt_ctf_fact_rule (klass->name);
  find_identity (&self->identity, klass);
  tt_ctf_kernel_bind (&self->kernel, klass, self->identity.cpu != NULL);
  gboolean has_own_span = self->kernel.kind != TT_CTF_NOT_OF_DEVICES;
  if (match.rule != NULL && !has_own_span)
    bind_span (self, klass, &match);
  else if (self->fact != NULL)
    bind_fact (self, klass);
  else
    self->op = g_strdup (colon == NULL ? klass->name : colon + 1);
  bind_state (&self->state, klass);
  bind_memory (&self->memory, klass);
  list_arguments (self, klass, wanted_args);
  g_free (match.stem);
  g_free (match.partner);
  return self;
}

void
tt_ctf_binding_free (gpointer binding)
{
  TtCtfBinding *self = binding;

  for (guint i = 0; i < self->args->len; i++)
    g_free (g_array_index (self->args, TtCtfArgument, i).key);
  g_array_unref (self->args);
  g_free (self->provider);
  g_free (self->op);
  g_free (self);
}
