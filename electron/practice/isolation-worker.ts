import { isInRole, serveThread } from '../threads/work-thread.ts';
import { convertFile } from '../audio/cut-audio.ts';
import { z } from 'zod';
import { Undecodable } from '../../shared/domain/audio/pcm-block.ts';
import { suppressFile } from './suppress-file.ts';

/** Passed as `workerData`, so that one bundle can be both the server and its workers. */
export const isolationWorkerRole = { role: 'practice-isolation' } as const;

const request = z.object({
  kind: z.enum(['suppress', 'suppress-and-restore', 'flac', 'mp3', 'ogg']),
  inputPath: z.string(),
  outputPath: z.string(),
});
export type IsolationRequest = Readonly<z.output<typeof request>>;

export type IsolationOutcome = { readonly kind: 'done' } | { readonly kind: 'failed'; readonly code: string };

async function work(message: unknown, sign: () => void): Promise<IsolationOutcome> {
  const { kind, inputPath, outputPath } = request.parse(message);
  try {
    if (kind === 'suppress' || kind === 'suppress-and-restore')
      await suppressFile(inputPath, outputPath, kind === 'suppress-and-restore', sign);
    else await convertFile(kind, inputPath, outputPath, sign);
    return { kind: 'done' };
  } catch (error) {
    return { kind: 'failed', code: error instanceof Undecodable ? error.code : 'internal_error' };
  }
}

if (isInRole(isolationWorkerRole.role)) serveThread(work);
