import { mkdtempSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Browser, CDPSession, Page } from '@playwright/test';
import { build, type Rolldown } from 'vite';
import type { Segment, Transcript } from '../../shared/domain/transcript/transcript.ts';
import { longDetailOf, longTranscript } from '../page-editor/support/transcripts.ts';
import { openEditor, waitForSound } from '../page-editor/support/editor-page.ts';
import { testBrowser } from '../support/test-browser.ts';
import { buildIfStale } from '../../scripts/build.ts';
import { serveBuiltPage, type PageServer } from '../support/serve-built-page.ts';
import { columns, figure, goalTable, median, type Goal } from '../../scripts/bench/figures.ts';
import { packPeaks } from '../../shared/domain/audio/peak-builder.ts';
import { writeSilentWav } from '../support/wav-files.ts';

const rounds = 5;
const keys = 60;
/** The length of a long recording. */
const hours = 3;

/** Aims with what was measured of them, and other figures. */
interface Figures {
  readonly goals: Goal[];
  readonly seen: string[][];
}

const quantile = (values: readonly number[], part: number): number => {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0;
};
const p95 = (values: readonly number[]) => quantile(values, 0.95);

/** The number of segments in three hours, of five words each. */
function shortSegments(count: number): Transcript {
  const each = (hours * 3_600_000) / count;
  const base = longTranscript(3);
  const segments = Array.from({ length: count }, (_, index): Segment => {
    const startMs = Math.round(index * each);
    const words = Array.from({ length: 5 }, (_word, at) => ({
      text: 'naqsh',
      startMs: startMs + at * 300,
      endMs: startMs + at * 300 + 280,
    }));
    return {
      id: `s${String(index)}`,
      speakerId: `p${String(index % 3)}`,
      startMs,
      endMs: startMs + 1600,
      text: 'naqsh naqsh naqsh naqsh naqsh',
      words,
    };
  });
  return { ...base, durationMs: hours * 3_600_000, segments };
}

/** The time from a key press to the frame that shows it, one press after another, in milliseconds. */
async function typeKeys(page: Page, session: CDPSession): Promise<number[]> {
  await page.evaluate(() => {
    const took: number[] = [];
    const over = new AbortController();
    Object.assign(window, { took, over });
    window.addEventListener(
      'keydown',
      () => {
        const from = performance.now();
        requestAnimationFrame(() => {
          const channel = new MessageChannel();
          channel.port1.addEventListener('message', () => took.push(performance.now() - from), { once: true });
          channel.port1.start();
          channel.port2.postMessage(null);
        });
      },
      { capture: true, signal: over.signal },
    );
  });
  for (let at = 0; at < keys; at += 1) {
    await session.send('Input.dispatchKeyEvent', { type: 'keyDown', text: 'a', key: 'a', code: 'KeyA' });
    await session.send('Input.dispatchKeyEvent', { type: 'keyUp', key: 'a', code: 'KeyA' });
    await page.waitForTimeout(40);
  }
  return page.evaluate(() => {
    const { took, over } = window as unknown as { took: number[]; over: AbortController };
    over.abort();
    return took;
  });
}

/** The cost of a key press in a page of the same browser and size; `fill` puts the caret where it is typed. */
async function keysIn(browser: Browser, fill: (page: Page) => Promise<void>): Promise<number[]> {
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  await fill(page);
  const took = await typeKeys(page, await page.context().newCDPSession(page));
  await page.close();
  return took;
}

async function bareParagraph(page: Page): Promise<void> {
  await page.setContent('<p contenteditable="plaintext-only">adras naqsh boʻyoq qoʻlda ipak dastgoh usta</p>');
  await page.locator('p').click();
}

/** The time between frames while something is repeated, in milliseconds. */
async function framesWhile(page: Page, act: (at: number) => Promise<void>): Promise<number[]> {
  await page.evaluate(() => {
    const gaps: number[] = [];
    let last = performance.now();
    const look = (now: number) => {
      gaps.push(now - last);
      last = now;
      if ((window as unknown as { isWatched: boolean }).isWatched) requestAnimationFrame(look);
    };
    Object.assign(window, { gaps, isWatched: true });
    requestAnimationFrame(look);
  });
  for (let at = 0; at < 90; at += 1) await act(at);
  return page.evaluate(() => {
    Object.assign(window, { isWatched: false });
    return (window as unknown as { gaps: number[] }).gaps.slice(2);
  });
}

/** The same wheel turns over a page that only scrolls, in the same browser. */
async function bareFrames(browser: Browser): Promise<number> {
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  await page.setContent('<div style="overflow:scroll;height:700px"><p style="width:90000px;height:9000px">.</p></div>');
  await page.mouse.move(600, 400);
  const frames = await framesWhile(page, () => page.mouse.wheel(60, 0));
  await page.close();
  return p95(frames);
}

/**
 * Leaves the transcript and opens it again when the screen between has come to rest; measured from the change of the
 * address to the painted text.
 */
async function reopen(page: Page): Promise<number> {
  const address = page.url();
  await page.evaluate(() => (location.hash = '#/transcribe'));
  await page.locator('article').first().waitFor({ state: 'detached' });
  await page.waitForTimeout(250);
  return page.evaluate(
    (open) =>
      new Promise<number>((resolve) => {
        const from = performance.now();
        const seen = new MutationObserver(() => {
          if (document.querySelector('article') === null) return;
          seen.disconnect();
          requestAnimationFrame(() => {
            const painted = new MessageChannel();
            painted.port1.addEventListener('message', () => {
              resolve(performance.now() - from);
            });
            painted.port1.start();
            painted.port2.postMessage(null);
          });
        });
        seen.observe(document.body, { childList: true, subtree: true });
        location.href = open;
      }),
    address,
  );
}

/** How long naive React takes to show the same words in an empty page. */
async function openInReact(browser: Browser): Promise<number> {
  const [built] = (await build({
    configFile: false,
    logLevel: 'error',
    define: { 'process.env.NODE_ENV': JSON.stringify('production') },
    build: {
      write: false,
      lib: { entry: fileURLToPath(new URL('./react-page.tsx', import.meta.url)), formats: ['iife'], name: 'page' },
    },
  })) as Rolldown.RolldownOutput[];
  const code = built?.output[0].code ?? '';
  const segments = longTranscript(1_500).segments.map(({ words }) => words);
  const took: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
    await page.addScriptTag({ content: code });
    took.push(await page.evaluate((given) => window.showWords(given), segments));
    await page.close();
  }
  return median(took);
}

async function measureText(browser: Browser, _server: PageServer, { goals, seen }: Figures): Promise<void> {
  const { page, close } = await openEditor({
    ...longDetailOf(longTranscript(1_500), null),
    answers: { 'transcripts.edit': { revision: 0 } },
  });
  const opens: number[] = [];
  for (let round = 0; round < 3 * rounds; round += 1) opens.push(await reopen(page));
  const inReact = await openInReact(browser);
  goals.push(
    { name: 'open 30,000 words', is: median(opens), limit: 60, unit: 'ms' },
    { name: 'the same, to naive React with memo', is: median(opens) / inReact, limit: 0.15, unit: 'x' },
  );
  seen.push(['open 30,000 words for the first time, ms', figure(opens[0] ?? 0)]);
  seen.push(['  in naive React with memo', figure(inReact)]);
  const elements = await page.locator('[data-pane="text"] *').count();
  goals.push({ name: 'elements of the text', is: elements, limit: 600, unit: '' });
  await page.keyboard.press('Control+End');
  await page.locator('[data-text]').last().click();
  await page.keyboard.press('End');
  const session = await page.context().newCDPSession(page);
  const took = { ours: [] as number[], bare: [] as number[] };
  for (let round = 0; round < 3; round += 1) {
    took.bare.push(...(await keysIn(browser, bareParagraph)));
    took.ours.push(...(await typeKeys(page, session)));
  }
  const keyRow = (name: string, times: readonly number[]) => [name, figure(median(times)), figure(p95(times))];
  seen.push(['key to paint, ms', 'p50', 'p95'], keyRow('  here', took.ours), keyRow('  bare paragraph', took.bare));
  const [ours, bare] = [median(took.ours), median(took.bare)];
  goals.push(
    { name: 'key to paint, p50', is: ours, limit: 8, unit: 'ms' },
    { name: 'key to paint, p95', is: p95(took.ours), limit: 20, unit: 'ms' },
    { name: 'key to paint, p50, to a bare paragraph', is: ours / bare, limit: 1.25, unit: 'x' },
  );
  await close();
}

/** A recording of three hours whose waveform is known; returns its token. */
function addKnown(server: PageServer, folder: string): string {
  const path = join(folder, 'three-hours.wav');
  writeSilentWav(path, hours * 3600);
  const token = server.addRecording(path);
  const count = hours * 3600 * 100;
  const loud = (at: number) => Math.round(60 * Math.abs(Math.sin(at / 37) * Math.sin(at / 911))) + (at % 11);
  const peaks = packPeaks({
    min: Int8Array.from({ length: count }, (_, at) => -loud(at)),
    max: Int8Array.from({ length: count }, (_, at) => loud(at)),
    rms: Uint8Array.from({ length: count }, (_, at) => loud(at)),
  });
  server.peaks.set(token, peaks);
  return token;
}

async function measureLane(browser: Browser, server: PageServer, { goals, seen }: Figures): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'ovoz-bench-'));
  try {
    const bare = await bareFrames(browser);
    seen.push(['scroll a bare page, frame p95, ms', figure(bare)]);
    const detail = longDetailOf(shortSegments(6_000), addKnown(server, folder));
    const { page, close } = await openEditor(detail);
    await waitForSound(page);
    const lane = await page.locator('[data-pane="lane"] input[type="range"]').boundingBox();
    if (lane === null) throw new Error('There is no lane');
    await page.mouse.move(lane.x + lane.width / 2, lane.y + lane.height / 2);
    const scroll = p95(await framesWhile(page, () => page.mouse.wheel(60, 0)));
    goals.push(
      { name: 'scroll, 6,000 segments, frame p95', is: scroll, limit: 20, unit: 'ms' },
      { name: 'the same, to a bare page', is: scroll / bare, limit: 1.25, unit: 'x' },
    );
    await close();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * `npm run bench -- editor` measures the editor of a long recording: opening, typing and scrolling. It runs in a process
 * of its own, because scripts can't import the code that drives pages.
 */
async function benchEditor(): Promise<void> {
  await buildIfStale();
  const server = await serveBuiltPage();
  const browser = await testBrowser();
  const figures: Figures = { goals: [], seen: [] };
  try {
    // One that can't be measured leaves the other.
    for (const measure of [measureText, measureLane])
      await measure(browser, server, figures).catch((error: unknown) => {
        process.stdout.write(`Could not measure: ${String(error)}\n`);
      });
  } finally {
    await browser.close();
    await server.close();
  }
  process.stdout.write(
    `${columns(figures.seen)}\n\n${goalTable(figures.goals)}\nload ${loadavg().map(figure).join(' ')}\n`,
  );
}

await benchEditor();
