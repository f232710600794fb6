import { randomBytes } from 'node:crypto';
import { closeSync, existsSync, openSync, readFileSync, rmSync, statSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { extname, join, dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Logger } from '../../shared/domain/diagnostics/log-entry.ts';
import { speechLanguages } from '../../shared/domain/languages.ts';
import { openServiceCore } from '../service/client.ts';
import { checkConnection } from '../service/connection-check.ts';
import { checkModel, type CheckParts, type ModelFinding } from '../cli/local.ts';
import type { Findings } from '../cli/doctor.ts';
import { runCommand, type Terminal } from '../cli/run-command.ts';
import { terminalLanguage } from '../cli/reporter.ts';
import { createKeytarStore } from '../platform/keychain/keytar-store.ts';
import { createAudioCutter } from '../platform/node/audio/audio-cutter.ts';
import { locateDataFolder } from '../platform/node/data-folder.ts';
import { openJsonLog, type JsonLog } from '../platform/node/json-log.ts';
import { openSettingsForTerminal } from '../platform/node/settings-conf.ts';
import { keptModel, modelInFolder, createModelStore } from '../recogniser/model-store.ts';
import type { Secret } from '../secret/secret.ts';
import { readServiceAddress } from '../services/connection/service-address.ts';
import { keyAccount, readStoredKey } from '../services/secrets/key-service.ts';
import { readEnvironment } from '../services/settings/environment.ts';
import { defaultSettings, type StoredSettings } from '../services/settings/stored-settings.ts';
import { isLibraryLocked, libraryRootOf } from '../storage/library-folder.ts';
import { openLedger } from '../storage/open-ledger.ts';
import { openStoredLibrary, readStoredExports } from '../workspace/stored-library.ts';
import { collectDiagnostics } from './compose/collect-diagnostics.ts';
import {
  openTerminalLedger,
  prepareHere,
  prepareService,
  settingsForKeys,
  terminalProxy,
  type TerminalParts,
} from './compose/terminal-connection.ts';

// The terminal runs only from source, so plain http on this computer is allowed.
const isPackaged = false;
const environment = readEnvironment(process.env, isPackaged);
const folder = locateDataFolder(environment.dataDir);
// Child processes and output of this process must not contain the secrets.
for (const name of ['OVOZ_API_KEY', 'OVOZ_ACCOUNT_TOKEN', 'OVOZ_LEGACY_KEY']) delete process.env[name];

const settings = (): StoredSettings => openSettingsForTerminal(folder.root, () => undefined).get();

/** When the settings can't be read, the library in the same folder reports the trouble. */
function readableSettings(): StoredSettings {
  try {
    return settings();
  } catch {
    return { ...defaultSettings, keepsLog: false };
  }
}

/** Opened with the first line: a command that only prints help leaves no folder behind. Null: the user wants no log. */
let opened: JsonLog | null | undefined;
const log: Logger = {
  write(entry) {
    if (opened === undefined) opened = readableSettings().keepsLog ? openJsonLog(join(folder.logs, 'cli.log')) : null;
    opened?.write(entry);
  },
};
const beside = (name: string): URL => new URL(`./${name}${extname(import.meta.filename)}`, import.meta.url);
const parts: TerminalParts = {
  folder,
  environment,
  isPackaged,
  settings,
  log,
  practiceScript: fileURLToPath(beside('practice')),
  audioWorker: beside('audio-worker'),
  readingWorker: beside('library-worker'),
};

const stop = new AbortController();
const checkParts: CheckParts = {
  recogniserWorker: beside('practice'),
  samples: fileURLToPath(new URL('../../assets/samples/', import.meta.url)),
  signal: stop.signal,
};
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, () => stop.abort());
// The reader of our output may have gone; the work itself goes on.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);

async function readStandardInput(maxBytes: number): Promise<string | null> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of process.stdin as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxBytes) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  version: string;
};

const terminal: Terminal = {
  version,
  args: process.argv.slice(2),
  language: terminalLanguage(process.env),
  signal: stop.signal,
  streams: {
    out: (text) => void process.stdout.write(text),
    error: (text) => void process.stderr.write(text),
    isTerminal: process.stderr.isTTY,
  },
  readInput: readStandardInput,
  prepare: async (mode, needs) => (mode === 'service' ? prepareService(parts, needs) : prepareHere(mode, parts)),
  openLibrary: (mode) => openStoredLibrary(mode, folder.root, parts),
  serveTools: async (mode) => {
    const { runToolServer } = await import('./compose/tool-server.ts');
    await runToolServer({
      parts,
      mode,
      language: terminalLanguage(process.env),
      version,
      prepare: async () => (mode === 'service' ? prepareService(parts) : prepareHere(mode, parts)),
      signal: stop.signal,
    });
  },
  cutAudio: createAudioCutter(parts.audioWorker),
  openLedger: (mode) => openTerminalLedger(parts, mode),
  openExports: (mode) => ({
    stored: readStoredExports(mode, folder.root, parts.audioWorker),
    profileFolder: join(folder.root, 'subtitle-profiles'),
  }),
  localParts: () => ({
    models: createModelStore({ folder: folder.models, proxyOf: terminalProxy(parts) }),
    ...checkParts,
  }),
  examine: async () => ({
    ...(await examine(parts, stop.signal)),
    models: await examineModels(parts, checkParts),
  }),
  collectDiagnostics: async () => {
    const { address, key, keychain, report } = await examine(parts, stop.signal);
    return collectDiagnostics({
      folder,
      app: { version, shell: 'terminal', isPackaged },
      settings: readableSettings(),
      hasAddress: address.state === 'ok',
      key: {
        present: key.state === 'present',
        store: key.state === 'none' ? 'none' : key.from,
        keychain,
      },
      products: report?.products ?? [],
    });
  },
};

const code = await runCommand(terminal);
// Connections kept alive for a next request would keep the process running.
process.stdout.write('', () => process.exit(code));

async function examine(parts: TerminalParts, signal: AbortSignal): Promise<Omit<Findings, 'models'>> {
  const { folder, environment, isPackaged } = parts;
  const typed = environment.serviceUrl ?? savedAddress(parts);
  const address = readServiceAddress(typed, !isPackaged);
  const { read: keychain } = await readStoredKey(createKeytarStore(), keyAccount, typed, settingsForKeys(parts));
  const key = environment.apiKey ?? (keychain.state === 'present' ? keychain.secret : null);
  const isFit = key?.fitsHeader ?? false;
  const report = address.ok ? await checkOnce(parts, address.value, isFit ? key : null, signal) : null;
  return {
    address: {
      state: address.ok ? 'ok' : typed === '' ? 'missing' : 'bad',
      shown: address.ok ? address.value : '',
      from: environment.serviceUrl === null ? 'settings' : 'environment',
    },
    key: {
      state: key === null ? 'none' : isFit ? 'present' : 'unfit',
      from: environment.apiKey === null ? 'keychain' : 'environment',
      suffix: key?.maskedSuffix ?? '',
    },
    keychain: keychain.state,
    report,
    folder: await examineFolder(libraryRootOf(folder.root)),
    ledger: ledgerTrouble(libraryRootOf(folder.root)),
  };
}

async function examineModels(parts: TerminalParts, check: CheckParts): Promise<Findings['models']> {
  const { folder, environment } = parts;
  const stored = await createModelStore({ folder: folder.models, proxyOf: terminalProxy(parts) }).list();
  const chosen = environment.localModel === null ? null : await modelInFolder(environment.localModel);
  const here = stored.flatMap(({ model, state }) => (state === 'here' ? [keptModel(folder.models, model)] : []));
  const models: { label: string; findings: ModelFinding[] }[] = [];
  for (const files of chosen === null ? here : [...here, chosen]) {
    const languages = (files.model?.languages ?? speechLanguages).slice(0, 1);
    const findings: ModelFinding[] = [];
    for await (const finding of checkModel(files, languages, check)) findings.push(finding);
    models.push({ label: files.label, findings });
  }
  return models;
}

async function checkOnce(parts: TerminalParts, baseUrl: string, key: Secret | null, signal: AbortSignal) {
  const core = openServiceCore({
    connection: () => null,
    log: parts.log,
    allowsLoopbackHttp: !parts.isPackaged,
    proxyOf: terminalProxy(parts),
  });
  try {
    return await checkConnection(core, { kind: 'service', baseUrl, key, signal });
  } finally {
    await core.close();
  }
}

/** Unreadable settings give no address; the check of the folder then reports the trouble. */
function savedAddress({ settings }: TerminalParts): string {
  try {
    return settings().serviceAddress;
  } catch {
    return '';
  }
}

async function examineFolder(root: string): Promise<Findings['folder']> {
  const isNew = !existsSync(root);
  const freeBytes = await statfs(isNew ? nearest(root) : root).then(
    ({ bavail, bsize }) => bavail * bsize,
    () => null,
  );
  const found = { path: root, freeBytes, isInUse: !isNew && isLibraryLocked(root) };
  if (!canWrite(isNew ? nearest(root) : root)) return { ...found, state: 'not-writable' };
  if (isNew) return { ...found, state: 'new' };
  const isOpen = process.platform !== 'win32' && (statSync(root).mode & 0o077) !== 0;
  return { ...found, state: isOpen ? 'open-to-others' : 'ok' };
}

function nearest(path: string): string {
  const parent = dirname(path);
  return existsSync(path) || parent === path ? path : nearest(parent);
}

/** Tried by writing, because permissions alone don't show that a disk is read-only or full. */
function canWrite(folder: string): boolean {
  const probe = join(folder, `.${randomBytes(6).toString('hex')}.probe`);
  try {
    closeSync(openSync(probe, 'wx', 0o600));
    rmSync(probe);
    return true;
  } catch {
    return false;
  }
}

function ledgerTrouble(root: string): Findings['ledger'] {
  const path = join(root, 'ledger.db');
  if (!existsSync(path)) return null;
  const opened = openLedger({ path, now: () => Date.now(), onTrouble: () => undefined });
  if (!opened.ok) return opened.error;
  opened.value.close();
  return null;
}
