/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "identify/quiet.h"

#include <gsl/gsl_errno.h>
#include <pthread.h>

/* The handler is one for the whole process: whoever comes first puts it aside, whoever leaves last puts it back. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static gsl_error_handler_t *aside;
static int inside;

void fw_gsl_enter(void) {
  pthread_mutex_lock(&lock);
  if (inside++ == 0) aside = gsl_set_error_handler_off();
  pthread_mutex_unlock(&lock);
}

void fw_gsl_leave(void) {
  pthread_mutex_lock(&lock);
  if (--inside == 0) gsl_set_error_handler(aside);
  pthread_mutex_unlock(&lock);
}
