import { z } from 'zod';
import { Undecodable } from '../../../shared/domain/audio/pcm-block.ts';
import { convertFile } from '../../audio/encode/convert-file.ts';
import { isInRole, serveThread } from '../../threads/serve-thread.ts';
import { suppressFile } from './suppress-file.ts';

/** Passed as `workerData`, so that one bundle can be both the server and its workers. */
export const isolationWorkerRole = { role: 'practice-isolation' } as const;

const request = z.object({
  kind: z.enum(['suppress', 'suppress-and-restore', 'flac', 'mp3', 'ogg']),
  inputPath: z.string(),
  outputPath: z.string(),
});
export type IsolationRequest = Readonly<z.output<typeof request>>;

export type IsolationOutcome =
  | { readonly kind: 'done'; readonly durationMs: number }
  | { readonly kind: 'failed'; readonly code: string };

async function work(message: unknown, sign: () => void): Promise<IsolationOutcome> {
  const { kind, inputPath, outputPath } = request.parse(message);
  try {
    switch (kind) {
      case 'suppress':
      case 'suppress-and-restore': {
        const durationMs = await suppressFile(inputPath, outputPath, kind === 'suppress-and-restore', sign);
        return { kind: 'done', durationMs };
      }
      case 'flac':
      case 'mp3':
      case 'ogg':
        await convertFile(kind, inputPath, outputPath, sign);
        return { kind: 'done', durationMs: 0 };
    }
  } catch (error) {
    return { kind: 'failed', code: error instanceof Undecodable ? error.code : 'internal_error' };
  }
}

if (isInRole(isolationWorkerRole.role)) serveThread(work);
