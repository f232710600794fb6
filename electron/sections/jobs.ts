import { basename } from 'node:path';
import { recordingExtensions } from '../../shared/domain/media/sniff.ts';
import { lengthToSend } from '../../shared/domain/jobs/recording-parts.ts';
import { addEstimates, workOf, type SpendEstimate } from '../../shared/domain/spend/spend-limit.ts';
import { ok, type Result } from '../../shared/result/result.ts';
import type { Queue } from '../queue/queue.ts';
import type { AddedFiles } from '../services/intake/intake.ts';
import { audioOf, type Asker } from '../services/spend/spend-guard.ts';
import { choosePaths, chooseRecording, chooseSavePath, showRecording } from '../shell/choose-paths.ts';
import { dialogWords, recordingWords } from '../shell/words.ts';
import { procedure, nothing } from '../ipc/procedure.ts';
import { askOpened, fileToken, id, restorationModel, speechLanguage, type App } from './context.ts';
import { z } from 'zod';
import { rowActions, type JobView } from '../../shared/domain/jobs/job-view.ts';
import { speechLanguages } from '../../shared/domain/languages.ts';

const jobOptions = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('transcribe'),
    language: speechLanguage,
    includeSpeakers: z.boolean(),
    isLegacy: z.boolean().optional(),
  }),
  z.strictObject({
    kind: z.literal('isolate'),
    restoresSpeech: z.boolean(),
    restorationModel: restorationModel.optional(),
    part: z.object({ startMs: z.number().min(0), endMs: z.number().min(0) }).optional(),
    isExcerpt: z.boolean().optional(),
  }),
]);

const costOf = (row: JobView): SpendEstimate => {
  const language = row.kind === 'transcribe' ? row.language : undefined;
  return audioOf({ sizeBytes: row.sizeBytes, durationMs: lengthToSend(row), language }, workOf(row));
};

/** What was not agreed to, and what of it the user does not want at all. */
interface Ordered {
  readonly declined: ReadonlySet<string>;
  readonly cancelledIds: readonly string[];
}
const nothingDeclined: Ordered = { declined: new Set(), cancelledIds: [] };

export const jobProcedures = (app: App) => {
  const { workspaces, connection, settings, saveText, adding, activations, intake, paid, windowOf } = app;
  const adder = (windowId: number, isByPerson: boolean) => ({ windowId, isByPerson, watch: adding.begin(windowId) });

  const withJobs = askOpened(workspaces, (workspace) => workspace.jobs);
  const isElsewhere = ({ state }: JobView): boolean => 'isElsewhere' in state && connection.serviceIdentity() !== null;
  const isAwaited = ({ state }: JobView): boolean => state.tag === 'paused' && state.isAwaitingAnswer === true;
  /** What another account would pay for, or nobody agreed to yet, is asked about like anything new. */
  const order = async (jobs: Queue, rows: readonly JobView[], asker: Asker): Promise<Result<Ordered>> => {
    const anew = rows.filter((row) => isElsewhere(row) || isAwaited(row));
    if (anew.length === 0) return ok(nothingDeclined);
    const estimate = addEstimates(anew.map(costOf));
    const address = anew.some(isElsewhere) ? connection.readAddress('') : null;
    const newAddress = address?.ok === true ? address.value : undefined;
    const admitted = await paid.startQueued(asker, estimate, newAddress);
    if (!admitted.ok) return admitted;
    const ids = anew.map(({ id }) => id);
    if (admitted.value === 'waits') return ok({ declined: new Set(ids), cancelledIds: [] });
    const acted = await jobs.act(ids, admitted.value ? 'order-anew' : 'cancel');
    if (!acted.ok) return acted;
    return ok(admitted.value ? nothingDeclined : { declined: new Set(ids), cancelledIds: ids });
  };
  const orderOf = (jobs: Queue, jobIds: readonly string[], asker: Asker) => {
    const wanted = new Set(jobIds);
    const rows = jobs.list().jobs.filter(({ id }) => wanted.has(id));
    return order(jobs, rows, asker);
  };
  const done = async (change: Promise<Result<null>>) => {
    const changed = await change;
    return changed.ok ? ok({}) : changed;
  };

  return {
    /** Adds dropped files: folders are walked, files inspected, the cost confirmed where necessary. */
    'jobs.addDropped': procedure(
      z.strictObject({
        tokens: z.array(fileToken).min(1).max(20_000),
        options: jobOptions,
        addsRepeats: z.boolean(),
        followsNames: z.boolean().optional(),
      }),
      async (dropped, { windowId, activation }) =>
        toPage(intake.add(adder(windowId, activations.take(windowId, activation)), dropped)),
      { maxInputBytes: 2 * 1024 * 1024 },
    ),
    'jobs.addPicked': procedure(
      z.strictObject({ from: z.enum(['files', 'folder']), options: jobOptions }),
      async ({ from, options }, { windowId }) => {
        const say = dialogWords(settings.get().interfaceLanguage);
        const paths = await choosePaths(
          windowOf(windowId),
          from === 'folder'
            ? { title: say(`files.${options.kind}Folder`), properties: ['openDirectory', 'multiSelections'] }
            : {
                title: say(`files.${options.kind}Files`),
                properties: ['openFile', 'multiSelections'],
                filters: [
                  { name: say('files.recordings'), extensions: recordingExtensions },
                  { name: say('files.allFiles'), extensions: ['*'] },
                ],
              },
        );
        // Only a user can answer a dialog of the system.
        return toPage(intake.add(adder(windowId, true), { paths, options }));
      },
    ),
    'jobs.addRecordingOf': procedure(
      z.strictObject({ transcriptId: id, options: jobOptions }),
      async ({ transcriptId, options }, { windowId, activation }) => {
        const library = await workspaces.opened();
        const found = library.ok ? library.value.transcripts.find(transcriptId) : library;
        if (!found.ok) return found;
        const path = found.value.recordingPath ?? found.value.mediaPath;
        return toPage(intake.add(adder(windowId, activations.take(windowId, activation)), { paths: [path], options }));
      },
    ),
    'jobs.addSamples': procedure(nothing, async (_input, { windowId, activation }) =>
      toPage(intake.add(adder(windowId, activations.take(windowId, activation)), 'samples')),
    ),
    'files.stopAdding': procedure(nothing, async (_input, { windowId }) => {
      adding.stop(windowId);
      return ok({});
    }),
    'jobs.list': procedure(nothing, async () => {
      const library = await workspaces.opened();
      if (!library.ok && settings.get().mode !== 'unset') return library;
      const { jobs, queue } = workspaces.list();
      return ok({ jobs: [...jobs], queue });
    }),
    /** Tries again by free steps. */
    'jobs.retry': procedure(
      z.strictObject({ jobId: id, acceptsNewCharge: z.boolean() }),
      async ({ jobId, acceptsNewCharge }, asker) =>
        withJobs(async (jobs) => {
          if (acceptsNewCharge) {
            const row = jobs.list().jobs.find(({ id }) => id === jobId);
            const admitted = row === undefined ? ok(true) : await paid.start(asker, costOf(row));
            if (!admitted.ok) return admitted;
            if (!admitted.value) return ok({});
          }
          const ordered = await orderOf(jobs, [jobId], asker);
          if (!ordered.ok) return ordered;
          return ordered.value.declined.has(jobId) ? ok({}) : done(jobs.retry(jobId, acceptsNewCharge));
        }),
    ),
    'jobs.remove': procedure(z.strictObject({ jobId: id }), async ({ jobId }) =>
      withJobs((jobs) => done(jobs.remove(jobId))),
    ),
    /** One request for many rows; asks only before what nobody agreed to goes on. Others to which it does not apply stay. */
    'jobs.act': procedure(
      z.strictObject({ jobIds: z.array(id).min(1).max(20_000), action: z.enum(rowActions) }),
      async ({ jobIds, action }, asker) =>
        withJobs(async (jobs) => {
          const ordered = action === 'go-on' ? await orderOf(jobs, jobIds, asker) : ok(nothingDeclined);
          if (!ordered.ok) return ordered;
          const { declined, cancelledIds } = ordered.value;
          const acted = await jobs.act(
            jobIds.filter((id) => !declined.has(id)),
            action,
          );
          return acted.ok ? ok({ ...acted.value, cancelledIds: [...cancelledIds] }) : acted;
        }),
      { maxInputBytes: 4 * 1024 * 1024 },
    ),
    'jobs.bringBack': procedure(
      z.strictObject({ jobIds: z.array(id).min(1).max(20_000) }),
      async ({ jobIds }) => {
        const library = await workspaces.opened();
        if (!library.ok) return library;
        const { jobs, deletion } = library.value;
        const restored = await jobs.bringBack(jobIds.filter((id) => !deletion.isRowGone(id)));
        return restored.ok ? ok({ restoredCount: restored.value }) : restored;
      },
      { maxInputBytes: 4 * 1024 * 1024 },
    ),
    'jobs.move': procedure(
      z.strictObject({ jobIds: z.array(id).min(1).max(20_000), beforeId: id.nullable() }),
      async ({ jobIds, beforeId }) => withJobs((jobs) => done(jobs.move(jobIds, beforeId))),
      { maxInputBytes: 4 * 1024 * 1024 },
    ),
    'jobs.runNext': procedure(z.strictObject({ jobId: id }), async ({ jobId }, asker) =>
      withJobs(async (jobs) => {
        const ordered = await orderOf(jobs, [jobId], asker);
        if (!ordered.ok) return ordered;
        return ordered.value.declined.has(jobId) ? ok({}) : done(jobs.runNext(jobId));
      }),
    ),
    'jobs.changeLanguage': procedure(
      z.strictObject({ jobId: id, language: z.enum(speechLanguages) }),
      async ({ jobId, language }) => withJobs((jobs) => done(jobs.changeLanguage(jobId, language))),
    ),
    /** Gives a row that asks about its earlier duplicate (already-in-queue) a copy of that text; nothing is sent. */
    'jobs.copyResult': procedure(z.strictObject({ jobId: id }), async ({ jobId }) =>
      withJobs((jobs) => done(jobs.copyResult(jobId))),
    ),
    'jobs.hold': procedure(z.strictObject({ isHeld: z.boolean() }), async ({ isHeld }, asker) =>
      withJobs(async (jobs) => {
        const held = await jobs.hold(isHeld);
        if (!held.ok) return held;
        // What the user paused stays so.
        const waiting = isHeld ? [] : jobs.list().jobs.filter((row) => isElsewhere(row) && isAwaited(row));
        const ordered = await order(jobs, waiting, asker);
        return ordered.ok ? ok({}) : ordered;
      }),
    ),
    /** The recording of a row was moved: opens the dialog and continues with the chosen file (file-unreadable). */
    'jobs.locate': procedure(z.strictObject({ jobId: id }), async ({ jobId }, { windowId }) =>
      withJobs<{ isChosen: boolean }>(async (jobs) => {
        const path = await chooseRecording(windowOf(windowId), recordingWords(settings.get().interfaceLanguage));
        if (path === null) return ok({ isChosen: false });
        const moved = await jobs.relocate(jobId, path);
        return moved.ok ? ok({ isChosen: true }) : moved;
      }),
    ),
    /** Shows the recording in the system's file manager; file-unreadable when it is gone. No path reaches the page. */
    'jobs.showRecording': procedure(z.strictObject({ jobId: id }), async ({ jobId }) =>
      withJobs(async (jobs) => {
        const path = jobs.pathOf(jobId);
        return path.ok ? showRecording(path.value) : path;
      }),
    ),
    'jobs.resumeQueue': procedure(nothing, async () =>
      withJobs(async (jobs) => {
        await jobs.resumeQueue();
        return ok({});
      }),
    ),
    'jobs.legacyFacts': procedure(z.strictObject({ jobId: id }), async ({ jobId }) =>
      withJobs(async (jobs) => jobs.legacyFacts(jobId)),
    ),
    'jobs.saveRawAnswer': procedure(z.strictObject({ jobId: id }), async ({ jobId }, { windowId }) =>
      withJobs<{ savedAs: string | null }>(async (jobs) => {
        const answer = await jobs.rawAnswer(jobId);
        if (!answer.ok) return answer;
        const title = dialogWords(settings.get().interfaceLanguage)('files.saveRawAnswer');
        const path = await chooseSavePath(windowOf(windowId), { title, defaultPath: answer.value.suggestedName });
        if (path === null) return ok({ savedAs: null });
        const saved = await saveText(path, answer.value.text);
        return saved.ok ? ok({ savedAs: basename(path) }) : saved;
      }),
    ),
  };
};

/** Results in the contract are mutable arrays; those of services are not. */
async function toPage(added: Promise<Result<AddedFiles>>) {
  const answer = await added;
  if (!answer.ok) return answer;
  const { jobIds, refused, repeated, ...counts } = answer.value;
  return ok({ ...counts, jobIds: [...jobIds], refused: [...refused], repeated: [...repeated] });
}
