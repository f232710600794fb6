import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Logger } from '../../shared/domain/diagnostics/log-entry.ts';
import { runCommand, type Terminal } from '../cli/run-command.ts';
import { terminalLanguage } from '../cli/words.ts';
import { createAudioCutter } from '../platform/node/audio/audio-cutter.ts';
import { locateDataFolder } from '../platform/node/data-folder.ts';
import { openJsonLog, type JsonLog } from '../platform/node/json-log.ts';
import { openSettingsForTerminal } from '../platform/node/settings-conf.ts';
import { readEnvironment } from '../services/settings/environment.ts';
import { defaultSettings } from '../services/settings/stored-settings.ts';
import type { StoredSettings } from '../services/settings/settings-store.ts';
import { collectDiagnostics } from './compose/collect-diagnostics.ts';
import { examine, examineModels } from './compose/examine.ts';
import type { CheckParts } from '../cli/check-model.ts';
import { createModelStore } from '../recogniser/model-store.ts';
import { openStoredLibrary } from '../workspace/stored-library.ts';
import { readStoredExports } from '../workspace/stored-exports.ts';
import { readCorrections } from '../workspace/read-corrections.ts';
import {
  openTerminalLedger,
  prepareHere,
  prepareService,
  terminalProxy,
  type TerminalParts,
} from './compose/terminal-connection.ts';
import { ownVersion } from './compose/places.ts';

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
/** The URL of a sibling entry, in the sources and in the build alike. */
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

const version = ownVersion(new URL('../../package.json', import.meta.url));

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
      corrections: readCorrections(folder.root),
      products: report?.products ?? [],
    });
  },
};

const code = await runCommand(terminal);
// Connections kept alive for a next request would keep the process running.
process.stdout.write('', () => process.exit(code));
