import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, loadConfigFromFile, mergeConfig } from 'vite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { call, callJson, shortRecording, submit } from './practice-client.ts';
import { practiceEntry, startStandAlone, type StandAlone } from './practice-process.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const fixtures = fileURLToPath(new URL('../fixtures/audio/', import.meta.url));

let folder = '';
let server: StandAlone;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'practice-bundle-'));
  const loaded = await loadConfigFromFile({ command: 'build', mode: 'main' }, join(root, 'vite.config.ts'));
  if (loaded === null) throw new Error('no vite.config.ts');
  const config = mergeConfig(loaded.config, { root, configFile: false, logLevel: 'error', build: { outDir: folder } });
  config.build.rolldownOptions.input = { practice: practiceEntry };
  await build(config);
  await writeFile(join(folder, 'package.json'), '{"type":"module"}');
  server = await startStandAlone([], join(folder, 'practice.js'));
});
afterAll(async () => {
  server.child.kill('SIGTERM');
  await server.exited;
  await rm(folder, { recursive: true, force: true });
});

describe('the bundled practice service', () => {
  it.each(readdirSync(fixtures).filter((name) => name.startsWith('two-sentences.')))(
    'decodes %s in its worker',
    async (name) => {
      const reply = await submit(server, shortRecording, { content: readFileSync(join(fixtures, name)) });
      expect(reply.status).toBe(200);
      expect(reply.body['segments']).toHaveLength(2);
    },
  );

  it('takes noise out of a recording in its worker, and encodes the result', async () => {
    const form = new FormData();
    form.set('audio', new Blob([new Uint8Array(readFileSync(shortRecording))]), 'a.mp3');
    const headers = { 'idempotency-key': randomUUID() };
    const sent = await call(server, 'POST', '/v1/voice-isolations', { headers, body: form });
    expect(sent.status).toBe(202);
    const job = `/v1/voice-isolations/${String(sent.body['id'])}`;
    const status = async (path: string): Promise<unknown> => (await call(server, 'GET', path)).body['status'];
    await expect.poll(() => status(job), { timeout: 20_000 }).toBe('completed');
    for (const format of ['mp3', 'ogg']) {
      expect((await callJson(server, 'POST', `${job}/exports`, { format })).status).toBe(202);
      await expect.poll(() => status(`${job}/exports/${format}`), { timeout: 20_000 }).toBe('completed');
    }
  });
});
