import { lengthToSend } from '../../../shared/domain/jobs/recording-parts.ts';
import { createHash } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { isChargedAnew } from '../../../shared/domain/jobs/batch-progress.ts';
import { addEstimates } from '../../../shared/domain/spend/spend-limit.ts';
import { safeFileName } from '../../../shared/domain/exports/safe-file-name.ts';
import type { NewJob } from '../../services/jobs/job-service.ts';
import type { Contract } from '../../../shared/ipc/contract.ts';
import type { Handlers } from '../../../shared/ipc/derive.ts';
import type { Word } from '../../../shared/domain/transcript/transcript.ts';
import { err, ok, type Result } from '../../../shared/result/result.ts';
import type { ExcerptTexts } from '../../services/isolation/excerpt-texts.ts';
import { hiddenAfterMs } from '../../services/isolation/hide-at-service.ts';
import type { StoredAudio } from '../../services/library/store.ts';
import { sendsByLegacy } from '../../services/secrets/key-service.ts';
import { audioOf, type Asker } from '../../services/spend/paid-actions.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import { dialogWords, isolatedFileWords } from '../words.ts';
import { chooseSavePath } from './choose-paths.ts';
import type { HandlerServices } from './handler-services.ts';

type IsolationHandlers = Pick<Handlers<Contract>, Extract<keyof Contract['requests'], `isolation.${string}`>>;

/** Of 16-bit mono at 16 kHz. */
const pcmBytesPerMs = 32;
const wordsOfBoth = ({ original, isolated }: ExcerptTexts) => ({ original: [...original], isolated: [...isolated] });

const sizeOf = async (path: string): Promise<number | null> =>
  stat(path).then(
    (about) => (about.isFile() ? about.size : null),
    () => null,
  );

export const isolationHandlers = ({
  workspaces,
  settings,
  legacyKeys,
  noisySample,
  window: { fileTokens, mediaTokens, paid, windowOf },
}: HandlerServices): IsolationHandlers => {
  const withWorkspace = async <T>(ask: (workspace: Workspace) => Promise<Result<T>>): Promise<Result<T>> => {
    const workspace = await workspaces.opened();
    return workspace.ok ? ask(workspace.value) : workspace;
  };
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
  /** Its content is not hashed for that: place, size and time stand for it. Its peaks, not erased with it, are not kept. */
  const wholeUrl = async (path: string): Promise<string | null> => {
    const about = await stat(path).catch(() => null);
    if (about === null) return null;
    const state = createHash('sha256').update(`${path}\0${about.size}\0${about.mtimeMs}`).digest('hex');
    return `/media/${mediaTokens.issue({ path, sha256: `file-${state}` })}`;
  };
  /** Adds one recording, after the user's consent where the cost requires it. */
  const addOne = async (
    { jobs }: Workspace,
    asker: Asker,
    file: NewJob | (() => Promise<Result<NewJob>>),
    audioMs: number,
  ) => {
    const admitted = await paid.start(asker, { requests: 1, audioMs, characters: 0, isRough: false });
    if (!admitted.ok) return admitted;
    if (!admitted.value) return ok({ jobId: null });
    const made = typeof file === 'function' ? await file() : ok(file);
    if (!made.ok) return made;
    const { jobIds, refused } = await jobs.add([made.value]);
    const [left] = refused;
    return left === undefined ? ok({ jobId: jobIds[0] ?? null }) : { ok: false as const, error: left.failure };
  };

  /** Adds one recording unless the queue has it: then nothing is asked or charged. */
  const addUnlessListed = async (
    { jobs }: Workspace,
    asker: Asker,
    { job, lengthMs }: { job: NewJob; lengthMs: number },
  ) => {
    let admitted: Result<boolean> = ok(true);
    const admit = async () => {
      admitted = await paid.start(asker, { requests: 1, audioMs: lengthMs, characters: 0, isRough: false });
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
    'isolation.open': async ({ audioId }) =>
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
          results: [...(await isolation.results(audio))],
        });
      }),
    'isolation.list': async () =>
      withWorkspace(async ({ isolation }) => {
        const listed = isolation.list();
        if (!listed.ok) return listed;
        return ok({ audio: listed.value.map(({ id, jobId, credits }) => ({ audioId: id, jobId, credits })) });
      }),
    'isolation.prepare': async ({ audioId, formats }) =>
      withAudio(audioId, async (audio, { isolation }) => {
        await isolation.prepare(audio, formats);
        return ok({});
      }),
    'isolation.save': async ({ audioId, format }, { windowId }) =>
      withAudio<{ savedAs: string | null; revealToken: string | null }>(audioId, async (audio, { isolation }) => {
        const extension = await isolation.extensionOf(audio, format);
        const dialog = isolatedFileWords(audio.title, format, extension, settings.get().interfaceLanguage);
        const path = await chooseSavePath(windowOf(windowId), dialog);
        if (path === null) return ok({ savedAs: null, revealToken: null });
        const saved = await isolation.copyResult(audio, format, path);
        return saved.ok ? ok({ savedAs: basename(path), revealToken: fileTokens.issue(windowId, path) }) : saved;
      }),
    'isolation.hide': async ({ jobId }) =>
      withWorkspace(async ({ isolation }) => {
        const hidden = await isolation.hide(jobId);
        return hidden.ok ? ok({ undoMs: hiddenAfterMs }) : hidden;
      }),
    'isolation.unhide': async ({ jobId }) =>
      withWorkspace(async ({ isolation }) => {
        const shown = await isolation.unhide(jobId);
        return shown.ok ? ok({ isRestored: shown.value }) : shown;
      }),
    'isolation.hidden': async () =>
      withWorkspace(async ({ isolation }) => {
        const hidden = isolation.hidden();
        return hidden.ok ? ok({ jobs: [...hidden.value] }) : hidden;
      }),
    'isolation.retry': async ({ jobIds }, asker) =>
      withWorkspace(async ({ jobs }) => {
        const wanted = new Set(jobIds);
        const stopped = jobs.list().jobs.filter(({ id, state }) => wanted.has(id) && 'failure' in state);
        const charged = stopped.filter(isChargedAnew);
        const estimate = addEstimates(
          charged.map((job) => audioOf({ sizeBytes: job.sizeBytes, durationMs: lengthToSend(job) })),
        );
        const admitted = charged.length === 0 ? ok(true) : await paid.start(asker, estimate);
        if (!admitted.ok) return admitted;
        if (!admitted.value) return ok({ retriedCount: 0 });
        let retriedCount = 0;
        for (const job of stopped) if ((await jobs.retry(job.id, isChargedAnew(job))).ok) retriedCount += 1;
        return ok({ retriedCount });
      }),
    'isolation.transcribe': async ({ audioId, language, includeSpeakers }, asker) =>
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
          audio.durationMs ?? 0,
        ),
      ),
    'isolation.split': async ({ jobId }, asker) =>
      withWorkspace(async ({ isolation, jobs }) => {
        const parts = isolation.parts.split(jobId);
        if (!parts.ok) return parts;
        const audioMs = parts.value.reduce((sum, { part }) => sum + part.endMs - part.startMs, 0);
        const requests = parts.value.length;
        const admitted = await paid.start(asker, { requests, audioMs, characters: 0, isRough: false });
        if (!admitted.ok) return admitted;
        if (!admitted.value) return ok({ partCount: 0 });
        const { jobIds, refused } = await jobs.add(parts.value);
        const [left] = refused;
        if (left !== undefined) return err(left.failure);
        await isolation.hide(jobId);
        return ok({ partCount: jobIds.length });
      }),
    'isolation.addWhole': async ({ audioId }, asker) =>
      withAudio(audioId, async (audio, workspace) => {
        const whole = await workspace.isolation.parts.whole(audio.jobId);
        return whole.ok ? addUnlessListed(workspace, asker, whole.value) : whole;
      }),
    'isolation.addExcerpt': async ({ audioId, startMs }, asker) =>
      withAudio(audioId, async (audio, workspace) => {
        const excerpt = await workspace.isolation.parts.excerpt(audio.jobId, startMs);
        return excerpt.ok ? addUnlessListed(workspace, asker, excerpt.value) : excerpt;
      }),
    'isolation.saveJoined': async ({ audioId, format }, { windowId }) =>
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
    'isolation.addVariant': async ({ audioId, restorationModel }, asker) =>
      withAudio(audioId, async (audio, workspace) => {
        const variant = workspace.isolation.variantJob(audio, restorationModel);
        return variant.ok ? addUnlessListed(workspace, asker, variant.value) : variant;
      }),
    'isolation.compareTexts': async ({ audioId, language, pcm }, asker) =>
      withAudio<{ texts: { original: Word[]; isolated: Word[] } | null }>(audioId, async (audio, { isolation }) => {
        const known = isolation.texts.kept(audio, language);
        if (!known.ok) return known;
        if (known.value !== null || pcm === null) return ok({ texts: known.value && wordsOfBoth(known.value) });
        const audioMs = Math.ceil((pcm.original.length + pcm.isolated.length) / pcmBytesPerMs);
        const admitted = await paid.start(asker, { requests: 2, audioMs, characters: 0, isRough: false });
        if (!admitted.ok) return admitted;
        if (!admitted.value) return ok({ texts: null });
        const heard = await isolation.texts.listen(audio, language, pcm);
        return heard.ok ? ok({ texts: wordsOfBoth(heard.value) }) : heard;
      }),
    'isolation.useAsRecording': async ({ audioId, transcriptId }) =>
      withAudio(audioId, async (audio, { isolation }) => {
        return isolation.recordings.use(audio, transcriptId);
      }),
    'isolation.useOriginal': async ({ transcriptId }) =>
      withWorkspace(async ({ isolation }) => {
        const used = isolation.recordings.useOriginal(transcriptId);
        return used.ok ? ok({}) : used;
      }),
    'isolation.addSample': async (options, asker) =>
      withWorkspace((workspace) =>
        addOne(workspace, asker, { path: noisySample, kind: 'isolate', ...options }, 60_000),
      ),
  };
};
