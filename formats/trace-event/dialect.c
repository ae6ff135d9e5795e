#include "config.h"

#include "formats/trace-event/dialect.h"

const TtDialect *const tt_dialects[] = {
  &tt_dialect_standard, &tt_dialect_kineto,  &tt_dialect_tensorflow,
  &tt_dialect_mxnet,    &tt_dialect_horovod, &tt_dialect_nccl,
  &tt_dialect_byteps,   &tt_dialect_chrome,  NULL,
};
