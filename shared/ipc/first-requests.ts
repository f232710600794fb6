/**
 * The first requests of every page, with `{}` each; sent before its script is read, and needed for the first screen.
 */
export const firstRequests = ['app.describe', 'jobs.list', 'usage.today', 'usage.rate'] as const;
export type FirstRequest = (typeof firstRequests)[number];

/** The events that keep those answers up to date. */
export const firstEvents = ['jobs.changed', 'settings.changed', 'connection.changed', 'window.changed'] as const;
