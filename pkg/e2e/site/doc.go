// Package site has the scenarios of the site: settings, URLs, tree, menus, redirects, paths, views.
package site
