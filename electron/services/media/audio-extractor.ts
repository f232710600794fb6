import type { VideoFormat } from '../../../shared/domain/exports/formats.ts';
import { basename } from 'node:path';
import type { HeardSpan } from '../../../shared/domain/exports/exporter.ts';
import { makeFailure } from '../../../shared/domain/failures/make-failure.ts';
import { localFailure } from '../../../shared/domain/jobs/job-failures.ts';
import type { HeardIn, RecordingPart } from '../../../shared/domain/jobs/job-state.ts';
import { err, ok, type Result } from '../../../shared/result/result.ts';
import type { FileIdentity, FilePort } from '../library/store.ts';
import type { AudioExtension, AudioPlan } from '../../../shared/domain/media/audio-plan.ts';
import { sniff } from '../../../shared/domain/media/sniff.ts';
import type { TimeSpan } from '../../../shared/domain/transcript/transcript.ts';
import type { Failure } from '../../../shared/result/failure.ts';

export interface LookedAtAudio {
  readonly plan: AudioPlan;
  readonly durationMs: number | null;
  readonly sizeBytes: number;
  /** Its header promises more than there is. */
  readonly isCutShort?: boolean;
  /** In which its pictures can be copied, its own first; none for audio. */
  readonly containers: readonly VideoFormat[];
  /** Subtitles are never copied. */
  readonly hasSubtitles: boolean;
  /** A second audio track is copied, except into a cut: what is redacted may be heard there too. */
  readonly hasSecondAudio: boolean;
}

export interface PrepareOptions {
  readonly part?: RecordingPart | undefined;
  /** Larger uncompressed audio is packed as FLAC, which keeps every sample. */
  readonly packedAboveBytes?: number;
}

export interface VideoSource extends Pick<LookedAtAudio, 'containers' | 'hasSubtitles' | 'hasSecondAudio'> {
  readonly path: string;
  /** Whether the extracted audio begins where that of the video does, and not where the video begins. */
  readonly isCutToAudio: boolean;
}

/** What of a video is kept, in the times of its audio, which is a file of its own. */
export interface VideoCut {
  readonly video: VideoSource;
  readonly audio: string;
  readonly container: VideoFormat;
  readonly spans: readonly TimeSpan[];
  readonly covered: readonly HeardSpan[];
  readonly durationMs: number;
}

/** `look` and `prepare` also accept the names that `markPrepared` makes. */
export interface AudioExtractor {
  look(path: string): Promise<Result<LookedAtAudio>>;
  /** The same recording always gives the same bytes. `cancelled` after an abort. */
  prepare(
    path: string,
    knownName: string | null,
    signal: AbortSignal,
    onShare: (share: number) => void,
    options?: PrepareOptions,
  ): Promise<Result<{ readonly path: string; readonly preparedName: string | null }>>;
  /** Completely or not at all. not-a-recording `not_convertible`, export-unfinished; `cancelled` after an abort. */
  join(
    parts: readonly (RecordingPart & { readonly path: string })[],
    target: string,
    format: AudioExtension,
    signal: AbortSignal,
    onShare: (share: number) => void,
  ): Promise<Result<null>>;
  /** A copy of the video with other audio; like `join` in all else. */
  readonly replaceAudio: (
    video: VideoSource,
    audio: string,
    target: string,
    signal: AbortSignal,
    onShare: (share: number) => void,
  ) => Promise<Result<null>>;
  /** What `cutVideo` would write. `longerMs`: than the spans. The next one ends this one: export-unfinished. */
  planVideo(
    cut: Pick<VideoCut, 'video' | 'spans' | 'durationMs'>,
  ): Promise<Result<{ readonly pieces: readonly TimeSpan[]; readonly longerMs: number }>>;
  /** A copy of the pieces of a video, never over the video itself (name-taken); like `join` in all else. */
  cutVideo(
    cut: VideoCut,
    target: string,
    signal: AbortSignal,
    onShare: (share: number) => void,
  ): Promise<Result<{ readonly sizeBytes: number }>>;
  /** Under the hash of its content. file-unreadable; disk-space-short, disk-full of the disk. */
  keep(path: string, extension: AudioExtension): Promise<Result<FileIdentity & { readonly preparedName: string }>>;
  heardIn(path: string): Promise<HeardIn>;
  pathOf(preparedName: string): string;
  close(): Promise<void>;
}

/** file-unreadable; not-a-recording `no_pictures` for audio. */
export async function videoAt(extractor: Pick<AudioExtractor, 'look'>, path: string): Promise<Result<VideoSource>> {
  const looked = await extractor.look(path);
  if (!looked.ok) return looked;
  const { containers, hasSubtitles, hasSecondAudio, plan } = looked.value;
  return containers.length === 0
    ? err(localFailure('not-a-recording', { code: 'no_pictures', params: { name: basename(path) } }))
    : ok({ path, containers, hasSubtitles, hasSecondAudio, isCutToAudio: plan.kind === 'copy' });
}

const mark = 'prepared:';

/** The name by which a library refers to its own audio, so that the library can be moved as a whole. */
export const markPrepared = (preparedName: string): string => `${mark}${preparedName}`;

export const isPrepared = (named: string): boolean => named.startsWith(mark);

export const preparedNameOf = (named: string): string | null => (isPrepared(named) ? named.slice(mark.length) : null);

export const placeOfAudio = (extractor: Pick<AudioExtractor, 'pathOf'>, named: string): string =>
  named.startsWith(mark) ? extractor.pathOf(named.slice(mark.length)) : named;

/** Used in place of a path for transcripts without a recording on this computer; no path begins like this. */
export const noRecording = 'at-service:';

export const recordingOf = (
  extractor: Pick<AudioExtractor, 'pathOf'>,
  { mediaPath, title }: { readonly mediaPath: string; readonly title: string },
): Result<string> =>
  mediaPath.startsWith(noRecording)
    ? err(localFailure('file-unreadable', { code: 'no_recording', params: { name: title } }))
    : ok(placeOfAudio(extractor, mediaPath));

export interface RecordingStore {
  recordingOf(transcriptId: string): Result<string | null>;
}

/** The user's own file, of which the audio that a text plays may be a part. */
export function ownRecording(
  store: RecordingStore,
  { id, mediaPath }: { readonly id: string; readonly mediaPath: string },
): Result<string | null> {
  const recording = isPrepared(mediaPath) ? store.recordingOf(id) : ok(mediaPath);
  return recording.ok && recording.value?.startsWith(noRecording) === true ? ok(null) : recording;
}

/** Verifies downloaded audio before anything records that it is there. download-damaged. */
export async function verifyAudio(
  { extractor, files }: { readonly extractor: Pick<AudioExtractor, 'look'>; readonly files: Pick<FilePort, 'peek'> },
  path: string,
) {
  const looked = await extractor.look(path);
  if (!looked.ok) return err(damaged());
  const { durationMs, sizeBytes } = looked.value;
  const ends = await files.peek(path);
  const found = ends.ok ? sniff(ends.value.head) : null;
  return found?.kind === 'media' ? ok({ durationMs, sizeBytes, format: found.format }) : err(damaged());
}

const damaged = (): Failure => makeFailure('download-damaged', { code: 'not_decodable', outcome: 'accepted' });

/** A library's folder for audio that jobs produced. Only names are stored, no paths, so that a library can be moved. */
export interface AudioFolder {
  pathOf(fileName: string): string;
  /** False when the file is gone or the target cannot be written. */
  copyTo(fileName: string, target: string): Promise<boolean>;
  /** Deletes all files with this name and all whose names begin with it (`{name}-wav.wav`). */
  removeAll(name: string): Promise<void>;
  prepare(name: string): Promise<Result<string>>;
  find(name: string): Promise<{ readonly fileName: string; readonly sizeBytes: number } | null>;
  keep(name: string, extension: string): Promise<Result<string>>;
}

/** Cached peaks by the content hash of their recording (64 hex digits). Losing one costs a second of computing. */
export interface PeaksStore {
  read(sha256: string): Promise<Uint8Array | null>;
  /** False when the disk would not take it. */
  write(sha256: string, peaks: Uint8Array): Promise<boolean>;
  remove(sha256: string): Promise<void>;
}
