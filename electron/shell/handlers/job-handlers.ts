import { basename } from 'node:path';
import { lengthBySize } from '../../../shared/domain/spend/spend-limit.ts';
import { makeFailure } from '../../../shared/domain/failures/make-failure.ts';
import type { Contract } from '../../../shared/ipc/contract.ts';
import type { Handlers } from '../../../shared/ipc/derive.ts';
import { err, ok, type Result } from '../../../shared/result/result.ts';
import type { JobService, NewJob } from '../../services/jobs/job-service.ts';
import { dialogWords, recordingWords } from '../words.ts';
import { chooseRecording, chooseSavePath } from './choose-paths.ts';
import type { HandlerServices } from './handler-services.ts';

type JobHandlers = Pick<Handlers<Contract>, Extract<keyof Contract['requests'], `jobs.${string}`>>;

/** A page hears of so many by name. */
const mostNamed = 500;

export const jobHandlers = (services: HandlerServices): JobHandlers => {
  const {
    workspaces,
    settings,
    saveText,
    window: { adding, fileBatches, fileTokens, paid, windowOf },
  } = services;

  const withJobs = async <T>(ask: (jobs: JobService) => Promise<Result<T>>): Promise<Result<T>> => {
    const library = await workspaces.opened();
    return library.ok ? ask(library.value.jobs) : library;
  };
  const done = async (change: Promise<Result<null>>) => {
    const changed = await change;
    return changed.ok ? ok({}) : changed;
  };

  return {
    'jobs.add': async ({ files, batch }, { windowId, gesture }) =>
      withJobs(async (jobs) => {
        const tokens = batch === undefined ? [] : fileBatches.take(windowId, batch.token);
        if (tokens === null) return err(makeFailure('E-010', { code: 'unknown_file' }));
        const wishes = [...files, ...tokens.map((token) => ({ ...batch, token }))];
        const wanted: NewJob[] = [];
        for (const { token, language = 'uz', includeSpeakers = false } of wishes) {
          const path = fileTokens.resolve(windowId, token);
          if (path === null) return err(makeFailure('E-010', { code: 'unknown_file' }));
          wanted.push({ path, kind: 'transcribe', language, includeSpeakers });
        }
        const nothing = { jobIds: [], addedCount: 0, leftCount: 0, refused: [], refusedCount: 0 };
        if (wanted.length === 0) return ok(nothing);
        const sent = wishes.map(({ token }) => token);
        const admitted = paid.sendFiles({ windowId, gesture }, sent);
        if (!admitted.ok) return admitted;
        const watch = { ...adding.begin(windowId), admit: admitted.value };
        const { jobIds, refused } = await jobs.add(wanted, watch);
        return ok({
          jobIds: jobIds.slice(0, mostNamed),
          addedCount: jobIds.length,
          leftCount: wanted.length - jobIds.length - refused.length,
          refused: refused.slice(0, mostNamed),
          refusedCount: refused.length,
        });
      }),
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
    'jobs.copyResult': async ({ jobId }) => withJobs((jobs) => done(jobs.copyResult(jobId))),
    'jobs.hold': async ({ isHeld }) => withJobs((jobs) => done(jobs.hold(isHeld))),
    'jobs.locate': async ({ jobId }, { windowId }) =>
      withJobs<{ isChosen: boolean }>(async (jobs) => {
        const path = await chooseRecording(windowOf(windowId), recordingWords(settings.get().interfaceLanguage));
        if (path === null) return ok({ isChosen: false });
        const moved = await jobs.relocate(jobId, path);
        return moved.ok ? ok({ isChosen: true }) : moved;
      }),
    'jobs.resumeQueue': async () =>
      withJobs(async (jobs) => {
        await jobs.resumeQueue();
        return ok({});
      }),
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
