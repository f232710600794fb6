import type { Failure } from '../../../shared/result/failure.ts';
import { localFailure } from '../../../shared/domain/jobs/job-failures.ts';
import { err, ok, type Result } from '../../../shared/result/result.ts';
import type { RecordingPart } from '../../../shared/domain/jobs/job-kind.ts';
import type { FileIdentity } from '../library/store.ts';
import type { AudioExtension, AudioPlan } from '../../../shared/domain/media/audio-plan.ts';

/** What is known of a file before anything is sent. */
export interface LookedAtAudio {
  readonly plan: AudioPlan;
  /** Milliseconds; null when the file does not say it cheaply. */
  readonly durationMs: number | null;
  readonly sizeBytes: number;
}

/** A file that can be sent: the person's own, or the audio extracted from it. */
export interface SendableAudio {
  readonly path: string;
  /** Name inside the folder of extracted audio; null when the file itself is sent. */
  readonly preparedName: string | null;
}

/** What is sent in place of a recording that would be sent as it is. */
export interface PrepareOptions {
  /** Only this part of it. */
  readonly part?: RecordingPart | undefined;
  /** Uncompressed audio of more bytes than this is packed as FLAC, which keeps every sample. */
  readonly packedAboveBytes?: number;
}

/**
 * Extracts the audio of recordings that the service does not take as they are. `look` and `prepare` also take what
 * `markPrepared` gives.
 */
export interface AudioExtractor {
  /** Plan and length, from headers. E-010 when it can't be read, E-211 when it is no recording or has no audio. */
  look(path: string): Promise<Result<LookedAtAudio, Failure>>;
  /**
   * The file to send for a recording; audio that was extracted before is used again, also when the recording is gone.
   * The same recording always gives the same bytes. `onShare`: 0 to 1. E-010, E-180, E-211 (`no_sound`,
   * `needs_converter`, `not_convertible`); `code: 'cancelled'` after an abort.
   */
  prepare(
    path: string,
    knownName: string | null,
    signal: AbortSignal,
    onShare: (share: number) => void,
    options?: PrepareOptions,
  ): Promise<Result<SendableAudio, Failure>>;
  /**
   * Writes files that hold parts of one recording, in order, as one file, whole or not at all. E-211
   * `not_convertible`, E-214 when it can't be written; `code: 'cancelled'` after an abort.
   */
  join(
    parts: readonly (RecordingPart & { readonly path: string })[],
    target: string,
    format: AudioExtension,
    signal: AbortSignal,
    onShare: (share: number) => void,
  ): Promise<Result<null, Failure>>;
  /** Puts a copy of a file beside the extracted audio, under the hash of its content. E-010; E-175, E-180 of the disk. */
  keep(
    path: string,
    extension: AudioExtension,
  ): Promise<Result<FileIdentity & { readonly preparedName: string }, Failure>>;
  /** Where an extracted audio file is. */
  pathOf(preparedName: string): string;
  /** Ends the thread that looks into recordings; what is being prepared is ended by its own signal. */
  close(): Promise<void>;
}

const mark = 'prepared:';

/** How a library names audio that it keeps itself, so that the library can be moved as a whole. */
export const markPrepared = (preparedName: string): string => `${mark}${preparedName}`;

/** Whether a library names audio that it keeps itself. */
export const isPrepared = (named: string): boolean => named.startsWith(mark);

/** The name of a sound that a library keeps itself; null for a file of the person. */
export const preparedNameOf = (named: string): string | null => (isPrepared(named) ? named.slice(mark.length) : null);

/** The real place of a recording that a library names. */
export const placeOfAudio = (extractor: Pick<AudioExtractor, 'pathOf'>, named: string): string =>
  named.startsWith(mark) ? extractor.pathOf(named.slice(mark.length)) : named;

/** Stands before what has no recording on this computer, where a path would be: no path begins so. */
export const noRecording = 'at-service:';

/** The recording of a transcript, to be read; E-010 `no_recording` where it was imported without one. */
export const recordingOf = (
  extractor: Pick<AudioExtractor, 'pathOf'>,
  { mediaPath, title }: { readonly mediaPath: string; readonly title: string },
): Result<string, Failure> =>
  mediaPath.startsWith(noRecording)
    ? err(localFailure('E-010', { code: 'no_recording', params: { name: title } }))
    : ok(placeOfAudio(extractor, mediaPath));
