/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/rocprof/walk.h"

#define MAX_VALUE ((gsize) 1 << 20)

static gboolean
step_in (TtRocprofWalk *self, TtJsonKind wanted)
{
  TtJsonKind kind = self->error == NULL ? tt_json_peek (self->json, &self->error) : TT_JSON_NONE;

  if (self->error != NULL)
    return FALSE;
  if (kind != wanted)
    {
      if (kind != TT_JSON_NULL && kind != TT_JSON_NONE)
        tt_repairs_add (self->repairs, TT_REPAIR_ODD_RECORD, tt_json_offset (self->json));
      tt_rocprof_walk_skip (self);
      return FALSE;
    }
  return wanted == TT_JSON_ARRAY ? tt_json_begin_array (self->json, &self->error)
                                 : tt_json_begin_object (self->json, &self->error);
}

gboolean
tt_rocprof_walk_array (TtRocprofWalk *self)
{
  return step_in (self, TT_JSON_ARRAY);
}

gboolean
tt_rocprof_walk_object (TtRocprofWalk *self)
{
  return step_in (self, TT_JSON_OBJECT);
}

gboolean
tt_rocprof_walk_item (TtRocprofWalk *self)
{
  return self->error == NULL && tt_json_next_item (self->json, &self->error);
}

gboolean
tt_rocprof_walk_key (TtRocprofWalk *self, TtJsonValue *key)
{
  return self->error == NULL && tt_json_next_key (self->json, key, &self->error);
}

gboolean
tt_rocprof_walk_record (TtRocprofWalk *self, TtJsonValue *record)
{
  while (self->error == NULL && tt_json_next_record (self->json, record, &self->error))
    {
      if (record->kind == TT_JSON_OBJECT)
        return TRUE;
      if (record->kind != TT_JSON_NULL)
        tt_repairs_add (self->repairs, TT_REPAIR_ODD_RECORD, record->offset);
    }
  return FALSE;
}

gboolean
tt_rocprof_walk_value (TtRocprofWalk *self, TtJsonValue *value)
{
  *value = (TtJsonValue){ 0 };
  return self->error == NULL && tt_json_value_at_most (self->json, MAX_VALUE, value, &self->error);
}

void
tt_rocprof_walk_skip (TtRocprofWalk *self)
{
  if (self->error == NULL)
    tt_json_skip (self->json, &self->error);
}
