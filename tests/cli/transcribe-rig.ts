import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach } from 'vitest';
import { runCli, type CliLine } from '../support/cli-run.ts';
import {
  sendJson,
  startScriptedServer,
  type Script,
  type ScriptedServer,
  type SeenRequest,
} from '../support/scripted-server.ts';
import { toneWav } from '../support/wav-files.ts';

const root = mkdtempSync(join(tmpdir(), 'ovoz-cli-'));
export const key = 'sk-canary-4f7d1c0b9a8e6d5c4b3a';
export let server: ScriptedServer;
let number = 0;
export let place = { recordings: '', dataDir: '', out: '' };

export const transcript = (id: string) => ({
  data: {
    transcription: {
      id,
      status: 'completed',
      title: 'x',
      text: 'Salom dunyo. Yaxshimisiz?',
      segments: [{ start_ms: 0, end_ms: 1400, text: 'Salom dunyo. Yaxshimisiz?' }],
    },
  },
  request_id: 'req_ok_1',
});
export const takesAll: Script = (request, response, at) => {
  if (request.method === 'POST') sendJson(response, 200, transcript(`tr_${at.number}`));
  else sendJson(response, 200, { data: [], next_cursor: null });
};
export const posts = (): readonly SeenRequest[] => server.seen.filter(({ method }) => method === 'POST');
export const keysOf = (requests: readonly SeenRequest[]) =>
  new Set(requests.map(({ headers }) => headers['idempotency-key']));
export const refuse =
  (status: number, code: string): Script =>
  (_request, response) =>
    sendJson(response, status, { error: { code }, message: 'server words', request_id: 'req_refused_7' });

/** A new service at another address, after the first one was closed. */
export const serveAgain = async (): Promise<void> => void (server = await startScriptedServer(takesAll));

/** A service and folders of its own for every test of a file. */
export function eachWithAService(): void {
  beforeEach(async () => {
    server = await startScriptedServer(takesAll);
    number += 1;
    const base = join(root, String(number));
    place = { recordings: join(base, 'recordings'), dataDir: join(base, 'data'), out: join(base, 'out') };
    mkdirSync(place.recordings, { recursive: true });
  });
  afterEach(() => server.close());
  afterAll(() => rmSync(root, { recursive: true, force: true }));
}

export const record = (name: string, hertz = 300): string => {
  const path = join(place.recordings, name);
  writeFileSync(path, toneWav(hertz, 0.2));
  return path;
};
export const run = (paths: readonly string[], more: readonly string[] = [], language?: string) =>
  runCli(['transcribe', ...paths, '--language', 'uz', '--json', '--out', place.out, ...more], {
    url: server.url,
    key,
    dataDir: place.dataDir,
    ...(language === undefined ? {} : { language }),
  });
export const summary = (lines: readonly CliLine[]) => lines.at(-1)?.summary;
