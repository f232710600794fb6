import { cloningRoutes } from './cloning.ts';
import { completionRoutes } from './completions.ts';
import { documentedPath, needsOf, type Route } from './http.ts';
import { isolationRoutes } from './isolation.ts';
import { keyRoutes } from './keys.ts';
import { legacyStreamPath } from './legacy-live.ts';
import { legacyRoutes } from './legacy.ts';
import { llmFileRoutes } from './llm-files.ts';
import type { PermissionId } from './permissions.ts';
import { livePaths, ticketRoutes } from './realtime.ts';
import { speechRoutes } from './speech.ts';
import { storageRoutes } from './storage.ts';
import { transcriptionRoutes } from './transcriptions.ts';
import { usageRoutes } from './usage.ts';
import { webhookRoutes } from './webhooks.ts';

/** What this server answers. */
export const routes: readonly Route[] = [
  ...keyRoutes,
  ...usageRoutes,
  ...transcriptionRoutes,
  ...speechRoutes,
  ...isolationRoutes,
  ...ticketRoutes,
  ...completionRoutes,
  ...llmFileRoutes,
  ...webhookRoutes,
  ...legacyRoutes,
  ...storageRoutes,
  ...cloningRoutes,
];

/** The permissions that a key of practice mode can use. */
export const offeredPermissions: ReadonlySet<PermissionId> = new Set(
  routes.flatMap((route) => needsOf(route).map(({ permission }) => permission)),
);

/** Streams are opened by an upgrade, so they have no handler. */
const streams = [livePaths.stt, livePaths.tts, legacyStreamPath].map((path) => ({ method: 'GET', path }));

/** Every working route with its documented path, for comparison with the client's table. */
export const practiceRoutes = [...routes.filter((route) => route.credential !== 'signature'), ...streams].map(
  ({ method, path }) => ({ method: String(method), path: documentedPath(path) }),
);
