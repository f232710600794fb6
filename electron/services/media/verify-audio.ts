import { makeFailure } from '../../../shared/domain/failures/make-failure.ts';
import { sniff, type MediaFormat } from '../../../shared/domain/media/sniff.ts';
import type { Failure } from '../../../shared/result/failure.ts';
import { err, ok, type Result } from '../../../shared/result/result.ts';
import type { FilePort } from '../library/store.ts';
import type { AudioExtractor } from './audio-extractor.ts';

/** Encoders pad a little at both ends; a larger difference means another recording, or a part of it. */
const lengthSlackMs = 2_000;
const lengthSlackShare = 0.03;

export interface VerifiedAudio {
  readonly durationMs: number | null;
  readonly sizeBytes: number;
  /** By its bytes. */
  readonly format: MediaFormat;
}

/** Verifies downloaded audio before anything records that it is there: a recording of the expected length. E-173. */
export async function verifyAudio(
  { extractor, files }: { readonly extractor: Pick<AudioExtractor, 'look'>; readonly files: Pick<FilePort, 'peek'> },
  path: string,
  expectedMs: number | null,
): Promise<Result<VerifiedAudio, Failure>> {
  const looked = await extractor.look(path);
  if (!looked.ok) return err(damaged('not_decodable'));
  const { durationMs, sizeBytes } = looked.value;
  if (expectedMs !== null && durationMs !== null) {
    const slackMs = lengthSlackMs + expectedMs * lengthSlackShare;
    if (Math.abs(durationMs - expectedMs) > slackMs) return err(damaged('other_length'));
  }
  const ends = await files.peek(path);
  const found = ends.ok ? sniff(ends.value.head) : null;
  return found?.kind === 'media' ? ok({ durationMs, sizeBytes, format: found.format }) : err(damaged('not_decodable'));
}

const damaged = (code: string): Failure => makeFailure('E-173', { code, outcome: 'accepted' });
