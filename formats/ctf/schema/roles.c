/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/ctf/schema/roles.h"

#include <string.h>

#define UUID_BYTES 16u
#define MAGIC_BITS 32u

typedef enum
{
  CLOCK, /* and the begin of a packet */
  END_CLOCK,
  STREAM_CLASS,
  STREAM,
  UUID,
  MAGIC,
  DISCARDED,
  CONTENT,
  TOTAL,
  SEQUENCE,
  EVENT_CLASS,
  N_ROLES,
} Role;

static const struct
{
  const char *name;
  TtCtfMeaning meaning;
  guint roots; /* a bit for each part in which it may be */
} roles[N_ROLES] = {
  [CLOCK] = { "default-clock-timestamp", TT_CTF_PLAIN,
              1u << TT_CTF_ROOT_PACKET_CONTEXT | 1u << TT_CTF_ROOT_EVENT_HEADER },
  [END_CLOCK] = { "packet-end-default-clock-timestamp", TT_CTF_PACKET_END, 1u << TT_CTF_ROOT_PACKET_CONTEXT },
  [STREAM_CLASS] = { "data-stream-class-id", TT_CTF_STREAM_CLASS, 1u << TT_CTF_ROOT_PACKET_HEADER },
  [STREAM] = { "data-stream-id", TT_CTF_STREAM_INSTANCE, 1u << TT_CTF_ROOT_PACKET_HEADER },
  [UUID] = { "metadata-stream-uuid", TT_CTF_UUID, 1u << TT_CTF_ROOT_PACKET_HEADER },
  [MAGIC] = { "packet-magic-number", TT_CTF_MAGIC, 1u << TT_CTF_ROOT_PACKET_HEADER },
  [DISCARDED] = { "discarded-event-record-counter-snapshot", TT_CTF_DISCARDED, 1u << TT_CTF_ROOT_PACKET_CONTEXT },
  [CONTENT] = { "packet-content-length", TT_CTF_CONTENT_SIZE, 1u << TT_CTF_ROOT_PACKET_CONTEXT },
  [TOTAL] = { "packet-total-length", TT_CTF_PACKET_SIZE, 1u << TT_CTF_ROOT_PACKET_CONTEXT },
  [SEQUENCE] = { "packet-sequence-number", TT_CTF_SEQUENCE_NUMBER, 1u << TT_CTF_ROOT_PACKET_CONTEXT },
  [EVENT_CLASS] = { "event-record-class-id", TT_CTF_EVENT_CLASS, 1u << TT_CTF_ROOT_EVENT_HEADER },
};

static gboolean
has (const TtCtfType *type, Role role)
{
  return (type->roles & 1u << role) != 0;
}

gboolean
tt_ctf_roles_read (TtCtfFragments *self, const TtCtfJson *object, TtCtfType *type)
{
  const TtCtfJson *names;

  if (!tt_ctf_property (self, object, "roles", TT_CTF_JSON_ARRAY, &names))
    return FALSE;
  for (const TtCtfJson *name = names == NULL ? NULL : names->first; name != NULL; name = name->next)
    {
      guint role = 0;

      while (role < N_ROLES && (name->kind != TT_CTF_JSON_TEXT || strcmp (name->text, roles[role].name) != 0))
        role++;
      if (role == N_ROLES)
        return tt_ctf_fragments_fail (self, name, "no role of CTF 2");
      if ((role == UUID) != (type->kind == TT_CTF_TYPE_ARRAY) || (role == UUID && type->length != UUID_BYTES) ||
          (role == MAGIC && type->size != MAGIC_BITS) || (role != UUID && type->is_signed))
        return tt_ctf_fragments_fail (self, name, "the role '%s' is of another class of fields", roles[role].name);
      type->roles = (type->roles | 1u << role) & 0xffff;
    }
  return TRUE;
}

/* One integer says both sizes of a packet: that of its contents is the other, too. */
static guint
without_second_size (guint of_type)
{
  return (of_type & 1u << CONTENT) != 0 ? of_type & ~(1u << TOTAL) : of_type;
}

static gboolean
apply (TtCtfFragments *self, const TtCtfJson *value, TtCtfType *type, TtCtfRoot root, TtCtfStreamType *stream)
{
  guint left = without_second_size (type->roles), n_meanings = 0;

  for (guint role = 0; role < N_ROLES; role++)
    {
      TtCtfMeaning meaning = roles[role].meaning;

      if ((left & 1u << role) == 0)
        continue;
      if ((roles[role].roots & 1u << root) == 0)
        return tt_ctf_fragments_fail (self, value, "a field with the role '%s' is in another place", roles[role].name);
      if ((role == CLOCK || role == END_CLOCK) && stream->clock == NULL)
        return tt_ctf_fragments_fail (self, value, "the role '%s' in a stream that has no clock", roles[role].name);
      if (role == CLOCK)
        {
          type->clock = stream->clock;
          meaning = root == TT_CTF_ROOT_PACKET_CONTEXT ? TT_CTF_PACKET_BEGIN : TT_CTF_PLAIN;
        }
      if (meaning != TT_CTF_PLAIN && n_meanings++ > 0)
        return tt_ctf_fragments_fail (self, value, "a field with several roles, of which '%s'", roles[role].name);
      if (meaning != TT_CTF_PLAIN)
        type->meaning = meaning;
    }
  return TRUE;
}

static void
note_in_stream (const TtCtfType *type, TtCtfRoot root, TtCtfStreamType *stream)
{
  if (root != TT_CTF_ROOT_PACKET_CONTEXT)
    return;
  stream->has_begin |= has (type, CLOCK);
  stream->has_end |= has (type, END_CLOCK);
  stream->has_discarded |= has (type, DISCARDED);
  stream->has_sequence_numbers |= has (type, SEQUENCE);
}

gboolean
tt_ctf_roles_apply (TtCtfFragments *self,
                    const TtCtfJson *value,
                    TtCtfType *type,
                    TtCtfRoot root,
                    TtCtfStreamType *stream)
{
  if (type == NULL)
    return TRUE;
  if (!apply (self, value, type, root, stream))
    return FALSE;
  note_in_stream (type, root, stream);
  if (!tt_ctf_roles_apply (self, value, type->element, root, stream))
    return FALSE;
  for (guint i = 0; i < type->n_fields; i++)
    {
      TtCtfType *field = type->fields[i].type;

      if (has (field, MAGIC) && i > 0)
        return tt_ctf_fragments_fail (self, value, "the magic number is not the first field of packets");
      if (!tt_ctf_roles_apply (self, value, field, root, stream))
        return FALSE;
    }
  return TRUE;
}
