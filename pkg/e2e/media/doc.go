// Package media has the scenarios of files: uploads, images, where a file is used.
package media
