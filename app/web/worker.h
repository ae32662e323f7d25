// What page/worker.js calls in the second instance of the program that a page has, in a worker:
// long work, so that the page itself goes on. Results are files of the file system in memory.
// Source: worker.cpp.
#pragma once

extern "C" {

/// Computes what the whole picture of a scene waits for (figures::carried_results). `link`: as in
/// page_open(). Returns "", or why it cannot be done; the result is in the file "/result".
const char* worker_picture(const char* link);
/// Runs the check of this id on the CPU's engine with this fault; "none": without one. As
/// worker_picture(); the result is a packed CheckOutcome (app/web/outcome.h).
const char* worker_check(const char* id, const char* fault);
/// The files that the last call would have needed and that have to be fetched, line by line. With
/// `all`, those of every check.
const char* worker_missing_files(int all);
}
