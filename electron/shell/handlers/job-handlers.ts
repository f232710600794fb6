import { basename } from 'node:path';
import { recordingExtensions } from '../../../shared/domain/media/recording-name.ts';
import { lengthBySize } from '../../../shared/domain/spend/spend-limit.ts';
import type { Contract } from '../../../shared/ipc/contract.ts';
import type { Handlers } from '../../../shared/ipc/derive.ts';
import { ok, type Result } from '../../../shared/result/result.ts';
import type { AddedFiles } from '../../services/intake/intake.ts';
import type { JobService } from '../../services/jobs/job-service.ts';
import { dialogWords, recordingWords } from '../words.ts';
import { choosePaths, chooseRecording, chooseSavePath, showRecording } from './choose-paths.ts';
import type { HandlerServices } from './handler-services.ts';

type JobHandlers = Pick<Handlers<Contract>, Extract<keyof Contract['requests'], `jobs.${string}`> | 'files.stopAdding'>;

export const jobHandlers = (services: HandlerServices): JobHandlers => {
  const {
    workspaces,
    settings,
    saveText,
    window: { adding, activations, intake, paid, windowOf },
  } = services;
  const adder = (windowId: number, isByPerson: boolean) => ({ windowId, isByPerson, watch: adding.begin(windowId) });

  const withJobs = async <T>(ask: (jobs: JobService) => Promise<Result<T>>): Promise<Result<T>> => {
    const library = await workspaces.opened();
    return library.ok ? ask(library.value.jobs) : library;
  };
  const done = async (change: Promise<Result<null>>) => {
    const changed = await change;
    return changed.ok ? ok({}) : changed;
  };

  return {
    'jobs.addDropped': async (dropped, { windowId, activation }) =>
      toPage(intake.add(adder(windowId, activations.take(windowId, activation)), dropped)),
    'jobs.addPicked': async ({ from, options }, { windowId }) => {
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
    'jobs.addRecordingOf': async ({ transcriptId, options }, { windowId, activation }) => {
      const library = await workspaces.opened();
      const found = library.ok ? library.value.transcripts.find(transcriptId) : library;
      if (!found.ok) return found;
      const path = found.value.recordingPath ?? found.value.mediaPath;
      return toPage(intake.add(adder(windowId, activations.take(windowId, activation)), { paths: [path], options }));
    },
    'jobs.addSamples': async (_input, { windowId, activation }) =>
      toPage(intake.add(adder(windowId, activations.take(windowId, activation)), 'samples')),
    'files.stopAdding': async (_input, { windowId }) => {
      adding.stop(windowId);
      return ok({});
    },
    'jobs.list': async ({ part }) => {
      const library = await workspaces.opened();
      if (!library.ok && settings.get().mode !== 'unset') return library;
      const { jobs, ...about } = services.listJobs(part);
      return ok({ ...about, jobs: [...jobs] });
    },
    'jobs.retry': async ({ jobId, acceptsNewCharge }, asker) =>
      withJobs(async (jobs) => {
        if (acceptsNewCharge) {
          const row = jobs.list().jobs.find(({ id }) => id === jobId);
          const audioMs = row?.durationMs ?? lengthBySize(row?.sizeBytes ?? 0);
          const isRough = row?.durationMs == null;
          const admitted = await paid.start(asker, { requests: 1, audioMs, characters: 0, isRough });
          if (!admitted.ok) return admitted;
          if (!admitted.value) return ok({});
        }
        return done(jobs.retry(jobId, acceptsNewCharge));
      }),
    'jobs.cancel': async ({ jobId }) => withJobs((jobs) => jobs.cancel(jobId)),
    'jobs.remove': async ({ jobId }) => withJobs((jobs) => done(jobs.remove(jobId))),
    'jobs.act': async ({ jobIds, action }) => withJobs((jobs) => jobs.act(jobIds, action)),
    'jobs.bringBack': async ({ jobIds }) => {
      const library = await workspaces.opened();
      if (!library.ok) return library;
      const { jobs, deletion } = library.value;
      const restored = await jobs.bringBack(jobIds.filter((id) => !deletion.isRowGone(id)));
      return restored.ok ? ok({ restoredCount: restored.value }) : restored;
    },
    'jobs.move': async ({ jobIds, beforeId }) => withJobs((jobs) => done(jobs.move(jobIds, beforeId))),
    'jobs.runNext': async ({ jobId }) => withJobs((jobs) => done(jobs.runNext(jobId))),
    'jobs.changeLanguage': async ({ jobId, language }) =>
      withJobs((jobs) => done(jobs.changeLanguage(jobId, language))),
    'jobs.copyResult': async ({ jobId }) => withJobs((jobs) => done(jobs.copyResult(jobId))),
    'jobs.hold': async ({ isHeld }) => withJobs((jobs) => done(jobs.hold(isHeld))),
    'jobs.locate': async ({ jobId }, { windowId }) =>
      withJobs<{ isChosen: boolean }>(async (jobs) => {
        const path = await chooseRecording(windowOf(windowId), recordingWords(settings.get().interfaceLanguage));
        if (path === null) return ok({ isChosen: false });
        const moved = await jobs.relocate(jobId, path);
        return moved.ok ? ok({ isChosen: true }) : moved;
      }),
    'jobs.showRecording': async ({ jobId }) =>
      withJobs(async (jobs) => {
        const path = jobs.pathOf(jobId);
        return path.ok ? showRecording(path.value) : path;
      }),
    'jobs.resumeQueue': async () =>
      withJobs(async (jobs) => {
        await jobs.resumeQueue();
        return ok({});
      }),
    'jobs.legacyFacts': async ({ jobId }) => withJobs(async (jobs) => jobs.legacyFacts(jobId)),
    'jobs.saveRawAnswer': async ({ jobId }, { windowId }) =>
      withJobs<{ savedAs: string | null }>(async (jobs) => {
        const answer = await jobs.rawAnswer(jobId);
        if (!answer.ok) return answer;
        const title = dialogWords(settings.get().interfaceLanguage)('files.saveRawAnswer');
        const path = await chooseSavePath(windowOf(windowId), { title, defaultPath: answer.value.suggestedName });
        if (path === null) return ok({ savedAs: null });
        const saved = await saveText(path, answer.value.text);
        return saved.ok ? ok({ savedAs: basename(path) }) : saved;
      }),
  };
};

/** Results in the contract are mutable arrays; those of services are not. */
async function toPage(added: Promise<Result<AddedFiles>>) {
  const answer = await added;
  if (!answer.ok) return answer;
  const { jobIds, refused, repeated, ...counts } = answer.value;
  return ok({ ...counts, jobIds: [...jobIds], refused: [...refused], repeated: [...repeated] });
}
