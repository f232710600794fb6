import { isMainThread, parentPort, workerData } from 'node:worker_threads';
import { z } from 'zod';
import { analyse } from './analyse.ts';
import type { AnalysisOutcome } from './sound.ts';

/** Given as `workerData`, so that one bundle can be both the server and its worker. */
export const analysisWorkerRole = { role: 'practice-analysis' } as const;

/** One at a time: the next comes after the outcome of the last. */
export interface AnalysisRequest {
  readonly path: string;
  readonly stopAfterMs: number | null;
}

/** Without an outcome: the work goes on. */
export interface AnalysisReply {
  readonly outcome: AnalysisOutcome | null;
}

/** A sign of life at most this often. */
const signMs = 1000;

const request = z.object({ path: z.string(), stopAfterMs: z.number().nullable() });

export const isAnalysisWorker = (): boolean =>
  !isMainThread && z.object({ role: z.literal(analysisWorkerRole.role) }).safeParse(workerData).success;

/** Answers each request with an outcome; decoding happens here and never in the thread that serves HTTP. */
export function runAnalysisWorker(): void {
  const port = parentPort;
  if (port === null) throw new Error('the analysis worker was started outside a worker thread');
  const answer = async (message: unknown): Promise<void> => {
    const { path, stopAfterMs } = request.parse(message);
    let lastSign = Date.now();
    const sign = (): void => {
      if (Date.now() - lastSign < signMs) return;
      lastSign = Date.now();
      port.postMessage({ outcome: null } satisfies AnalysisReply);
    };
    const outcome = await analyse(path, stopAfterMs ?? undefined, sign).catch((error: unknown): AnalysisOutcome => ({
      kind: 'undecodable',
      code: 'invalid_audio',
      detail: error instanceof Error ? error.message : 'unknown trouble',
    }));
    port.postMessage({ outcome } satisfies AnalysisReply);
  };
  port.on('message', (message: unknown) => void answer(message));
}

if (isAnalysisWorker()) runAnalysisWorker();
