import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runCommand, type Prepared, type Terminal } from '../cli/run-command.ts';
import { keyProblem } from '../cli/key-problem.ts';
import { terminalLanguage } from '../cli/words.ts';
import type { TranscribeCommand } from '../cli/options.ts';
import { Secret, type Connection } from '../api/connection.ts';
import { systemClientClock } from '../api/core/clock.ts';
import { createKeytarStore } from '../platform/keychain/keytar-store.ts';
import { locateDataFolder } from '../platform/node/data-folder.ts';
import { openJsonLog } from '../platform/node/json-log.ts';
import { keptLog } from '../platform/node/kept-log.ts';
import { practiceByFork } from '../platform/node/practice-child.ts';
import { openSettingsForTerminal } from '../platform/node/settings-conf.ts';
import { watchWake } from '../services/connection/wake-watch.ts';
import { readServiceAddress } from '../services/connection/service-address.ts';
import type { PracticeProcess } from '../services/practice/practice-process.ts';
import { keyAccount } from '../services/secrets/key-service.ts';
import { readEnvironment } from '../services/settings/environment.ts';
import { openLibrary } from './compose/open-library.ts';

// Runs from source only, so plain http on this computer is allowed.
const isPackaged = false;
const environment = readEnvironment(process.env, isPackaged);
const folder = locateDataFolder(environment.dataDir);
// Children of this process and what it prints must not carry the key.
delete process.env['OVOZ_API_KEY'];

const terminalSettings = () => openSettingsForTerminal(folder.root, () => undefined).get();

/** Settings that can't be read may hold a refusal; the library, in the same folder, then tells of the trouble. */
function wantsLog(): boolean {
  try {
    return terminalSettings().keepsLog;
  } catch {
    return false;
  }
}

const open = (kind: Connection['kind'], { concurrency }: TranscribeCommand, connection: Connection) => {
  const keepsLog = wantsLog();
  return openLibrary({
    kind,
    dataDir: folder.root,
    source: () => connection,
    soundWorker: new URL('./sound.ts', import.meta.url),
    log: keptLog(openJsonLog(join(folder.logs, 'cli.log')), () => keepsLog),
    concurrency,
    takesUp: 'attached',
    wakes: watchWake(systemClientClock),
    allowsLoopbackHttp: !isPackaged,
  });
};

async function prepareService(command: TranscribeCommand): Promise<Prepared> {
  const settings = environment.serviceUrl === null || environment.apiKey === null ? terminalSettings() : null;
  const typed = environment.serviceUrl ?? settings?.serviceAddress ?? '';
  if (typed === '') return { kind: 'missing', problem: 'noAddress' };
  const address = readServiceAddress(typed, !isPackaged);
  if (!address.ok) return { kind: 'missing', problem: 'badAddress' };
  let key = environment.apiKey;
  if (key === null) {
    const read = await createKeytarStore().read(keyAccount);
    if (read.state !== 'present') return { kind: 'missing', problem: keyProblem(read.state) };
    key = read.secret;
  }
  if (!key.fitsHeader) return { kind: 'missing', problem: 'badKey' };
  const connection: Connection = { kind: 'service', baseUrl: address.value, key };
  return { kind: 'ready', open: () => open('service', command, connection), close: async () => undefined };
}

function preparePractice(command: TranscribeCommand): Prepared {
  const start = practiceByFork(fileURLToPath(new URL('./practice.ts', import.meta.url)));
  let practice: PracticeProcess | null = null;
  return {
    kind: 'ready',
    async open() {
      const started = await start({ stateDir: folder.practiceService });
      if (!started.ok) return started;
      practice = started.value;
      const { url, token } = practice;
      return open('practice', command, { kind: 'practice', baseUrl: url, key: new Secret(token) });
    },
    close: async () => practice?.stop(),
  };
}

const stop = new AbortController();
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, () => stop.abort());
// Whoever read our output may have gone; the work itself goes on.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);

const terminal: Terminal = {
  args: process.argv.slice(2),
  language: terminalLanguage(process.env),
  signal: stop.signal,
  streams: {
    out: (text) => void process.stdout.write(text),
    error: (text) => void process.stderr.write(text),
    isTerminal: process.stderr.isTTY,
  },
  prepare: async (command) => (command.isPractice ? preparePractice(command) : prepareService(command)),
};

const code = await runCommand(terminal);
// Connections that are kept alive for a next request would hold the process.
process.stdout.write('', () => process.exit(code));
