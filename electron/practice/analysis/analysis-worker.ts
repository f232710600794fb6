import { isMainThread, parentPort, workerData } from 'node:worker_threads';
import { z } from 'zod';
import { analyse } from './analyse.ts';
import type { AnalysisOutcome } from './sound.ts';

/** Given as `workerData`, so that one bundle can be both the server and its worker. */
export const analysisWorkerRole = { role: 'practice-analysis' } as const;

export interface AnalysisRequest {
  readonly id: number;
  readonly path: string;
  readonly stopAfterMs: number | null;
}

export interface AnalysisReply {
  readonly id: number;
  readonly outcome: AnalysisOutcome;
}

const request = z.object({ id: z.number(), path: z.string(), stopAfterMs: z.number().nullable() });

export const isAnalysisWorker = (): boolean =>
  !isMainThread && z.object({ role: z.literal(analysisWorkerRole.role) }).safeParse(workerData).success;

/** Answers each request with an outcome; decoding happens here and never in the thread that serves HTTP. */
export function runAnalysisWorker(): void {
  const port = parentPort;
  if (port === null) throw new Error('the analysis worker was started outside a worker thread');
  const answer = async (message: unknown): Promise<void> => {
    const { id, path, stopAfterMs } = request.parse(message);
    const outcome = await analyse(path, stopAfterMs ?? undefined).catch((error: unknown): AnalysisOutcome => ({
      kind: 'undecodable',
      code: 'invalid_audio',
      detail: error instanceof Error ? error.message : 'unknown trouble',
    }));
    port.postMessage({ id, outcome } satisfies AnalysisReply);
  };
  port.on('message', (message: unknown) => void answer(message));
}

if (isAnalysisWorker()) runAnalysisWorker();
