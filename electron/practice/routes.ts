import { assistantRoutes } from './assistant.ts';
import { cloningRoutes } from './cloning.ts';
import { livePaths, ticketRoutes } from './dictation.ts';
import type { Route } from './http.ts';
import { isolationRoutes } from './isolation.ts';
import { keyRoutes } from './keys.ts';
import { legacyStreamPath } from './legacy-live.ts';
import { legacyRoutes } from './legacy.ts';
import { speechRoutes } from './speech.ts';
import { storageRoutes } from './storage.ts';
import { transcriptionRoutes } from './transcriptions.ts';
import { usageRoutes } from './usage.ts';
import { webhookRoutes } from './webhooks.ts';

const documentedRoutes: readonly Route[] = [
  ...keyRoutes,
  ...usageRoutes,
  ...transcriptionRoutes,
  ...speechRoutes,
  ...isolationRoutes,
  ...ticketRoutes,
  ...assistantRoutes,
  ...webhookRoutes,
  ...legacyRoutes,
  ...cloningRoutes,
];

/** What this server answers. */
export const routes: readonly Route[] = [...documentedRoutes, ...storageRoutes];

/** Streams are opened by an upgrade, so they have no handler. */
const streams = [livePaths.stt, livePaths.tts, legacyStreamPath].map((path) => ({ method: 'GET', path }));

/** Every working route with its path, for comparison with the client's table. */
export const practiceRoutes: readonly { readonly method: string; readonly path: string }[] = [
  ...documentedRoutes,
  ...streams,
];
