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
const cuts = [10, 30, 50, 70, 90];
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

it('a library that was cut anywhere never pays again: known jobs of the ledger are fetched by id', async () => {
  for (let number = 0; number < recordings; number += 1) record(`${number}.wav`, 200 + number * 11);
  server.script = (request, response, at) => {
    const id = /^\/v1\/stt\/transcriptions\/(\w+)$/.exec(request.url)?.[1];
    return id === undefined ? takesAll(request, response, at) : sendJson(response, 200, transcript(id));
  };
  expect((await run([place.recordings])).code).toBe(0);
  expect(posts()).toHaveLength(recordings);
  // A young library: only the ledger remembers what is cut off.
  expect(readdirSync(place.dataDir)).toContain('ledger.db');
  const runs = await Promise.all(
    cuts.map(async (percent) => {
      const { code, out } = await again(cutTo(percent), String(percent));
      return [percent, code, summary(jsonLines(out))?.done];
    }),
  );
  expect(runs).toEqual(cuts.map((percent) => [percent, 0, recordings]));
  expect(posts()).toHaveLength(recordings);
});
