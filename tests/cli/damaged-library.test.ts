import { cpSync, readdirSync, statSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { jsonLines, runCli } from '../support/cli-run.ts';
import { sendJson } from '../support/scripted-server.ts';
import {
  eachWithAService,
  key,
  place,
  posts,
  record,
  run,
  server,
  summary,
  takesAll,
  transcript,
} from './transcribe-rig.ts';

vi.setConfig({ testTimeout: 120_000 });
eachWithAService();

const recordings = 8;
const again = (dataDir: string, out: string) =>
  runCli(['transcribe', place.recordings, '--language', 'uz', '--json', '--out', join(place.out, out)], {
    url: server.url,
    key,
    dataDir,
  });

/** Copies of the data folder, each with the library cut to a share of its length. */
const cutTo = (percent: number): string => {
  const copy = `${place.dataDir}-${percent}`;
  cpSync(place.dataDir, copy, { recursive: true });
  const library = join(copy, 'library.db');
  truncateSync(library, Math.floor((statSync(library).size * percent) / 100));
  return copy;
};

it('a library that was cut anywhere never pays again: what the ledger knows is fetched by its id', async () => {
  for (let number = 0; number < recordings; number += 1) record(`${number}.wav`, 200 + number * 11);
  server.script = (request, response, at) => {
    const id = /^\/v1\/stt\/transcriptions\/(\w+)$/.exec(request.url)?.[1];
    return id === undefined ? takesAll(request, response, at) : sendJson(response, 200, transcript(id));
  };
  expect((await run([place.recordings])).code).toBe(0);
  expect(posts()).toHaveLength(recordings);
  // A young library: nothing but the ledger tells of what is cut off.
  expect(readdirSync(place.dataDir)).toContain('ledger.db');
  const runs = await Promise.all(
    [10, 30, 50, 70, 90].map(async (percent) => {
      const { code, out } = await again(cutTo(percent), String(percent));
      return [percent, code, summary(jsonLines(out))?.done];
    }),
  );
  expect(runs).toEqual([10, 30, 50, 70, 90].map((percent) => [percent, 0, recordings]));
  expect(posts()).toHaveLength(recordings);
});

it('what neither the library nor the service knows is asked about, and sent anew only when the person says so', async () => {
  record('a.wav');
  expect((await run([place.recordings])).code).toBe(0);
  server.script = (request, response, at) =>
    request.method === 'GET' && request.url.includes('transcriptions/')
      ? sendJson(response, 404, { error: { code: 'not_found' } })
      : takesAll(request, response, at);
  const folder = cutTo(30);
  const asked = await again(folder, 'asked');
  expect([asked.code, posts().length]).toEqual([1, 1]);
  expect(jsonLines(asked.out)[0]?.error?.message).toContain('--send-again');
  const args = ['transcribe', place.recordings, '--language', 'uz', '--json', '--send-again'];
  expect((await runCli(args, { url: server.url, key, dataDir: folder })).code).toBe(0);
  expect(posts()).toHaveLength(2);
});
