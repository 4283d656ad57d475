// Package rights has the scenarios of what keys and users may read and change.
package rights
