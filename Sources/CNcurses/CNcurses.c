#define _GNU_SOURCE
#define NCURSES_WIDECHAR 1

#include "CNcurses.h"

#include <locale.h>
#include <ncurses.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <term.h>
#include <unistd.h>
#include <wchar.h>

// term.h takes these words for its own.
#undef lines
#undef columns

static SCREEN *screen;
static FILE *screen_output;
static FILE *screen_input;

bool pl_use_utf8(void) {
    static const char *names[] = {"C.UTF-8", "C.utf8", "en_US.UTF-8"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (setlocale(LC_CTYPE, names[i])) return true;
    }
    return false;
}

bool pl_knows_terminal(const char *name) {
    int found = 0;
    TERMINAL *before = cur_term;
    if (setupterm(name, STDOUT_FILENO, &found) != OK || found != 1) return false;
    // What we write ourselves is for terminals that understand ECMA-48.
    const char *move = tigetstr("cup");
    bool usable = move != NULL && move != (char *)-1 && strncmp(move, "\033[", 2) == 0;
    TERMINAL *made = set_curterm(before);
    if (made && made != before) del_curterm(made);
    return usable;
}

// ncurses would take the size from the environment or from a terminal of its own finding, and would keep a
// scroll region of 24 rows; it is told, and the environment is put back for the programs we start.
static SCREEN *open_sized(const char *name, int rows, int columns) {
    char number[16];
    char *lines = getenv("LINES"), *cols = getenv("COLUMNS");
    lines = lines ? strdup(lines) : NULL;
    cols = cols ? strdup(cols) : NULL;
    snprintf(number, sizeof number, "%d", rows);
    setenv("LINES", number, 1);
    snprintf(number, sizeof number, "%d", columns);
    setenv("COLUMNS", number, 1);
    use_env(TRUE);
    SCREEN *made = newterm(name, screen_output, screen_input);
    if (lines) setenv("LINES", lines, 1); else unsetenv("LINES");
    if (cols) setenv("COLUMNS", cols, 1); else unsetenv("COLUMNS");
    free(lines);
    free(cols);
    return made;
}

bool pl_open(const char *name, int output, int rows, int columns) {
    int copy = dup(output);
    if (copy < 0) return false;
    screen_output = fdopen(copy, "w");
    screen_input = fopen("/dev/null", "re");
    // Padding would be waited for, on the thread that draws.
    setenv("NCURSES_NO_PADDING", "1", 1);
    screen = screen_output && screen_input ? open_sized(name, rows, columns) : NULL;
    if (!screen) {
        if (!screen_output) close(copy);
        pl_close();
        return false;
    }
    set_term(screen);
    resizeterm(rows, columns);
    if (has_colors()) {
        start_color();
        use_default_colors();
    }
    idlok(stdscr, TRUE);
    // Shifting the rest of a row would shift what the terminal drew wider than we believe.
    idcok(stdscr, FALSE);
    scrollok(stdscr, FALSE);
    leaveok(stdscr, FALSE);
    // Before its first end ncurses takes every cursor movement for one from outside and flushes it: a write for every
    // row of a frame. After an end and a refresh it does not.
    endwin();
    pl_flush();
    return true;
}

void pl_close(void) {
    if (screen) delscreen(screen);
    if (screen_output) fclose(screen_output);
    if (screen_input) fclose(screen_input);
    screen = NULL;
    screen_output = NULL;
    screen_input = NULL;
}

int pl_color_count(void) { return has_colors() ? COLORS : 0; }

int pl_pair(int foreground, int background) {
    if (foreground < 0 && background < 0) return 0;
    int pair = alloc_pair(foreground, background);
    return pair < 0 ? 0 : pair;
}

const char *pl_string(const char *capability) {
    const char *value = tigetstr(capability);
    return value == (char *)-1 ? NULL : value;
}

bool pl_flag(const char *capability) { return tigetflag(capability) == 1; }

static attr_t attributes_of(uint32_t bits) {
    attr_t result = A_NORMAL;
    if (bits & PL_BOLD) result |= A_BOLD;
    if (bits & PL_DIM) result |= A_DIM;
    if (bits & PL_ITALIC) result |= A_ITALIC;
    if (bits & PL_UNDERLINE) result |= A_UNDERLINE;
    if (bits & PL_REVERSE) result |= A_REVERSE;
    return result;
}

void pl_put(int row, int column, const pl_cell *cells, int count) {
    if (count <= 0 || wmove(stdscr, row, column) == ERR) return;
    cchar_t buffer[256];
    for (int done = 0; done < count;) {
        int some = count - done < 256 ? count - done : 256;
        int used = 0;
        for (int i = 0; i < some; i++) {
            const pl_cell *cell = &cells[done + i];
            bool is_ascii = cell->scalar >= 0x20 && cell->scalar < 0x7F;
            if (is_ascii && i > 0 && cell->pair == cell[-1].pair && cell->attributes == cell[-1].attributes) {
                // As its neighbour but for the letter; setcchar is slow, and nearly every cell is one of these.
                buffer[i] = buffer[i - 1];
                buffer[i].chars[0] = (wchar_t)cell->scalar;
                used += 1;
                continue;
            }
            wchar_t text[2] = {(wchar_t)cell->scalar, 0};
            int pair = cell->pair;
            setcchar(&buffer[i], text, attributes_of(cell->attributes), 0, &pair);
            int width = is_ascii ? 1 : wcwidth(text[0]);
            used += width > 1 ? width : 1;
        }
        mvwadd_wchnstr(stdscr, row, column, buffer, some);
        column += used;
        done += some;
    }
}

// A chtype has room for 256 pairs. Where one does, it goes into the window without the many looks at widths that a
// cchar_t takes.
void pl_put_ascii(int row, int column, const uint8_t *text, int count, int pair, uint32_t attributes) {
    chtype buffer[256];
    pl_cell cells[256];
    chtype look = attributes_of(attributes) | COLOR_PAIR(pair);
    for (int done = 0; done < count;) {
        int some = count - done < 256 ? count - done : 256;
        if (pair < 256) {
            for (int i = 0; i < some; i++) buffer[i] = text[done + i] | look;
            mvwaddchnstr(stdscr, row, column + done, buffer, some);
        } else {
            for (int i = 0; i < some; i++) cells[i] = (pl_cell){text[done + i], pair, attributes};
            pl_put(row, column + done, cells, some);
        }
        done += some;
    }
}

void pl_show_cursor(int row, int column) {
    wmove(stdscr, row, column);
    curs_set(1);
}

void pl_hide_cursor(void) { curs_set(0); }

void pl_flush(void) {
    wnoutrefresh(stdscr);
    doupdate();
    fflush(screen_output);
}

void pl_forget_row(int row) { wredrawln(stdscr, row, 1); }

void pl_forget_screen(void) { clearok(curscr, TRUE); }

void pl_resize(int rows, int columns) { resizeterm(rows, columns); }

int pl_width(uint32_t scalar) { return wcwidth((wchar_t)scalar); }

int pl_frame_file(void) { return memfd_create("frames", MFD_CLOEXEC); }
