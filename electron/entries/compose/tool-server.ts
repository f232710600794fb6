import { createHash } from 'node:crypto';
import { mkdtemp, readFile, realpath, rm, stat, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { makeFailure } from '../../../shared/domain/failures/make-failure.ts';
import { modeOf, type ModeId } from '../../../shared/domain/modes.ts';
import { addEstimates, type AudioWork } from '../../../shared/domain/spend/spend-limit.ts';
import { err, ok, type Result } from '../../../shared/result/result.ts';
import type { InterfaceLanguage } from '../../../shared/domain/languages.ts';
import { loadWords, endingText } from '../../cli/reporter.ts';
import { sweep } from '../../platform/node/place-file.ts';
import { untilAtRest } from '../../cli/watch-run.ts';
import type { Prepared } from '../../cli/run-command.ts';
import { serveTools } from '../../mcp/tool-server.ts';
import type { ServicePorts, RequestedAction } from '../../mcp/contract-tools.ts';
import { openExtractedAudio } from '../../platform/node/audio/extracted-audio.ts';
import { filePort } from '../../platform/node/export-disk.ts';
import { ensurePrivateFolder } from '../../platform/node/data-folder.ts';
import { connectStudio, type StudioConnection } from '../../platform/node/studio-socket.ts';
import { openSettingsForTerminal } from '../../platform/node/settings-conf.ts';
import { createFileInspector } from '../../services/intake/intake.ts';
import { audioOf, isPriceUnknown } from '../../services/spend/spend-guard.ts';
import { readCreditRate } from '../../shell/credit-rate.ts';
import { readAllowed, readQueued, type QueuedFiles, type QueueRequest } from '../../services/tools/studio-messages.ts';
import { createToolConsent, type ToolRequest } from '../../services/tools/tool-consent.ts';
import { folderOf, type ServiceSession } from '../../workspace/open-service-session.ts';
import type { Workspace } from '../../workspace/open-workspace.ts';
import { openStoredLibrary } from '../../workspace/stored-library.ts';
import type { TerminalParts } from './terminal-connection.ts';

/** How long files that were queued wait for a service that is away; running again later continues with them. */
const awayMs = 60_000;

export interface ToolServerRun {
  readonly parts: TerminalParts;
  readonly mode: ModeId;
  readonly language: InterfaceLanguage;
  readonly version: string;
  readonly prepare: () => Promise<Prepared>;
  readonly signal: AbortSignal;
}

export async function runToolServer(run: ToolServerRun): Promise<void> {
  const { parts, mode, language, version, signal } = run;
  const dataDir = parts.folder.root;
  const words = loadWords(language);
  const notReady = (problem: string) =>
    err(
      makeFailure(problem === 'noAddress' || problem === 'badAddress' ? 'address-invalid' : 'key-missing', {
        code: problem,
      }),
    );

  let prepared = null as Promise<Prepared> | null;
  const ready = async () => {
    const found = await (prepared ??= run.prepare());
    if (found.kind === 'ready') return ok(found);
    // A key that is entered meanwhile is used from the next call on.
    prepared = null;
    return notReady(found.problem);
  };
  let opening: Promise<Result<ServiceSession>> | null = null;
  const session = async (): Promise<Result<ServiceSession>> => {
    const found = await ready();
    if (!found.ok) return found;
    const opened = await (opening ??= found.value.openSession());
    if (!opened.ok) opening = null;
    return opened;
  };

  let studio = null as StudioConnection | null;
  /** Asks the running app; null when it does not run, or quit before it answered. */
  const askStudio = async (request: object, wanted: AbortSignal): Promise<unknown> => {
    for (const _ of ['as it is', 'anew']) {
      studio ??= await connectStudio(dataDir);
      // oxlint-disable-next-line no-await-in-loop -- an app that was closed may be open again
      const answer = (await studio?.ask(request, wanted)) ?? null;
      if (answer !== null || wanted.aborted) return answer;
      studio = null;
    }
    return null;
  };

  let client: string | null = null;
  const alone = createToolConsent({
    settings: () => openSettingsForTerminal(dataDir, () => undefined),
    now: () => Date.now(),
    async isUnpriced({ estimate }) {
      const opened = await session();
      if (!opened.ok) return true;
      const { ledger, accountId } = opened.value;
      const known = { ledger, accountId, jobs: { lengthsOf: () => new Map<string, number>() } };
      const isPriced = (work: AudioWork) => readCreditRate(known, Date.now(), work).creditsPerHour !== null;
      const settings = openSettingsForTerminal(dataDir, () => undefined).get();
      return isPriceUnknown(settings, accountId(), isPriced, estimate);
    },
    ask: async () => 'nobody',
  });
  const consent = async (asked: RequestedAction, wanted: AbortSignal): Promise<Result<null>> => {
    const request: ToolRequest = { ...asked, client, mode };
    const { isPractice, isFree } = modeOf(mode);
    if (isPractice || (isFree && asked.action === 'spend')) return ok(null);
    const answer = await askStudio({ kind: 'consent', request }, wanted);
    return answer === null ? alone.allow(request, { maySpend: false }) : readAllowed(answer);
  };

  ensurePrivateFolder(dataDir);
  // A killed run leaves recordings and speech behind.
  await sweep(dataDir, /^tools-(\d{1,10})-/).catch(() => undefined);
  const folder = await mkdtemp(join(dataDir, `tools-${process.pid}-`));
  let fileCount = 0;
  const nextPath = (ending: string) => join(folder, `${String((fileCount += 1))}${ending}`);
  const files: Pick<ServicePorts, 'withFile' | 'withTarget'> = {
    async withFile(bytes, ending, work) {
      const path = nextPath(ending);
      try {
        await writeFile(path, bytes, { mode: 0o600, flag: 'wx' });
        const { size: sizeBytes, mtimeMs } = await stat(path);
        const sha256 = createHash('sha256').update(bytes).digest('hex');
        return await work({ path, sizeBytes, mtimeMs, sha256 });
      } finally {
        await rm(path, { force: true });
      }
    },
    async withTarget(work) {
      const path = nextPath('.wav');
      try {
        return await work(path, () => readFile(path));
      } finally {
        await rm(path, { force: true });
      }
    },
  };

  const library = openStoredLibrary(mode, dataDir, parts);
  const extractor = openExtractedAudio(join(folderOf(mode, dataDir), 'prepared'), parts.audioWorker);
  const inspector = createFileInspector(filePort, extractor);
  const queues = new Set<Promise<void>>();
  const queue = async (request: QueueRequest, wanted: AbortSignal): Promise<Result<QueuedFiles>> => {
    const places = await Promise.all(request.paths.map((path) => realpath(path).catch(() => null)));
    const missing = places.findIndex((place) => place === null);
    if (missing >= 0)
      return err(
        makeFailure('file-unreadable', {
          code: 'file_missing',
          params: { name: basename(request.paths[missing] ?? '') },
        }),
      );
    const paths = places.flatMap((place) => place ?? []);
    const answer = await askStudio({ kind: 'queue', client, mode, ...request, paths }, wanted);
    if (answer !== null) return readQueued(answer);
    // What stands in a folder counts in the hour like files that were named, and nothing else is sent.
    const seen = await inspector.inspect(paths);
    const estimate = addEstimates(
      seen.files.map((file) => audioOf(file, request.includeSpeakers ? 'speakers' : 'transcribe')),
    );
    const items = paths.map((path) => basename(path));
    const asked = { client, tool: 'library_queue_files', action: 'queue', estimate, items, mode } as const;
    const allowed = await alone.allow(asked, { maySpend: false });
    if (!allowed.ok) return allowed;
    const found = await ready();
    if (!found.ok) return found;
    const opened = await found.value.openWorkspace(2);
    if (!opened.ok) return opened;
    const workspace = opened.value;
    await workspace.jobs.start();
    const { language: spoken, includeSpeakers } = request;
    const added: string[] = [];
    const refused = seen.refused.map(({ name, failure }) => ({ name, code: failure.code }));
    for (const { path, name } of seen.files) {
      const wanting = { path, kind: 'transcribe', language: spoken, includeSpeakers } as const;
      // oxlint-disable-next-line no-await-in-loop -- hashing waits for the disk
      const joined = await workspace.jobs.attach(wanting, signal);
      if (!joined.ok) refused.push({ name, code: joined.error.code });
      else if (joined.value.result === null) added.push(joined.value.jobId);
    }
    const work = closeAtRest(workspace, added, signal).finally(() => queues.delete(work));
    queues.add(work);
    return ok({
      added: added.length,
      repeated: seen.files.length - added.length - refused.length + seen.refused.length,
      left: 0,
      refused,
    });
  };

  try {
    await serveTools({
      version,
      isWithoutKey: modeOf(mode).isWithoutKey,
      explain: (failure) => endingText(words, language, failure),
      onClient: (name) => (client = name.slice(0, 80)),
      input: process.stdin,
      output: process.stdout,
      ports: { session, consent, ...files, library, queue },
    });
  } finally {
    studio?.close();
    await library.close();
    await Promise.allSettled(queues);
    await extractor.close();
    const found = await prepared;
    if (found?.kind === 'ready') await found.close();
    await rm(folder, { recursive: true, force: true });
  }
}

/** The library stays open only while these rows go on, because the app can't open it meanwhile. */
async function closeAtRest(workspace: Workspace, jobIds: readonly string[], signal: AbortSignal): Promise<void> {
  await untilAtRest(workspace.jobs, jobIds, awayMs, signal);
  await workspace.jobs.stop();
  await workspace.close();
}
