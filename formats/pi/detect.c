/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/pi/detect.h"

#include "formats/pi/decode/decode.h"
#include "src/base/error.h"

#include <string.h>

/* How much of a file a guess looks at. */
#define MAX_RECORDS 4096u
#define MAX_BYTES ((guint64) 8 << 20)
#define MAX_PREFIXES 64u
/* The opaque prefix beside 8 bytes a function: 4.3 rule 1. */
#define PREFIX_REST 24u
#define BACKEND_REST 8u

typedef struct
{
  TtPiGeneration generation;
  TtPiIds ids;
  TtPiRawLayout raw;
  guint64 n_records, n_fit;
  gboolean is_whole;  /* read to the end, or to the end of what is looked at */
  gboolean ends_well; /* the last call is piTearDown */
} Guess;

/* Guesses at the calls of one thread. */
typedef struct
{
  TtPiTrace *trace;
  TtPiReader reader;
  Guess best;
  gboolean has_best;
} Trial;

static const TtPiGeneration raw_generations[] = { TT_PI_GENERATION_G1, TT_PI_GENERATION_G2, TT_PI_GENERATION_G0 };

static void
know_function (TtPiKnown *known, TtPiIds ids, guint32 id)
{
  static const char *const infos[] = { "piPlatformGetInfo", "piDeviceGetInfo", "piContextGetInfo", "piKernelGetInfo",
                                       "piKernelGetGroupInfo" };

  *known = (TtPiKnown){ .function = tt_pi_function_by_id (TT_PI_API_PI, ids, id), .text = -1 };
  if (known->function == NULL)
    return;
  for (guint i = 0; i < G_N_ELEMENTS (infos); i++)
    known->is_info |= strcmp (known->function->name, infos[i]) == 0;
  for (guint i = 0; i < known->function->n_params && known->function->params != NULL; i++)
    if (known->function->params[i].kind == TT_PI_KIND_STRING)
      known->text = (gint8) i;
  known->is_text_in_place =
      strcmp (known->function->name, "piProgramBuild") == 0 || strcmp (known->function->name, "piKernelCreate") == 0;
}

/* What is known of each id, made once: a trace is opened with dozens of guesses. */
static const TtPiKnown *
known_functions (TtPiIds ids)
{
  static TtPiKnown tables[TT_PI_N_IDS][TT_PI_MAX_IDS];
  static gsize are_made[TT_PI_N_IDS];

  if (g_once_init_enter (&are_made[ids]))
    {
      for (guint32 id = 0; id < TT_PI_MAX_IDS; id++)
        know_function (&tables[ids][id], ids, id);
      g_once_init_leave (&are_made[ids], 1);
    }
  return tables[ids];
}

static void
assume_guess (TtPiTrace *trace, const Guess *guess)
{
  memcpy (trace->known, known_functions (guess->ids), TT_PI_MAX_IDS * sizeof *trace->known);
  trace->generation = guess->generation;
  trace->ids = guess->ids;
  trace->raw = guess->raw;
}

static void
begin_trial (Trial *trial, TtPiTrace *trace, guint thread)
{
  *trial = (Trial){ .trace = trace, .best.generation = TT_PI_GENERATION_UNKNOWN };
  tt_pi_reader_init (&trial->reader, trace, thread, TRUE);
}

static void
read_with_guess (Trial *trial, const Guess *guess)
{
  assume_guess (trial->trace, guess);
  tt_pi_reader_rewind (&trial->reader);
}

/* Whether nothing in the call speaks against the guess. */
static gboolean
fits_guess (const TtPiCall *call, TtPiGeneration generation)
{
  /* A recorder may have left the arguments out. */
  guint32 flags = generation == TT_PI_GENERATION_G3 && call->n_args == 0 ? (guint32) ~TT_PI_CALL_ARGS_DIFFER : ~0u;

  return call->function != NULL && (call->flags & flags) == 0 && call->backend <= 8 && call->result <= 0 &&
         call->result > -2000;
}

/* -- the prefix ----------------------------------------------------------------------------------------- */

typedef struct
{
  guint64 size, count;
} PrefixCount;

/* The most frequent difference between the bytes of arguments and what the table wants, as far as the prefix of @guess
 * leads: a text that is counted as a pointer is longer than its record says, and only with the right prefix is the next
 * record found. */
static guint64
guess_prefix (Trial *trial, const Guess *guess)
{
  PrefixCount counts[MAX_PREFIXES];
  guint n = 0, best = 0;
  TtPiReader *reader = &trial->reader;
  TtPiCall call;

  read_with_guess (trial, guess);
  for (guint i = 0; i < MAX_RECORDS && tt_pi_reader_next (reader, &call, NULL); i++)
    {
      const TtPiKnown *known = tt_pi_trace_known (trial->trace, call.id);
      guint k = 0;
      if (known->function == NULL || (known->text >= 0 && known->is_text_in_place) ||
          reader->args_size <= known->function->packed)
        continue;
      guint64 size = reader->args_size - known->function->packed;
      while (k < n && counts[k].size != size)
        k++;
      if (k == n && n < MAX_PREFIXES)
        counts[n++] = (PrefixCount){ size, 0 };
      if (k < n && ++counts[k].count > counts[best].count)
        best = k;
      if (reader->window.offset > MAX_BYTES)
        break;
    }
  return n == 0 ? 0 : counts[best].size;
}

/* -- trying ------------------------------------------------------------------------------------------------ */

static void
try_guess (Trial *trial, Guess *guess)
{
  TtPiReader *reader = &trial->reader;
  TtPiCall call;
  const char *last = NULL;

  read_with_guess (trial, guess);
  while (guess->n_records < MAX_RECORDS && reader->window.offset < MAX_BYTES && tt_pi_reader_next (reader, &call, NULL))
    {
      guess->n_records++;
      guess->n_fit += fits_guess (&call, guess->generation);
      last = call.name;
    }
  gboolean is_at_end = tt_pi_window_left (&reader->window) == 0;
  guess->is_whole = guess->n_records == MAX_RECORDS || reader->window.offset >= MAX_BYTES || is_at_end;
  guess->ends_well = is_at_end && last != NULL && strcmp (last, "piTearDown") == 0;
}

/* The functions of a runtime, by the prefix; 0: unknown. */
static guint
functions_by_prefix (const TtPiRawLayout *raw)
{
  guint64 rest = PREFIX_REST + (raw->has_backend ? BACKEND_REST : 0);

  return raw->prefix <= rest || raw->prefix > 8000 || (raw->prefix - rest) % 8 != 0
             ? 0
             : (guint) ((raw->prefix - rest) / 8);
}

static guint
functions_in_list (TtPiIds ids)
{
  static gsize counts[TT_PI_N_IDS]; /* and 1 */

  if (g_once_init_enter (&counts[ids]))
    {
      gsize n = 1;
      for (guint i = 0; i < tt_pi_n_functions; i++)
        n += tt_pi_functions[i].api == TT_PI_API_PI && tt_pi_functions[i].ids[ids] >= 0;
      g_once_init_leave (&counts[ids], n);
    }
  return (guint) counts[ids] - 1;
}

static guint64
prefix_of_list (const Guess *guess)
{
  return PREFIX_REST + (guess->raw.has_backend ? BACKEND_REST : 0) + 8 * (guint64) functions_in_list (guess->ids);
}

/* Larger: better. */
static int
compare_guesses (const Guess *a, const Guess *b)
{
  gboolean a_literal = a->raw.is_literal && a->raw.prefix == 0, b_literal = b->raw.is_literal && b->raw.prefix == 0;

  if ((a->n_fit > 0) != (b->n_fit > 0))
    return a->n_fit > 0 ? 1 : -1;
  if (a->is_whole != b->is_whole)
    return a->is_whole ? 1 : -1;
  if (a->n_fit != b->n_fit)
    return a->n_fit > b->n_fit ? 1 : -1;
  if (a->n_records != b->n_records)
    return a->n_records < b->n_records ? 1 : -1;
  if (a->ends_well != b->ends_well)
    return a->ends_well ? 1 : -1;

  gboolean a_count = functions_by_prefix (&a->raw) == functions_in_list (a->ids);
  gboolean b_count = functions_by_prefix (&b->raw) == functions_in_list (b->ids);
  if (a_count != b_count)
    return a_count ? 1 : -1;
  /* Without a prefix it is the description's layout, with one a real recorder's. */
  if (a_literal != b_literal)
    return a_literal ? 1 : -1;
  return 0;
}

static gboolean
is_wanted (const TtPiTrace *trace, TtPiGeneration generation, gboolean is_literal)
{
  TtPiGeneration wanted = trace->options.generation;

  if (wanted == TT_PI_GENERATION_UNKNOWN)
    return TRUE;
  if (wanted == TT_PI_GENERATION_DOC)
    return generation == TT_PI_GENERATION_G1 && is_literal;
  return wanted == generation;
}

static void
try_prefix (Trial *trial, Guess *guess, guint64 prefix)
{
  guess->raw.prefix = prefix;
  guess->n_records = guess->n_fit = 0;
  try_guess (trial, guess);
  if (!trial->has_best || compare_guesses (guess, &trial->best) > 0)
    trial->best = *guess;
  trial->has_best = TRUE;
}

static gboolean
fits_all (const Guess *guess)
{
  return guess->is_whole && guess->n_fit == guess->n_records && guess->n_records > 0;
}

/* Of prefixes: what the first records say; what those say that this one leads to; the one of the list's functions. */
static void
consider_guess (Trial *trial, Guess *guess)
{
  if (guess->generation == TT_PI_GENERATION_G3 || guess->raw.is_literal)
    {
      try_prefix (trial, guess, 0);
      return;
    }
  guint64 first = guess_prefix (trial, guess);
  try_prefix (trial, guess, first);
  if (fits_all (guess))
    return;
  guint64 second = guess_prefix (trial, guess), listed = prefix_of_list (guess);
  if (second != first)
    try_prefix (trial, guess, second);
  if (listed != first && listed != second)
    try_prefix (trial, guess, listed);
}

static void
try_raw (Trial *trial, TtPiIds ids)
{
  for (guint g = 0; g < G_N_ELEMENTS (raw_generations); g++)
    for (int is_literal = 1; is_literal >= 0; is_literal--)
      {
        Guess guess = { .generation = raw_generations[g], .ids = ids };
        guess.raw.has_backend = raw_generations[g] == TT_PI_GENERATION_G1;
        guess.raw.has_times = raw_generations[g] != TT_PI_GENERATION_G0;
        guess.raw.is_literal = is_literal != 0;
        if (is_wanted (trial->trace, guess.generation, is_literal != 0))
          consider_guess (trial, &guess);
      }
}

static void
try_all (Trial *trial)
{
  const TtPiTrace *trace = trial->trace;
  const TtPiThread *file = trace->threads->pdata[trial->reader.thread];
  gboolean is_pb = trace->options.generation == TT_PI_GENERATION_UNKNOWN
                       ? file->by_name == TT_PI_GENERATION_G3
                       : trace->options.generation == TT_PI_GENERATION_G3;

  for (int ids = 0; ids < TT_PI_N_IDS; ids++)
    {
      Guess guess = { .generation = TT_PI_GENERATION_G3, .ids = (TtPiIds) ids };
      if (trace->options.ids >= 0 && trace->options.ids != ids)
        continue;
      if (is_pb)
        consider_guess (trial, &guess);
      else
        try_raw (trial, (TtPiIds) ids);
    }
  /* A renamed file. */
  if (trial->best.n_fit == 0 && trace->options.generation == TT_PI_GENERATION_UNKNOWN)
    for (int ids = 0; ids < TT_PI_N_IDS; ids++)
      {
        Guess guess = { .generation = TT_PI_GENERATION_G3, .ids = (TtPiIds) ids };
        if (is_pb)
          try_raw (trial, (TtPiIds) ids);
        else
          consider_guess (trial, &guess);
      }
}

/* -- the whole trace -------------------------------------------------------------------------------------- */

/* The description's G1 is known by the lack of a prefix. */
static void
settle_literal (Guess *guess)
{
  if (guess->generation == TT_PI_GENERATION_G1 && guess->raw.is_literal)
    guess->generation = TT_PI_GENERATION_DOC;
}

static const char *
generation_name (TtPiGeneration generation)
{
  static const char *const names[] = { "no calls", "G0", "the description's layout", "G1", "G2", "G3", "native" };

  return names[generation];
}

static char *
describe_guess (const Guess *guess)
{
  static const char *const lists[] = { "summer of 2021", "December of 2021", "May of 2022",    "2024",
                                       "release 2021.1", "release 2021.2",   "release 2021.3", "release 2023.1",
                                       "release 2023.2", "release 2024.0",   "release 2024.2" };
  G_STATIC_ASSERT (G_N_ELEMENTS (lists) == TT_PI_N_IDS);

  if (guess->generation == TT_PI_GENERATION_UNKNOWN)
    return g_strdup ("no calls");
  return g_strdup_printf ("%s, numbering of %s (%" G_GUINT64_FORMAT " of %" G_GUINT64_FORMAT " records fit)",
                          generation_name (guess->generation), lists[guess->ids], guess->n_fit, guess->n_records);
}

/* The thread with the largest file; -1: all are empty. */
static int
largest_thread (const TtPiTrace *self)
{
  guint64 most = 0;
  int largest = -1;

  for (guint i = 0; i < self->threads->len; i++)
    {
      const TtPiThread *thread = self->threads->pdata[i];
      if (thread->size > most)
        {
          most = thread->size;
          largest = (int) i;
        }
    }
  return largest;
}

/* The last calls of main decide the numbering where few functions were called. */
static void
settle_ids (TtPiTrace *trace, Guess *best)
{
  const TtPiThread *main = trace->threads->pdata[0];
  Trial trial;

  if (trace->options.ids >= 0 || main->size == 0 || main->size > MAX_BYTES)
    return;
  begin_trial (&trial, trace, 0);
  for (int ids = 0; ids < TT_PI_N_IDS; ids++)
    {
      Guess guess = { .generation = best->generation, .ids = (TtPiIds) ids, .raw = best->raw };
      consider_guess (&trial, &guess);
    }
  tt_pi_reader_clear (&trial.reader);
  if (trial.best.is_whole && trial.best.n_fit > 0)
    best->ids = trial.best.ids;
}

/* Native recordings name their functions; the numbering is only for whoever needs it, and is that in which most of the
 * first calls have the id they came with. */
#define NATIVE_CALLS 2000u

typedef struct
{
  guint64 n, n_fit;
  guint32 release;
} UrCalls;

static void
count_ur (UrCalls *self, const TtPiCall *call)
{
  self->n++;
  self->n_fit += call->function != NULL && (call->flags & TT_PI_CALL_ARGS_DIFFER) == 0;
  self->release = MAX (self->release, call->release);
}

/* "native, Unified Runtime 0.12 of 2025-03-17 (8 of 8 records fit)"; the release where the recording has it. */
static char *
describe_native (const Guess *best, const UrCalls *ur, guint64 n_pi)
{
  g_autofree char *pi = n_pi > 0 || ur->n == 0 ? describe_guess (best) : NULL;
  char release[64] = "of a release that the recording does not name";

  if (ur->n == 0)
    return g_steal_pointer (&pi);
  tt_pi_release_name (ur->release, release, sizeof release);
  return g_strdup_printf ("%s, Unified Runtime %s (%" G_GUINT64_FORMAT " of %" G_GUINT64_FORMAT " records fit)",
                          pi != NULL ? pi : "native", release, ur->n_fit, ur->n);
}

static gboolean
detect_native (TtPiTrace *self, guint thread, GError **error)
{
  UrCalls ur = { 0 };
  Guess guesses[TT_PI_N_IDS] = { { .generation = TT_PI_GENERATION_NATIVE } }, *best = guesses;
  TtPiReader reader;
  TtPiCall call;
  TtPiOutcome outcome = TT_PI_OUTCOME_CALL;
  guint32 minor = 0;

  assume_guess (self, best);
  tt_pi_reader_init (&reader, self, thread, TRUE);
  for (guint n = 0; n < NATIVE_CALLS && outcome == TT_PI_OUTCOME_CALL; n++)
    {
      outcome = tt_pi_decode_native (&reader, &call, error);
      if (outcome == TT_PI_OUTCOME_CALL && strncmp (call.name, "ur", 2) == 0)
        count_ur (&ur, &call);
      else if (outcome == TT_PI_OUTCOME_CALL)
        {
          minor = MAX (minor, call.release);
          for (guint ids = 0; ids < TT_PI_N_IDS; ids++)
            {
              guesses[ids].n_records++;
              guesses[ids].n_fit += call.function != NULL && call.function->ids[ids] == (gint32) call.id;
            }
        }
    }
  tt_pi_reader_clear (&reader);
  /* Damage further on is found when the calls are read. */
  if (outcome == TT_PI_OUTCOME_FAILED && best->n_records + ur.n > 0)
    g_clear_error (error);
  else if (outcome == TT_PI_OUTCOME_FAILED)
    return FALSE;
  for (int ids = 0; ids < TT_PI_N_IDS; ids++)
    {
      guesses[ids].generation = TT_PI_GENERATION_NATIVE;
      guesses[ids].ids = (TtPiIds) ids;
      if (self->options.ids >= 0 ? ids == self->options.ids : guesses[ids].n_fit > best->n_fit)
        best = &guesses[ids];
    }
  /* Of lists that fit as well that of the runtime's version. */
  int of_version = self->options.ids >= 0 ? -1 : tt_pi_ids_of_minor (minor);
  if (of_version >= 0 && guesses[of_version].n_fit == best->n_fit)
    best = &guesses[of_version];
  assume_guess (self, best);
  self->description = describe_native (best, &ur, best->n_records);
  return TRUE;
}

/* By its name, or asked for. */
static gboolean
is_native (const TtPiTrace *self, int largest)
{
  if (self->options.generation != TT_PI_GENERATION_UNKNOWN || largest < 0)
    return largest >= 0 && self->options.generation == TT_PI_GENERATION_NATIVE;
  return ((const TtPiThread *) self->threads->pdata[largest])->by_name == TT_PI_GENERATION_NATIVE;
}

static gboolean
detect_by_calls (TtPiTrace *self, guint thread, Guess *best, GError **error)
{
  Trial trial;

  begin_trial (&trial, self, thread);
  try_all (&trial);
  *best = trial.best;
  if (best->n_fit > 0 && thread > 0)
    {
      settle_ids (self, best);
      best->n_fit = best->n_records = 0;
      try_guess (&trial, best);
    }
  else if (best->n_fit == 0)
    g_set_error (error, TT_ERROR, TT_ERROR_FORMAT,
                 "%s: record 0 at byte 0: no PI call in any known layout (the description's, G0, G1, G2, G3); "
                 "--pi-generation forces one",
                 tt_pi_trace_thread_path (self, thread));
  tt_pi_reader_clear (&trial.reader);
  settle_literal (best);
  return trial.best.n_fit > 0;
}

gboolean
tt_pi_trace_detect (TtPiTrace *self, GError **error)
{
  int largest = largest_thread (self);
  Guess best = { .generation = self->options.generation };

  if (is_native (self, largest))
    return detect_native (self, (guint) largest, error);
  if (largest >= 0 && !detect_by_calls (self, (guint) largest, &best, error))
    return FALSE;
  assume_guess (self, &best);
  self->description = describe_guess (&best);
  return TRUE;
}
