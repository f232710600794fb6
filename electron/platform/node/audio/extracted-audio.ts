import type { VideoFormat } from '../../../../shared/domain/exports/formats.ts';
import { convertAudio } from './converter.ts';
import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { copyFile, mkdir, open, rename, rm, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { localFailure } from '../../../../shared/domain/jobs/job-failures.ts';
import { headerDurationMs, isCutShort, isOnlyHeader } from '../../../../shared/domain/media/duration.ts';
import { heardOf } from '../../../../shared/domain/media/video-pieces.ts';
import { sniff, type MediaFormat } from '../../../../shared/domain/media/sniff.ts';
import {
  hidesLength,
  needsProbe,
  planAudio,
  containersOf,
  audioForVideo,
  type ProbedMedia,
  type AudioExtension,
  type AudioPlan,
} from '../../../../shared/domain/media/audio-plan.ts';
import type { RecordingPart } from '../../../../shared/domain/jobs/job-state.ts';
import { err, ok, type Result } from '../../../../shared/result/result.ts';
import type { FileIdentity } from '../../../services/library/store.ts';
import {
  placeOfAudio,
  preparedNameOf,
  type AudioExtractor,
  type VideoCut,
} from '../../../services/media/audio-extractor.ts';
import { WorkThread } from '../../../threads/work-thread.ts';
import { hashFile, peekFile } from '../hash-file.ts';
import { isTextName } from '../../../../shared/domain/imports/read-subtitles.ts';
import { isSameFile, unfinishedBeside } from '../place-file.ts';
import { asUsersFile } from '../users-files.ts';
import { libraryFailure, readFailure, writeFailure } from '../storage-failure.ts';
import { audioWorkerRole, type AudioOutcome, type AudioRequest } from './audio-cutter.ts';

/** Uncompressed formats: FLAC stores their samples in about half the space. */
const isUncompressed: ReadonlySet<MediaFormat> = new Set(['wav']);
const wholeRecording: RecordingPart = { startMs: 0, endMs: Number.MAX_SAFE_INTEGER };
const preparedName = /^[0-9a-f]{64}\.(m4a|ogg|mp3|flac|wav)$/;
const fullDisk = new Set(['ENOSPC', 'EDQUOT', 'EFBIG']);

interface Looked {
  readonly format: MediaFormat;
  readonly plan: AudioPlan;
  readonly durationMs: number | null;
  readonly sizeBytes: number;
  readonly containers: readonly VideoFormat[];
  readonly hasSubtitles: boolean;
  readonly hasSecondAudio: boolean;
}

type Taken = Exclude<AudioPlan, { kind: 'as-is' | 'no-sound' }>;

/** The format of an extracted part: its packets move into a container that the service accepts. */
function extensionOfPart(format: MediaFormat, plan: AudioPlan): AudioExtension {
  if (plan.kind === 'copy') return plan.extension;
  if (format === 'wav' || format === 'mp3' || format === 'ogg' || format === 'flac') return format;
  return format === 'webm' ? 'ogg' : 'm4a';
}

/** Named by hash and times, so that a part that was cut before is found again. */
function nameOf(sha256: string, { format, plan }: Looked, part: RecordingPart | undefined): string {
  if (part !== undefined) {
    const hash = createHash('sha256').update(`${sha256} ${String(part.startMs)}-${String(part.endMs)}`);
    return `${hash.digest('hex')}.${extensionOfPart(format, plan)}`;
  }
  return `${sha256}.${plan.kind === 'copy' || plan.kind === 'convert' ? plan.extension : 'flac'}`;
}

/** Headers are in the first megabytes: a file that takes longer was made to take for ever. */
const longestProbeMs = 10_000;
const mostRemembered = 1000;

const newThread = (workerUrl: URL, more: { readonly silenceLimitMs?: number; readonly triesOnce?: boolean } = {}) =>
  new WorkThread<AudioRequest, AudioOutcome>({
    workerUrl,
    workerData: audioWorkerRole,
    // A progress message comes four times a second while packets move; no disk takes longer than this for headers.
    silenceLimitMs: 30_000,
    lost: () => ({ kind: 'failed', system: null }),
    ...more,
  });

/** In a thread, so that files of unknown origin never block or crash the program itself. */
export function openExtractedAudio(folder: string, workerUrl: URL): AudioExtractor {
  const prober = newThread(workerUrl, { silenceLimitMs: longestProbeMs, triesOnce: true });
  /** Separate, because a recording without a voice is decoded to its end, and added files must not wait for that. */
  const listener = newThread(workerUrl, { triesOnce: true });
  /**
   * A file is examined when it is added and again when it is prepared; one that hung the thread gets no second chance.
   */
  const unreadable = new Set<string>();
  const pathOf = (name: string): string => {
    if (!preparedName.test(name)) throw new Error('not the name of a prepared sound');
    return join(folder, name);
  };
  const underWay = new Map<string, Promise<unknown>>();
  async function inTurn<T>(name: string, work: () => Promise<T>): Promise<T> {
    for (let other = underWay.get(name); other !== undefined; other = underWay.get(name)) await other;
    const own = work();
    underWay.set(
      name,
      own.catch(() => undefined),
    );
    try {
      return await own;
    } finally {
      underWay.delete(name);
    }
  }
  const exists = (path: string): Promise<boolean> =>
    stat(path).then(
      (found) => found.isFile() && found.size > 0,
      () => false,
    );

  const probe = async (path: string): Promise<ProbedMedia | null> => {
    const { size, mtimeMs } = await stat(path).catch(() => ({ size: 0, mtimeMs: 0 }));
    const version = `${path}\0${size}\0${mtimeMs}`;
    if (unreadable.has(version)) return null;
    const found = await prober.run({ kind: 'probe', path });
    if (found.kind === 'probed') return found.media;
    if (unreadable.size < mostRemembered) unreadable.add(version);
    return null;
  };

  async function look(path: string): Promise<Result<Looked>> {
    const params = { name: basename(path) };
    const peek = await peekFile(path);
    if (!peek.ok) return err({ ...peek.error, params });
    const { head, tail, sizeBytes } = peek.value;
    const found = sniff(head);
    if (found.kind === 'not-media') {
      const code = found.what === 'empty' ? 'empty_file' : isTextName(path) ? 'text_file' : 'not_audio';
      return err(localFailure('not-a-recording', { code, params }));
    }
    const { format } = found;
    const headerMs = headerDurationMs(format, head, tail, sizeBytes);
    const probed = needsProbe(format) || (headerMs === null && hidesLength(format)) ? await probe(path) : null;
    const plan = planAudio(format, probed);
    if (plan.kind === 'no-sound' || isOnlyHeader(format, head, sizeBytes))
      return err(localFailure('not-a-recording', { code: 'no_sound', params }));
    return ok({
      format,
      plan,
      durationMs: headerMs ?? probed?.durationMs ?? null,
      sizeBytes,
      containers: containersOf(format, probed),
      hasSubtitles: probed?.hasSubtitles ?? false,
      hasSecondAudio: probed?.hasSecondAudio ?? false,
      isCutShort: isCutShort(format, head, sizeBytes),
    });
  }

  async function keep(name: string, write: (part: string) => Promise<Result<null>>): Promise<Result<null>> {
    const part = `${pathOf(name)}.part`;
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await open(part, 'w', 0o600).then((file) => file.close());
    try {
      const written = await write(part);
      if (!written.ok) return written;
      const file = await open(part, 'r+');
      try {
        await file.sync();
      } finally {
        await file.close();
      }
      await rename(part, pathOf(name));
      return ok(null);
    } finally {
      await rm(part, { force: true });
    }
  }

  async function inThread(
    request: AudioRequest,
    signal: AbortSignal,
    onShare: (share: number) => void,
  ): Promise<AudioOutcome> {
    const thread = newThread(workerUrl);
    const stop = () => void thread.close();
    signal.addEventListener('abort', stop, { once: true });
    try {
      return await thread.run(request, onShare);
    } finally {
      signal.removeEventListener('abort', stop);
      await thread.close();
    }
  }

  const unusable = (code: string, from: string): Result<never> =>
    err(localFailure('not-a-recording', { code, params: { name: basename(from) } }));
  const cancelled = (from: string): Result<never> =>
    err(localFailure('file-unreadable', { code: 'cancelled', params: { name: basename(from) } }));

  async function take(
    from: string,
    part: string,
    { format, plan, durationMs }: Looked & { readonly plan: Taken },
    signal: AbortSignal,
    onShare: (share: number) => void,
  ): Promise<Result<null>> {
    const copied =
      plan.kind === 'copy'
        ? await inThread({ kind: 'copy', from, to: part, extension: plan.extension }, signal, onShare)
        : null;
    if (copied?.kind === 'failed' && fullDisk.has(copied.system ?? ''))
      return err(libraryFailure({ code: copied.system }));
    if (signal.aborted) return cancelled(from);
    if (copied?.kind === 'copied') return ok(null);
    const converted = await convertAudio({ format, from, to: part, durationMs, signal, onShare });
    if (converted === 'cancelled') return cancelled(from);
    if (converted === 'no-converter') return unusable('needs_converter', from);
    if (converted === 'no-sound') return unusable('no_sound', from);
    return converted === 'failed' ? unusable('not_convertible', from) : ok(null);
  }

  async function cut(
    from: string,
    to: string,
    part: RecordingPart | undefined,
    { format, plan, durationMs }: Looked,
    signal: AbortSignal,
    onShare: (share: number) => void,
  ): Promise<Result<null>> {
    const outcome = await inThread(
      part === undefined
        ? { kind: 'cut', from, to, format: 'flac', spans: [wholeRecording], durationMs: durationMs ?? 0 }
        : { kind: 'copy', from, to, extension: extensionOfPart(format, plan), part },
      signal,
      onShare,
    );
    if (signal.aborted) return cancelled(from);
    if (outcome.kind === 'failed' && outcome.system !== null) return err(libraryFailure({ code: outcome.system }));
    return outcome.kind === 'copied' || outcome.kind === 'cut' ? ok(null) : unusable('not_convertible', from);
  }

  /** The file appears when it is complete. */
  async function whole(
    target: string,
    request: (part: string) => AudioRequest,
    signal: AbortSignal,
    onShare: (share: number) => void,
  ): Promise<Result<null>> {
    const part = unfinishedBeside(target);
    try {
      await open(part, 'wx', 0o600).then((file) => file.close());
      const outcome = await inThread(request(part), signal, onShare);
      if (signal.aborted) return err(localFailure('export-unfinished', { code: 'cancelled' }));
      if (outcome.kind === 'failed' && outcome.system !== null) return err(writeFailure({ code: outcome.system }));
      if (outcome.kind !== 'joined' && outcome.kind !== 'cut') return unusable('not_convertible', target);
      await asUsersFile(part);
      await rename(part, target);
      return ok(null);
    } catch (error) {
      return err(writeFailure(error));
    } finally {
      await rm(part, { force: true }).catch(() => undefined);
    }
  }

  let planning = new AbortController();
  async function planVideo(
    { video: { path, isCutToAudio }, spans, durationMs }: Pick<VideoCut, 'video' | 'spans' | 'durationMs'>,
    signal: AbortSignal,
  ) {
    const outcome = await inThread({ kind: 'pieces', path, isCutToAudio, spans, durationMs }, signal, () => undefined);
    if (signal.aborted) return err(localFailure('export-unfinished', { code: 'cancelled' }));
    if (outcome.kind === 'failed' && outcome.system !== null)
      return err({ ...readFailure({ code: outcome.system }), params: { name: basename(path) } });
    return outcome.kind === 'planned' ? ok(outcome) : unusable('no_pictures', path);
  }

  async function cutVideo(
    cut: VideoCut,
    target: string,
    signal: AbortSignal,
    onShare: (share: number) => void,
  ): Promise<Result<null>> {
    const { video, audio: from, container, covered, durationMs } = cut;
    if (!video.containers.includes(container)) return unusable('no_pictures', video.path);
    if (await isSameFile(video.path, target))
      return err(localFailure('name-taken', { params: { name: basename(target) } }));
    const planned = await planVideo(cut, signal);
    if (!planned.ok) return planned;
    const { pieces } = planned.value;
    const format = audioForVideo(container);
    const audio = `${unfinishedBeside(target)}.${format}`;
    onShare(0);
    try {
      const heard = await whole(
        audio,
        (to) => ({ kind: 'cut', from, to, format, spans: heardOf(pieces, covered), durationMs }),
        signal,
        (share) => onShare(share / 2),
      );
      if (!heard.ok) return heard;
      onShare(0.5);
      return await whole(
        target,
        (to) => ({ kind: 'video', from: video.path, audio, to, isCutToAudio: video.isCutToAudio, container, pieces }),
        signal,
        (share) => onShare((1 + share) / 2),
      );
    } finally {
      await rm(audio, { force: true }).catch(() => undefined);
    }
  }

  return {
    pathOf,
    async look(named) {
      const looked = await look(placeOfAudio({ pathOf }, named));
      if (!looked.ok) return looked;
      const { format: _, ...about } = looked.value;
      return ok(about);
    },
    async prepare(named, knownName, signal, onShare, options = {}) {
      const path = placeOfAudio({ pathOf }, named);
      const ownName = options.part === undefined ? preparedNameOf(named) : null;
      if (ownName !== null && (await exists(path))) return ok({ path, preparedName: ownName });
      if (knownName !== null && (await exists(pathOf(knownName))))
        return ok({ path: pathOf(knownName), preparedName: knownName });
      const looked = await look(path);
      if (!looked.ok) return looked;
      const { plan } = looked.value;
      const isPacked =
        isUncompressed.has(looked.value.format) && looked.value.sizeBytes > (options.packedAboveBytes ?? Infinity);
      const isCut = options.part !== undefined || isPacked;
      if (!isCut && (plan.kind === 'as-is' || plan.kind === 'no-sound')) return ok({ path, preparedName: null });
      const content = await hashFile(path, signal);
      if (!content.ok) return content;
      const name = nameOf(content.value.sha256, looked.value, options.part);
      try {
        const taken = await inTurn(name, async () => {
          if (await exists(pathOf(name))) return ok(null);
          if (isCut) return keep(name, (to) => cut(path, to, options.part, looked.value, signal, onShare));
          if (plan.kind === 'as-is' || plan.kind === 'no-sound') return ok(null);
          return keep(name, (to) => take(path, to, { ...looked.value, plan }, signal, onShare));
        });
        return taken.ok ? ok({ path: pathOf(name), preparedName: name }) : taken;
      } catch (error) {
        return err(libraryFailure(error));
      }
    },
    join: (parts, target, format, signal, onShare) =>
      whole(target, (to) => ({ kind: 'join', parts, to, format }), signal, onShare),
    replaceAudio: ({ path: from, isCutToAudio, containers: [container = 'mp4'] }, audio, target, signal, onShare) =>
      whole(target, (to) => ({ kind: 'video', from, audio, to, isCutToAudio, container }), signal, onShare),
    planVideo(cut) {
      planning.abort();
      planning = new AbortController();
      return planVideo(cut, planning.signal);
    },
    async cutVideo(cut, target, signal, onShare) {
      const written = await cutVideo(cut, target, signal, onShare);
      return written.ok ? ok({ sizeBytes: (await stat(target)).size }) : written;
    },
    keep: (path, extension) => keepAudio(path, folder, extension),
    async heardIn(path) {
      const found = await listener.run({ kind: 'listen', path });
      return found.kind === 'listened' ? found.heard : 'voice';
    },
    async close() {
      planning.abort();
      await Promise.all([prober.close(), listener.close()]);
    },
  };
}

export async function keepAudio(
  path: string,
  folder: string,
  extension: AudioExtension,
): Promise<Result<FileIdentity & { readonly preparedName: string }>> {
  const content = await hashFile(path, new AbortController().signal);
  if (!content.ok) return content;
  const preparedName = `${content.value.sha256}.${extension}`;
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    // File systems that can do so share the bytes.
    await copyFile(path, join(folder, preparedName), constants.COPYFILE_FICLONE);
  } catch (error) {
    return { ok: false, error: writeFailure(error) };
  }
  return ok({ ...content.value, preparedName });
}
