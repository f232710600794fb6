import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import type { WebSocket } from 'ws';
import { wavHeader } from '../../shared/domain/media/wav-header.ts';
import { readDictationMessage, readSpeechMessage } from '../../shared/wire/read-dictation.ts';
import { readLegacyStreamMessage } from '../../shared/wire/legacy/read-stream.ts';
import { readyMessage, startScriptedStream, type Upgrading } from '../support/scripted-stream.ts';
import { dictate, liveClient, speak } from './live-rig.ts';

const isLong = process.env['OVOZ_LONG'] !== undefined;
const patienceMs = isLong ? 600_000 : 30_000;

async function streamOf(script: (upgrading: Upgrading) => void | Promise<void>) {
  const server = await startScriptedStream(script);
  onTestFinished(() => server.close());
  return server;
}

/** Repeatable random numbers from 0 on. */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
}

/** Receives utterances like the service and breaks at random; `heard` has what it answered. */
function unreliable(next: () => number, heard: Buffer[]) {
  return async ({ accept, number, socket: line }: Upgrading): Promise<void> => {
    if (number % 7 === 3) return void line.destroy();
    const socket: WebSocket = await accept();
    socket.send(readyMessage);
    let audio: Buffer[] | null = null;
    const chance = next();
    let left = Math.floor(next() * 40);
    socket.on('message', (data: Buffer, isBinary) => {
      left -= 1;
      if (chance < 0.7 && left < 0) return socket.terminate();
      if (isBinary) return void audio?.push(data);
      const message = JSON.parse(data.toString()) as Record<string, unknown>;
      if (message['type'] === 'start') audio = [];
      if (message['action'] === 'interrupt') audio = null;
      if (message['type'] !== 'commit' || audio === null) return;
      const whole = Buffer.concat(audio);
      audio = null;
      // In half of the breaks the work is done and only the answer is missing.
      if (chance < 0.7 && next() < 0.3) return socket.terminate();
      heard.push(whole);
      socket.send(JSON.stringify({ event: 'final', text: `${heard.length}`, duration_ms: whole.length / 32 }));
    });
  };
}

test.each(Array.from({ length: isLong ? 200 : 6 }, (_none, at) => [at + 1]))(
  'F-58, I5: whenever the connection breaks, every sample is in exactly one text, in order (seed %i)',
  async (seed) => {
    const next = random(seed);
    const heard: Buffer[] = [];
    const server = await streamOf(unreliable(next, heard));
    const { session, of } = dictate(liveClient(server, {}, {}, 20));
    const said: Buffer[] = [];
    for (let utterance = 0; utterance < 8; utterance += 1) {
      const pcm = randomBytes(3200 + 2 * Math.floor(next() * 40_000));
      said.push(pcm);
      speak(session, pcm);
      session.commit();
    }
    await session.stop();
    expect(of('ended')).toMatchObject([{ failure: null, lost: [] }]);
    expect(of('final').map(({ utterance }) => utterance)).toEqual(said.map((_pcm, at) => at + 1));
    const texts = of('final').map(({ result }) => heard[Number(result.text) - 1]);
    expect(texts.map((pcm, at) => pcm?.equals(said[at] ?? Buffer.alloc(0)))).toEqual(said.map(() => true));
  },
);

/** Frames as a server sends them, unmasked. */
const frame = (opcode: number, body: Buffer, isFinal = true): Buffer => {
  const head = Buffer.from([(isFinal ? 0x80 : 0) | opcode, Math.min(body.length, 126)]);
  const size = body.length < 126 ? Buffer.alloc(0) : Buffer.from([body.length >> 8, body.length & 255]);
  return Buffer.concat([head, size, body]);
};

test.each<readonly [string, Buffer, string]>([
  ['a frame that says it has 4 GB', Buffer.from([0x82, 127, 0, 0, 0, 1, 0, 0, 0, 0]), 'E-142'],
  ['a frame of 9 quintillion bytes', Buffer.from([0x82, 127, 0x7f, 255, 255, 255, 255, 255, 255, 255]), 'E-142'],
  ['text that is no UTF-8', frame(1, Buffer.from([0xff, 0xfe, 0xfd])), 'E-142'],
  ['an unknown opcode', frame(3, Buffer.from('x')), 'E-142'],
  ['reserved bits', Buffer.from([0xf1, 1, 65]), 'E-142'],
  ['a masked frame', Buffer.from([0x81, 0x81, 1, 2, 3, 4, 65]), 'E-142'],
  ['a continuation of nothing', frame(0, Buffer.from('x')), 'E-142'],
  ['a close frame of one byte', frame(8, Buffer.from([3])), 'E-142'],
  ['a ping that is too long', frame(9, Buffer.alloc(126)), 'E-142'],
])('P-03: %s breaks the connection and nothing else', async (_name, bytes, row) => {
  const server = await streamOf(async ({ accept, socket, number }) => {
    const opened = await accept();
    opened.send(readyMessage);
    if (number === 1) return void opened.once('message', () => socket.write(bytes));
    opened.on('message', (data: Buffer, isBinary) => {
      if (!isBinary && data.includes('commit')) opened.send(JSON.stringify({ event: 'final', text: 'salom' }));
    });
  });
  const client = liveClient(server);
  const { session, of } = dictate(client);
  speak(session, Buffer.alloc(6400, 1));
  await session.stop();
  expect(of('final')).toHaveLength(1);
  expect(client.lines.filter(({ event }) => event === 'stream-lost').map((line) => line.row)).toEqual([row]);
});

test('P-03: a text in single bytes and fragments is read whole, and junk between is ignored', async () => {
  const server = await streamOf(async ({ accept, socket }) => {
    const opened = await accept();
    for (const byte of frame(1, Buffer.from(readyMessage))) socket.write(Buffer.from([byte]));
    opened.on('message', (data: Buffer, isBinary) => {
      if (isBinary || !data.includes('commit')) return;
      for (const junk of [
        '',
        '[]',
        '7',
        'null',
        '{"event":"joke"}',
        '{"event":"partial","text":"sa"}',
        '{"__proto__":{"a":1}}',
      ])
        opened.send(junk);
      opened.send(Buffer.from([1, 2, 3]));
      const body = Buffer.from(JSON.stringify({ event: 'final', text: 'oʻzbekcha' }));
      socket.write(frame(1, body.subarray(0, 20), false));
      for (let at = 20; at < body.length; at += 1)
        socket.write(frame(0, body.subarray(at, at + 1), at === body.length - 1));
    });
  });
  const { session, of } = dictate(liveClient(server));
  speak(session, Buffer.alloc(6400, 1));
  await session.stop();
  expect(of('final').map(({ result }) => result.text)).toEqual(['oʻzbekcha']);
  expect(of('partial').map(({ text }) => text)).toEqual(['sa']);
  expect(({} as Record<string, unknown>)['a']).toBeUndefined();
});

test(
  'P-03: any text is a message, an unknown one or none, at once and without a throw',
  { timeout: patienceMs },
  () => {
    const names = fc.constantFrom(
      'ready',
      'final',
      'error',
      'partial',
      'audio',
      'session_started',
      'done',
      'chunk',
      'x',
    );
    const shaped = fc.record(
      { event: fc.oneof(names, fc.anything()), type: names, code: fc.anything() },
      { requiredKeys: [] },
    );
    const extra = fc.dictionary(
      fc.constantFrom('text', 'segments', 'error', 'audio', 'words', 'message', 'language'),
      fc.jsonValue(),
    );
    const message = fc.tuple(shaped, extra).map(([one, more]) => {
      try {
        return JSON.stringify({ ...more, ...one });
      } catch {
        return '{';
      }
    });
    const any = fc.oneof(fc.string(), fc.json(), message);
    fc.assert(
      fc.property(any, fc.nat(40), (text, cutAt) => {
        for (const sent of [text, text.slice(0, cutAt)]) {
          const startedAt = performance.now();
          const told = [readDictationMessage(sent), readSpeechMessage(sent), readLegacyStreamMessage(sent)];
          expect(told.every(({ kind }) => kind.length > 0)).toBe(true);
          expect(performance.now() - startedAt).toBeLessThan(1000);
        }
      }),
      { numRuns: isLong ? 70_000 : 700 },
    );
  },
);

test('E-150: live speech skips what it does not know, and a stream of another format gets no text', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'ovoz-storm-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const request = (name: string) => ({ text: 'a', language: 'uz', voiceId: 'v', speed: 1, target: join(folder, name) });
  const server = await streamOf(async ({ accept, number }) => {
    const socket = await accept();
    socket.send(number === 2 ? '{"event":"ready","sample_rate":48000}' : '{"event":"ready","sample_rate":24000}');
    if (number === 3) return socket.send(Buffer.alloc(100));
    socket.on('message', (data: Buffer) => {
      if (!data.includes('commit')) return;
      socket.send(Buffer.alloc(4801, 7));
      socket.send(Buffer.alloc(4799, 7));
      socket.send(JSON.stringify({ event: 'audio', audio: Buffer.alloc(4800, 7).toString('base64') }));
      socket.send('{"event":"a-new-thing"}');
      socket.send('no JSON');
      socket.send('{"event":"final"}');
    });
  });
  const client = liveClient(server);
  expect(await client.live.streamSpeech(request('a.wav'))).toMatchObject({
    ok: true,
    value: { kind: 'made', durationMs: 300 },
  });
  expect((await readFile(join(folder, 'a.wav'))).subarray(44).equals(Buffer.alloc(14_400, 7))).toBe(true);
  expect(await client.live.streamSpeech(request('b.wav'))).toMatchObject({
    ok: false,
    error: { row: 'E-150', outcome: 'not_sent', code: 'other_audio_format' },
  });
  expect(await client.live.streamSpeech(request('c.wav'))).toMatchObject({
    ok: false,
    error: { row: 'E-150', outcome: 'not_sent', code: 'sound_before_start' },
  });
});

test('the legacy stream’s whole WAVs of 16 kHz become one WAV of 16 kHz', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'ovoz-storm-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const server = await streamOf(async ({ accept }) => {
    const socket = await accept();
    socket.send('{"type":"session_started","session_id":"s","billing":"characters"}');
    socket.on('message', (data: Buffer) => {
      if (!data.includes('commit')) return;
      for (const value of [5, 6]) {
        socket.send('{"type":"audio","request_id":"r","sample_rate":16000,"duration_sec":0.1,"characters":1}');
        socket.send(Buffer.concat([wavHeader(3200, 16_000), Buffer.alloc(3200, value)]));
      }
      socket.close(1000);
    });
  });
  const target = join(folder, 'a.wav');
  const spoken = await liveClient(server).live.streamSpeech({
    text: 'a',
    language: 'uz',
    voiceId: 'v',
    speed: 1,
    target,
  });
  expect(spoken).toMatchObject({ ok: true, value: { kind: 'made', durationMs: 200 } });
  const sound = Buffer.concat([Buffer.alloc(3200, 5), Buffer.alloc(3200, 6)]);
  expect((await readFile(target)).equals(Buffer.concat([wavHeader(6400, 16_000), sound]))).toBe(true);
});

test('a slow player makes the service wait, and takes no memory', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'ovoz-storm-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const piece = Buffer.alloc(64 * 1024, 3);
  const pieces = 1000;
  let taken = 0;
  const server = await streamOf(async ({ accept }) => {
    const socket = await accept();
    socket.send('{"event":"ready","sample_rate":24000}');
    const send = (left: number): void => {
      if (left === 0) return socket.send('{"event":"final"}');
      socket.send(piece, () => {
        taken += 1;
        send(left - 1);
      });
    };
    socket.on('message', (data: Buffer) => {
      if (data.includes('commit')) send(pieces);
    });
  });
  const gate = Promise.withResolvers<void>();
  const spoken = liveClient(server, { pingEveryMs: 100, silenceMs: 1000 }).live.streamSpeech({
    text: 'a',
    language: 'uz',
    voiceId: 'v',
    speed: 1,
    target: join(folder, 'a.wav'),
    onAudio: () => gate.promise,
  });
  let before = -1;
  let stillFor = 0;
  // Longer than the limit for silence: a peer that is not read can't be heard, and must not count as gone.
  await expect
    .poll(
      () => {
        stillFor = taken === before && taken > 0 ? stillFor + 1 : 0;
        before = taken;
        return stillFor;
      },
      { interval: 250, timeout: 20_000 },
    )
    .toBe(6);
  // The system buffers some megabytes between two local sockets; the whole is 64.
  expect(taken).toBeLessThan(pieces / 2);
  gate.resolve();
  expect(await spoken).toMatchObject({ ok: true, value: { kind: 'made' } });
  expect((await readFile(join(folder, 'a.wav'))).length).toBe(44 + pieces * piece.length);
});
