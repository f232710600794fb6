import { choosePaths, chooseSavePath } from '../shell/choose-paths.ts';
import { lengthToSend } from '../../shared/domain/jobs/recording-parts.ts';
import { createHash } from 'node:crypto';
import { rm, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { isChargedAnew } from '../../shared/domain/jobs/batch-progress.ts';
import { addEstimates, estimateAudio, type SpendEstimate } from '../../shared/domain/spend/spend-limit.ts';
import { safeFileName, copyName } from '../../shared/domain/exports/safe-file-name.ts';
import type { NewJob } from '../queue/rows.ts';
import type { Word } from '../../shared/domain/transcript/transcript.ts';
import { localFailure } from '../../shared/domain/jobs/job-failures.ts';
import { audioForVideo, type AudioExtension } from '../../shared/domain/media/audio-plan.ts';
import { makeFailure } from '../../shared/domain/failures/make-failure.ts';
import type { Failure } from '../../shared/result/failure.ts';
import type { StoredSettings } from '../../shared/domain/settings/settings.ts';
import { isSameFile, isTaken, openUnfinished, placeFile, unfinishedBeside } from '../platform/node/place-file.ts';
import { err, ok, type Result } from '../../shared/result/result.ts';
import type { ExcerptTexts } from '../services/isolation/excerpt-texts.ts';
import type { StoredAudio } from '../services/library/store.ts';
import { sendsByLegacy } from '../services/secrets/key-service.ts';
import { audioOf, type Asker } from '../services/spend/spend-guard.ts';
import type { Workspace } from '../workspace/open-workspace.ts';
import { dialogWords, isolatedFileWords } from '../shell/words.ts';
import { procedure, streamOf } from '../ipc/procedure.ts';
import { askOpened, fileToken, id, speechLanguage, restorationModel, type App } from './context.ts';
import { z } from 'zod';

const format = z.enum(['mp3', 'wav', 'flac', 'ogg', 'original']);
const pcm = z.instanceof(Uint8Array);
const jobIds = z.array(id).min(1).max(20_000);

/** Of 16-bit mono at 16 kHz. */
const pcmBytesPerMs = 32;
const wordsOfBoth = ({ original, isolated }: ExcerptTexts) => ({ original: [...original], isolated: [...isolated] });

const sizeOf = async (path: string): Promise<number | null> =>
  stat(path).then(
    (about) => (about.isFile() ? about.size : null),
    () => null,
  );

export const isolationProcedures = ({
  workspaces,
  settings,
  legacyKeys,
  noisySample,
  fileTokens,
  mediaTokens,
  paid,
  windowOf,
}: App) => {
  const withWorkspace = askOpened(workspaces, (workspace) => workspace);
  const withAudio = <T>(
    audioId: string,
    ask: (audio: StoredAudio, workspace: Workspace) => Promise<Result<T>>,
  ): Promise<Result<T>> =>
    withWorkspace(async (workspace) => {
      const audio = workspace.isolation.find(audioId);
      return audio.ok ? ask(audio.value, workspace) : audio;
    });
  const playable = async (path: string, sha256: string) => {
    const sizeBytes = await sizeOf(path);
    return { url: sizeBytes === null ? null : `/media/${mediaTokens.issue({ path, sha256 })}`, sizeBytes };
  };
  const wholeUrl = async (path: string): Promise<string | null> => {
    const about = await stat(path).catch(() => null);
    if (about === null) return null;
    const state = createHash('sha256').update(`${path}\0${about.size}\0${about.mtimeMs}`).digest('hex');
    return `/media/${mediaTokens.issue({ path, sha256: `file-${state}` })}`;
  };
  const addOne = async (
    { jobs }: Workspace,
    asker: Asker,
    file: NewJob | (() => Promise<Result<NewJob>>),
    estimate: SpendEstimate,
  ) => {
    const admitted = await paid.start(asker, estimate);
    if (!admitted.ok) return admitted;
    if (!admitted.value) return ok({ jobId: null });
    const made = typeof file === 'function' ? await file() : ok(file);
    if (!made.ok) return made;
    const { jobIds, refused } = await jobs.add([made.value]);
    const [left] = refused;
    return left === undefined ? ok({ jobId: jobIds[0] ?? null }) : { ok: false as const, error: left.failure };
  };

  const addUnlessListed = async (
    { jobs }: Workspace,
    asker: Asker,
    { job, lengthMs }: { job: NewJob; lengthMs: number },
  ) => {
    let admitted: Result<boolean> = ok(true);
    const admit = async () => {
      admitted = await paid.start(asker, estimateAudio('isolate', [lengthMs]));
      return admitted.ok && admitted.value;
    };
    const watch = { signal: new AbortController().signal, onProgress: () => undefined, admit };
    const { jobIds, refused, repeated } = await jobs.add([job], watch, { skipsRepeats: true });
    const [left] = refused;
    if (left !== undefined) return err(left.failure);
    if (!admitted.ok) return admitted;
    return ok({ jobId: repeated[0]?.jobId ?? jobIds[0] ?? null, isListed: repeated.length > 0 });
  };

  return {
    'isolation.open': procedure(z.strictObject({ audioId: id }), async ({ audioId }) =>
      withAudio(audioId, async (audio, { isolation }) => {
        const source = isolation.sourceOf(audio);
        if (!source.ok) return source;
        const part = isolation.parts.describe(audio);
        if (!part.ok) return part;
        const whole = part.value?.index === null ? await isolation.parts.whole(audio.jobId) : null;
        const variant = isolation.variantOf(audio);
        if (!variant.ok) return variant;
        const transcripts = isolation.recordings.transcriptsOf(audio);
        if (!transcripts.ok) return transcripts;
        const { id, jobId, title, sourceName, createdAtMs, durationMs, credits, sha256 } = audio;
        const video = await isolation.videoOf(audio);
        return ok({
          audioId: id,
          jobId,
          title,
          sourceName,
          createdAtMs,
          durationMs,
          recordingMs: source.value?.durationMs ?? null,
          credits,
          restoresSpeech: source.value?.restoresSpeech ?? false,
          original:
            source.value === null
              ? { url: null, sizeBytes: null }
              : await playable(source.value.path, source.value.sha256),
          isolated: await playable(isolation.pathOf(audio), sha256),
          variant:
            variant.value === null ? null : await playable(isolation.pathOf(variant.value), variant.value.sha256),
          transcripts: [...transcripts.value],
          part: part.value && {
            ...part.value,
            wholeMs: whole?.ok === true ? whole.value.lengthMs : null,
            wholeUrl: whole?.ok === true ? await wholeUrl(whole.value.job.path) : null,
          },
          video: video?.containers[0] ?? null,
          losesSubtitles: video?.hasSubtitles ?? false,
        });
      }),
    ),
    'isolation.list': procedure(z.strictObject({}), async () =>
      withWorkspace(async ({ isolation }) => {
        const listed = isolation.list();
        if (!listed.ok) return listed;
        return ok({ audio: listed.value.map(({ id, jobId, credits }) => ({ audioId: id, jobId, credits })) });
      }),
    ),
    /** A folder for several files; null when none was chosen. */
    'isolation.choosePlace': procedure(z.strictObject({}), async (_input, { windowId }) => {
      const [folder] = await choosePaths(windowOf(windowId), {
        title: dialogWords(settings.get().interfaceLanguage)('files.saveIsolated'),
        properties: ['openDirectory', 'createDirectory'],
      });
      return ok({ placeToken: folder === undefined ? null : fileTokens.issue(windowId, folder) });
    }),
    /** As the service made it, which does so now for a format that is not here yet. */
    'isolation.save': procedure(
      z.strictObject({ audioId: id, format, placeToken: fileToken.optional() }),
      async ({ audioId, format, placeToken }, { windowId }) =>
        withAudio<{ savedAs: string | null; revealToken: string | null }>(audioId, async (audio, { isolation }) => {
          const extension = await isolation.extensionOf(audio, format);
          const dialog = isolatedFileWords(audio.title, format, extension, settings.get().interfaceLanguage);
          const path =
            placeToken === undefined
              ? ok(await chooseSavePath(windowOf(windowId), dialog))
              : await placeIn(fileTokens.resolve(windowId, placeToken), audio, extension, settings.get());
          if (!path.ok) return path;
          if (path.value === null) return ok({ savedAs: null, revealToken: null });
          const unfinished = unfinishedBeside(path.value);
          try {
            const saved = await isolation.copyResult(audio, format, unfinished);
            const placed = saved.ok ? await placeFile(unfinished, path.value, placeToken === undefined) : saved;
            if (!placed.ok) return placed;
            return ok({ savedAs: basename(placed.value), revealToken: fileTokens.issue(windowId, placed.value) });
          } finally {
            await rm(unfinished, { force: true }).catch(() => undefined);
          }
        }),
    ),
    'isolation.hide': procedure(z.strictObject({ jobIds }), async ({ jobIds }) =>
      withWorkspace(async ({ isolation }) => {
        const hidden = await isolation.hide(jobIds);
        return hidden.ok ? ok({ hiddenCount: hidden.value }) : hidden;
      }),
    ),
    'isolation.unhide': procedure(z.strictObject({ jobIds }), async ({ jobIds }) =>
      withWorkspace(async ({ isolation }) => {
        const shown = await isolation.unhide(jobIds);
        return shown.ok ? ok({ restoredCount: shown.value }) : shown;
      }),
    ),
    'isolation.hidden': procedure(z.strictObject({}), async () =>
      withWorkspace(async ({ isolation }) => {
        const hidden = isolation.hidden();
        return hidden.ok ? ok({ jobs: [...hidden.value] }) : hidden;
      }),
    ),
    /** Tries stopped rows again, with a new request where only that helps; may be charged. */
    'isolation.retry': procedure(z.strictObject({ jobIds: z.array(id).min(1).max(500) }), async ({ jobIds }, asker) =>
      withWorkspace(async ({ jobs }) => {
        const wanted = new Set(jobIds);
        const stopped = jobs.list().jobs.filter(({ id, state }) => wanted.has(id) && 'failure' in state);
        const charged = stopped.filter(isChargedAnew);
        const estimate = addEstimates(
          charged.map((job) => audioOf({ sizeBytes: job.sizeBytes, durationMs: lengthToSend(job) }, job.kind)),
        );
        const admitted = charged.length === 0 ? ok(true) : await paid.start(asker, estimate);
        if (!admitted.ok) return admitted;
        if (!admitted.value) return ok({ retriedCount: 0 });
        let retriedCount = 0;
        for (const job of stopped) if ((await jobs.retry(job.id, isChargedAnew(job))).ok) retriedCount += 1;
        return ok({ retriedCount });
      }),
    ),
    /** Adds the isolated audio to the queue as a recording to transcribe; may be charged. */
    'isolation.transcribe': procedure(
      z.strictObject({ audioId: id, language: speechLanguage, includeSpeakers: z.boolean() }),
      async ({ audioId, language, includeSpeakers }, asker) =>
        withAudio(audioId, async (audio, workspace) =>
          addOne(
            workspace,
            asker,
            () =>
              workspace.isolation.transcriptionOf(audio, {
                language,
                includeSpeakers,
                ...(sendsByLegacy(settings, legacyKeys) ? { isLegacy: true } : {}),
              }),
            estimateAudio(includeSpeakers ? 'speakers' : 'transcribe', [audio.durationMs ?? 0]),
          ),
        ),
    ),
    /** Adds the parts of a recording that is too large to send whole, and hides its row; may be charged. */
    'isolation.split': procedure(z.strictObject({ jobId: id }), async ({ jobId }, asker) =>
      withWorkspace(async ({ isolation, jobs }) => {
        const parts = isolation.parts.split(jobId);
        if (!parts.ok) return parts;
        const lengthsMs = parts.value.map(({ part }) => part.endMs - part.startMs);
        const admitted = await paid.start(asker, estimateAudio('isolate', lengthsMs));
        if (!admitted.ok) return admitted;
        if (!admitted.value) return ok({ partCount: 0 });
        const { jobIds, refused } = await jobs.add(parts.value);
        const [left] = refused;
        if (left !== undefined) return err(left.failure);
        await isolation.hide([jobId]);
        return ok({ partCount: jobIds.length });
      }),
    ),
    /** Adds the whole recording of an excerpt to the queue, unless it is there; may be charged. */
    'isolation.addWhole': procedure(z.strictObject({ audioId: id }), async ({ audioId }, asker) =>
      withAudio(audioId, async (audio, workspace) => {
        const whole = await workspace.isolation.parts.whole(audio.jobId);
        return whole.ok ? addUnlessListed(workspace, asker, whole.value) : whole;
      }),
    ),
    /** Adds another excerpt of the same recording to the queue; may be charged. */
    'isolation.addExcerpt': procedure(
      z.strictObject({ audioId: id, startMs: z.number().min(0) }),
      async ({ audioId, startMs }, asker) =>
        withAudio(audioId, async (audio, workspace) => {
          const excerpt = await workspace.isolation.parts.excerpt(audio.jobId, startMs);
          return excerpt.ok ? addUnlessListed(workspace, asker, excerpt.value) : excerpt;
        }),
    ),
    'isolation.saveJoined': procedure(
      z.strictObject({ audioId: id, format: z.enum(['wav', 'flac', 'mp3']) }),
      async ({ audioId, format }, { windowId }) =>
        withAudio<{ savedAs: string | null; revealToken: string | null }>(audioId, async (audio, { isolation }) => {
          const say = dialogWords(settings.get().interfaceLanguage);
          const path = await chooseSavePath(windowOf(windowId), {
            title: say('files.saveIsolated'),
            defaultPath: safeFileName(
              `${isolation.parts.recordingTitle(audio)} (${say('files.isolatedMark')})`,
              `.${format}`,
            ),
            filters: [{ name: format.toUpperCase(), extensions: [format] }],
          });
          if (path === null) return ok({ savedAs: null, revealToken: null });
          const saved = await isolation.parts.saveJoined(audio, path, format, new AbortController().signal);
          return saved.ok ? ok({ savedAs: basename(path), revealToken: fileTokens.issue(windowId, path) }) : saved;
        }),
    ),
    /** Adds the recording again with the other choice about restoring speech, for comparison; may be charged. */
    'isolation.addVariant': procedure(
      z.strictObject({ audioId: id, restorationModel: restorationModel.optional() }),
      async ({ audioId, restorationModel }, asker) =>
        withAudio(audioId, async (audio, workspace) => {
          const variant = workspace.isolation.variantJob(audio, restorationModel);
          return variant.ok ? addUnlessListed(workspace, asker, variant.value) : variant;
        }),
    ),
    /** `pcm`: null only asks for an earlier result. `texts`: null without one, or when the user did not want to pay. */
    'isolation.compareTexts': procedure(
      z.strictObject({
        audioId: id,
        language: speechLanguage,
        pcm: z.strictObject({ original: pcm, isolated: pcm }).nullable(),
      }),
      async ({ audioId, language, pcm }, asker) =>
        withAudio<{ texts: { original: Word[]; isolated: Word[] } | null }>(audioId, async (audio, { isolation }) => {
          const known = isolation.texts.kept(audio, language);
          if (!known.ok) return known;
          if (known.value !== null || pcm === null) return ok({ texts: known.value && wordsOfBoth(known.value) });
          const lengthsMs = [pcm.original, pcm.isolated].map(({ length }) => Math.ceil(length / pcmBytesPerMs));
          const admitted = await paid.start(asker, estimateAudio('listen', lengthsMs));
          if (!admitted.ok) return admitted;
          if (!admitted.value) return ok({ texts: null });
          const heard = await isolation.texts.listen(audio, language, pcm);
          return heard.ok ? ok({ texts: wordsOfBoth(heard.value) }) : heard;
        }),
      { maxInputBytes: 4 * 1024 * 1024 },
    ),
    'isolation.useAsRecording': procedure(
      z.strictObject({ audioId: id, transcriptId: id }),
      async ({ audioId, transcriptId }) =>
        withAudio(audioId, async (audio, { isolation }) => {
          return isolation.recordings.use(audio, transcriptId);
        }),
    ),
    'isolation.useOriginal': procedure(z.strictObject({ transcriptId: id }), async ({ transcriptId }) =>
      withWorkspace(async ({ isolation }) => {
        const used = isolation.recordings.useOriginal(transcriptId);
        return used.ok ? ok<Record<string, never>>({}) : used;
      }),
    ),
    'isolation.addSample': procedure(
      z.strictObject({ restoresSpeech: z.boolean(), restorationModel: restorationModel.optional() }),
      async (options, asker) =>
        withWorkspace((workspace) =>
          addOne(
            workspace,
            asker,
            { path: noisySample, kind: 'isolate', ...options },
            estimateAudio('isolate', [60_000]),
          ),
        ),
    ),
  };
};

/** A name in a folder that is free now; a file that has it when this one is complete is not overwritten. */
async function placeIn(
  folder: string | null,
  { title, sourceName, createdAtMs }: StoredAudio,
  extension: string,
  { interfaceLanguage, copyTemplate, speechLanguage: language }: StoredSettings,
): Promise<Result<string>> {
  if (folder === null) return err(makeFailure('file-unreadable', { code: 'unknown_file' }));
  const facts = { sourceName: sourceName || title, finishedAtMs: createdAtMs, language, speakerCount: 0 };
  const name = `${copyName(copyTemplate, facts, '')} (${dialogWords(interfaceLanguage)('files.isolatedMark')})`;
  for (let number = 1; ; number += 1) {
    const path = join(folder, safeFileName(number === 1 ? name : `${name} (${String(number)})`, extension));
    if (!(await isTaken(path))) return ok(path);
  }
}

/** Audio that goes into files of the user. */
export const isolationStreams = ({ workspaces, settings, fileTokens, windowOf }: App) => ({
  /** The bytes of a WAV in order; the file appears when it is complete. */
  'isolation.saveMix': streamOf<
    { kind: 'chosen' } | { kind: 'writing'; share: number } | { kind: 'saved'; savedAs: string; revealToken: string }
  >()(
    {
      open: z.strictObject({
        audioId: id,
        /** `video`: a copy of the video with this audio. */
        format: z.enum(['wav', 'flac', 'mp3', 'ogg', 'm4a', 'video']),
        content: z.enum(['isolated', 'blend', 'removed']),
        /** The share of the isolated audio in the blend, which the suggested name says. */
        percent: z.number().int().min(0).max(100),
        /** Of a folder, where it gets a free name; null asks for a file. */
        placeToken: fileToken.nullable(),
      }),
      up: z.instanceof(Uint8Array),
      maxUpBytes: 1024 * 1024,
    },
    async ({ audioId, format, content, percent, placeToken }, stream, { windowId }) => {
      const workspace = await workspaces.opened();
      if (!workspace.ok) return workspace;
      const { isolation } = workspace.value;
      const audio = isolation.find(audioId);
      if (!audio.ok) return audio;
      const video = format === 'video' ? await isolation.videoOf(audio.value) : null;
      if (format === 'video' && video === null)
        return err(localFailure('file-unreadable', { code: 'file_missing', params: { name: audio.value.sourceName } }));
      const container = video?.containers[0] ?? null;
      const extension = format === 'video' ? (container ?? '') : format;
      const say = dialogWords(settings.get().interfaceLanguage);
      const mark = { isolated: 'files.isolatedMark', blend: 'files.mixMark', removed: 'files.noiseMark' }[content];
      const title = { isolated: 'files.saveIsolated', blend: 'files.saveMix', removed: 'files.saveNoise' }[content];
      const found =
        placeToken === null
          ? ok(
              await chooseSavePath(windowOf(windowId), {
                title: say(video === null ? title : 'files.saveVideo'),
                defaultPath: safeFileName(`${audio.value.title} (${say(mark, { percent })})`, `.${extension}`),
                filters: [{ name: extension.toUpperCase(), extensions: [extension] }],
              }),
            )
          : await placeIn(fileTokens.resolve(windowId, placeToken), audio.value, `.${extension}`, settings.get());
      if (!found.ok) return found;
      if (found.value === null) return ok(undefined);
      const path = found.value;
      if (video !== null && (await isSameFile(path, video.path)))
        return err(localFailure('name-taken', { outcome: 'not_sent', params: { name: basename(path) } }));
      const unfinished = await openUnfinished(path).catch(() => null);
      if (unfinished === null) return err(localFailure('disk-space-short'));
      const { path: partPath, file } = unfinished;
      const audioFormat = container === null ? extension : audioForVideo(container);
      const encoded = format === 'wav' ? partPath : `${partPath}.${audioFormat}`;
      const made = video === null ? encoded : `${partPath}.${extension}`;
      const named = (failure: Failure) => err({ ...failure, params: { name: basename(path) } });
      try {
        await stream.send({ kind: 'chosen' });
        for await (const bytes of stream.incoming) await file.writeFile(bytes);
        await file.close();
        if (stream.signal.aborted) return ok(undefined);
        if (format !== 'wav') {
          const written = await isolation.convert(partPath, encoded, audioFormat as AudioExtension, stream.signal);
          if (!written.ok) return stream.signal.aborted ? ok(undefined) : named(written.error);
        }
        if (video !== null) {
          const onShare = (share: number) => void stream.send({ kind: 'writing', share });
          const written = await isolation.replaceAudio(video, encoded, made, stream.signal, onShare);
          if (!written.ok) return stream.signal.aborted ? ok(undefined) : named(written.error);
        }
        const placed = await placeFile(made, path, placeToken === null);
        if (!placed.ok) return placed;
        await stream.send({
          kind: 'saved',
          savedAs: basename(placed.value),
          revealToken: fileTokens.issue(windowId, placed.value),
        });
        return ok(undefined);
      } catch {
        return err(localFailure('disk-space-short'));
      } finally {
        await file.close().catch(() => undefined);
        for (const left of [partPath, encoded, made]) await rm(left, { force: true }).catch(() => undefined);
      }
    },
  ),
});
