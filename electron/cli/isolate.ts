import { rm } from 'node:fs/promises';
import { basename, dirname, extname, join, resolve } from 'node:path';
import { baseName, safeFileName } from '../../shared/domain/exports/safe-file-name.ts';
import { makeFailure } from '../../shared/domain/failures/make-failure.ts';
import { isOtherLength } from '../../shared/domain/jobs/recording-parts.ts';
import { clock } from '../../shared/domain/time/time-code.ts';
import type { JobView } from '../../shared/domain/jobs/job-view.ts';
import type { Failure } from '../../shared/result/failure.ts';
import { err, ok, type Result } from '../../shared/result/result.ts';
import { localFailure } from '../../shared/domain/jobs/job-failures.ts';
import type { Workspace } from '../workspace/open-workspace.ts';
import { walkFiles, type WalkedFile } from '../platform/node/walk-files.ts';
import { mayPassLater, type RunResult } from './ending.ts';
import type { IsolateCommand, IsolationFormat } from './options.ts';
import { makeFolder, placeFile, refuseTaken, unfinishedBeside } from '../platform/node/place-file.ts';
import { withCost } from './speak.ts';
import { visible, type Reporter } from './reporter.ts';
import { lookEveryMs, RunWatch, wakeOnChange } from './watch-run.ts';

export interface IsolateRun {
  readonly command: IsolateCommand;
  readonly workspace: Workspace;
  readonly reporter: Reporter;
  readonly signal: AbortSignal;
}

export interface IsolateEnd {
  readonly done: number;
  readonly failed: number;
  readonly skipped: number;
  readonly result: RunResult;
}

export async function isolateFiles(run: IsolateRun): Promise<IsolateEnd> {
  const counts = { done: 0, failed: 0, skipped: 0 };
  const failures: Failure[] = [];
  const report = ({ shown, path }: WalkedFile, found: Failure) => {
    counts.failed += 1;
    failures.push(found);
    const failure = { ...found, params: { name: basename(path), ...found.params } };
    run.reporter.failure(failure, run.reporter.helpFor(found), { file: shown, outputs: [] });
  };
  const walk = await walkFiles(run.command.paths);
  for (const { failure, ...file } of walk.refused) {
    if (failure.code === 'not_a_file' && !file.wasNamed) counts.skipped += 1;
    else report(file, failure);
  }
  for (const file of walk.files) {
    if (run.signal.aborted) break;
    const cleaned = await isolateOne(run, file);
    if (cleaned.ok) counts.done += 1;
    else if (cleaned.error.kind === 'not-a-recording' && !file.wasNamed) counts.skipped += 1;
    else report(file, cleaned.error);
  }
  const isLater = failures.length > 0 && failures.every(mayPassLater);
  return { ...counts, result: failures.length === 0 ? 'done' : isLater ? 'later' : 'failed' };
}

async function isolateOne(run: IsolateRun, { path, shown }: WalkedFile): Promise<Result<null>> {
  const { command, workspace, reporter, signal } = run;
  const targets = targetsOf(command, path);
  const folder = await makeFolder(command.outDir === null ? dirname(path) : resolve(command.outDir));
  if (!folder.ok) return folder;
  for (const { target } of targets) {
    const free = await refuseTaken(target, command.overwrites);
    if (!free.ok) return free;
  }
  const name = basename(path);
  reporter.status(reporter.words('cli.isolate.reading', { file: name }), { step: 'reading', file: name });
  const { restoresSpeech, sendsAgain: acceptsNewCharge } = command;
  const named = command.title === null ? {} : { name: `${command.title}${extname(path)}` };
  const joined = await workspace.jobs.attach(
    { kind: 'isolate', path, restoresSpeech, acceptsNewCharge, ...named },
    signal,
  );
  if (!joined.ok) return err({ ...joined.error, outcome: 'not_sent' });
  const ended =
    joined.value.result !== null ? ok(joined.value.result.audioId ?? '') : await untilDone(run, joined.value.jobId);
  if (!ended.ok) return ended;
  const audio = workspace.isolation.find(ended.value);
  if (!audio.ok) return audio;
  const outputs: string[] = [];
  for (const { target, format } of targets) {
    const unfinished = unfinishedBeside(target);
    try {
      const saved = await workspace.isolation.save(audio.value.id, format, unfinished, {
        waitMs: command.waitMs,
        signal,
      });
      if (!saved.ok) return saved;
      const placed = await placeFile(unfinished, target, command.overwrites);
      if (!placed.ok) return err({ ...placed.error, outcome: 'accepted' });
      outputs.push(placed.value);
    } finally {
      await rm(unfinished, { force: true });
    }
  }
  const { remoteId, title, durationMs, credits } = audio.value;
  const source = workspace.isolation.sourceOf(audio.value);
  const recordingMs = source.ok ? (source.value?.durationMs ?? null) : null;
  reporter.json({ file: shown, outputs, title, id: remoteId, durationMs, recordingMs, credits, error: null });
  reporter.line(
    [
      reporter.words('cli.done', { file: visible(shown) }),
      ...outputs.map((output) => `  ${visible(output)}`),
      ...(credits === null ? [] : [`  ${reporter.words('cli.ask.cost', { credits })}`]),
      ...(isOtherLength(recordingMs, durationMs)
        ? [
            `  ${reporter.words('cli.isolate.otherLength', { found: clock(durationMs ?? 0), recording: clock(recordingMs ?? 0) })}`,
          ]
        : []),
    ].join('\n'),
  );
  return ok(null);
}

/** The id of its audio, or the reason why it ended or why there is no point in waiting. */
async function untilDone({ command, workspace, reporter, signal }: IsolateRun, jobId: string): Promise<Result<string>> {
  const beganAtMs = Date.now();
  const watch = new RunWatch(command.waitMs, beganAtMs);
  const wake = wakeOnChange(workspace.jobs, signal);
  try {
    for (;;) {
      const view = workspace.jobs.list().jobs.find(({ id }) => id === jobId);
      if (view === undefined) return err(localFailure('deleted-at-service', { code: 'unknown_job' }));
      const { state } = view;
      if (state.tag === 'done') return ok(state.audioId ?? '');
      if (state.tag === 'failed' || state.tag === 'needs-user') return err(state.failure);
      if (signal.aborted) return err(makeFailure('stopped', { code: 'interrupted', outcome: 'unknown' }));
      reportProgress(reporter, view, workspace.ledger.expectedCredits('isolate.submit', { bytes: view.sizeBytes }));
      const stop = watch.look([view], Date.now());
      if (stop !== null) return err(stop.failure);
      const isAtService = state.tag === 'processing' || state.tag === 'queued-at-service';
      if (isAtService && Date.now() - beganAtMs > command.waitMs)
        return err(makeFailure('still-processing', { code: 'still_working', outcome: 'accepted' }));
      await wake.next(lookEveryMs);
    }
  } finally {
    wake.release();
  }
}

function reportProgress(reporter: Reporter, { name, state }: JobView, expectedCredits: string | null): void {
  if (state.tag === 'uploading') {
    const percent = Math.min(100, Math.floor((state.sentBytes / Math.max(1, state.totalBytes)) * 100));
    const text = withCost(reporter, 'cli.uploading', expectedCredits, { file: name, percent: `${percent}%` });
    const cost = expectedCredits === null ? {} : { expectedCredits };
    reporter.status(text, { step: 'sending', file: name, percent, ...cost });
  } else if (state.tag === 'processing' || state.tag === 'queued-at-service') {
    reporter.status(reporter.words('cli.isolate.working', { file: name }), { step: 'working', file: name });
  }
}

function targetsOf(command: IsolateCommand, path: string): { format: IsolationFormat; target: string }[] {
  const folder = command.outDir === null ? dirname(path) : resolve(command.outDir);
  return command.formats.map((format) => {
    const ending = format === 'original' ? `-clean-original${extname(path)}` : `-clean.${format}`;
    return { format, target: join(folder, safeFileName(baseName(path), ending)) };
  });
}
