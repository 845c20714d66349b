// Package alert tells people of a night: through the robots of DingTalk and Feishu, through
// Slack, and through a webhook of one's own.
//
// An Event is what happened, in numbers and names that are fit to leave the house; a Message
// is its text in the reader's language; a Sender delivers it to a Channel. Each try has a timeout,
// tries are few and wait longer each time, and what was asked for with Retry-After is waited.
// A retry must not tell a thing twice: a webhook gets one key with every try of a message
// (Standard Webhooks), so all are tried again; a robot knows no key, so it is tried again only if
// it has refused the message or was never reached. What it may have taken is left, and called
// unknown.
//
// The package refuses to send prompts, keys and full ids: names from the data go through Name.
// It follows no redirect, since a signed message is for one host. Neither addresses nor
// secrets stand in its errors. It knows no database, reads no environment, and prints nothing.
package alert
