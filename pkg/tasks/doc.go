// Package tasks stores what waits for users, and mails it to them (extensions §14).
//
// Words: a task is a row of one user: a review, a returned request, an assignment or a mention. News
// are lines of a mail that is not sent yet.
//
// What always holds: a task is put and ended in the transaction of what causes it. Whether it still
// waits, and whether its user may see it, is looked up when tasks are listed (package review).
package tasks
