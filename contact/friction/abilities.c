/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "contact/friction/abilities.h"

#include <stdio.h>
#include <string.h>

#include "contact/friction/setting.h"

const fw_ability fw_abilities[] = {
    {"periodic", "a periodic slip gives a periodic force: harmonic balance can use it", fw_check_periodic},
    {"presliding", "yields elastically before it slides, with a stiffness of its own", fw_check_presliding},
    {"memory", "minor loops close: it remembers turning points", fw_check_memory},
    {"drift-free", "does not wander under a bias and a vibration below breakaway", fw_check_drift_free},
    {"no-creep", "stays at rest under a constant load below breakaway", fw_check_no_creep},
    {"rate-independent", "the loop does not depend on the frequency", fw_check_rate_independent},
    {"velocity-weakening", "sliding friction falls with the velocity", fw_check_weakening},
    {"bounded", "slow motion never takes more than the peak of a first loading", fw_check_bounded},
    {NULL, NULL, NULL}};

/* The ability a claim of that length names; -1: none. */
static int find_ability(const char *claim, size_t length) {
  for (int i = 0; i < FW_ABILITY_COUNT; i++)
    if (strlen(fw_abilities[i].name) == length && strncmp(fw_abilities[i].name, claim, length) == 0) return i;
  return -1;
}

const char *fw_check_claims(fw_law_probe *p) {
  for (const char *at = p->law->ops->claims; at && *at;) {
    size_t length = strcspn(at, " ");
    int ability = find_ability(at, length);
    char why[sizeof p->message] = "there is no such ability";
    const char *wrong = ability < 0 ? why : fw_abilities[ability].check(p);
    if (wrong) {
      if (wrong == p->message) wrong = memcpy(why, p->message, sizeof why);
      snprintf(p->message, sizeof p->message, "claims '%.*s', but: %.150s", (int)length, at, wrong);
      return p->message;
    }
    at += length + strspn(at + length, " ");
  }
  return NULL;
}

#define BENCH_LOAD 83.0 /* N, the rig's preload */

fw_status fw_law_abilities(fw_context *ctx, const fw_friction_ops *ops, bool found[FW_ABILITY_COUNT]) {
  fw_friction law;
  fw_law_probe probe;
  FW_TRY(fw_law_create(ctx, ops, NULL, 0, &law));
  fw_status status = fw_law_probe_create(ctx, &law, BENCH_LOAD, &probe);
  for (int i = 0; status == FW_OK && i < FW_ABILITY_COUNT; i++) found[i] = fw_abilities[i].check(&probe) == NULL;
  if (status == FW_OK) fw_law_probe_clear(&probe);
  fw_friction_clear(&law);
  return status;
}

fw_status fw_law_has_ability(fw_context *ctx, const fw_friction *law, double N, const char *ability, bool *has) {
  fw_law_probe probe;
  *has = false;
  FW_TRY(fw_law_probe_create(ctx, law, N, &probe));
  for (int i = 0; i < FW_ABILITY_COUNT; i++)
    if (strcmp(fw_abilities[i].name, ability) == 0) *has = fw_abilities[i].check(&probe) == NULL;
  fw_law_probe_clear(&probe);
  return FW_OK;
}
