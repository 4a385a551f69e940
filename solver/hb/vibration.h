/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A model made ready for harmonic balance, and the matrices it is reduced from. */
#ifndef FW_HB_VIBRATION_H
#define FW_HB_VIBRATION_H

#include "contact/pair.h"
#include "solver/assembly/system.h"
#include "solver/hb/reduction/coordinates.h"

/* ---- subspace -------------------------------------------------------------------------------------------- */

/* A subspace for models of many freedoms (Craig and Bampton, with the static shapes of the loads besides): the
 * static answers to a unit value of each functional and to each load with the functionals held, and the lowest modes of
 * the structure held there. Static answers are exact, dynamic ones up to about half the highest mode's frequency. */

/* How far a subspace is refined, and which of the held modes are unknowns beside the contact. */
typedef struct fw_reduction {
  int modes;    /* held modes, at least one; */
  double below; /* > 0: those below this circular frequency instead */
  int keep;     /* so many of the lowest are coordinates, for modes that do not move the contact */
} fw_reduction;

/* K of the system is the tangent to use. B: functionals, n x rows; loads: n x load_count. Q: orthonormal basis, n x
 * size, owned by the caller; joints hold for every vector of it. */
fw_status fw_subspace_create(fw_context *ctx, const fw_system *system, const double *B, int rows, const double *loads,
                             int load_count, fw_reduction how, double **Q, int *size);

/* The subspace against the whole model at one circular frequency, without damping: largest relative difference in the
 * forces that hold the functionals, for a unit value of each of them and for each load. Projected: K, M size squared, B
 * size x rows, loads size x load_count. */
typedef struct fw_projection {
  int size, rows, load_count;
  const double *K, *M, *B, *loads;
} fw_projection;
fw_status fw_subspace_error(fw_context *ctx, const fw_system *system, const double *B, const double *loads,
                            const fw_projection *projected, double w, double *error);

/* ---- vibration ------------------------------------------------------------------------------------------- */

/* A model made ready for harmonic balance: linearised about a start state, reduced to its contact coordinates (and
 * some modes where it has von Kármán beams), with its drives and sensors. */

typedef struct fw_vibration {
  const fw_model *model;
  fw_state *start;
  fw_reduced reduced;
  fw_quartic quartic;
  fw_balance_contact *contacts;
  int contact_count;
  fw_coordinates coordinates; /* of the contacts, the first of the reduction's */
  fw_balance_drive *drives;
  int *drive_load;      /* which of the model's loads each drive is */
  double *drive_amount; /* and its factor at level 1 */
  int drive_count;
  fw_projected *sensors;    /* model->sensor_count */
  double *curvature;        /* of their second-order readings, fw_quartic_reading; NULL: no von Kármán beams */
  fw_balance_problem given; /* views of the above */
  int left_out;             /* contact points without a place on their target, or too many that are open at the start */
  double seconds;           /* processor time that linearising and reducing took */
  double error[2]; /* of the subspace at the highest frequency of the drive, at five times that; 0: not reduced */
} fw_vibration;

/* `highest` below over the highest frequency of the drive. */
enum { FW_VIBRATION_RANGE = 12 };

/* What is done with models of many freedoms unless something else is wished. */
static const fw_reduction fw_reduction_default = {.modes = 60};

/* Refuses, with the line, what harmonic balance cannot follow: nonlinearities other than von Kármán's (at the line of
 * the analysis), laws that are not periodic, rigid stick beside other laws. */
fw_status fw_vibration_check(fw_context *ctx, const fw_model *model, fw_place analysis);

/* drive: model->load_count factors of the loads that drive at level 1 (harmonic ones only). highest: circular
 * frequency up to which modes matter for the von Kármán terms (0: twelve times the first with all contact held).
 * The model has passed fw_vibration_check. */
fw_status fw_vibration_create(fw_context *ctx, fw_system *system, const fw_state *start, const double *drive,
                              double highest, fw_reduction how, fw_vibration **vibration);
void fw_vibration_destroy(fw_vibration **vibration);

/* The full state at a phase (rad) of the period of the solution y; balance must have been evaluated at y.
 * level: factor of the drives. */
fw_status fw_vibration_state(fw_context *ctx, const fw_vibration *vibration, const fw_balance *balance, const double *y,
                             double phase, fw_state **state);

/* Amplitudes of the rest at harmonic k, without the second-order motion: eta[rest]. */
void fw_vibration_rest(const fw_vibration *vibration, const fw_balance *balance, const double *y, int k,
                       double complex *eta);

/* ---- assembled ------------------------------------------------------------------------------------------- */

/* The matrices of the linearised model for harmonic balance: of all freedoms where these are few, else on a subspace.
 */

typedef struct fw_assembled {
  fw_structure structure;
  int n;           /* the model's freedoms */
  double *Q;       /* n x structure.n orthonormal basis, or NULL: all freedoms */
  double error[2]; /* of the subspace at the two frequencies asked for; 0: all freedoms */
} fw_assembled;

/* What else defines the matrices. */
typedef struct fw_assembly {
  const double *drive; /* as for fw_vibration_create; the static shapes of these loads are in the subspace */
  fw_reduction how;    /* of models of many freedoms */
  double check[2];     /* circular frequencies at which the subspace is compared with the model; 0: not */
} fw_assembly;

/* system: with its tangent at the start state. kin: of each of the vibration's contacts. whole_points: every freedom of
 * a contact point becomes a coordinate. */
fw_status fw_assemble(fw_context *ctx, fw_system *system, const fw_vibration *vibration, const fw_kinematic *kin,
                      bool whole_points, const fw_assembly *options, fw_assembled *assembled);
void fw_assembled_clear(fw_assembled *assembled);

/* Turns the shapes of a reduction of the structure into those of the model's freedoms. */
fw_status fw_assembled_expand(fw_context *ctx, const fw_assembled *assembled, fw_reduced *reduced);

#endif
