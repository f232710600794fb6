import type { Failure } from '../../../shared/result/failure.ts';
import { localFailure } from '../../../shared/domain/jobs/job-failures.ts';
import { err, ok, type Result } from '../../../shared/result/result.ts';
import type { RecordingPart } from '../../../shared/domain/jobs/job-kind.ts';
import type { HeardIn } from '../../../shared/domain/jobs/job-state.ts';
import type { FileIdentity } from '../library/store.ts';
import type { AudioExtension, AudioPlan } from '../../../shared/domain/media/audio-plan.ts';

/** What is known about a file before anything is sent. */
export interface LookedAtAudio {
  readonly plan: AudioPlan;
  /** Milliseconds; null when the file does not state it cheaply. */
  readonly durationMs: number | null;
  readonly sizeBytes: number;
}

/** A file that can be sent: the user's own, or the audio extracted from it. */
export interface SendableAudio {
  readonly path: string;
  /** Name inside the folder of extracted audio; null when the file itself is sent. */
  readonly preparedName: string | null;
}

/** Changes what is sent in place of a recording that could be sent unchanged. */
export interface PrepareOptions {
  /** Only this part of it. */
  readonly part?: RecordingPart | undefined;
  /** Larger uncompressed audio is packed as FLAC, which keeps every sample. */
  readonly packedAboveBytes?: number;
}

/**
 * Extracts the audio of recordings that the service does not accept unchanged. `look` and `prepare` also accept the
 * names that `markPrepared` makes.
 */
export interface AudioExtractor {
  /** Plan and length, from headers. E-010 when it can't be read, E-211 when it is no recording or has no audio. */
  look(path: string): Promise<Result<LookedAtAudio, Failure>>;
  /**
   * The file to send for a recording; audio that was extracted before is reused, even when the recording is gone. The
   * same recording always gives the same bytes. `onShare`: 0 to 1. E-010, E-180, E-211 (`no_sound`, `needs_converter`,
   * `not_convertible`); `code: 'cancelled'` after an abort.
   */
  prepare(
    path: string,
    knownName: string | null,
    signal: AbortSignal,
    onShare: (share: number) => void,
    options?: PrepareOptions,
  ): Promise<Result<SendableAudio, Failure>>;
  /**
   * Joins files with parts of one recording, in order, completely or not at all. E-211 `not_convertible`, E-214 when it
   * can't be written; `code: 'cancelled'` after an abort.
   */
  join(
    parts: readonly (RecordingPart & { readonly path: string })[],
    target: string,
    format: AudioExtension,
    signal: AbortSignal,
    onShare: (share: number) => void,
  ): Promise<Result<null, Failure>>;
  /**
   * Copies a file into the folder of extracted audio, under the hash of its content. E-010; E-175, E-180 of the disk.
   */
  keep(
    path: string,
    extension: AudioExtension,
  ): Promise<Result<FileIdentity & { readonly preparedName: string }, Failure>>;
  /** What can be heard in a recording; `voice` where that is not known. */
  heardIn(path: string): Promise<HeardIn>;
  /** Where an extracted audio file is. */
  pathOf(preparedName: string): string;
  /** Ends the thread that inspects recordings; extraction under way is ended by its own signal. */
  close(): Promise<void>;
}

const mark = 'prepared:';

/** The name by which a library refers to its own audio, so that the library can be moved as a whole. */
export const markPrepared = (preparedName: string): string => `${mark}${preparedName}`;

/** Whether a name refers to the library's own audio. */
export const isPrepared = (named: string): boolean => named.startsWith(mark);

/** The file name of the library's own audio; null for a file of the user. */
export const preparedNameOf = (named: string): string | null => (isPrepared(named) ? named.slice(mark.length) : null);

/** The actual path of a recording that a library refers to. */
export const placeOfAudio = (extractor: Pick<AudioExtractor, 'pathOf'>, named: string): string =>
  named.startsWith(mark) ? extractor.pathOf(named.slice(mark.length)) : named;

/** Used in place of a path for transcripts without a recording on this computer; no path begins like this. */
export const noRecording = 'at-service:';

/** The recording of a transcript, for reading; E-010 `no_recording` where it was imported without one. */
export const recordingOf = (
  extractor: Pick<AudioExtractor, 'pathOf'>,
  { mediaPath, title }: { readonly mediaPath: string; readonly title: string },
): Result<string, Failure> =>
  mediaPath.startsWith(noRecording)
    ? err(localFailure('E-010', { code: 'no_recording', params: { name: title } }))
    : ok(placeOfAudio(extractor, mediaPath));
