// What Swift may ask of ncurses. Its own headers stay behind this one: they are full of macros, variadic
// functions and mutable globals that Swift cannot see.
#ifndef CNCURSES_H
#define CNCURSES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <termios.h>

// Attribute bits of pl_cell.
enum {
    PL_BOLD = 1,
    PL_DIM = 2,
    PL_ITALIC = 4,
    PL_UNDERLINE = 8,
    PL_REVERSE = 16,
};

// One character as ncurses gets it: a scalar of one or two columns.
typedef struct pl_cell {
    uint32_t scalar;
    int32_t pair;
    uint32_t attributes;
} pl_cell;

// Puts LC_CTYPE to UTF-8 for the process. False when this machine has no such locale.
bool pl_use_utf8(void);

// Whether there is a description of this name, of a terminal that understands ECMA-48 sequences.
bool pl_knows_terminal(const char *name);

// Starts ncurses with its output going to `output` (a file in memory: its writes never wait) and no input.
bool pl_open(const char *name, int output, int rows, int columns);
void pl_close(void);

// 0 when the terminal has no colours.
int pl_color_count(void);
// The pair of two colour numbers; -1 is the terminal's own colour.
int pl_pair(int foreground, int background);

// A capability of the open terminal; NULL when it has none. Valid until pl_close.
const char *pl_string(const char *capability);
bool pl_flag(const char *capability);

// Writes characters from a place on; a wide one takes two columns.
void pl_put(int row, int column, const pl_cell *cells, int count);
// Writes printable ASCII of one look over characters of one column each.
void pl_put_ascii(int row, int column, const uint8_t *text, int count, int pair, uint32_t attributes);
void pl_show_cursor(int row, int column);
void pl_hide_cursor(void);
// Writes what changed to the output.
void pl_flush(void);
// Forgets what is on the glass, in one row or everywhere, so that the next flush writes it anew.
void pl_forget_row(int row);
void pl_forget_screen(void);
void pl_resize(int rows, int columns);

// The width the C library gives a scalar; -1 when it has none.
int pl_width(uint32_t scalar);

// A file in memory, for pl_open; -1 on failure.
int pl_frame_file(void);

// The terminal is given back whatever happens: after a crash, at exit, and when an orderly end takes too long.

// Catches crashes and exit from now on. Once per process.
void pl_guard_install(void);
// From now on a crash writes `leave` to `terminal` and sets `modes`.
void pl_guard_arm(int terminal, const struct termios *modes, const uint8_t *leave, size_t length);
void pl_guard_disarm(void);
// Gives the terminal back if it is armed. Safe in a signal handler, on any thread; never waits long.
void pl_guard_leave(void);
// Gives the terminal back and ends the process at once, running nothing else.
void pl_guard_exit(int status) __attribute__((noreturn));

#endif
