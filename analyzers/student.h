/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Student's t. p is right to 1e-9 of itself or 1e-12, whichever is more; below 1e-300 it may be 0.
 */
#pragma once

/* The probability of a |t| of at least that of @t2 = t * t with @degrees of freedom, which need not be whole. */
double tt_student_p (double t2, double degrees);
/* The |t| that is passed with the probability @p. */
double tt_student_t (double p, double degrees);
