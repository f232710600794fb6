import { setTimeout as wait } from 'node:timers/promises';
import { WorkThread } from '../../threads/work-thread.ts';
import { voiceWorkerRole, type VoiceOutcome, type VoiceRequest } from './voice-worker.ts';

/** Analyses recordings of voices in a thread of its own, and gives up when the service would. */
export class Listener {
  readonly #thread: WorkThread<VoiceRequest, VoiceOutcome>;
  readonly #deadlineMs: number;

  constructor(workerUrl: URL, deadlineMs: number) {
    this.#deadlineMs = deadlineMs;
    this.#thread = new WorkThread<VoiceRequest, VoiceOutcome>({
      workerUrl,
      workerData: voiceWorkerRole,
      silenceLimitMs: 30_000,
      lost: () => ({ kind: 'lost' }),
    });
  }

  async listen(request: VoiceRequest): Promise<VoiceOutcome> {
    const late = new AbortController();
    const deadline = wait<VoiceOutcome>(this.#deadlineMs, { kind: 'lost' }, { ref: false, signal: late.signal });
    deadline.catch(() => undefined);
    try {
      return await Promise.race([this.#thread.run(request), deadline]);
    } finally {
      late.abort();
    }
  }

  close(): Promise<void> {
    return this.#thread.close();
  }
}
