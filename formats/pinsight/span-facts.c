/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/pinsight/span-facts.h"

#include "formats/json/scanner.h"

#include <stddef.h>
#include <string.h>

/* PInsight's number for a region before the first. */
#define NO_RECORD 4294967295
#define CALLEE "callee_name"

const char *const tt_unit_domains[TT_N_UNITS] = { "OpenMP", "OpenMP", NULL, "Python", "MPI" };
const char *const tt_unit_kinds[TT_N_UNITS] = { "thread", "team", "device", "thread", "rank" };

static const struct
{
  const char *key;
  gsize offset;
  gboolean is_address;
} members[] = {
  { "codeptr", offsetof (TtSpanFacts, codeptr), TRUE },
  { "parallel_codeptr", offsetof (TtSpanFacts, parallel_codeptr), TRUE },
  { "record_id", offsetof (TtSpanFacts, record_id), FALSE },
  { "parallel_record_id", offsetof (TtSpanFacts, parallel_record_id), FALSE },
  { "omp_thread_num", offsetof (TtSpanFacts, unit[TT_UNIT_THREAD]), FALSE },
  { "omp_team_num", offsetof (TtSpanFacts, unit[TT_UNIT_TEAM]), FALSE },
  { "device", offsetof (TtSpanFacts, unit[TT_UNIT_DEVICE]), FALSE },
  { "devId", offsetof (TtSpanFacts, unit[TT_UNIT_DEVICE]), FALSE },
  { "python_thread_id", offsetof (TtSpanFacts, unit[TT_UNIT_PYTHON_THREAD]), FALSE },
  { "mpirank", offsetof (TtSpanFacts, unit[TT_UNIT_RANK]), FALSE },
};

gboolean
tt_span_facts_read (TtSpanFacts *self, const char *json, gsize len)
{
  const char *cursor = NULL;
  TtJsonValue key, value;
  gboolean is_any = FALSE;

  *self = (TtSpanFacts) TT_SPAN_FACTS_INIT;
  while (tt_json_member ((TtSlice){ json, len }, &cursor, &key, &value))
    {
      if (tt_slice_is (key.raw, CALLEE, strlen (CALLEE)))
        self->is_callee = is_any = TRUE;
      for (guint i = 0; i < G_N_ELEMENTS (members); i++)
        {
          guint64 number;

          if (!tt_slice_is (key.raw, members[i].key, strlen (members[i].key)) || !tt_json_uint64 (&value, &number))
            continue;
          if (members[i].is_address)
            memcpy ((char *) self + members[i].offset, &number, sizeof number);
          else if (number < NO_RECORD)
            {
              gint64 id = (gint64) number;
              memcpy ((char *) self + members[i].offset, &id, sizeof id);
            }
          is_any = TRUE;
        }
    }
  return is_any;
}
