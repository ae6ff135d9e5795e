# SPDX-License-Identifier: Apache-2.0
"""Simulated MPI runs in exact nanoseconds: what happened, why ranks waited, and traces of it by wrong clocks.

engine    runs the programs of the ranks over a model of the network
programs  the scenarios: programs that cannot deadlock
clocks    the wrong clock of each rank
waits     wait states, by the definitions of Scalasca
causes    delay costs (D. Boehme et al.) and the critical path
tau       traces as TAU writes them
archive   traces as OTF2 archives
ctf       traces as PInsight's, of LTTng
kineto    traces as the profiler of PyTorch writes them, of runs with nothing but NxN collectives
checks    what must hold of any run
"""
