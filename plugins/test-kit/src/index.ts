/** The public entry of the test kit: everything that a test of an app or a plugin uses. */
export type { Clock, Duration } from "./clock/clock.js";
export type { Answer, Client, RequestOptions, SentFile, SentOptions, UploadOptions } from "./client.js";
export type { TestApp, TestAppOptions } from "./create-test-app.js";
export { createTestApp } from "./create-test-app.js";
export type { FileFixture, Fixture, FixtureRef, Fixtures, Loaded } from "./fixtures.js";
export { ref } from "./fixtures.js";
export type { LogEntry } from "./kept-log.js";
export type { CaughtMail, MailCatcher, MailFilter } from "./mail-catcher.js";
export { catchMails } from "./mail-catcher.js";
export type { Person } from "./sign-in.js";
export type { Snapshot } from "./snapshot.js";
export type { TestDatabaseOption } from "./test-database.js";
export type { AppParts, Catchers } from "./test-setup.js";
export type { CaughtWebhook, WebhookAnswer, WebhookCatcher, WebhookFilter } from "./webhook-catcher.js";
export { catchWebhooks } from "./webhook-catcher.js";
