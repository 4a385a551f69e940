/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Points are computed once: in one run, by several processes, and again in a later run from the journal of the first. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "cmocka_all.h"
#include "core/context.h"
#include "identify/evaluations.h"
#include "remove_folder.h"

enum { POINTS = 12 };

/* Sum and product; none for a negative first number. computed: in this process. */
static fw_status sum_and_product(void *user, fw_context *ctx, const double *p, double *figures) {
  (void)ctx;
  ++*(int *)user;
  if (p[0] < 0) return FW_ERR_ANALYSIS;
  figures[0] = p[0] + p[1];
  figures[1] = p[0] * p[1];
  return FW_OK;
}

typedef struct bench {
  fw_context *ctx;
  fw_evaluations *e;
  int computed;
} bench;

static fw_status open_bench(bench *b, const char *folder, int workers, uint64_t mark) {
  *b = (bench){0};
  assert_int_equal(fw_context_create(&b->ctx), FW_OK);
  const fw_evaluations_options options = {2, 2, &b->computed, sum_and_product, workers, folder, mark, NULL, 0};
  return fw_evaluations_open(b->ctx, &options, &b->e);
}

static void close_bench(bench *b) {
  assert_int_equal(fw_evaluations_close(b->ctx, &b->e), FW_OK);
  fw_context_destroy(&b->ctx);
}

/* The first point has no figures. */
static void point(int i, double p[2]) {
  p[0] = i ? i / 3.0 : -1;
  p[1] = sqrt(2.0 + i);
}

static void ask_all(bench *b) {
  for (int i = 0; i < POINTS; i++) {
    double p[2], figures[2];
    point(i, p);
    assert_int_equal(fw_evaluations_at(b->e, b->ctx, p, figures), i ? FW_OK : FW_ERR_ANALYSIS);
    if (i) assert_true(figures[0] == p[0] + p[1] && figures[1] == p[0] * p[1]);
  }
}

static void *make_folder(char folder[64]) {
  snprintf(folder, 64, "/tmp/fw-evaluations-XXXXXX");
  return mkdtemp(folder);
}

static void each_point_once(void **unused) {
  (void)unused;
  bench b;
  assert_int_equal(open_bench(&b, NULL, 0, 1), FW_OK);
  ask_all(&b);
  ask_all(&b);
  printf("asked for %d points twice: %d computed\n", POINTS, b.computed);
  assert_int_equal(b.computed, POINTS);
  close_bench(&b);
}

static void processes_share_points(void **unused) {
  (void)unused;
  bench b;
  double points[2 * POINTS];
  for (int i = 0; i < POINTS; i++) point(i, points + 2 * i);
  assert_int_equal(open_bench(&b, NULL, 2, 1), FW_OK);
  assert_int_equal(fw_evaluations_prepare(b.e, b.ctx, POINTS, points), FW_OK);
  ask_all(&b);
  printf("%d known, %d of them computed by this process\n", fw_evaluations_count(b.e), b.computed);
  assert_int_equal(fw_evaluations_count(b.e), POINTS);
  assert_int_equal(b.computed, 0);
  close_bench(&b);
}

static void journal_is_continued(void **unused) {
  (void)unused;
  bench b;
  char folder[64], path[96];
  assert_non_null(make_folder(folder));
  assert_int_equal(open_bench(&b, folder, 0, 1), FW_OK);
  ask_all(&b);
  close_bench(&b);
  snprintf(path, sizeof path, "%s/journal.txt", folder);
  FILE *file = fopen(path, "r+"); /* the digit of a point is changed, the last line torn */
  assert_non_null(file);
  char text[4096];
  size_t length = fread(text, 1, sizeof text - 1, file);
  text[length] = '\0';
  char *line = strchr(strchr(text, '\n') + 1, '\n') + 1;
  line[3] = (char)(line[3] == '1' ? '2' : '1');
  rewind(file);
  assert_int_equal(fwrite(text, 1, length - 5, file), length - 5);
  assert_int_equal(ftruncate(fileno(file), (off_t)length - 5), 0);
  assert_int_equal(fclose(file), 0);
  assert_int_equal(open_bench(&b, folder, 0, 1), FW_OK);
  printf("of %d points %d are known after damage\n", POINTS, fw_evaluations_count(b.e));
  ask_all(&b);
  assert_int_equal(b.computed, 2);
  close_bench(&b);
  assert_int_equal(open_bench(&b, folder, 0, 2), FW_ERR_ARGUMENT);
  assert_non_null(strstr(fw_context_message(b.ctx), "another deck"));
  close_bench(&b);
  remove_folder(folder);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(each_point_once), cmocka_unit_test(processes_share_points),
                                     cmocka_unit_test(journal_is_continued)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
