// What page/page.js calls. The page reaches these functions by their names in WebAssembly; texts
// are UTF-8. Sources: page.cpp; check_main.cpp is a program of its own, which runs the checks under
// Node.
#pragma once

extern "C" {

/// Opens the window in the element "#canvas" with what follows the # of an address (app/web/link.h)
/// and, unless that says otherwise, a theme. Returns "", or why it could not be opened. The first
/// call of all.
const char* page_open(const char* link, const char* usual_theme);
/// Draws a frame, `seconds` after the last one. Returns the seconds until the next one is due;
/// below 0: an event must come first.
double page_frame(double seconds);
/// Pixels of the canvas, and how many of them one unit of the design has.
void page_resize(int width, int height, double density);
void page_move(double x, double y);  ///< pixels
void page_leave();
/// 0 left, 1 right, 2 middle.
void page_button(int button, int down, int control, int shift);
void page_wheel(double x, double y, int control, int shift);  ///< notches
/// As in KeyboardEvent. Returns whether the window has a use for the key.
int page_key(const char* code, const char* key, int down, int control, int shift, int repeat);
void page_text(const char* text);
/// Opens a file of the file system in memory, as if it had been dropped. Returns whether it could;
/// otherwise the window says why.
int page_file(const char* path);
/// Makes one dump of the arrays in a folder there (app/web/arrays.h). Returns whether it could;
/// otherwise the window says why.
int page_join(const char* folder);
/// Scrolls what lies under the pointer by pixels. Returns whether anything there can be scrolled.
int page_scroll(double down);
/// Goes where a link leads. Returns whether it could be followed; otherwise everything stays, and
/// the window says why.
int page_follow(const char* link);
/// Sets a parameter of the scene. Returns whether the text was accepted.
int page_set(const char* parameter, const char* text);
/// Answers of the worker to a request (app/web/beside.h): the share that is done of a picture; a
/// result of the kind "picture" or "checks", in a file of the file system in memory; that it
/// refused; that it failed.
void page_work_progress(double ticket, double done);
void page_work_result(const char* kind, double ticket, const char* path);
void page_work_refused(double ticket, const char* why);
void page_work_failed(const char* kind, double ticket, const char* why);
/// "copy picture", "theme light", "run checks", "next" and the like.
void page_act(const char* name);
/// "link", "spoken", "clipboard" and the like; valid until the next call.
const char* page_answer(const char* question);
}
