/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/base/version.h"

#include "src/base/build-commit.h"

/* Nothing else includes what changes with each commit: one object is compiled anew. */
const char tt_version_text[] = PACKAGE_VERSION TT_BUILD_COMMIT;
const char tt_version_build[] = PACKAGE_VERSION " " TT_BUILD_DIGEST;
