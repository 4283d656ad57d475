// Package wordpress reads exports of WordPress (WXR): posts, pages and other types of content,
// media, authors, categories, tags, and the languages of Polylang and WPML.
//
// Texts become Markdown. The old URLs of content and files become redirects. Comments, menus and
// other configuration of WordPress are left out and noted.
package wordpress
