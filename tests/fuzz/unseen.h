/* SPDX-License-Identifier: Apache-2.0 */
/* Between the two, functions are not looked at by libFuzzer: parts of a target that are not what it tests. */
#pragma once

#ifdef __clang__
#define FUZZ_UNSEEN_BEGIN \
  _Pragma ("clang attribute push (__attribute__ ((no_sanitize (\"coverage\"))), apply_to = function)")
#define FUZZ_UNSEEN_END _Pragma ("clang attribute pop")
#else
#define FUZZ_UNSEEN_BEGIN
#define FUZZ_UNSEEN_END
#endif
