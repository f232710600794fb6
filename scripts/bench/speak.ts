import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { build } from 'vite';
import { launchBrowser } from '../../tests/support/test-browser.ts';
import { columns, figure, median } from './figures.ts';

const runs = 10;
const seconds = 5;
const jitterMs = 50;

interface Measured {
  /** The time from the first samples to their scheduled playback, plus the latency of the device. */
  readonly audibleMs: number;
  readonly lateCount: number;
}

/** Runs in the page. */
const measureInPage = `async ({ pace, seconds, jitterMs }) => {
  const { createSpeechPlayer } = await import('/player.js');
  const player = createSpeechPlayer();
  const start = AudioBufferSourceNode.prototype.start;
  const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
  let audibleMs = -1;
  let firstAtMs = 0;
  AudioBufferSourceNode.prototype.start = function (when = 0, ...rest) {
    const { currentTime, baseLatency } = this.context;
    if (audibleMs < 0) audibleMs = performance.now() - firstAtMs + (when - currentTime + baseLatency) * 1000;
    start.call(this, when, ...rest);
  };
  player.start([{ id: 'a', url: null, pauseMs: 0 }]);
  await wait(300);
  const beganMs = performance.now();
  for (let at = 0; at < (seconds * 1000) / 20; at += 1) {
    const left = beganMs + (at * 20) / pace + (at === 0 ? 0 : Math.random() * jitterMs) - performance.now();
    if (left > 0) await wait(left);
    if (at === 0) firstAtMs = performance.now();
    player.push('a', new Int16Array(480).fill(500));
  }
  player.finish('a', null);
  const { lateCount } = player.getState();
  player.stop();
  AudioBufferSourceNode.prototype.start = start;
  return { audibleMs, lateCount };
}`;

/** The app's player, bundled as a script of its own. */
async function playerScript(): Promise<string> {
  const built = await build({
    configFile: false,
    logLevel: 'error',
    build: {
      write: false,
      lib: { entry: new URL('../../renderer/audio/speech-player.ts', import.meta.url).pathname, formats: ['es'] },
    },
  });
  const [result] = Array.isArray(built) ? built : [built];
  const chunk = result !== undefined && 'output' in result ? result.output[0] : undefined;
  if (chunk?.type !== 'chunk') throw new Error('the player was not built');
  return chunk.code;
}

/**
 * Measures the time from the first 20 ms of audio to playback, and how often audio runs dry, when frames arrive with a
 * jitter of 50 ms: in real time, and faster, as the service sends them.
 */
export async function benchSpeak(): Promise<void> {
  const script = await playerScript();
  const server = createServer(({ url }, response) => {
    const isScript = url === '/player.js';
    response.writeHead(200, { 'content-type': isScript ? 'text/javascript' : 'text/html' });
    response.end(isScript ? script : `<!doctype html><script type="module">window.measure = ${measureInPage}</script>`);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const browser = await launchBrowser('--autoplay-policy=no-user-gesture-required');
  try {
    const page = await browser.newPage();
    await page.goto(`http://127.0.0.1:${String((server.address() as AddressInfo).port)}/`);
    const measure = (pace: number) =>
      page.evaluate<Measured>(`measure(${JSON.stringify({ pace, seconds, jitterMs })})`);
    const lines: string[][] = [['frames come', 'first sound ms', 'underruns', 'of runs']];
    for (const pace of [1, 2, 4]) {
      const measured: Measured[] = [];
      for (let run = 0; run < runs; run += 1) measured.push(await measure(pace));
      lines.push([
        pace === 1 ? 'as fast as heard' : `${String(pace)} times as fast`,
        figure(median(measured.map(({ audibleMs }) => audibleMs))),
        figure(median(measured.map(({ lateCount }) => lateCount))),
        `${String(measured.filter(({ lateCount }) => lateCount > 0).length)} of ${String(runs)}`,
      ]);
    }
    process.stdout.write(`${columns(lines)}\n`);
  } finally {
    await browser.close();
    server.close();
  }
}
