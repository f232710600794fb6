import { accountRoutes } from './routes/account.ts';
import { askRoutes } from './routes/ask.ts';
import { cloneRoutes } from './routes/clone.ts';
import { isolateRoutes } from './routes/isolate.ts';
import { legacyRoutes } from './legacy/routes.ts';
import { speakRoutes } from './routes/speak.ts';
import { transcribeRoutes } from './routes/transcribe.ts';
import { webhookRoutes } from './routes/webhooks.ts';

/** Every route of contract 4.1 to 4.16, under our own names. */
export const endpoints = {
  ...accountRoutes,
  ...askRoutes,
  ...speakRoutes,
  ...transcribeRoutes,
  ...isolateRoutes,
  ...webhookRoutes,
  ...cloneRoutes,
  ...legacyRoutes,
} as const;

export type EndpointName = keyof typeof endpoints;
