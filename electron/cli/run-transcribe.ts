import type { Result } from '../../shared/result/result.ts';
import type { Workspace } from '../workspace/workspace.ts';
import type { TranscribeCommand } from './command.ts';
import type { RunResult } from './ending.ts';
import { Report } from './report.ts';
import type { Reporter } from './reporter.ts';
import { failAll, findRecordings, transcribeFiles, type Run } from './transcribe.ts';
import type { Stop } from './watch-run.ts';

interface TranscribeRun {
  readonly command: TranscribeCommand;
  readonly reporter: Reporter;
  readonly signal: AbortSignal;
  readonly open: () => Promise<Result<Workspace>>;
}

/** Transcribes everything that a command names. `done`: every recording has its text. */
export async function runTranscribe({ command, reporter, signal, open }: TranscribeRun): Promise<RunResult> {
  const report = new Report(reporter);
  const { words } = reporter;
  const run = { command, report, words, signal };
  const files = await findRecordings(run);
  const stopped = files.length === 0 ? null : await work(run, open, files);
  if (files.length === 0 && report.counts.failed === 0) report.note(words('cli.nothingFound'));
  if (stopped !== null) report.failure('cli.stopped', stopped.failure);
  else if (signal.aborted) report.note(words('cli.interrupted'));
  report.summary();
  if (stopped?.mayPass === true) return 'later';
  return report.counts.failed === 0 ? 'done' : 'failed';
}

async function work(
  run: Run,
  open: TranscribeRun['open'],
  files: Awaited<ReturnType<typeof findRecordings>>,
): Promise<Stop | null> {
  const { report, words, signal } = run;
  const opened = await open();
  if (!opened.ok) {
    failAll(run, files, opened.error);
    return { failure: opened.error, mayPass: false };
  }
  const workspace = opened.value;
  try {
    if (workspace.notice !== null) report.failure('cli.restored', workspace.notice);
    await workspace.jobs.start();
    const { stopped, unfinished } = await transcribeFiles(run, workspace, files);
    await workspace.jobs.stop();
    if (stopped !== null) failAll(run, unfinished, stopped.failure);
    else for (const { shown } of unfinished) report.file({ file: shown, state: 'interrupted' });
    if (unfinished.length > 0 && (stopped !== null || signal.aborted)) {
      report.note(words('cli.notFinished', { count: unfinished.length }));
    }
    return stopped;
  } finally {
    await workspace.close();
  }
}
