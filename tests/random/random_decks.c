/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Decks put together at random, or so that every pair of features meets, and what must hold whatever they say:
 *
 *   random_decks pairs [SHARE OF]     every pair of features in a sound deck, of which a part is run
 *   random_decks seeds FIRST COUNT    the decks of these seeds
 *   random_decks turned FIRST COUNT   the same, each as drawn and turned, mirrored or moved: both must tell the same
 *   random_decks again SEED WORD...   the deck that a line told of: its seed and the words of its features
 *   random_decks write FIRST COUNT    decks of seeds as files seed-N.xml, not run
 *
 * A deck that breaks something is left as broken-NUMBER.xml. A run that takes more than two minutes of processor time
 * ends all. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "judge.h"

static features f;
static verdict (*judge)(const char *path, const features *f, const choice *c, char why[WHY]) = judge_run;
static char path[64], why[WHY];
static int tally[BROKEN + 1];

static void write_deck(const choice *c) {
  FILE *file = fopen(path, "w");
  if (!file) {
    perror(path);
    exit(2);
  }
  deck_write(file, &f, c, "5e-5", &as_drawn);
  fclose(file);
}

static void tell(const choice *c, const char *given) {
  printf("%s:", given);
  for (int k = 0; k < FEATURES; k++) printf(" %s", chosen(&f, c, (feature)k));
  printf(" (seed %llu): %s\n", (unsigned long long)c->seed, why);
  fflush(stdout);
}

static void keep_broken(void) {
  char kept[64];
  snprintf(kept, sizeof kept, "broken-%d.xml", tally[BROKEN]);
  if (rename(path, kept) == 0) printf("  the deck is %s\n", kept);
}

static void too_long(int number) {
  static const char text[] = "a deck does not end within two minutes: it is the file random-*.xml\n";
  (void)number;
  if (write(STDERR_FILENO, text, sizeof text - 1) < 0) _exit(3);
  _exit(1);
}

static void limit_time(int seconds) {
  struct itimerval limit = {.it_value.tv_sec = seconds};
  setitimer(ITIMER_PROF, &limit, NULL);
}

/* Runs the deck in the file. */
static void try_run(const choice *c) {
  clock_t begun = clock();
  limit_time(120);
  verdict given = judge(path, &f, c, why);
  limit_time(0);
  tally[given]++;
  double seconds = (double)(clock() - begun) / CLOCKS_PER_SEC;
  if (given == FAILED) tell(c, "failed");
  if (given == BROKEN) tell(c, "BROKEN");
  if (given == BROKEN) keep_broken();
  if (seconds > 2) printf("  took %.1f s\n", seconds);
}

static verdict try_check(const choice *c) {
  write_deck(c);
  verdict given = judge_check(path, why);
  if (given != BROKEN) return given;
  tally[BROKEN]++;
  tell(c, "BROKEN by check");
  keep_broken();
  return given;
}

/* ---- seeds ------------------------------------------------------------------------------- */

static bool fits_so_far(const choice *c, int upto, feature which, int kind) {
  for (int k = 0; k < upto; k++)
    if (k != (int)which && !features_fit(&f, (feature)k, c->kind[k], which, kind)) return false;
  return true;
}

/* The analysis first: most of what does not fit does not fit to it. */
static bool choose(choice *c, uint64_t *seed) {
  for (int k = 0; k < FEATURES; k++) c->kind[k] = random_below(seed, f.counts[k]);
  for (int k = 0; k < FEATURES; k++)
    if (!fits_so_far(c, FEATURES, (feature)k, c->kind[k])) return false;
  return true;
}

/* The sound deck of a seed, in the file; false: none in twenty tries. */
static bool deck_of_seed(uint64_t number, choice *c) {
  uint64_t seed = (number + 1) * UINT64_C(0x9E3779B97F4A7C15);
  *c = (choice){.seed = number};
  for (int tries = 0; tries < 20; tries++) {
    while (!choose(c, &seed)) {
    }
    if (try_check(c) == SOUND) return true;
  }
  return false;
}

static void run_seed(uint64_t number) {
  choice c;
  if (deck_of_seed(number, &c)) try_run(&c);
}

static void write_seed(uint64_t number) {
  choice c;
  char kept[64];
  snprintf(kept, sizeof kept, "seed-%llu.xml", (unsigned long long)number);
  if (deck_of_seed(number, &c) && rename(path, kept) == 0) printf("%s\n", kept);
}

/* ---- one that was told of ---------------------------------------------------------------- */

static bool find_kind(feature which, const char *name, int *kind) {
  for (*kind = 0; *kind < f.counts[which]; ++*kind)
    if (strcmp(f.names[which][*kind], name) == 0) return true;
  fprintf(stderr, "there is no %s '%s'\n", feature_word(which), name);
  return false;
}

static bool run_again(const char *seed, char **words) {
  choice c = {.seed = strtoull(seed, NULL, 10)};
  for (int k = 0; k < FEATURES; k++)
    if (!find_kind((feature)k, words[k], &c.kind[k])) return false;
  if (try_check(&c) == SOUND) try_run(&c);
  return true;
}

/* ---- pairs ------------------------------------------------------------------------------- */

static bool met[FEATURES][KINDS][FEATURES][KINDS];

static int new_pairs(const choice *c, const bool *chosen_yet, feature which, int kind) {
  int count = 0;
  for (int k = 0; k < FEATURES; k++)
    if (chosen_yet[k] && k != (int)which && !met[k][c->kind[k]][which][kind]) count++;
  return count;
}

static bool fits(const choice *c, const bool *chosen_yet, feature which, int kind) {
  for (int k = 0; k < FEATURES; k++)
    if (chosen_yet[k] && !features_fit(&f, (feature)k, c->kind[k], which, kind)) return false;
  return true;
}

/* The kind of a feature that meets most others for the first time; chance decides between equals. */
static bool extend(choice *c, bool *chosen_yet, feature which, uint64_t *seed) {
  int best = -1, most = -1, first = random_below(seed, f.counts[which]);
  for (int i = 0; i < f.counts[which]; i++) {
    int kind = (first + i) % f.counts[which];
    if (!fits(c, chosen_yet, which, kind)) continue;
    int count = new_pairs(c, chosen_yet, which, kind);
    if (count > most) {
      most = count;
      best = kind;
    }
  }
  c->kind[which] = best;
  chosen_yet[which] = true;
  return best >= 0;
}

/* A choice around the pair (a i, b j). */
static bool complete(choice *c, feature a, int i, feature b, int j, uint64_t *seed) {
  bool chosen_yet[FEATURES] = {false};
  c->kind[a] = i;
  c->kind[b] = j;
  chosen_yet[a] = chosen_yet[b] = true;
  for (int k = 0, first = random_below(seed, FEATURES); k < FEATURES; k++) {
    feature which = (feature)((first + k) % FEATURES);
    if (!chosen_yet[which] && !extend(c, chosen_yet, which, seed)) return false;
  }
  return true;
}

static void mark_met(const choice *c) {
  for (int a = 0; a < FEATURES; a++)
    for (int b = 0; b < FEATURES; b++) met[a][c->kind[a]][b][c->kind[b]] = true;
}

/* Finds a sound deck with the pair; false if none of some tries is. */
static bool meet(feature a, int i, feature b, int j, uint64_t *seed, choice *c) {
  for (int tries = 0; tries < 25; tries++) {
    c->seed = random_bits(seed);
    if (!complete(c, a, i, b, j, seed) || try_check(c) != SOUND) continue;
    mark_met(c);
    return true;
  }
  return false;
}

static int pairs(int share, int of) {
  uint64_t seed = 1;
  int decks = 0, count = 0, unmet = 0;
  for (int a = 0; a < FEATURES; a++)
    for (int b = a + 1; b < FEATURES; b++)
      for (int i = 0; i < f.counts[a]; i++)
        for (int j = 0; j < f.counts[b]; j++) {
          choice c;
          if (!features_fit(&f, (feature)a, i, (feature)b, j)) continue;
          count++;
          if (met[a][i][b][j]) continue;
          if (!meet((feature)a, i, (feature)b, j, &seed, &c)) {
            printf("no sound deck has %s %s and %s %s: %s\n", feature_word((feature)a), f.names[a][i],
                   feature_word((feature)b), f.names[b][j], why);
            unmet++;
          } else if (decks++ % of == share) {
            try_run(&c);
          }
        }
  printf("%d pairs met by %d decks, %d not met\n", count - unmet, decks, unmet);
  return unmet;
}

int main(int argc, char **argv) {
  int unmet = 0;
  features_list(&f);
  snprintf(path, sizeof path, "random-%ld.xml", (long)getpid());
  signal(SIGPROF, too_long);
  if (argc == 4 && strcmp(argv[1], "turned") == 0) judge = judge_turned;
  if (argc == 3 + FEATURES && strcmp(argv[1], "again") == 0) {
    if (!run_again(argv[2], argv + 3)) return 2;
  } else if (argc == 4 && strcmp(argv[1], "write") == 0)
    for (long n = 0; n < atol(argv[3]); n++) write_seed((uint64_t)(atol(argv[2]) + n));
  else if (argc == 4 && (judge == judge_turned || strcmp(argv[1], "seeds") == 0))
    for (long n = 0; n < atol(argv[3]); n++) run_seed((uint64_t)(atol(argv[2]) + n));
  else if (argc >= 2 && strcmp(argv[1], "pairs") == 0)
    unmet = argc == 4 ? pairs(atoi(argv[2]), atoi(argv[3])) : pairs(0, 1);
  else
    return 2;
  remove(path);
  printf("%d done, %d failed with a message, %d broken\n", tally[SOUND], tally[FAILED], tally[BROKEN]);
  return tally[BROKEN] || unmet ? EXIT_FAILURE : EXIT_SUCCESS;
}
