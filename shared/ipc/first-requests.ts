/** What every page asks first, with `{}` each; asked before its script is read, and drawn with the first screen. */
export const firstRequests = ['app.describe', 'jobs.list', 'usage.today', 'usage.rate'] as const;
export type FirstRequest = (typeof firstRequests)[number];

/** The events that keep those answers true. */
export const firstEvents = ['jobs.changed', 'settings.changed', 'connection.changed', 'window.changed'] as const;
