import type { InterfaceLanguage } from '../../shared/domain/languages.ts';
import { isLegacyVoice } from '../../shared/domain/speech/voices.ts';
import type { ModeId } from '../../shared/domain/modes.ts';
import { err, ok, type Result } from '../../shared/result/result.ts';
import type { Ledger } from '../services/account/ledger.ts';
import type { ServiceSession } from '../workspace/open-service-session.ts';
import type { Workspace } from '../workspace/open-workspace.ts';
import type { StoredExports, StoredLibrary } from '../workspace/stored-library.ts';
import { listRequests, manageKeys, printAccountUsage, manageWebhooks } from './account.ts';
import { askQuestion, askInConversation } from './ask.ts';
import { dictateFile } from './dictate.ts';
import type { AudioCutter } from '../services/exports/write-request.ts';
import { type Command, type SpeakCommand, type UsageCommand, readCommand } from './options.ts';
import { saveDiagnostics, printFindings, type DiagnosticsSource, type Findings } from './doctor.ts';
import { exportTranscripts } from './export.ts';
import type { RunResult } from './ending.ts';
import { manageModels, type LocalRun } from './local.ts';
import { isolateFiles, type IsolateRun } from './isolate.ts';
import { listHistory, listModels, listVoices, printRequest, printUsage } from './lists.ts';
import { runTranscribe } from './run-transcribe.ts';
import { speakText, type PaidRun } from './speak.ts';
import { Reporter, loadWords, type Streams } from './reporter.ts';
import { readFile, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Failure } from '../../shared/result/failure.ts';
import { readFailure } from '../platform/node/storage-failure.ts';

export type OtherSecret = 'accessToken' | 'legacyKey';

export interface Terminal extends InputSource, DiagnosticsSource {
  readonly args: readonly string[];
  readonly language: InterfaceLanguage;
  readonly version: string;
  readonly streams: Streams;
  readonly signal: AbortSignal;
  prepare(mode: ModeId, needs: readonly OtherSecret[]): Promise<Prepared>;
  openLedger(mode: ModeId): Ledger;
  readonly cutAudio: AudioCutter;
  openLibrary(mode: ModeId): StoredLibrary;
  serveTools(mode: ModeId): Promise<void>;
  openExports(mode: ModeId): { readonly stored: StoredExports; readonly profileFolder: string };
  localParts(): Pick<LocalRun, 'models' | 'recogniserWorker' | 'samples'>;
  examine(): Promise<Findings>;
}

export type Prepared =
  | { readonly kind: 'missing'; readonly problem: string }
  | {
      readonly kind: 'ready';
      openWorkspace(concurrency: number): Promise<Result<Workspace>>;
      openSession(): Promise<Result<ServiceSession>>;
      close(): Promise<void>;
    };

/** Exit codes as documented in the help; `later` is EX_TEMPFAIL, which mailers and job runners take as "try again". */
const exits = { done: 0, failed: 1, wrong: 2, later: 75, interrupted: 130 } as const;

export async function runCommand(terminal: Terminal): Promise<number> {
  const { streams, language, signal } = terminal;
  const words = loadWords(language);
  const command = readCommand(terminal.args);
  const refuse = (problem: string, word = ''): number => {
    streams.error(`${[words(`cli.problem.${problem}`, { word }), words('cli.hint')].join('\n')}\n`);
    return exits.wrong;
  };
  if (command.kind === 'help') {
    streams.out(`${words(command.topic === null ? 'cli.usage' : `cli.help.${command.topic}`)}\n`);
    return exits.done;
  }
  if (command.kind === 'version') {
    streams.out(`${terminal.version}\n`);
    return exits.done;
  }
  if (command.kind === 'wrong') return refuse(command.problem, command.word);
  const reporter = new Reporter(streams, words, language, command.isJson);
  const codeOf = (result: RunResult | boolean): number => {
    if (signal.aborted) return exits.interrupted;
    return typeof result === 'string' ? exits[result] : result ? exits.done : exits.failed;
  };
  if (command.kind === 'usage' && command.account === null) {
    const ledger = terminal.openLedger(command.mode);
    const isPrinted = printUsage(ledger, command, reporter, Date.now());
    ledger.close();
    return codeOf(isPrinted);
  }
  if (command.kind === 'export') {
    const { stored, profileFolder } = terminal.openExports(command.mode);
    const result = await exportTranscripts({ command, stored, profileFolder, reporter, signal });
    return typeof result === 'object' ? refuse(result.problem, result.word) : codeOf(result);
  }
  if (command.kind === 'mcp') {
    await terminal.serveTools(command.mode);
    return exits.done;
  }
  if (command.kind === 'local')
    return codeOf(await manageModels({ command, ...terminal.localParts(), reporter, signal }));
  if (command.kind === 'doctor') return codeOf(printFindings(await terminal.examine(), reporter));
  if (command.kind === 'diagnostics') return codeOf(await saveDiagnostics(terminal, command, reporter));
  const input = command.kind === 'speak' || command.kind === 'ask' ? await readInput(command, terminal) : null;
  if (input?.kind === 'wrong') return refuse(input.problem);
  if (input?.kind === 'failed') {
    reporter.failure(input.failure);
    return exits.failed;
  }
  const prepared = await terminal.prepare(command.mode, secretsFor(command));
  if (prepared.kind === 'missing') return refuse(prepared.problem);
  try {
    if (command.kind === 'transcribe') {
      const open = () => prepared.openWorkspace(command.concurrency);
      const result = await runTranscribe({ command, reporter, signal, open });
      return signal.aborted ? exits.interrupted : exits[result];
    }
    if (command.kind === 'isolate') {
      const workspace = await prepared.openWorkspace(1);
      if (workspace.ok) return codeOf(await isolateAll({ command, workspace: workspace.value, reporter, signal }));
      return codeOf(reporter.endWith(workspace.error, []));
    }
    if (command.kind === 'ask' && command.conversation !== null) {
      const workspace = await prepared.openWorkspace(1);
      if (!workspace.ok) return codeOf(reporter.endWith(workspace.error, []));
      const asked = { command, workspace: workspace.value, reporter, signal, language };
      return codeOf(noteStop(await askInConversation(asked, input?.text ?? ''), asked));
    }
    const opened = await prepared.openSession();
    if (!opened.ok) return codeOf(reporter.endWith(opened.error, []));
    const session = opened.value;
    if (command.kind === 'ask') {
      const library = terminal.openLibrary(command.mode);
      const asked = { command, session, reporter, signal, library, language };
      try {
        return codeOf(noteStop(await askQuestion(asked, input?.text ?? ''), asked));
      } finally {
        await library.close();
      }
    }
    return codeOf(await runWithService(command, input?.text ?? '', { session, reporter, signal }, terminal.cutAudio));
  } finally {
    await prepared.close();
  }
}

type OfService = Exclude<
  Command,
  | UsageCommand
  | {
      kind:
        | 'help'
        | 'version'
        | 'wrong'
        | 'transcribe'
        | 'export'
        | 'isolate'
        | 'ask'
        | 'local'
        | 'mcp'
        | 'doctor'
        | 'diagnostics';
    }
>;

async function runWithService(
  command: OfService,
  text: string,
  rest: Omit<PaidRun<never>, 'command'>,
  cutAudio: AudioCutter,
): Promise<RunResult> {
  const run = <C>(one: C): PaidRun<C> => ({ ...rest, command: one });
  switch (command.kind) {
    case 'speak':
      return noteStop(await speakText(run<SpeakCommand>(command), text), rest);
    case 'dictate':
      return dictateFile(run(command), cutAudio);
    case 'voices':
      return listVoices(run(command));
    case 'models':
      return listModels(run(command));
    case 'history':
      return listHistory(run(command));
    case 'request':
      return printRequest(run(command));
    case 'usage':
      return printAccountUsage(run(command));
    case 'requests':
      return listRequests(run(command));
    case 'keys':
      return manageKeys(run(command));
    case 'webhooks':
      return manageWebhooks(run(command));
  }
}

async function isolateAll(run: IsolateRun): Promise<RunResult> {
  const { workspace, reporter, signal } = run;
  try {
    await workspace.jobs.start();
    const { result, ...counts } = await isolateFiles(run);
    if (signal.aborted) reporter.note(reporter.words('cli.interrupted'));
    reporter.json({ summary: counts });
    reporter.line(reporter.words('cli.summary', counts));
    return result;
  } finally {
    await workspace.close();
  }
}

function noteStop(result: RunResult, { reporter, signal }: Pick<PaidRun<never>, 'reporter' | 'signal'>): RunResult {
  if (signal.aborted) reporter.note(reporter.words('cli.interrupted'));
  return result;
}

function secretsFor(command: Command): readonly OtherSecret[] {
  const { kind } = command;
  if (kind === 'requests' || kind === 'keys' || (kind === 'usage' && 'account' in command)) return ['accessToken'];
  // The legacy voices are listed without asking the service.
  if (kind === 'voices') return [];
  const isLegacy = kind === 'speak' ? isLegacyVoice(command.voiceId ?? '') : 'isLegacy' in command && command.isLegacy;
  return isLegacy ? ['legacyKey'] : [];
}

/** The service never accepts a longer text in one request. */
const largestBytes = 1024 * 1024;

export interface InputSource {
  readInput(maxBytes: number): Promise<string | null>;
}

export type InputText =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'wrong'; readonly problem: 'noText' | 'textTooLong' }
  | { readonly kind: 'failed'; readonly failure: Failure };

export async function readInput(
  { text, file }: { readonly text: string; readonly file: string | null },
  source: InputSource,
): Promise<InputText> {
  if (file === null) return { kind: 'text', text };
  const read = file === '-' ? ok(await source.readInput(largestBytes)) : await readWhole(resolve(file));
  if (!read.ok) return { kind: 'failed', failure: { ...read.error, params: { name: file } } };
  if (read.value === null) return { kind: 'wrong', problem: 'textTooLong' };
  const found = read.value.replace(/^\uFEFF/u, '').trim();
  return found === '' ? { kind: 'wrong', problem: 'noText' } : { kind: 'text', text: found };
}

async function readWhole(path: string): Promise<Result<string | null>> {
  try {
    return ok((await stat(path)).size > largestBytes ? null : await readFile(path, 'utf8'));
  } catch (error) {
    return err(readFailure(error));
  }
}
