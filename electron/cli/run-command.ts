import type { InterfaceLanguage } from '../../shared/domain/languages.ts';
import type { Failure } from '../../shared/result/failure.ts';
import type { Result } from '../../shared/result/result.ts';
import type { Library } from '../services/library/library.ts';
import { readCommand, type TranscribeCommand } from './options.ts';
import { Report, type Streams } from './report.ts';
import { failAll, findRecordings, transcribeFiles } from './transcribe.ts';
import { loadWords } from './words.ts';

/** What a run needs of the world. */
export interface Terminal {
  readonly args: readonly string[];
  readonly language: InterfaceLanguage;
  readonly streams: Streams;
  /** Aborted by Ctrl+C and its relatives. */
  readonly signal: AbortSignal;
  /** Address and key, or the key under `cli.problem` that says what is missing. */
  prepare(command: TranscribeCommand): Promise<Prepared>;
}

/** `open` opens the library and starts what it needs; `close` ends that again. */
export type Prepared =
  | { readonly kind: 'missing'; readonly problem: string }
  | { readonly kind: 'ready'; open(): Promise<Result<Library>>; close(): Promise<void> };

/** Exit codes as the help says. */
const exits = { done: 0, failed: 1, wrong: 2, interrupted: 130 } as const;

/** One command from arguments to exit code. */
export async function runCommand(terminal: Terminal): Promise<number> {
  const { streams, language, signal } = terminal;
  const words = loadWords(language);
  const refuse = (problem: string, word = ''): number => {
    streams.error(`${words(`cli.problem.${problem}`, { word })}\n${words('cli.hint')}\n`);
    return exits.wrong;
  };
  const command = readCommand(terminal.args);
  if (command.kind === 'help') {
    streams.out(`${words('cli.usage')}\n`);
    return exits.done;
  }
  if (command.kind === 'wrong') return refuse(command.problem, command.word);

  const prepared = await terminal.prepare(command);
  if (prepared.kind === 'missing') return refuse(prepared.problem);
  const report = new Report(streams, words, language, command.isJson);
  const run = { command, report, words, signal };
  try {
    const files = await findRecordings(run);
    const stopped = files.length === 0 ? null : await work(run, prepared, files);
    if (files.length === 0 && report.counts.failed === 0) report.note(words('cli.nothingFound'));
    if (stopped !== null) report.failure('cli.stopped', stopped);
    else if (signal.aborted) report.note(words('cli.interrupted'));
    report.summary();
  } finally {
    await prepared.close();
  }
  if (signal.aborted) return exits.interrupted;
  return report.counts.failed === 0 ? exits.done : exits.failed;
}

async function work(
  run: Parameters<typeof transcribeFiles>[0],
  prepared: Extract<Prepared, { kind: 'ready' }>,
  files: Awaited<ReturnType<typeof findRecordings>>,
): Promise<Failure | null> {
  const { report, words, signal } = run;
  const opened = await prepared.open();
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
