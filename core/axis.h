/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Axes of pictures: what those who compute curves have to know of them. */
#ifndef FW_CORE_AXIS_H
#define FW_CORE_AXIS_H

#define FW_AXIS_ABSCISSA_DECADES 2.5 /* an abscissa of positive values that spans more is logarithmic */
#define FW_AXIS_DECADES_MOST 8       /* a logarithmic axis shows no more than these below its end */

#endif
