import { z } from 'zod';
import { isInRole, serveThread } from '../../threads/serve-thread.ts';
import { analyse } from './analyse.ts';
import type { AnalysisOutcome } from './measured.ts';

/** Passed as `workerData`, so that one bundle can be both the server and its workers. */
export const analysisWorkerRole = { role: 'practice-analysis' } as const;

/** One at a time: the next request follows the outcome of the last. */
export interface AnalysisRequest {
  readonly path: string;
  readonly stopAfterMs: number | null;
}

const request = z.object({ path: z.string(), stopAfterMs: z.number().nullable() });

/** Decoding happens here and never in the thread that serves HTTP. */
async function measure(message: unknown, sign: () => void): Promise<AnalysisOutcome> {
  const { path, stopAfterMs } = request.parse(message);
  return analyse(path, stopAfterMs ?? undefined, sign).catch((error: unknown) => ({
    kind: 'undecodable',
    code: 'invalid_audio',
    detail: error instanceof Error ? error.message : 'unknown trouble',
  }));
}

if (isInRole(analysisWorkerRole.role)) serveThread(measure);
