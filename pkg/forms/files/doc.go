// Package files keeps the files that visitors send with submissions of forms. None of them is public.
//
// Words:
//   - lone file: a file that has no submission yet or no more. It has a row.
//   - direct upload: a file that the visitor sends straight to the object storage, before the submission.
//
// What always holds:
//   - A file and its row cannot change in one transaction. So a row is written before the object, and removed in
//     the transaction that creates the submission. The row of a file of a removed submission is written in the
//     transaction that removes it. So each file without a submission has a row, by which the sweeper finds it.
package files
