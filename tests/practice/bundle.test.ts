import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, truncate, writeFile } from 'node:fs/promises';
import { openAsBlob, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, loadConfigFromFile, mergeConfig } from 'vite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { wavHeader } from '../../shared/domain/media/wav-header.ts';
import { cutRecording } from '../support/cut-recording.ts';
import { simplePdf } from '../support/simple-pdf.ts';
import { liveClient } from '../contract/live-rig.ts';
import { call, callJson, shortRecording, submit, until } from './practice-client.ts';
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

  it('is called by gRPC, and contains nothing that makes code from text', async () => {
    const client = liveClient(server);
    const voice = await client.live.legacyCall();
    if (!voice.ok) throw new Error(voice.error.code);
    const spoken = await voice.value.speak({ text: 'Salom', speaker: 'neutral', language: 'uz' });
    expect(spoken).toMatchObject({ ok: true, value: { sampleRate: 16_000, characters: 5 } });
    await voice.value.end();
    const built = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.js'));
    expect(built.filter((name) => readFileSync(join(folder, name), 'utf8').includes('protobufjs'))).toEqual([]);
  });

  it('removes noise from a recording in its worker, and encodes the result', async () => {
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

  it('reads the words of a PDF and analyses a voice in their workers', async () => {
    const document = new FormData();
    document.set('file', new Blob([new Uint8Array(simplePdf([['Bitta gap.']]))]), 'xat.pdf');
    expect((await call(server, 'POST', '/v1/files', { body: document })).status).toBe(201);
    const voice = new FormData();
    for (const [name, value] of Object.entries({ language: 'uz', remove_noise: 'true' })) voice.set(name, value);
    voice.set('audio', new Blob([new Uint8Array(await cutRecording(11, 22))]), 'ovoz.wav');
    const enrolled = await call(server, 'POST', '/v1/voice-enrollments', { body: voice });
    expect(enrolled.status, enrolled.text).toBe(201);
  });

  it.runIf(process.platform === 'linux')(
    'takes a long recording with little more memory than a short one',
    async () => {
      const peakMb = (): number => {
        const status = readFileSync(`/proc/${server.child.pid}/status`, 'utf8');
        return Number(/VmHWM:\s+(\d+)/.exec(status)?.[1]) / 1024;
      };
      const send = async (megabytes: number): Promise<void> => {
        const path = join(folder, `${megabytes}.wav`);
        await writeFile(path, wavHeader(megabytes * 1024 * 1024, 48_000, 2));
        await truncate(path, 44 + megabytes * 1024 * 1024);
        const form = new FormData();
        form.set('language', 'uz');
        form.set('audio', await openAsBlob(path), 'uzun.wav');
        const headers = { 'idempotency-key': randomUUID() };
        const sent = await call(server, 'POST', '/v1/stt', { headers, body: form });
        expect(sent.status, sent.text).toBe(202);
        await until(server, String(sent.body['id']), 'completed');
      };
      await send(10);
      const before = peakMb();
      await send(160);
      expect(peakMb() - before).toBeLessThan(80);
    },
    60_000,
  );
});
