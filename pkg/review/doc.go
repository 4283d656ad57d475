// Package review has the use cases of reviews (extensions §14): asking for approval of a version of
// an entry, approving it, sending it back and withdrawing the question.
//
// Words: a version is the number of an entry's version or, where it has a draft, of the draft's
// revision ("d7"). An approval is of one version by one person.
//
// What always holds: an approval commits only if the version is still the present one. Package
// approval stores the review, drops approvals when the content is saved, and lets only approved
// versions become public.
package review
