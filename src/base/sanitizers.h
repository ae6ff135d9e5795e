/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Whether a sanitizer is built in: it needs memory, address space and system calls that the program itself does not.
 * gcc says so with macros, clang with features.
 */
#pragma once

#if defined __has_feature
#define TT_HAS_FEATURE(name) __has_feature (name)
#else
#define TT_HAS_FEATURE(name) 0
#endif

/* Whether it makes system calls of all kinds at any time. AddressSanitizer has what it needs when the program begins. */
#if defined __SANITIZE_THREAD__ || TT_HAS_FEATURE (thread_sanitizer) || TT_HAS_FEATURE (memory_sanitizer)
#define TT_SANITIZER_CALLS_MORE 1
#else
#define TT_SANITIZER_CALLS_MORE 0
#endif

#if defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__ || TT_HAS_FEATURE (address_sanitizer) ||              \
    TT_HAS_FEATURE (thread_sanitizer) || TT_HAS_FEATURE (memory_sanitizer)
#define TT_HAS_SANITIZER 1
#else
#define TT_HAS_SANITIZER 0
#endif
