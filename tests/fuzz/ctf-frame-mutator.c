/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Mutations that keep frames of the decoder of CTF what they are: they appear twice, go, change places, and keep the
 * right length when their bytes change; events get another class, time or value. A fuzzer that changes bytes rarely
 * leaves a frame after the one that it has changed. A fourth of the mutations are of bytes all the same.
 *
 * For targets that name this file under "Links:".
 */
#include "config.h"

#include "formats/ctf/frames.h"

#include <string.h>

#define MAX_FRAMES 1024u

size_t LLVMFuzzerMutate (guint8 *bytes, size_t len, size_t max);
size_t LLVMFuzzerCustomMutator (guint8 *bytes, size_t len, size_t max, unsigned seed);

typedef struct
{
  size_t start, end; /* with its header */
  guint32 kind;
} Frame;

typedef struct
{
  Frame frame[MAX_FRAMES];
  guint n, n_classes;
} Frames;

typedef struct
{
  guint8 *bytes;
  size_t len, max;
} Input;

static void
find_frames (Frames *frames, const Input *input)
{
  frames->n = frames->n_classes = 0;
  for (size_t at = 0; frames->n < MAX_FRAMES && at + TT_CTF_FRAME_HEADER <= input->len;)
    {
      guint32 header[2];

      memcpy (header, input->bytes + at, sizeof header);
      size_t left = input->len - at - TT_CTF_FRAME_HEADER;
      size_t len = header[1] < TT_CTF_N_FRAMES ? MIN (header[0], left) : 0;
      frames->frame[frames->n++] = (Frame){ at, at + TT_CTF_FRAME_HEADER + len, header[1] };
      frames->n_classes += header[1] == TT_CTF_FRAME_CLASS;
      at += TT_CTF_FRAME_HEADER + len;
    }
}

/* Puts @what in the place of @len bytes; nothing happens if there is no room. */
static gboolean
replace (Input *input, size_t at, size_t len, const guint8 *what, size_t n)
{
  if (input->len - len + n > input->max)
    return FALSE;
  memmove (input->bytes + at + n, input->bytes + at + len, input->len - at - len);
  memcpy (input->bytes + at, what, n);
  input->len = input->len - len + n;
  return TRUE;
}

static void
copy_frame (Input *input, const Frame *frame, size_t to)
{
  size_t n = frame->end - frame->start;
  g_autofree guint8 *copy = g_memdup2 (input->bytes + frame->start, n);

  replace (input, to, 0, copy, n);
}

static void
swap_frames (Input *input, const Frame *one, const Frame *other)
{
  const Frame *first = one->start < other->start ? one : other, *second = first == one ? other : one;
  size_t n_first = first->end - first->start, n_second = second->end - second->start;
  size_t n_between = second->start - first->end;

  if (first->start == second->start)
    return;
  g_autofree guint8 *copy = g_memdup2 (input->bytes + first->start, second->end - first->start);
  guint8 *at = input->bytes + first->start;
  memcpy (at, copy + n_first + n_between, n_second);
  memcpy (at + n_second, copy + n_first, n_between);
  memcpy (at + n_second + n_between, copy, n_first);
}

/* Bytes of one frame, which then says how many they are. */
static void
change_bytes (Input *input, const Frame *frame)
{
  size_t from = frame->start + TT_CTF_FRAME_HEADER, n = frame->end - from;
  size_t room = n + 64;
  g_autofree guint8 *bytes = g_malloc0 (room);

  memcpy (bytes, input->bytes + from, n);
  size_t n_new = LLVMFuzzerMutate (bytes, n, room);
  guint32 len = (guint32) n_new;
  if (replace (input, from, n, bytes, n_new))
    memcpy (input->bytes + frame->start, &len, sizeof len);
}

static gint64
choose_number (GRand *random)
{
  static const gint64 numbers[] = {
    0, 1, -1, 2, 255, G_MAXINT32, (gint64) G_MAXUINT32, (gint64) G_MAXUINT32 + 1, G_MAXINT64, G_MININT64, 1000000000,
  };
  guint i = (guint) g_rand_int_range (random, 0, G_N_ELEMENTS (numbers) * 2);

  return i < G_N_ELEMENTS (numbers) ? numbers[i] : g_rand_int_range (random, 0, 64);
}

/* Class, time or a slot of an event; a slot may take what stands in one of another event. */
static void
change_event (Input *input, const Frames *frames, const Frame *frame, const Frame *other, GRand *random)
{
  guint8 *event = input->bytes + frame->start + TT_CTF_FRAME_HEADER;
  size_t n = frame->end - frame->start - TT_CTF_FRAME_HEADER;
  gint64 value = choose_number (random);
  guint32 id = frames->n_classes == 0 ? 0 : (guint32) g_rand_int_range (random, 0, (gint32) frames->n_classes);

  if (n < TT_CTF_EVENT_HEADER)
    return;
  size_t n_slots = (n - TT_CTF_EVENT_HEADER) / 8;
  size_t slot = n_slots == 0 ? 0 : (size_t) g_rand_int_range (random, 0, (gint32) n_slots);
  guint8 *at = event + TT_CTF_EVENT_HEADER + 8 * slot;
  size_t same = TT_CTF_FRAME_HEADER + TT_CTF_EVENT_HEADER + 8 * slot;
  switch (g_rand_int_range (random, 0, 6))
    {
    case 0:
      memcpy (event, &id, sizeof id);
      break;
    case 1:
      memcpy (event + 8, &value, sizeof value);
      break;
    case 2:
      if (other->end - other->start >= TT_CTF_FRAME_HEADER + TT_CTF_EVENT_HEADER)
        memcpy (event + 8, input->bytes + other->start + TT_CTF_FRAME_HEADER + 8, 8);
      break;
    case 3:
      if (n_slots > 0 && other->end - other->start >= same + 8)
        memmove (at, input->bytes + other->start + same, 8);
      break;
    default:
      if (n_slots > 0)
        memcpy (at, &value, sizeof value);
      break;
    }
}

size_t
LLVMFuzzerCustomMutator (guint8 *bytes, size_t len, size_t max, unsigned seed)
{
  static Frames frames;
  Input input = { bytes, len, max };
  g_autoptr (GRand) random = g_rand_new_with_seed (seed);

  find_frames (&frames, &input);
  if (frames.n == 0 || g_rand_int_range (random, 0, 4) == 0)
    return LLVMFuzzerMutate (bytes, len, max);
  const Frame *one = &frames.frame[g_rand_int_range (random, 0, (gint32) frames.n)];
  const Frame *other = &frames.frame[g_rand_int_range (random, 0, (gint32) frames.n)];
  switch (g_rand_int_range (random, 0, 8))
    {
    case 0:
      copy_frame (&input, one, other->start);
      break;
    case 1:
      replace (&input, one->start, one->end - one->start, (const guint8 *) "", 0);
      break;
    case 2:
      swap_frames (&input, one, other);
      break;
    case 3:
    case 4:
      change_bytes (&input, one);
      break;
    default:
      if (one->kind == TT_CTF_FRAME_EVENT)
        change_event (&input, &frames, one, other, random);
      else
        change_bytes (&input, one);
      break;
    }
  return input.len;
}
