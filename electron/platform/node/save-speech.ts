import { makeFailure } from '../../../shared/domain/failures/make-failure.ts';
import type { Failure } from '../../../shared/result/failure.ts';
import { err, type Result } from '../../../shared/result/result.ts';
import { filePort } from './file-port.ts';
import { joinSpeech, zipSpeech, type JoinOptions, type SpokenPart } from './sound/join-speech.ts';

export interface SaveSpeechOptions extends JoinOptions {
  readonly as: 'one' | 'zip';
  /** An SRT with one cue for each part, beside the file. */
  readonly withSubtitles: boolean;
}

/** Writes takes as one file or an archive, whole or not at all. E-010 when a take can't be read; E-175, E-214. */
export async function saveSpeech(
  path: string,
  parts: readonly SpokenPart[],
  { as, withSubtitles, ...options }: SaveSpeechOptions,
): Promise<Result<null, Failure>> {
  const unreadable = err(makeFailure('E-010', { code: 'file_unreadable' }));
  if (as === 'zip') {
    const archive = await zipSpeech(parts, options).catch(() => null);
    return archive === null ? unreadable : filePort.writeWhole(path, archive);
  }
  const joined = await joinSpeech(parts, options).catch(() => null);
  if (joined === null) return unreadable;
  const written = await filePort.writeWhole(path, joined.file);
  if (!written.ok || !withSubtitles) return written;
  return filePort.writeWhole(`${path.replace(/\.[^.\\/]+$/u, '')}.srt`, joined.subtitles);
}
