/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

/* What pointers point to, as text: structures of UR, "{stype=QUEUE_PROPERTIES, pNext=NULL, flags=PROFILING_ENABLE}",
 * arrays and values. */
#include "formats/pi/print/value-private.h"
#include "formats/pi/structs.h"

#define WORD 8

/* A chain may lead into itself. */
#define MAX_DEPTH 8

typedef struct
{
  GString *to;
  const TtPiCall *call;
  const TtPiHandles *handles;
  gsize limit;
  guint depth;
  guint64 path[MAX_DEPTH]; /* addresses of the structures that this one stands in */
} Printing;

static const TtPiBytes *
find_pointee (const TtPiCall *call, guint64 address, gsize least)
{
  for (guint i = 0; address != 0 && i < call->n_pointees; i++)
    if (call->pointees[i].address == address && call->pointees[i].bytes.len >= least)
      return &call->pointees[i].bytes;
  return NULL;
}

static void
append_structs (Printing *self, const TtPiStruct *type, const TtPiBytes *bytes, guint64 n, gboolean is_array);

static gboolean
is_on_path (const Printing *self, guint64 address)
{
  for (guint i = 0; i < self->depth && i < MAX_DEPTH; i++)
    if (self->path[i] == address)
      return TRUE;
  return FALSE;
}

static void
append_pointee (Printing *self, const TtPiStruct *type, const TtPiMember *member, const guint8 *bytes)
{
  guint64 address = tt_pi_member_value (member, bytes);
  const TtPiBytes *there = find_pointee (self->call, address, 1);
  const TtPiStruct *of =
      there == NULL ? NULL : tt_pi_pointee_type (member, there->bytes, there->len, self->call->release);
  gboolean is_array = member->param.role == TT_PI_ROLE_IN_ARRAY;
  guint64 n =
      is_array && member->param.count >= 0 ? tt_pi_member_value (&type->members[member->param.count], bytes) : 1;

  if (there == NULL || self->depth >= MAX_DEPTH || is_on_path (self, address) ||
      (of != NULL && find_pointee (self->call, address, of->size) == NULL))
    tt_pi_append_pointer (self->to, address);
  else if (of != NULL)
    {
      self->path[self->depth] = address;
      append_structs (self, of, find_pointee (self->call, address, of->size), n, is_array);
    }
  else if (member->param.kind == TT_PI_KIND_STRING)
    tt_pi_append_text (self->to, there, self->limit);
  else
    tt_pi_append_pointed (self->to, self->call, &member->param, there, self->handles, self->limit);
}

/* A structure, or of a union the member that counts. */
static void
append_inner (Printing *self, const TtPiStruct *around, const TtPiMember *place, const guint8 *bytes)
{
  const TtPiInner inner = tt_pi_inner (around, place, bytes, self->call->release);
  const TtPiMember *chosen = inner.member;
  const guint8 *there = bytes + place->offset;

  if (inner.type == NULL)
    tt_pi_append_hex (self->to, tt_pi_read_number (there, MIN (place->param.size, WORD)));
  else if (chosen == NULL)
    append_structs (self, inner.type, &(TtPiBytes){ there, inner.type->size, inner.type->size }, 1, FALSE);
  else if (chosen->param.kind == TT_PI_KIND_POINTER || chosen->param.kind == TT_PI_KIND_STRING)
    append_pointee (self, inner.type, chosen, there);
  else if (chosen->param.kind == TT_PI_KIND_HANDLE)
    tt_pi_append_handle_value (self->to, chosen->param.type, tt_pi_member_value (chosen, there), self->handles);
  else
    tt_pi_append_by_kind (self->to, &chosen->param, tt_pi_member_value (chosen, there), self->call->release);
}

static void
append_member (Printing *self, const TtPiStruct *type, guint at, const guint8 *bytes)
{
  const TtPiMember *member = &type->members[at];
  const TtPiBytes own = { bytes + member->offset, member->param.size, member->param.size };

  g_string_append (self->to, member->param.name);
  g_string_append_c (self->to, '=');
  if (member->param.kind == TT_PI_KIND_STRUCT)
    append_inner (self, type, member, bytes);
  else if (member->param.size > WORD)
    tt_pi_append_pointed (self->to, self->call, &member->param, &own, self->handles, self->limit);
  else if (member->param.kind == TT_PI_KIND_HANDLE)
    tt_pi_append_handle_value (self->to, member->param.type, tt_pi_member_value (member, bytes), self->handles);
  else if (member->param.kind == TT_PI_KIND_POINTER || member->param.kind == TT_PI_KIND_STRING)
    append_pointee (self, type, member, bytes);
  else
    tt_pi_append_by_kind (self->to, &member->param, tt_pi_member_value (member, bytes), self->call->release);
}

static void
append_structs (Printing *self, const TtPiStruct *type, const TtPiBytes *bytes, guint64 n, gboolean is_array)
{
  guint64 shown = MIN (MIN (n, bytes->len / type->size), MAX (self->limit / WORD, 1));

  self->depth++;
  if (is_array)
    g_string_append_c (self->to, '[');
  for (guint64 i = 0; i < shown; i++)
    {
      g_string_append (self->to, i > 0 ? ", {" : "{");
      for (guint m = 0; m < type->n_members; m++)
        {
          if (m > 0)
            g_string_append (self->to, ", ");
          append_member (self, type, m, bytes->bytes + i * type->size);
        }
      g_string_append_c (self->to, '}');
    }
  if (is_array && n > shown)
    {
      g_string_append (self->to, ", ... ");
      tt_pi_append_uint (self->to, n);
      g_string_append (self->to, " in all");
    }
  if (is_array)
    g_string_append_c (self->to, ']');
  self->depth--;
}

gboolean
tt_pi_append_struct (GString *to,
                     const TtPiCall *call,
                     const TtPiParam *param,
                     const TtPiBytes *bytes,
                     const TtPiHandles *handles,
                     gsize limit)
{
  const TtPiStruct *type = tt_pi_struct (param->type, call->release);
  gboolean is_array = param->role == TT_PI_ROLE_IN_ARRAY || param->role == TT_PI_ROLE_OUT_ARRAY;
  Printing printing = { to, call, handles, limit, 0 };

  if (type == NULL || bytes->len < type->size)
    return FALSE;
  append_structs (&printing, type, bytes, is_array ? bytes->size / type->size : 1, is_array);
  return TRUE;
}

static gsize
size_of_type (const char *type)
{
  static const char *const short_types[] = { "uint32", "int32", "bool32", NULL };

  return g_strv_contains (short_types, type) ? 4 : WORD;
}

void
tt_pi_append_pointed (GString *to,
                      const TtPiCall *call,
                      const TtPiParam *param,
                      const TtPiBytes *bytes,
                      const TtPiHandles *handles,
                      gsize limit)
{
  gsize size = size_of_type (param->type);
  gboolean is_handle = handles != NULL && tt_pi_handles_is_type (handles, param->type);
  gboolean is_number =
      is_handle || g_str_equal (param->type, "size") || size < WORD || g_str_equal (param->type, "uint64");
  gboolean is_pointer = g_str_equal (param->type, "pointer") || g_str_equal (param->type, "native_handle");
  gboolean is_array = param->role == TT_PI_ROLE_IN_ARRAY || param->role == TT_PI_ROLE_OUT_ARRAY ||
                      param->role == TT_PI_ROLE_WORK_SIZE || g_str_equal (param->type, "rect");

  if (tt_pi_append_struct (to, call, param, bytes, handles, limit))
    return;
  if (is_array && (is_number || g_str_equal (param->type, "rect")))
    {
      const TtPiItems items = { size, is_handle ? tt_pi_append_handle_value : tt_pi_append_size_value, param->type,
                                handles };
      tt_pi_append_array (to, bytes, &items, limit);
    }
  else if (g_str_has_prefix (param->type, "ur_") && bytes->len == 4)
    tt_pi_append_enum (to, param->type, tt_pi_read_number (bytes->bytes, 4), call->release);
  else if ((is_number || is_pointer) && bytes->len >= size)
    {
      guint64 number = tt_pi_read_number (bytes->bytes, size);

      if (is_handle)
        tt_pi_append_handle_value (to, param->type, number, handles);
      else if (is_pointer)
        tt_pi_append_pointer (to, number);
      else
        tt_pi_append_uint (to, number);
    }
  else
    tt_pi_append_unknown (to, bytes, limit);
}
