/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From items to a model. One file per section of the deck; they share this builder. */
#ifndef FW_INPUT_BUILDER_H
#define FW_INPUT_BUILDER_H

#include "core/item.h"
#include "core/model.h"
#include "elements/element.h"

/* A named place on a body: at a node, or within an element at natural coordinate xi. */
typedef struct fw_point {
  char *name; /* "body.point" */
  int body;
  int node;                /* -1: within an element */
  int block, element;      /* which one, if node < 0 */
  double xi[2];            /* natural coordinates there */
  double place[3], arm[2]; /* where it is; from the node or axis to there */
  bool space;              /* of a tube: it has z, rx and ry besides */
  double tangent[3];       /* of a tube's axis there */
  bool large_rotation;
  int carried; /* node that stands at the point, off its body's own node, and goes with it; -1: none */
} fw_point;

/* The mesh of a plane body while the model is built: its sets serve supports, loads and followers. Element e of
 * the mesh is element index[e] of block[e]; node n is first_node + n. */
typedef struct fw_plane_mesh {
  int body;
  struct fw_mesh *mesh;
  int *block, *index;
} fw_plane_mesh;

typedef struct fw_builder {
  fw_context *ctx;
  fw_context *aside; /* for functions that know no deck: their messages are told again with a place */
  const fw_item *root;
  fw_model *model;
  fw_point *points;
  int point_count, point_room;
  struct _xmlHashTable *point_table; /* name to its number in points, from 1 */
  struct _xmlHashTable *node_table;  /* names of points that need a node */
  int node_room, body_room, block_room, triad_room, ring_room;
  fw_plane_mesh *meshes;
  int mesh_count, mesh_room;
  bool incomplete; /* a part of the model could not be built: that has been reported */
} fw_builder;

/* Builds the model, `whole` without reducing its tubes; every error that can be found is reported. Destroy is NULL-safe. */
fw_status fw_build_model(fw_context *ctx, const fw_item *root, bool whole, fw_model **model);
void fw_model_destroy(fw_model **model);

/* Tables of names; close is safe after a failed open. */
fw_status fw_builder_open(fw_builder *builder);
void fw_builder_close(fw_builder *builder);

/* ---- shared ------------------------------------------------------------------------------ */

/* The point of that name; names have been checked, so it is there. */
const fw_point *fw_builder_point(const fw_builder *builder, const char *name);
/* Index of a body by id, -1 if it is none with nodes of its own. */
int fw_builder_body(const fw_builder *builder, const char *id);
/* True if something that needs a node names this point: anything but loads and sensors. */
bool fw_builder_needs_node(const fw_builder *builder, const char *name);

/* The mesh a name "body.set" belongs to, and the name of the set in it; NULL if its body has none. */
const fw_plane_mesh *fw_builder_mesh(const fw_builder *builder, const char *name, const char **set);
/* Model nodes of a set, to be freed; the message is that of the attribute. */
fw_status fw_builder_set_nodes(fw_builder *builder, const fw_args *args, const char *attribute, int **nodes,
                               int *count);

/* The points of a plane body. */
fw_status fw_build_plane_points(fw_builder *builder, const fw_item *item, const fw_plane_mesh *self);

/* Append to the model. Ids are copied. */
fw_status fw_builder_add_node(fw_builder *builder, const double x[2], bool rotation, int *index);
fw_status fw_builder_add_space_node(fw_builder *builder, const double x[3], int *index);
fw_status fw_builder_add_body(fw_builder *builder, const char *id, const char *kind, int *index);
fw_status fw_builder_add_block(fw_builder *builder, const fw_element_ops *ops, int body, int count, fw_block **block);
fw_status fw_builder_add_point(fw_builder *builder, const fw_point *point); /* nothing is carried there yet */

/* Checks that a NUMBERS attribute has as many numbers as wanted. */
fw_status fw_builder_expect(fw_builder *builder, const fw_args *args, const char *name, int count);
/* Refuses `ground` beside the attribute that names the second end's point. */
fw_status fw_builder_one_end(fw_builder *builder, const fw_args *args, const char *point);
/* Place of an attribute, for messages. */
fw_place fw_builder_place(const fw_args *args, const char *name);
/* Tells what builder->aside heard at the place of an attribute (NULL: of the element). A wrong argument becomes
 * a wrong deck. */
fw_status fw_builder_retell(fw_builder *builder, fw_status status, const fw_args *args, const char *attribute);
/* An entry's constants from its parameters by its own pack; without one the parameters' single numbers in order
 * (absent: 0). To be freed. */
typedef int (*fw_pack)(const fw_given *given, double *c);
fw_status fw_builder_constants(fw_builder *builder, const fw_args *args, fw_pack pack, double **constants, int *count);

/* Adds factor times the displacement (FW_X, FW_Y, of a tube FW_Z) or rotation (FW_RZ, FW_RX, FW_RY) of a point to a
 * functional. */
fw_status fw_builder_reach(fw_builder *builder, const fw_point *point, int direction, double factor,
                           fw_functional *functional);
/* FW_ERR_DECK at the attribute (NULL: the element) if the point has no rotation: of a plane body, or of one that only
 * slides. */
fw_status fw_builder_needs_rotation(fw_builder *builder, const fw_point *point, const fw_args *args,
                                    const char *attribute);
/* FW_ERR_DECK at the attribute if the direction needs space and the point lies in the plane. */
fw_status fw_builder_needs_space(fw_builder *builder, const fw_point *point, int direction, const fw_args *args,
                                 const char *attribute);
/* <materials> or <sections> by id; names have been checked. */
const fw_item *fw_builder_find(const fw_builder *builder, const char *section, const char *id);
/* Material, section and kind of mass of a beam or tube. */
fw_status fw_builder_line_properties(fw_builder *builder, const fw_item *item, fw_properties *props);
/* Material constants of a body. */
void fw_builder_material(const fw_builder *builder, const fw_args *args, fw_properties *props);

/* Disjoint sets: parent[] leads to the member that stands for a set. */
static inline int fw_root(int *parent, int i) {
  while (parent[i] != i) i = parent[i] = parent[parent[i]];
  return i;
}
/* Unites the freedoms that move as one; a freedom is node * FW_SPACE_DOFS + direction. */
fw_status fw_merge_freedoms(fw_builder *builder, int *parent);

/* True for masses, springs, dampers. */
bool fw_builder_is_point_element(const fw_item *item);

/* The law a <friction> element names. */
struct fw_friction;
fw_status fw_builder_friction(fw_builder *builder, const fw_item *item, double u_crit, struct fw_friction *friction);

/* Axes across the unit vector e[2]: e[0] nearest to attribute 'first'; absent: e[1] as near to the deck's z as can be, or,
 * across what is along z, e[0] to x. */
fw_status fw_axes_across(fw_builder *builder, const fw_args *args, double e[3][3]);

/* The attachment of a point that has a node, with a further offset. */
fw_attachment fw_builder_attach(const fw_point *point, const double offset[2]);

/* ---- sections, in the order they are built ----------------------------------------------- */

fw_status fw_build_beams(fw_builder *builder);
fw_status fw_build_tubes(fw_builder *builder);
fw_status fw_build_support_planes(fw_builder *builder); /* their rings share freedoms of tubes */
fw_status fw_build_planes(fw_builder *builder);
fw_status fw_build_rigids(fw_builder *builder);
fw_status fw_build_superelements(fw_builder *builder);
fw_status fw_build_carried(fw_builder *builder); /* nodes at points with an offset, where something acts there */
fw_status fw_build_point_elements(fw_builder *builder);
fw_status fw_build_films(fw_builder *builder);
fw_status fw_build_damping(fw_builder *builder);
fw_status fw_build_flows(fw_builder *builder);    /* fluid-elastic forces; after damping, which is not theirs */
fw_status fw_build_supports(fw_builder *builder); /* stiff ones become elements, fixed ones hold freedoms */
fw_status fw_build_freedoms(fw_builder *builder); /* merges, numbers freedoms, fills the blocks' lists */
fw_status fw_build_joints(fw_builder *builder);   /* those that hold carried nodes last */
fw_status fw_build_ties(fw_builder *builder);
fw_status fw_build_contact(fw_builder *builder);
fw_status fw_build_joint_friction(fw_builder *builder); /* part of the contact */
fw_status fw_build_loads(fw_builder *builder);
fw_status fw_build_sensors(fw_builder *builder);
fw_status fw_build_initial(fw_builder *builder);
fw_status fw_reduce_tubes(fw_builder *builder); /* last */
fw_status fw_check_space(fw_builder *builder);  /* after the points of every body are there */
fw_status fw_check_damping(fw_builder *builder);
fw_status fw_check_analyses(fw_builder *builder);
fw_status fw_check_joints(fw_builder *builder); /* none is redundant; after all else succeeded */
fw_status fw_check_held(fw_builder *builder);   /* no static analysis of a mechanism; after all else succeeded */

#endif
