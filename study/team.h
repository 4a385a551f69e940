/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The processes of one run across machines. Under an MPI launcher (mpirun, srun) with more than one process, the
 * plug-in library fretwork_mpi is loaded and the processes share out samples; otherwise there is no team and no MPI. */
#ifndef FW_STUDY_TEAM_H
#define FW_STUDY_TEAM_H

#include "core/context.h"

typedef struct fw_team fw_team;

/* Joins the team this process was started in; *team is NULL without one. To be called once in a process, before it has
 * threads or workers of its own. */
fw_status fw_team_join(fw_context *ctx, fw_team **team);

/* Leaves; waits for the others where none is dead. NULL-safe. */
void fw_team_leave(fw_team **team);

/* 0 is the process that performs the analyses and writes the results; a missing team has rank 0 of 1. */
int fw_team_rank(const fw_team *team);
int fw_team_size(const fw_team *team);

/* Gives everyone what rank 0 holds in `bytes` (NULL: not this process); all processes call it and wait however long the
 * others need. */
void fw_team_share(fw_team *team, void *bytes, size_t size);

/* The shared counter: sets it to 0 (all processes call it), or takes the next `count` numbers and gives the first. */
int fw_team_restart(fw_team *team);
long fw_team_take(fw_team *team, long count);

/* A sign of life, to be given at least every second between the two calls of fw_team_restart and fw_team_finish. */
void fw_team_beat(fw_team *team);

/* Waits until all processes are here or have given no sign of life for some seconds. How many those are: they are dead,
 * the team is no more, and nothing but leaving it works from then on. */
int fw_team_finish(fw_team *team);
int fw_team_lost(const fw_team *team); /* what it told; 0 before */

/* The same, but the others wait for rank 0 however long it is silent. Between it and the next fw_team_share processes
 * that give no sign of life for some seconds are lost, whatever all are waiting in; how many those are is told by what
 * they wait in. */
int fw_team_call(fw_team *team);

/* As fw_team_share, after fw_team_call. */
int fw_team_pass(fw_team *team, void *bytes, size_t size);

/* Rank 0 gets its bytes or those of the others, bit by bit: where only one process has other bytes than 0, these. All
 * processes call it; NULL: nothing to give. */
int fw_team_merge(fw_team *team, void *bytes, size_t size);

#endif
