import { makeFailure } from '../../../shared/domain/failures/make-failure.ts';
import { sniff, type MediaFormat } from '../../../shared/domain/media/sniff.ts';
import type { Failure } from '../../../shared/result/failure.ts';
import { err, ok, type Result } from '../../../shared/result/result.ts';
import type { FilePort } from '../library/store.ts';
import type { AudioExtractor } from './audio-extractor.ts';

export interface VerifiedAudio {
  readonly durationMs: number | null;
  readonly sizeBytes: number;
  /** By its bytes. */
  readonly format: MediaFormat;
}

/** Verifies downloaded audio before anything records that it is there. E-173. */
export async function verifyAudio(
  { extractor, files }: { readonly extractor: Pick<AudioExtractor, 'look'>; readonly files: Pick<FilePort, 'peek'> },
  path: string,
): Promise<Result<VerifiedAudio, Failure>> {
  const looked = await extractor.look(path);
  if (!looked.ok) return err(damaged());
  const { durationMs, sizeBytes } = looked.value;
  const ends = await files.peek(path);
  const found = ends.ok ? sniff(ends.value.head) : null;
  return found?.kind === 'media' ? ok({ durationMs, sizeBytes, format: found.format }) : err(damaged());
}

const damaged = (): Failure => makeFailure('E-173', { code: 'not_decodable', outcome: 'accepted' });
