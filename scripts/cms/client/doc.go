// Package client calls the admin area of a service for the commands of cms.
//
// A request that a busy service refused is sent again. A session that is too old for a change is
// confirmed with CMS_PASSWORD.
package client
