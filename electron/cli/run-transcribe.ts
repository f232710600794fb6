import type { Failure } from '../../shared/result/failure.ts';
import type { Result } from '../../shared/result/result.ts';
import type { Library } from '../services/library/library.ts';
import type { TranscribeCommand } from './command.ts';
import { Report } from './report.ts';
import type { Teller } from './teller.ts';
import { failAll, findRecordings, transcribeFiles, type Run } from './transcribe.ts';

interface TranscribeRun {
  readonly command: TranscribeCommand;
  readonly teller: Teller;
  readonly signal: AbortSignal;
  readonly open: () => Promise<Result<Library>>;
}

/** Transcribes all that a command means. Answers whether every recording has its text. */
export async function runTranscribe({ command, teller, signal, open }: TranscribeRun): Promise<boolean> {
  const report = new Report(teller);
  const { words } = teller;
  const run = { command, report, words, signal };
  const files = await findRecordings(run);
  const stopped = files.length === 0 ? null : await work(run, open, files);
  if (files.length === 0 && report.counts.failed === 0) report.note(words('cli.nothingFound'));
  if (stopped !== null) report.failure('cli.stopped', stopped);
  else if (signal.aborted) report.note(words('cli.interrupted'));
  report.summary();
  return report.counts.failed === 0;
}

async function work(
  run: Run,
  open: TranscribeRun['open'],
  files: Awaited<ReturnType<typeof findRecordings>>,
): Promise<Failure | null> {
  const { report, words, signal } = run;
  const opened = await open();
  if (!opened.ok) {
    failAll(run, files, opened.error);
    return opened.error;
  }
  const library = opened.value;
  try {
    if (library.notice !== null) report.failure('cli.restored', library.notice);
    await library.jobs.start();
    const { stopped, unfinished } = await transcribeFiles(run, library, files);
    await library.jobs.stop();
    if (stopped !== null) failAll(run, unfinished, stopped);
    else for (const { shown } of unfinished) report.file({ file: shown, state: 'interrupted' });
    if (unfinished.length > 0 && (stopped !== null || signal.aborted)) {
      report.note(words('cli.notFinished', { count: unfinished.length }));
    }
    return stopped;
  } finally {
    await library.close();
  }
}
