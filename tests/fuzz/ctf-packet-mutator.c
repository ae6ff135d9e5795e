/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Mutations that keep packets of CTF what they are: fields of headers and contexts get the values of other packets and
 * odd ones; packets are lost, doubled, change places and streams; the content changes, ends elsewhere, or has other
 * events. A fuzzer that changes bytes hardly ever leaves a packet that is read further than its sizes. A fourth of the
 * mutations are of bytes all the same.
 *
 * For targets that name this file under "Links:".
 */
#include "config.h"

#include "tests/fuzz/ctf-packets.h"

#include <string.h>

#define MAX_PACKETS 64u

size_t LLVMFuzzerMutate (guint8 *bytes, size_t len, size_t max);
size_t LLVMFuzzerCustomMutator (guint8 *bytes, size_t len, size_t max, unsigned seed);

typedef struct
{
  guint8 stream;
  GByteArray *bytes;
} Packet;

typedef struct
{
  guint at, size;
} Field;

static const Field fields[] = {
  { CTF_AT_MAGIC, 4 },   { CTF_AT_STREAM, 4 }, { CTF_AT_INSTANCE, 8 },  { CTF_AT_BEGIN, 8 },    { CTF_AT_END, 8 },
  { CTF_AT_CONTENT, 8 }, { CTF_AT_SIZE, 8 },   { CTF_AT_DISCARDED, 4 }, { CTF_AT_SEQUENCE, 4 }, { CTF_AT_CPU, 4 },
};

static void
clear_packet (gpointer data)
{
  g_byte_array_unref (((Packet *) data)->bytes);
}

static GArray *
read_packets (const guint8 *bytes, size_t len)
{
  GArray *packets = g_array_new (FALSE, FALSE, sizeof (Packet));

  g_array_set_clear_func (packets, clear_packet);
  while (packets->len < MAX_PACKETS && len >= CTF_PIECE_HEAD)
    {
      size_t n = MIN ((size_t) (bytes[1] | bytes[2] << 8), len - CTF_PIECE_HEAD);
      Packet packet = { bytes[0], g_byte_array_new () };

      g_byte_array_append (packet.bytes, bytes + CTF_PIECE_HEAD, (guint) n);
      g_array_append_val (packets, packet);
      bytes += CTF_PIECE_HEAD + n;
      len -= CTF_PIECE_HEAD + n;
    }
  return packets;
}

/* 0: there is no room. */
static size_t
write_packets (const GArray *packets, guint8 *bytes, size_t max)
{
  size_t len = 0;

  for (guint i = 0; i < packets->len; i++)
    {
      const Packet *packet = &g_array_index (packets, Packet, i);
      guint n = packet->bytes->len;

      if (n > G_MAXUINT16 || max - len < CTF_PIECE_HEAD + n)
        return 0;
      bytes[len++] = packet->stream;
      bytes[len++] = (guint8) n;
      bytes[len++] = (guint8) (n >> 8);
      if (n > 0)
        memcpy (bytes + len, packet->bytes->data, n);
      len += n;
    }
  return len;
}

static guint64
get (const Packet *packet, guint at, guint size)
{
  guint64 value = 0;

  if (packet->bytes->len >= at + size)
    memcpy (&value, packet->bytes->data + at, size);
  return GUINT64_FROM_LE (value);
}

static void
set (Packet *packet, guint at, guint size, guint64 value)
{
  value = GUINT64_TO_LE (value);
  if (packet->bytes->len >= at + size)
    memcpy (packet->bytes->data + at, &value, size);
}

static guint64
choose_number (GRand *random, guint64 now, guint64 other)
{
  const guint64 numbers[] = {
    0,
    1,
    7,
    8,
    64,
    CTF_AT_EVENTS * 8,
    G_MAXUINT64,
    G_MAXINT64,
    G_MAXUINT32,
    G_MAXINT32,
    (guint64) G_MAXINT64 + 1,
    now + 1,
    now - 1,
    now + 8,
    now - 8,
    now * 2,
    now / 2,
    now + (1 << 30),
    now ^ 1,
    other,
    other,
    other + 1,
    other - 1,
  };

  return numbers[g_rand_int_range (random, 0, G_N_ELEMENTS (numbers))];
}

static void
change_field (Packet *packet, const Packet *other, GRand *random)
{
  const Field *field = &fields[g_rand_int_range (random, 0, G_N_ELEMENTS (fields))];
  const Field *from =
      g_rand_int_range (random, 0, 4) == 0 ? &fields[g_rand_int_range (random, 0, G_N_ELEMENTS (fields))] : field;

  set (packet, field->at, field->size,
       choose_number (random, get (packet, field->at, field->size), get (other, from->at, from->size)));
}

/* Sizes that fit again, or nearly. */
static void
fit_sizes (Packet *packet, GRand *random)
{
  guint64 bits = (guint64) packet->bytes->len * 8;

  set (packet, CTF_AT_SIZE, 8, bits);
  set (packet, CTF_AT_CONTENT, 8, g_rand_int_range (random, 0, 4) == 0 ? choose_number (random, bits, 0) : bits);
}

static void
change_content (Packet *packet, GRand *random)
{
  guint n = packet->bytes->len;

  if (n <= CTF_AT_EVENTS)
    return;
  n -= CTF_AT_EVENTS;
  g_autofree guint8 *content = g_malloc0 (n + 64);
  memcpy (content, packet->bytes->data + CTF_AT_EVENTS, n);
  n = (guint) LLVMFuzzerMutate (content, n, n + 64);
  g_byte_array_set_size (packet->bytes, CTF_AT_EVENTS);
  g_byte_array_append (packet->bytes, content, n);
  fit_sizes (packet, random);
}

/* Another event at the end, at a time of either packet. */
static void
add_event (Packet *packet, const Packet *other, GRand *random)
{
  guint64 ts = choose_number (random, get (packet, CTF_AT_END, 8), get (other, CTF_AT_BEGIN, 8));
  guint8 event[CTF_EVENT_HEAD + 8] = { (guint8) g_rand_int_range (random, 0, 5) };

  ts = GUINT64_TO_LE (ts);
  memcpy (event + 2, &ts, sizeof ts);
  event[10] = (guint8) g_rand_int_range (random, 0, 3);
  event[CTF_EVENT_HEAD] = (guint8) g_rand_int_range (random, 0, 256);
  g_byte_array_append (packet->bytes, event, sizeof event);
  fit_sizes (packet, random);
}

static void
resize (Packet *packet, GRand *random)
{
  guint n = packet->bytes->len, size = (guint) g_rand_int_range (random, 0, (gint32) MIN (2 * n + 2, G_MAXUINT16));

  g_byte_array_set_size (packet->bytes, size);
  if (size > n)
    memset (packet->bytes->data + n, 0, size - n);
  if (g_rand_boolean (random))
    fit_sizes (packet, random);
}

static void
move_packet (GArray *packets, guint one, guint other, GRand *random)
{
  Packet *packet = &g_array_index (packets, Packet, one), kept = *packet;
  Packet copy = { packet->stream, g_byte_array_new () };

  switch (g_rand_int_range (random, 0, 4))
    {
    case 0:
      g_array_remove_index (packets, one);
      break;
    case 1:
      *packet = g_array_index (packets, Packet, other);
      g_array_index (packets, Packet, other) = kept;
      break;
    case 2:
      packet->stream ^= 1;
      break;
    default:
      g_byte_array_append (copy.bytes, packet->bytes->data, packet->bytes->len);
      set (&copy, CTF_AT_SEQUENCE, 4, get (&copy, CTF_AT_SEQUENCE, 4) + (guint) g_rand_int_range (random, 0, 3));
      g_array_insert_val (packets, other, copy);
      return;
    }
  g_byte_array_unref (copy.bytes);
}

static void
change_packets (GArray *packets, GRand *random)
{
  guint one = (guint) g_rand_int_range (random, 0, (gint32) packets->len);
  guint other = (guint) g_rand_int_range (random, 0, (gint32) packets->len);
  Packet *packet = &g_array_index (packets, Packet, one);

  switch (g_rand_int_range (random, 0, 9))
    {
    case 0:
      change_content (packet, random);
      break;
    case 1:
      add_event (packet, &g_array_index (packets, Packet, other), random);
      break;
    case 2:
      resize (packet, random);
      break;
    case 3:
    case 4:
      move_packet (packets, one, other, random);
      break;
    default:
      change_field (packet, &g_array_index (packets, Packet, other), random);
      break;
    }
}

size_t
LLVMFuzzerCustomMutator (guint8 *bytes, size_t len, size_t max, unsigned seed)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (seed);
  g_autoptr (GArray) packets = read_packets (bytes, len);

  if (packets->len == 0 || g_rand_int_range (random, 0, 4) == 0)
    return LLVMFuzzerMutate (bytes, len, max);
  for (gint n = g_rand_int_range (random, 1, 4); n > 0 && packets->len > 0; n--)
    change_packets (packets, random);
  size_t n = write_packets (packets, bytes, max);
  return n > 0 ? n : len;
}
