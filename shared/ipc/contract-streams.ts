import { z } from 'zod';
import { described } from '../domain/described.ts';
import { speakStreams } from './contract-speak.ts';

/** Two-way flows between a page and main, each over a message port of its own. */
export const contractStreams = {
  /** Main sends back what it gets, numbered from 1, until the page is done. Shows that streams work. */
  'diagnostics.echo': {
    open: described(() => z.strictObject({})),
    up: described(() => z.instanceof(Int16Array)),
    down: described(() => z.object({ number: z.number(), samples: z.instanceof(Int16Array) })),
  },
  ...speakStreams,
};
