#include "config.h"

#include "formats/chrome/dialect.h"

const TtDialect *const tt_dialects[] = {
  &tt_dialect_standard,
  &tt_dialect_kineto,
  &tt_dialect_chrome,
  NULL,
};
