/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

/* Pointees and answers of queries as text: pi.md 10.4. */
#include "formats/pi/print/value-private.h"

#include <string.h>

#define WORD 8

/* -- bytes ------------------------------------------------------------------------------------------------ */

static void
append_dump (GString *to, const TtPiBytes *bytes, gsize limit)
{
  gsize shown = MIN (bytes->len, limit / WORD);

  g_string_append_c (to, '<');
  for (gsize i = 0; i < shown; i++)
    g_string_append_printf (to, i == 0 ? "%02x" : " %02x", bytes->bytes[i]);
  g_string_append_c (to, '>');
  tt_pi_append_more (to, bytes, shown);
}

/* A text that ends with NUL, for those of which the table knows nothing. */
static gboolean
looks_like_text (const TtPiBytes *bytes)
{
  const guint8 *end = bytes->len < 2 ? NULL : memchr (bytes->bytes, 0, bytes->len);

  if (end == NULL || end == bytes->bytes || !g_utf8_validate ((const char *) bytes->bytes, end - bytes->bytes, NULL))
    return FALSE;
  for (const guint8 *at = bytes->bytes; at < end; at++)
    if (*at < ' ' && *at != '\n' && *at != '\t')
      return FALSE;
  return TRUE;
}

/* What decides how bytes with no type of their own are shown. */
static gboolean
is_plain_number (const TtPiBytes *bytes)
{
  return bytes->size == bytes->len && (bytes->len == 1 || bytes->len == 4 || bytes->len == WORD);
}

static void
append_unknown (GString *to, const TtPiBytes *bytes, gsize limit)
{
  if (is_plain_number (bytes))
    tt_pi_append_uint (to, tt_pi_read_number (bytes->bytes, bytes->len));
  else if (looks_like_text (bytes))
    tt_pi_append_text (to, bytes, limit);
  else
    append_dump (to, bytes, limit);
}

/* -- arrays ------------------------------------------------------------------------------------------------ */

void
tt_pi_append_handle_value (GString *to, const char *type, guint64 value, const TtPiHandles *handles)
{
  const TtPiHandle *handle = handles == NULL ? NULL : tt_pi_handles_find (handles, type, value);

  if (handle != NULL)
    tt_pi_handle_append (to, handle);
  else
    tt_pi_append_pointer (to, value);
}

typedef void (*AppendItem) (GString *to, const char *type, guint64 value, const TtPiHandles *handles);

static void
append_size (GString *to, const char *type G_GNUC_UNUSED, guint64 value, const TtPiHandles *handles G_GNUC_UNUSED)
{
  tt_pi_append_uint (to, value);
}

/* What the items of an array are. */
typedef struct
{
  gsize size;
  AppendItem append;
  const char *type;           /* of handles */
  const TtPiHandles *handles; /* NULL: no names */
} Items;

static void
append_array (GString *to, const TtPiBytes *bytes, const Items *items, gsize limit)
{
  gsize n = bytes->len / items->size, shown = MIN (n, MAX (limit / WORD, 1));

  g_string_append_c (to, '[');
  for (gsize i = 0; i < shown; i++)
    {
      if (i > 0)
        g_string_append (to, ", ");
      items->append (to, items->type, tt_pi_read_number (bytes->bytes + i * items->size, items->size), items->handles);
    }
  if (bytes->size / items->size > shown)
    {
      g_string_append (to, ", ... ");
      tt_pi_append_uint (to, bytes->size / items->size);
      g_string_append (to, " in all");
    }
  g_string_append_c (to, ']');
}

/* -- what queries answer ----------------------------------------------------------------------------------- */

/* NULL: no query of UR, or not known. */
static const char *
ur_answer (const TtPiCall *call)
{
  for (guint p = 0; call->function->api == TT_PI_API_UR && p < call->n_args && p < call->function->n_params; p++)
    {
      const TtPiParam *param = &call->function->params[p];
      const char *answer =
          param->kind == TT_PI_KIND_ENUM ? tt_pi_enum_answer (param->type, call->args[p].value, call->release) : NULL;
      if (answer != NULL)
        return answer;
    }
  return NULL;
}

static void
append_array_or_one (GString *to, const TtPiBytes *bytes, const Items *items, gboolean is_array, gsize limit)
{
  if (is_array)
    append_array (to, bytes, items, limit);
  else if (bytes->len >= items->size)
    items->append (to, items->type, tt_pi_read_number (bytes->bytes, items->size), items->handles);
}

typedef enum
{
  SHAPE_TEXT,
  SHAPE_SIZES,
  SHAPE_HANDLE,
  SHAPE_HANDLES,
  SHAPE_FLAGS,
  SHAPE_ENUM,
  SHAPE_BOOL,
  SHAPE_POINTER,
} Shape;

typedef struct
{
  const char *type;
  guint32 first, last;
  Shape shape;
  const char *of;
} Answer;

/* pi.md 10.4; what is not here is a number. */
static const Answer answers[] = {
  { "platform_info", 0x900, 0x904, SHAPE_TEXT, NULL },
  { "device_info", 0x1000, 0x1000, SHAPE_FLAGS, "device_type" },
  { "device_info", 0x1005, 0x1005, SHAPE_SIZES, NULL },
  { "device_info", 0x1016, 0x1016, SHAPE_BOOL, NULL },
  { "device_info", 0x1027, 0x1027, SHAPE_BOOL, NULL },
  { "device_info", 0x102a, 0x102a, SHAPE_FLAGS, "queue_properties" },
  { "device_info", 0x102b, 0x1030, SHAPE_TEXT, NULL },
  { "device_info", 0x1031, 0x1031, SHAPE_HANDLE, "platform" },
  { "device_info", 0x1035, 0x1035, SHAPE_BOOL, NULL },
  { "device_info", 0x1042, 0x1042, SHAPE_HANDLE, "device" },
  { "device_info", 0x105b, 0x105b, SHAPE_TEXT, NULL },
  { "device_info", 0x4108, 0x4108, SHAPE_SIZES, NULL },
  { "device_info", 0x10020, 0x10020, SHAPE_TEXT, NULL },
  { "context_info", 0x1081, 0x1081, SHAPE_HANDLES, "device" },
  { "queue_info", 0x1090, 0x1090, SHAPE_HANDLE, "context" },
  { "queue_info", 0x1091, 0x1091, SHAPE_HANDLE, "device" },
  { "queue_info", 0x1093, 0x1093, SHAPE_FLAGS, "queue_properties" },
  { "mem_info", 0x1101, 0x1101, SHAPE_FLAGS, "mem_flags" },
  { "mem_info", 0x1103, 0x1103, SHAPE_POINTER, NULL },
  { "mem_info", 0x1106, 0x1106, SHAPE_HANDLE, "context" },
  { "program_info", 0x1161, 0x1161, SHAPE_HANDLE, "context" },
  { "program_info", 0x1163, 0x1163, SHAPE_HANDLES, "device" },
  { "program_info", 0x1164, 0x1164, SHAPE_TEXT, NULL },
  { "program_info", 0x1165, 0x1165, SHAPE_SIZES, NULL },
  { "program_info", 0x1168, 0x1168, SHAPE_TEXT, NULL },
  { "program_build_info", 0x1182, 0x1183, SHAPE_TEXT, NULL },
  { "kernel_info", 0x1190, 0x1190, SHAPE_TEXT, NULL },
  { "kernel_info", 0x1193, 0x1193, SHAPE_HANDLE, "context" },
  { "kernel_info", 0x1194, 0x1194, SHAPE_HANDLE, "program" },
  { "kernel_info", 0x1195, 0x1195, SHAPE_TEXT, NULL },
  { "kernel_group_info", 0x11b1, 0x11b1, SHAPE_SIZES, NULL },
  { "kernel_group_info", 0x11b5, 0x11b5, SHAPE_SIZES, NULL },
  { "event_info", 0x11d0, 0x11d0, SHAPE_HANDLE, "queue" },
  { "event_info", 0x11d4, 0x11d4, SHAPE_HANDLE, "context" },
  { "usm_mem_info", 0x419a, 0x419a, SHAPE_ENUM, "usm_type" },
  { "usm_mem_info", 0x419b, 0x419b, SHAPE_POINTER, NULL },
  { "usm_mem_info", 0x419d, 0x419d, SHAPE_HANDLE, "device" },
};

/* What a query of UR answers, by the word that the header has for it. */
static gboolean
append_ur_answer (GString *to, const TtPiCall *call, const TtPiBytes *bytes, const TtPiHandles *handles, gsize limit)
{
  const char *answer = ur_answer (call);
  TtPiParam param = { .kind = TT_PI_KIND_UINT, .role = TT_PI_ROLE_OUT_VALUE, .size = WORD, .count = -1 };

  if (answer == NULL)
    return FALSE;
  g_autofree char *type = g_strndup (answer, strcspn (answer, "[ "));
  gboolean is_array = g_str_has_suffix (answer, "[]");
  if (g_str_equal (type, "char"))
    {
      tt_pi_append_text (to, bytes, limit);
      return TRUE;
    }
  if (g_str_has_suffix (type, "_handle"))
    {
      const char *object = type + (g_str_has_prefix (type, "ur_exp_") ? 7 : 3);
      type[strlen (type) - strlen ("_handle")] = '\0';
      append_array_or_one (to, bytes, &(Items){ WORD, tt_pi_append_handle_value, object, handles }, is_array, limit);
      return TRUE;
    }
  if (g_str_equal (type, "size") && is_array)
    {
      append_array (to, bytes, &(Items){ WORD, append_size, NULL, NULL }, limit);
      return TRUE;
    }
  param.type = type;
  if (is_array)
    param.role = TT_PI_ROLE_OUT_ARRAY;
  if (tt_pi_append_struct (to, call, &param, bytes, handles, limit))
    return TRUE;
  if (is_array || bytes->len == 0 || bytes->len > WORD)
    return FALSE;
  if (g_str_equal (type, "bool") || g_str_equal (type, "ur_bool"))
    tt_pi_append_bool (to, tt_pi_read_number (bytes->bytes, bytes->len));
  else if (g_str_has_suffix (type, "_flags"))
    tt_pi_append_flags (to, type, tt_pi_read_number (bytes->bytes, bytes->len), call->release);
  else if (g_str_has_prefix (type, "ur_"))
    tt_pi_append_enum (to, type, tt_pi_read_number (bytes->bytes, bytes->len), call->release);
  else
    return FALSE;
  return TRUE;
}

/* What the call asks for; NULL: a number, or not known. */
static const Answer *
find_answer (const TtPiCall *call)
{
  for (guint p = 0; p < call->n_args && p < call->function->n_params; p++)
    {
      const TtPiParam *param = &call->function->params[p];

      if (param->kind == TT_PI_KIND_ENUM && strstr (param->type, "info") != NULL)
        for (guint i = 0; i < G_N_ELEMENTS (answers); i++)
          if (call->args[p].value >= answers[i].first && call->args[p].value <= answers[i].last &&
              g_str_equal (answers[i].type, param->type))
            return &answers[i];
    }
  return NULL;
}

static void
append_answer (GString *to, const Answer *answer, const TtPiBytes *bytes, const TtPiHandles *handles, gsize limit)
{
  guint64 number = bytes->len > WORD ? 0 : tt_pi_read_number (bytes->bytes, bytes->len);

  if (answer->shape == SHAPE_TEXT)
    tt_pi_append_text (to, bytes, limit);
  else if (answer->shape == SHAPE_SIZES)
    append_array (to, bytes, &(Items){ WORD, append_size, NULL, NULL }, limit);
  else if (answer->shape == SHAPE_HANDLES)
    append_array (to, bytes, &(Items){ WORD, tt_pi_append_handle_value, answer->of, handles }, limit);
  else if (bytes->len > WORD)
    append_dump (to, bytes, limit);
  else if (answer->shape == SHAPE_HANDLE)
    tt_pi_append_handle_value (to, answer->of, number, handles);
  else if (answer->shape == SHAPE_FLAGS)
    tt_pi_append_flags (to, answer->of, number, 0);
  else if (answer->shape == SHAPE_ENUM)
    tt_pi_append_enum (to, answer->of, number, 0);
  else if (answer->shape == SHAPE_BOOL)
    tt_pi_append_bool (to, number);
  else
    tt_pi_append_pointer (to, number);
}

/* -- structures of UR: "{stype=QUEUE_PROPERTIES, pNext=NULL, flags=PROFILING_ENABLE}" -- */

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

static guint64
member_value (const TtPiMember *member, const guint8 *bytes)
{
  return member->param.size <= WORD ? tt_pi_read_number (bytes + member->offset, member->param.size) : 0;
}

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
  guint64 address = member_value (member, bytes);
  const TtPiBytes *there = find_pointee (self->call, address, 1);
  const TtPiStruct *of = tt_pi_struct (member->param.type, self->call->release);
  gboolean is_array = member->param.role == TT_PI_ROLE_IN_ARRAY;
  guint64 n = is_array && member->param.count >= 0 ? member_value (&type->members[member->param.count], bytes) : 1;

  if (member->param.role == TT_PI_ROLE_NEXT && there != NULL && there->len >= 4)
    of = tt_pi_struct_by_type ((guint32) tt_pi_read_number (there->bytes, 4), self->call->release);
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

static void
append_union (Printing *self, const TtPiStruct *around, guint at, const guint8 *bytes)
{
  const TtPiMember *place = &around->members[at], *chosen = NULL;
  const TtPiStruct *type = tt_pi_struct (place->param.type, self->call->release);
  const guint8 *there = bytes + place->offset;
  const TtPiBytes whole = { there, place->param.size, place->param.size };

  if (type == NULL)
    return;
  if (!type->is_union)
    {
      append_structs (self, type, &whole, 1, FALSE);
      return;
    }
  for (guint i = 0; i < around->n_members && chosen == NULL; i++)
    if (g_str_equal (around->members[i].param.name, "type") || g_str_equal (around->members[i].param.name, "id"))
      chosen = tt_pi_union_member (type, around->members[i].param.type, member_value (&around->members[i], bytes),
                                   self->call->release);
  if (chosen == NULL)
    {
      tt_pi_append_hex (self->to, tt_pi_read_number (there, MIN (place->param.size, WORD)));
      return;
    }
  if (chosen->param.kind == TT_PI_KIND_STRUCT &&
      (type = tt_pi_struct (chosen->param.type, self->call->release)) != NULL)
    append_structs (self, type, &(TtPiBytes){ there, type->size, type->size }, 1, FALSE);
  else if (chosen->param.kind == TT_PI_KIND_POINTER || chosen->param.kind == TT_PI_KIND_STRING)
    append_pointee (self, type, chosen, there);
  else if (chosen->param.kind == TT_PI_KIND_HANDLE)
    tt_pi_append_handle_value (self->to, chosen->param.type, member_value (chosen, there), self->handles);
  else
    tt_pi_append_by_kind (self->to, &chosen->param, member_value (chosen, there), self->call->release);
}

static void
append_member (Printing *self, const TtPiStruct *type, guint at, const guint8 *bytes)
{
  const TtPiMember *member = &type->members[at];
  const TtPiBytes own = { bytes + member->offset, member->param.size, member->param.size };

  g_string_append (self->to, member->param.name);
  g_string_append_c (self->to, '=');
  if (member->param.kind == TT_PI_KIND_STRUCT)
    append_union (self, type, at, bytes);
  else if (member->param.size > WORD)
    tt_pi_append_pointed (self->to, self->call, &member->param, &own, self->handles, self->limit);
  else if (member->param.kind == TT_PI_KIND_HANDLE)
    tt_pi_append_handle_value (self->to, member->param.type, member_value (member, bytes), self->handles);
  else if (member->param.kind == TT_PI_KIND_POINTER || member->param.kind == TT_PI_KIND_STRING)
    append_pointee (self, type, member, bytes);
  else
    tt_pi_append_by_kind (self->to, &member->param, member_value (member, bytes), self->call->release);
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

/* -- pointees ---------------------------------------------------------------------------------------- */

static gsize
size_of_type (const char *type)
{
  static const char *const short_types[] = { "uint32", "int32", "bool32", NULL };

  return g_strv_contains (short_types, type) ? 4 : WORD;
}

/* One value or an array of what the parameter's type says. */
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
      const Items items = { size, is_handle ? tt_pi_append_handle_value : append_size, param->type, handles };
      append_array (to, bytes, &items, limit);
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
    append_unknown (to, bytes, limit);
}

gboolean
tt_pi_output_is_text (const TtPiCall *call, guint index, const TtPiBytes *bytes)
{
  const Answer *answer;

  if (call->function->params[index].role != TT_PI_ROLE_OUT_BYTES || bytes->len == 0)
    return FALSE;
  if (ur_answer (call) != NULL)
    return g_str_has_prefix (ur_answer (call), "char[");
  answer = find_answer (call);
  return answer != NULL ? answer->shape == SHAPE_TEXT : !is_plain_number (bytes) && looks_like_text (bytes);
}

gboolean
tt_pi_output_append (GString *to, const TtPiCall *call, guint index, const TtPiHandles *handles, gsize limit)
{
  TtPiBytes bytes;

  if (call->result != 0 || !tt_pi_output_find (call, index, &bytes))
    return FALSE;

  const TtPiParam *param = &call->function->params[index];
  const Answer *answer = param->role == TT_PI_ROLE_OUT_BYTES ? find_answer (call) : NULL;
  if (param->role == TT_PI_ROLE_OUT_HANDLE || param->role == TT_PI_ROLE_OUT_EVENT)
    return FALSE; /* it has a name */
  if (param->role == TT_PI_ROLE_OUT_BYTES && append_ur_answer (to, call, &bytes, handles, limit))
    return TRUE;
  if (answer != NULL && bytes.len > 0)
    append_answer (to, answer, &bytes, handles, limit);
  else if (param->role == TT_PI_ROLE_OUT_BYTES)
    append_unknown (to, &bytes, limit);
  else
    tt_pi_append_pointed (to, call, param, &bytes, handles, limit);
  return TRUE;
}

gboolean
tt_pi_input_append (GString *to, const TtPiCall *call, guint index, const TtPiHandles *handles, gsize limit)
{
  if (call->function == NULL || call->function->params == NULL || index >= call->function->n_params ||
      call->args[index].before.bytes == NULL || call->args[index].text != NULL)
    return FALSE;

  const TtPiParam *param = &call->function->params[index];
  gboolean is_input = param->role == TT_PI_ROLE_IN_ARRAY || param->role == TT_PI_ROLE_IN_BYTES ||
                      param->role == TT_PI_ROLE_IN_VALUE || param->role == TT_PI_ROLE_WORK_SIZE;
  if (!is_input)
    return FALSE;
  if (param->role == TT_PI_ROLE_IN_BYTES)
    append_unknown (to, &call->args[index].before, limit);
  else
    tt_pi_append_pointed (to, call, param, &call->args[index].before, handles, limit);
  return TRUE;
}
