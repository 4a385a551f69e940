/* SPDX-License-Identifier: MIT
 *
 * What a friction law is: everything a law, built in or loaded as a plug-in, needs to know.
 *
 * Conventions (docs/laws.md): v is the slip velocity, u the slip, N >= 0 the normal force,
 * T the friction force opposing v. Evaluation is pure: nothing is stored, the caller commits
 * a trial state once its step is accepted. Nothing may return NaN at v = 0, N = 0 or both.
 */
#ifndef FRETWORK_LAW_H
#define FRETWORK_LAW_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- parameters, described once ---------------------------------------------------------- */

typedef enum fw_param_kind {
  FW_PARAM_NUMBER,  /* an expression of the deck's parameters */
  FW_PARAM_INTEGER, /* an expression with a whole value */
  FW_PARAM_NUMBERS, /* expressions separated by commas */
  FW_PARAM_CHOICE,  /* one of `choices` */
  FW_PARAM_FLAG,    /* yes or no */
  FW_PARAM_TEXT,    /* free text, a file name, an expression of time */
  FW_PARAM_ID,      /* defines a name */
  FW_PARAM_REF,     /* names something of the kinds in `choices` */
  FW_PARAM_REFS,    /* several names separated by commas or blanks */
  FW_PARAM_FORMULA  /* a function of the variables in `choices`, with the deck's parameters as constants */
} fw_param_kind;

/* One attribute of a deck element. The schema, `fretwork list`, the docs page and the
 * conformance tests all come from this description. */
typedef struct fw_param {
  const char *name; /* deck attribute: lower case with hyphens */
  fw_param_kind kind;
  const char *unit;     /* SI unit of the number, "" for none */
  const char *fallback; /* default as written in a deck; NULL: required; "": optional, absent */
  double min, max;      /* closed range of every number; both 0: any finite value */
  const char *choices;  /* "a|b|c" for CHOICE, kinds of objects for REF, variables for FORMULA, else NULL */
  const char *meaning;  /* one line for people */
} fw_param;

/* Head of every table entry. */
typedef struct fw_entry {
  const char *name;       /* the deck keyword; the file is the same with '-' -> '_' */
  const char *summary;    /* one line */
  const char *equation;   /* plain-text equations, may span lines; "" if none */
  const char *source;     /* where it was published; "" if none */
  const fw_param *params; /* ends with a NULL name; may be NULL */
} fw_entry;

/* ---- faces of a friction law ------------------------------------------------------------- */

/* Rate face: dz/dt = f(z, v, N), T = g(z, dz/dt, v, N). */
typedef struct fw_rate_in {
  double v, N;
} fw_rate_in;

/* Arrays are caller-owned and fully overwritten. `states` is the law's number of states.
 * The derivative members may all be NULL together (no derivatives wanted). T_x are total
 * derivatives: they include the path through dz/dt. */
typedef struct fw_rate_out {
  double T;
  double *zdot;            /* [states] */
  double *zdot_z;          /* [states*states], row i: d zdot_i / d z_j */
  double *zdot_v, *zdot_N; /* [states] each */
  double *T_z;             /* [states] */
  double T_v, T_N;
} fw_rate_out;

/* Step face: advance the state over one step. The slip velocity goes from v0 to v1, the
 * normal force from N0 to N1, and the slip grows by du. */
enum { FW_STEP_DU, FW_STEP_V0, FW_STEP_V1, FW_STEP_N0, FW_STEP_N1, FW_STEP_INPUTS };
typedef struct fw_step_in {
  double x[FW_STEP_INPUTS]; /* du, v0, v1, N0, N1 */
  double dt;                /* > 0, or 0 for a quasi-static step (v0 = v1 = 0) */
} fw_step_in;

/* z is the trial state, T the friction force, both at the end of the step. The derivative
 * members may all be NULL together. Laws marked `uncoupled` fill z_z as a diagonal [states]. */
typedef struct fw_step_out {
  double T;
  double *z;   /* [states] */
  double *z_x; /* [states*FW_STEP_INPUTS], row i: d z_i / d x_j */
  double *z_z; /* [states*states] (or [states] if uncoupled): d z_i / d z_old_j */
  double *T_x; /* [FW_STEP_INPUTS] */
  double *T_z; /* [states]: d T / d z_old_j */
} fw_step_out;

/* Limit face of set-valued laws: while stuck any T with -stick_minus <= T <= stick_plus is
 * possible; while slipping with velocity v the force is `slip`. */
typedef struct fw_limit_out {
  double stick_plus, stick_minus;     /* >= 0, at v = 0 */
  double stick_plus_N, stick_minus_N; /* derivatives with respect to N */
  double slip, slip_v, slip_N;        /* T(v) and derivatives; at v = 0: T(0+) */
  double band;                        /* speed below which the contact may stick (Karnopp); else 0 */
} fw_limit_out;

/* A function of a few variables, all >= 0, as a deck wrote it. It lives as long as the law it was given to and may be
 * asked by any thread. */
typedef struct fw_formula fw_formula;
struct fw_formula {
  /* The value at x (the variables in the order of the parameter's `choices`); slopes[i] = d/dx_i unless NULL. NaN where
   * the formula has no value. */
  double (*value)(const fw_formula *self, const double *x, double *slopes);
};

/* What a deck gave for one parameter: numbers (defaults filled in; count 0: absent), a FLAG as 0 or 1, a CHOICE as its
 * index; the function for a FORMULA, else NULL. */
typedef struct fw_given {
  int count;
  const double *values;
  const fw_formula *formula;
  bool given; /* by the deck, not as a default */
} fw_given;

/* c: the law's constants. Without `pack` they are the parameters' single numbers in the order
 * of entry.params (NaN where a deck gives none and there is no default). z: states. All pointers are
 * lent. Every parameter has a default, with which the law is put to the checks of docs/laws.md. */
typedef struct fw_friction_ops {
  fw_entry entry;
  /* Turns the parameters (one fw_given each, in order) into constants; returns how many. c NULL:
   * only count. For laws with lists or with constants worth computing once. */
  int (*pack)(const fw_given *given, double *c);
  /* Number of states for these constants; NULL means `fixed_states`. */
  int (*states)(const double *c);
  int fixed_states;
  bool uncoupled; /* the step Jacobian z_z is diagonal */
  /* A pure check of the parameters against each other: NULL or a message (static text). */
  const char *(*check)(const double *c);
  /* State of a contact that has just closed with no history (also after separation). NULL: zeros. */
  void (*reset)(const double *c, double *z);
  /* The faces; NULL where the law does not have one. */
  void (*rate)(const double *c, const fw_rate_in *in, const double *z, fw_rate_out *out);
  void (*step)(const double *c, const fw_step_in *in, const double *z_old, fw_step_out *out);
  void (*limit)(const double *c, double v, double N, const double *z, fw_limit_out *out);
  /* Size of a state for error control (e.g. breakaway bristle deflection); NULL: 1. */
  double (*scale)(const double *c, double N, int state);
  /* Abilities (docs/laws.md) the law says it has, separated by blanks; NULL: none. The checks hold it to them. */
  const char *claims;
  /* True if with these constants the rate changes with a state infinitely fast somewhere, so that it is no good to
   * integrators; they take steps then. NULL: never. */
  bool (*rate_is_steep)(const double *c);
} fw_friction_ops;

/* A plug-in is a shared object that exports one symbol, fretwork_law (examples/plugin-law/). */
#define FW_LAW_ABI 3
typedef struct fw_law_plugin {
  int abi; /* FW_LAW_ABI */
  const fw_friction_ops *ops;
} fw_law_plugin;
extern const fw_law_plugin fretwork_law;

#ifdef __cplusplus
}
#endif
#endif
