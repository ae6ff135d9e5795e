// SPDX-License-Identifier: Apache-2.0
// Kernels whose results tests/gpu/kernels.py computes as well. Compiled by clang for nvptx64; kernels.ptx is what
// clang 14 makes of it: see there.
#ifndef KERNEL
#define KERNEL kernel
#define GLOBAL global
#define SHARED local
#define SHARED_POINTER local
#define CONSTANT constant
#define DEVICE
#endif
#define TID __nvvm_read_ptx_sreg_tid_x ()
#define BLOCK __nvvm_read_ptx_sreg_ctaid_x ()
#define SIZE __nvvm_read_ptx_sreg_ntid_x ()
#define INDEX (BLOCK * SIZE + TID)
#pragma OPENCL EXTENSION cl_khr_fp64 : enable

typedef struct
{
  int a;
  double b;
  short c[3];
} Parts;

CONSTANT int primes[8] = { 2, 3, 5, 7, 11, 13, 17, 19 };

KERNEL void
add (GLOBAL const float *a, GLOBAL const float *b, GLOBAL float *c, uint n)
{
  uint i = INDEX;

  if (i < n)
    c[i] = a[i] + b[i];
}

KERNEL void
stencil (GLOBAL const double *in, GLOBAL double *out, int n)
{
  int i = (int) INDEX;

  if (i > 0 && i < n - 1)
    out[i] = 0.25 * in[i - 1] + 0.5 * in[i] + 0.25 * in[i + 1];
  else if (i < n)
    out[i] = in[i];
}

// Tiles of 16 x 16 in shared memory.
KERNEL void
multiply (GLOBAL const float *a, GLOBAL const float *b, GLOBAL float *c, int n)
{
  SHARED float x[16][16], y[16][16];
  int tx = __nvvm_read_ptx_sreg_tid_x (), ty = __nvvm_read_ptx_sreg_tid_y ();
  int row = __nvvm_read_ptx_sreg_ctaid_y () * 16 + ty, column = __nvvm_read_ptx_sreg_ctaid_x () * 16 + tx;
  float sum = 0;

  for (int tile = 0; tile < n; tile += 16)
    {
      x[ty][tx] = a[row * n + tile + tx];
      y[ty][tx] = b[(tile + ty) * n + column];
      __nvvm_bar_sync (0);
      for (int k = 0; k < 16; k++)
        sum = __builtin_fmaf (x[ty][k], y[k][tx], sum);
      __nvvm_bar_sync (0);
    }
  c[row * n + column] = sum;
}

KERNEL void
total (GLOBAL const int *in, GLOBAL int *out, uint n)
{
  SHARED int part[256];
  uint t = TID;
  int sum = 0;

  for (uint i = INDEX; i < n; i += 2 * SIZE)
    sum += in[i];
  part[t] = sum;
  __nvvm_bar_sync (0);
  for (uint half_of = SIZE / 2; half_of > 0; half_of /= 2)
    {
      if (t < half_of)
        part[t] += part[t + half_of];
      __nvvm_bar_sync (0);
    }
  if (t == 0)
    __nvvm_atom_add_gen_i ((int *) (GLOBAL void *) out, part[0]);
}

KERNEL void
histogram (GLOBAL const uchar *in, GLOBAL uint *bins, uint n)
{
  SHARED uint mine[256];

  for (uint i = TID; i < 256; i += SIZE)
    mine[i] = 0;
  __nvvm_bar_sync (0);
  for (uint i = INDEX; i < n; i += SIZE * __nvvm_read_ptx_sreg_nctaid_x ())
    __nvvm_atom_add_gen_i ((int *) (SHARED void *) &mine[in[i]], 1);
  __nvvm_bar_sync (0);
  for (uint i = TID; i < 256; i += SIZE)
    __nvvm_atom_add_gen_i ((int *) (GLOBAL void *) &bins[i], mine[i]);
}

// Threads of a warp leave the loop at different times.
KERNEL void
collatz (GLOBAL const uint *in, GLOBAL uint *out)
{
  ulong x = in[INDEX];
  uint n = 0;

  while (x != 1)
    {
      if (x % 2 == 0)
        x /= 2;
      else
        x = 3 * x + 1;
      n++;
      if (n > 100000)
        break;
    }
  out[INDEX] = n;
}

__attribute__ ((noinline)) static DEVICE int
walk (Parts parts, SHARED_POINTER int *shared_of, int depth)
{
  int stack[8];

  for (int i = 0; i < 8; i++)
    stack[i] = parts.c[i % 3] * i + shared_of[i];
  if (depth > 0)
    {
      parts.a += stack[depth & 7];
      return walk (parts, shared_of, depth - 1) + 1;
    }
  return parts.a + (int) parts.b + stack[parts.a & 7];
}

KERNEL void
calls (GLOBAL int *out, Parts parts)
{
  SHARED int table[8];

  if (TID < 8)
    table[TID] = (int) TID * 100 + primes[TID];
  __nvvm_bar_sync (0);
  parts.a += (int) TID;
  out[INDEX] = walk (parts, table, (int) TID % 5);
}

KERNEL void
whole (GLOBAL const long *in, GLOBAL ulong *out)
{
  uint i = INDEX;
  long a = in[2 * i], b = in[2 * i + 1];
  int x = (int) a, y = (int) b;
  uint u = (uint) a, v = (uint) b;
  ulong r[16] = { 0 };

  r[0] = (ulong) (b == 0 ? 0 : a / (b | 1));
  r[1] = (ulong) a % ((ulong) b | 1);
  r[2] = (ulong) (long) (x % (y | 1));
  r[3] = u / (v | 1);
  r[4] = __nvvm_mulhi_ull (a, b);
  r[5] = (ulong) (long) x * (ulong) (long) y;
  r[6] = __builtin_popcountl (a) + 64 * (u == 0 ? 32 : __builtin_clz (u));
  r[7] = __builtin_bitreverse64 (a);
  r[8] = (ulong) (a >> (b & 63)) ^ (ulong) a << (v & 63) ^ (ulong) a >> (u & 63);
  r[9] = (ulong) (a < b ? a : b) + (u > v ? u : v);
  r[10] = (ulong) (long) (char) a + (uchar) b + (ulong) (long) (short) b;
  r[11] = __builtin_rotateleft32 (u, v & 31);
  switch (u % 7)
    {
    case 0: r[12] = a; break;
    case 1: r[12] = b * 3; break;
    case 2: r[12] = a ^ b; break;
    case 3: r[12] = ~a; break;
    case 4: r[12] = primes[v & 7]; break;
    default: r[12] = 77;
    }
  for (int k = 0; k < 16; k++)
    out[16 * i + k] = r[k];
}

KERNEL void
real (GLOBAL const float *in, GLOBAL float *out, GLOBAL double *wide)
{
  uint i = INDEX;
  float a = in[2 * i], b = in[2 * i + 1];
  double x = a, y = b;

  out[8 * i] = a / b;
  out[8 * i + 1] = __builtin_sqrtf (__builtin_fabsf (a));
  out[8 * i + 2] = __builtin_fmaf (a, b, a);
  out[8 * i + 3] = a < b ? a : -b;
  out[8 * i + 4] = (float) (int) a;
  out[8 * i + 5] = (float) (x * y + 1);
  out[8 * i + 6] = __builtin_floorf (a) + __builtin_ceilf (b);
  out[8 * i + 7] = (float) (uint) __builtin_fabsf (b) - __builtin_truncf (a);
  wide[4 * i] = x / y;
  wide[4 * i + 1] = __builtin_sqrt (x * x + y * y);
  wide[4 * i + 2] = __builtin_fma (x, y, y);
  wide[4 * i + 3] = (double) (long) (x * 1000) - x;
}

// A sum over each warp by shuffles, and what its threads say.
KERNEL void
warps (GLOBAL const int *in, GLOBAL int *out)
{
  int x = in[INDEX], sum = x;

  for (int offset = 16; offset > 0; offset /= 2)
    sum += __nvvm_shfl_sync_bfly_i32 (-1, sum, offset, 31);
  out[4 * INDEX] = sum;
  out[4 * INDEX + 1] = __nvvm_shfl_sync_up_i32 (-1, x, 3, 0);
  out[4 * INDEX + 2] = (int) __nvvm_vote_ballot_sync (-1, x > 0);
  out[4 * INDEX + 3] = __nvvm_shfl_sync_idx_i32 (-1, x, (int) TID * 7 & 31, 31);
}

KERNEL void
nothing (void)
{
}
