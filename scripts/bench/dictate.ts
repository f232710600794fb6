import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { WebSocketServer } from 'ws';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Secret } from '../../electron/secret/secret.ts';
import { openServiceClient } from '../../electron/api/service-client.ts';
import { TakeFile } from '../../electron/platform/node/take-spool.ts';
import { SpeechDetector } from '../../renderer/audio/capture/speech-detector.ts';
import { TakeEngine } from '../../electron/services/dictation/take-engine.ts';

const frameMs = 20;
const seconds = 20;
/** Short takes: the service answers at once, so the time from the stop to the text is the app's own. */
const stops = 20;
const ready = { event: 'ready', audio_format: 'pcm_s16le', sample_rate: 16_000, channels: 1 };

const at = (values: readonly number[], share: number): string =>
  (values.toSorted((a, b) => a - b)[Math.floor(values.length * share)] ?? 0).toFixed(1);

/** Imitates speech: loud noise with the rhythm of syllables and a pause every four seconds. */
function frame(number: number): Buffer {
  const isPause = (number * frameMs) % 4000 > 3200;
  const pcm = Buffer.alloc(640);
  for (let sample = 0; sample < 320; sample += 1)
    pcm.writeInt16LE(Math.round((Math.random() - 0.5) * (isPause ? 10 : 12_000)), sample * 2);
  return pcm;
}

/** The processor time that the page's speech detector needs for a second of audio. */
async function detect(): Promise<number> {
  const wasm = createRequire(import.meta.url).resolve('@jitsi/rnnoise-wasm/dist/rnnoise.wasm');
  const detector = (await SpeechDetector.open({ wasmBinary: readFileSync(wasm) }))();
  const cpu = process.cpuUsage();
  for (let number = 0; number < (seconds * 1000) / frameMs; number += 1)
    detector.hear(new Int16Array(Uint8Array.from(frame(number)).buffer));
  const { user, system } = process.cpuUsage(cpu);
  detector.free();
  return (user + system) / 1000 / seconds;
}

/**
 * Measures the time from a frame of the microphone to the socket of the service, the time from the end of speaking to
 * the text, and the work for a second of audio, with a local service that answers at once.
 */
export async function benchDictate(): Promise<void> {
  const server = createServer((_request, response) => {
    response.writeHead(201, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ ticket: 'ticket_bench_00000001', transport: 'websocket', request_id: 'r' }));
  });
  let receivedBytes = 0;
  let answeredAt = 0;
  const arrivals: { readonly bytes: number; readonly atMs: number }[] = [];
  const sockets = new WebSocketServer({ server, perMessageDeflate: false });
  sockets.on('connection', (socket) => {
    socket.send(JSON.stringify(ready));
    socket.on('message', (data: Buffer, isBinary) => {
      if (isBinary) {
        receivedBytes += data.length;
        arrivals.push({ bytes: receivedBytes, atMs: performance.now() });
      } else if ((JSON.parse(data.toString()) as { type?: string }).type === 'commit') {
        answeredAt = performance.now();
        socket.send(JSON.stringify({ event: 'final', text: `matn ${arrivals.length}`, language: 'uz' }));
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const client = openServiceClient({
    connection: () => ({ kind: 'practice', baseUrl, key: new Secret('sk_bench_0123456789abcdef') }),
    log: { write: () => undefined },
    allowsLoopbackHttp: true,
  });
  const folder = mkdtempSync(join(tmpdir(), 'ovoz-bench-'));
  const spool = TakeFile.create(join(folder, 'take.wav'), (error) => {
    throw error;
  });
  const texts: number[] = [];
  const engine = new TakeEngine(
    {
      dictate: (options, listener) => client.live.dictate(options, listener),
      spool,
      after: () => () => undefined,
      listener: {
        onPhrases: (phrases) => {
          if (phrases.some(({ state }) => state === 'text')) texts.push(performance.now() - answeredAt);
        },
        onState: () => undefined,
      },
    },
    { language: 'uz', pauses: 'each', keepsSilence: false, triesAgain: false },
  );
  engine.prepare();
  await wait(200);
  const toSocket: number[] = [];
  const speak = async (ms: number): Promise<void> => {
    const began = performance.now();
    for (let number = 0; number < ms / frameMs; number += 1) {
      const restMs = began + number * frameMs - performance.now();
      // oxlint-disable-next-line no-await-in-loop -- a microphone delivers one frame after another
      if (restMs > 0) await wait(restMs);
      const pushedAt = performance.now();
      const before = arrivals.length;
      engine.push(frame(number));
      // oxlint-disable-next-line no-await-in-loop
      await wait(4);
      const first = arrivals[before];
      if (first !== undefined) toSocket.push(first.atMs - pushedAt);
    }
  };
  const stop = async (): Promise<number> => {
    const stoppedAt = performance.now();
    engine.endCapture();
    await engine.settled();
    return performance.now() - stoppedAt;
  };
  const cpu = process.cpuUsage();
  await speak(seconds * 1000);
  const used = process.cpuUsage(cpu);
  const stopped = [await stop()];
  while (stopped.length < stops) {
    engine.goOn({ language: 'uz', pauses: 'each', keepsSilence: false });
    // oxlint-disable-next-line no-await-in-loop -- one take after another
    await speak(1500);
    // oxlint-disable-next-line no-await-in-loop
    stopped.push(await stop());
  }
  const detectorMs = await detect();
  engine.close();
  await client.close();
  spool.close();
  sockets.close();
  server.close();
  server.closeAllConnections();
  rmSync(folder, { recursive: true });
  process.stdout.write(
    [
      `frame to socket: median ${at(toSocket, 0.5)} ms, p95 ${at(toSocket, 0.95)} ms of ${toSocket.length} frames (plus 20 ms of the frame and 10 ms of the device)`,
      `answer to text: median ${at(texts, 0.5)} ms, p95 ${at(texts, 0.95)} ms of ${texts.length} phrases`,
      `end of speaking to the last text: median ${at(stopped, 0.5)} ms, p95 ${at(stopped, 0.95)} ms of ${stopped.length} takes`,
      `telling speech from noise: ${detectorMs.toFixed(1)} ms of processor per second of sound`,
      `work per second of sound: ${((used.user + used.system) / 1000 / seconds).toFixed(1)} ms of processor`,
      '',
    ].join('\n'),
  );
}
