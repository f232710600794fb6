import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { wavHeader } from '../../shared/domain/media/wav-header.ts';
import { seededRandom } from '../../shared/domain/random/seeded-random.ts';
import { onUtterance, readyMessage, startScriptedStream, type Upgrading } from '../support/scripted-stream.ts';
import { dictate, liveClient, speak } from './live-rig.ts';
import { folderOfTest } from '../support/test-folders.ts';

const isLong = process.env['OVOZ_LONG'] !== undefined;

async function streamOf(script: (upgrading: Upgrading) => void | Promise<void>) {
  const server = await startScriptedStream(script);
  onTestFinished(() => server.close());
  return server;
}

/** Receives utterances like the service and breaks at random; `heard` has what it answered. */
function unreliable(next: () => number, heard: Buffer[]) {
  return async ({ accept, number, socket: line }: Upgrading): Promise<void> => {
    if (number % 7 === 3) return void line.destroy();
    const socket = await accept();
    socket.send(readyMessage);
    const chance = next();
    let left = Math.floor(next() * 40);
    const hear = (whole: Buffer) => {
      // In half of the breaks the work is done and only the answer is missing.
      if (chance < 0.7 && next() < 0.3) return socket.terminate();
      heard.push(whole);
      socket.send(JSON.stringify({ event: 'final', text: `${heard.length}`, duration_ms: whole.length / 32 }));
    };
    onUtterance(socket, hear, () => chance < 0.7 && --left < 0);
  };
}

test.each(Array.from({ length: isLong ? 200 : 6 }, (_none, at) => [at + 1]))(
  'F-58, I5: whenever the connection breaks, every sample is in exactly one text, in order (seed %i)',
  async (seed) => {
    const next = seededRandom(seed);
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

/** What is spoken into a file of a folder that is removed after the test. */
async function speechRequest() {
  const folder = folderOfTest();
  return (name: string) => ({ text: 'a', language: 'uz', voiceId: 'v', speed: 1, target: join(folder, name) });
}

test('live-speech-unavailable: live speech skips what it does not know, and a stream of another format gets no text', async () => {
  const request = await speechRequest();
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
  expect((await readFile(request('a.wav').target)).subarray(44).equals(Buffer.alloc(14_400, 7))).toBe(true);
  expect(await client.live.streamSpeech(request('b.wav'))).toMatchObject({
    ok: false,
    error: { kind: 'live-speech-unavailable', outcome: 'not_sent', code: 'other_audio_format' },
  });
  expect(await client.live.streamSpeech(request('c.wav'))).toMatchObject({
    ok: false,
    error: { kind: 'live-speech-unavailable', outcome: 'not_sent', code: 'sound_before_start' },
  });
});

test('the legacy stream’s whole WAVs of 16 kHz become one WAV of 16 kHz', async () => {
  const request = await speechRequest();
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
  const spoken = await liveClient(server).live.streamSpeech(request('a.wav'));
  expect(spoken).toMatchObject({ ok: true, value: { kind: 'made', durationMs: 200 } });
  const sound = Buffer.concat([Buffer.alloc(3200, 5), Buffer.alloc(3200, 6)]);
  const whole = Buffer.concat([wavHeader(6400, 16_000), sound]);
  expect((await readFile(request('a.wav').target)).equals(whole)).toBe(true);
});

test('a slow player makes the service wait, and takes no memory', async () => {
  const request = await speechRequest();
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
    ...request('a.wav'),
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
  expect((await readFile(request('a.wav').target)).length).toBe(44 + pieces * piece.length);
});
