import { WorkThread } from '../../threads/work-thread.ts';
import { analysisWorkerRole, type AnalysisRequest } from './analysis-worker.ts';
import type { AnalysisOutcome } from './measured.ts';

/**
 * One thread that measures files. A decoder that crashes its thread costs only the current file; the next one gets a
 * new thread.
 */
export class Analyst {
  readonly #thread: WorkThread<AnalysisRequest, AnalysisOutcome>;

  /** `workerUrl`: a module that serves `analysisWorkerRole` when it finds itself in such a worker. */
  constructor(workerUrl: URL, silenceLimitMs = 20_000) {
    this.#thread = new WorkThread<AnalysisRequest, AnalysisOutcome>({
      workerUrl,
      workerData: analysisWorkerRole,
      silenceLimitMs,
      lost: (reason) => ({
        kind: 'undecodable',
        code: 'invalid_audio',
        detail: reason === 'closed' ? reason : `the decoder ${reason}`,
      }),
    });
  }

  analyse(path: string, stopAfterMs: number | null = null): Promise<AnalysisOutcome> {
    return this.#thread.run({ path, stopAfterMs });
  }

  close(): Promise<void> {
    return this.#thread.close();
  }
}
