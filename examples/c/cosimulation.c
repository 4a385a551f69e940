/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Co-simulation: fretwork takes a mass on a spring, rubbing on a floor, through time; a controller in this program
 * reads its velocity every step and pushes against it. Prints the amplitude without and with the controller. */
#include <fretwork.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const char *const text =
    "<fretwork version='1'>"
    "<bodies><rigid id='mass' at='0, 0' m='1' J='1'/>"
    "<spring id='s' at='mass.centre' direction='1, 0' k='400'/><torsional-spring id='t' at='mass.centre' "
    "k='10'/></bodies>"
    "<contact><surface id='floor'><line from='-1, -0.1' to='1, -0.1'/></surface>"
    "<pair id='foot' target='floor'><disc at='mass.centre' radius='0.1'/><normal law='linear' stiffness='1e5'/>"
    "<friction law='dahl' mu-c='0.1' sigma-0='1e4' exponent='1'/></pair></contact>"
    "<loads><force id='weight' at='mass.centre' fy='-10'/><harmonic id='shaker' at='mass.centre' fx='5'/>"
    "<force id='actuator' at='mass.centre' fx='1'/></loads>"
    "<sensors><sensor id='x' at='mass.centre' quantity='displacement' direction='x'/>"
    "<sensor id='v' at='mass.centre' quantity='velocity' direction='x'/></sensors>"
    "<analyses><static id='seated' loads='weight'/>"
    "<transient id='shaken' start='seated' loads='shaker' at-frequency='3.2' step='1e-3' duration='1'/></analyses>"
    "</fretwork>";

/* The largest displacement of the last second of ten, with the actuator at -gain times the velocity. */
static fw_status simulate(fw_context *ctx, const fw_deck *deck, double gain, double *amplitude) {
  fw_sim *sim = NULL;
  double time = 0.0, x = 0.0, v = 0.0;
  fw_status status = fw_sim_create(ctx, deck, "shaken", &sim);
  *amplitude = 0.0;
  while (status == FW_OK && time < 10.0) {
    status = fw_sim_read(sim, "v", &v);
    if (status == FW_OK) status = fw_sim_set_load(sim, "actuator", -gain * v);
    if (status == FW_OK) status = fw_sim_advance(sim, 1);
    if (status == FW_OK) status = fw_sim_read(sim, "x", &x);
    if (status == FW_OK) status = fw_sim_time(sim, &time, NULL);
    if (time > 9.0) *amplitude = fmax(*amplitude, fabs(x));
  }
  fw_sim_destroy(&sim);
  return status;
}

int main(void) {
  fw_context *ctx = NULL;
  fw_deck *deck = NULL;
  double left = 0.0, held = 0.0;
  fw_status status = fw_context_create(&ctx);
  if (status == FW_OK) status = fw_deck_parse(ctx, text, strlen(text), "shaken.xml", &deck);
  if (status == FW_OK) status = simulate(ctx, deck, 0.0, &left);
  if (status == FW_OK) status = simulate(ctx, deck, 5.0, &held);
  if (status == FW_OK)
    printf("amplitude without controller %.6g mm, with it %.6g mm\n", 1e3 * left, 1e3 * held);
  else
    fprintf(stderr, "%s: %s\n", fw_status_text(status), fw_context_message(ctx));
  fw_deck_destroy(&deck);
  fw_context_destroy(&ctx);
  return status == FW_OK ? 0 : 1;
}
