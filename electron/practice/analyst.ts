import { WorkThread } from '../threads/work-thread.ts';
import type { UndecodableCode } from '../../shared/domain/audio/pcm-block.ts';
import { analysisWorkerRole, type AnalysisOutcome, type AnalysisRequest } from './analysis-worker.ts';
import { refuse } from './http.ts';

/**
 * One thread that measures files. A decoder that crashes its thread costs only the current file; the next one gets a
 * new thread.
 */
export class Analyst {
  readonly #thread: WorkThread<AnalysisRequest, AnalysisOutcome>;

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

const refusals: Readonly<Record<UndecodableCode, readonly [number, string]>> = {
  unsupported_media_type: [415, 'The file is not MP3, WAV, M4A, OGG, WebM or FLAC.'],
  unsupported_codec: [422, 'The sound in this file is written in a way that is not supported.'],
  invalid_audio: [422, 'The sound in this file cannot be decoded.'],
  audio_too_large: [413, 'The recording is longer than six hours.'],
  no_audio: [422, 'There is no sound in this file.'],
};

export function refuseUndecodable(
  { code, detail }: Extract<AnalysisOutcome, { kind: 'undecodable' }>,
  field = 'audio',
): never {
  const [status, message] = refusals[code];
  return refuse(status, code, message, { [field]: detail });
}
