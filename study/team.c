/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "study/team.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/module.h"
#include "study/mpi/transport.h"

struct fw_team {
  const fw_transport *transport;
  int rank, size, lost;
};

/* How many processes a launcher has started; 1 without one. */
static long launched(void) {
  static const char *const names[] = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "MPI_LOCALNRANKS"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    const char *size = getenv(names[i]);
    if (size) return strtol(size, NULL, 10);
  }
  const char *tasks = getenv("SLURM_NTASKS"); /* also set in a batch script, outside srun: then there is no PMIx */
  return getenv("PMIX_RANK") && tasks ? strtol(tasks, NULL, 10) : 1;
}

/* How long MPI may take to start (s). */
static double start_patience(void) {
  const char *given = getenv("FRETWORK_MPI_START");
  double seconds = given ? strtod(given, NULL) : 0;
  return seconds >= 1 && seconds <= 1e6 ? seconds : 120;
}

static fw_status open_team(fw_context *ctx, fw_team *team) {
  static const fw_module mpi = {"mpi", "FRETWORK_MPI", RTLD_GLOBAL, FW_TRANSPORT_SYMBOL};
  const void *found;
  fw_status status = fw_module_find(ctx, &mpi, &found);
  char why[400];
  snprintf(why, sizeof why, "%s", fw_context_message(ctx));
  if (status != FW_OK) return fw_fail(ctx, status, "started by an MPI launcher, but: %s", why);
  team->transport = found;
  double patience = start_patience();
  int error = team->transport->join(patience, &team->rank, &team->size);
  if (error == FW_TRANSPORT_LATE)
    return fw_fail(
        ctx, FW_ERR_LIBRARY,
        "MPI has not started after %g s: a process may have died meanwhile (FRETWORK_MPI_START=SECONDS waits longer)",
        patience);
  return error == 0 ? FW_OK : fw_fail(ctx, FW_ERR_LIBRARY, "MPI does not start (error %d)", error);
}

fw_status fw_team_join(fw_context *ctx, fw_team **team) {
  *team = NULL;
  if (launched() < 2) return FW_OK;
  FW_TRY(fw_alloc(ctx, 1, sizeof **team, team));
  fw_status status = open_team(ctx, *team);
  if (status == FW_OK) return FW_OK;
  free(*team);
  *team = NULL;
  return status;
}

/* The library stays loaded: MPI leaves handlers behind that run at the end of the process. */
void fw_team_leave(fw_team **team) {
  if (!team || !*team) return;
  (*team)->transport->leave();
  free(*team);
  *team = NULL;
}

int fw_team_rank(const fw_team *team) { return team ? team->rank : 0; }

int fw_team_size(const fw_team *team) { return team ? team->size : 1; }

void fw_team_share(fw_team *team, void *bytes, size_t size) { team->transport->share(bytes, size); }

void fw_team_beat(fw_team *team) { team->transport->beat(); }

int fw_team_finish(fw_team *team) { return team->lost = team->transport->finish(); }

int fw_team_call(fw_team *team) { return team->lost = team->transport->call(); }

int fw_team_lost(const fw_team *team) { return team ? team->lost : 0; }

int fw_team_pass(fw_team *team, void *bytes, size_t size) { return team->lost = team->transport->pass(bytes, size); }

int fw_team_merge(fw_team *team, void *bytes, size_t size) { return team->lost = team->transport->merge(bytes, size); }

int fw_team_restart(fw_team *team) { return team->lost = team->transport->restart(); }

long fw_team_take(fw_team *team, long count) { return team->transport->take(count); }
