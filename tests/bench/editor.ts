import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, CDPSession, Page } from '@playwright/test';
import { packPeaks } from '../../renderer/audio/peaks/packed-peaks.ts';
import type { Segment, Transcript } from '../../shared/domain/transcript/transcript.ts';
import { longDetailOf, longTranscript } from '../page-editor/support/transcripts.ts';
import { launchQuietBrowser, openEditor, waitForSound } from '../page-editor/support/editor-page.ts';
import { servePage, type PageServer } from '../page-editor/support/serve-page.ts';
import { writeSilentWav } from '../support/wav-files.ts';
import { columns, figure, median } from '../../scripts/bench/figures.ts';
import { readTree } from '../../scripts/bench/process-tree.ts';

const rounds = 5;
const keys = 60;
const hours = 3;
const rate = 16_000;

const quantile = (values: readonly number[], part: number): number => {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0;
};
const p95 = (values: readonly number[]) => quantile(values, 0.95);

function silentWav(folder: string): string {
  const path = join(folder, 'three-hours.wav');
  writeSilentWav(path, hours * 3600);
  return path;
}

function speechPeaks(): Uint8Array {
  const count = hours * 3600 * 100;
  const loud = (at: number) => Math.round(60 * Math.abs(Math.sin(at / 37) * Math.sin(at / 911))) + (at % 11);
  return packPeaks({
    min: Int8Array.from({ length: count }, (_, at) => -loud(at)),
    max: Int8Array.from({ length: count }, (_, at) => loud(at)),
    rms: Uint8Array.from({ length: count }, (_, at) => loud(at)),
  });
}

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
    Object.assign(window, { took });
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
      { capture: true },
    );
  });
  for (let at = 0; at < keys; at += 1) {
    await session.send('Input.dispatchKeyEvent', { type: 'keyDown', text: 'a', key: 'a', code: 'KeyA' });
    await session.send('Input.dispatchKeyEvent', { type: 'keyUp', key: 'a', code: 'KeyA' });
    await page.waitForTimeout(40);
  }
  return page.evaluate(() => (window as unknown as { took: number[] }).took);
}

/** The cost of a key press in one bare paragraph, in the same browser. */
async function bareKeys(browser: Browser): Promise<number[]> {
  const page = await browser.newPage();
  await page.setContent(
    '<p contenteditable="plaintext-only" autofocus>adras naqsh boʻyoq qoʻlda ipak dastgoh usta</p>',
  );
  await page.locator('p').click();
  const took = await typeKeys(page, await page.context().newCDPSession(page));
  await page.close();
  return took;
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

/** Leaves the transcript and opens it again; measured from the change of the address to the painted text. */
async function reopen(page: Page): Promise<number> {
  const address = page.url();
  await page.evaluate(() => (location.hash = '#/transcribe'));
  await page.locator('article').first().waitFor({ state: 'detached' });
  return page.evaluate(
    (open) =>
      new Promise<number>((resolve) => {
        const from = performance.now();
        const seen = new MutationObserver(() => {
          if (document.querySelector('article') === null) return;
          seen.disconnect();
          requestAnimationFrame(() => {
            setTimeout(() => {
              resolve(performance.now() - from);
            });
          });
        });
        seen.observe(document.body, { childList: true, subtree: true });
        location.href = open;
      }),
    address,
  );
}

async function measureText(browser: Browser, server: PageServer, lines: string[][]): Promise<void> {
  const { page, close } = await openEditor(browser, server, {
    ...longDetailOf(longTranscript(1_500), null),
    answers: { 'transcripts.edit': { revision: 0 } },
  });
  const opens: number[] = [];
  for (let round = 0; round < rounds; round += 1) opens.push(await reopen(page));
  lines.push(['open 30,000 words, ms', figure(median(opens)), '60', '']);
  lines.push(['elements of the text', String(await page.locator('[data-pane="text"] *').count()), '600', '']);
  await page.keyboard.press('Control+End');
  await page.locator('[data-text]').last().click();
  await page.keyboard.press('End');
  const session = await page.context().newCDPSession(page);
  const ours: number[] = [];
  const bare: number[] = [];
  for (let round = 0; round < 3; round += 1) {
    bare.push(...(await bareKeys(browser)));
    ours.push(...(await typeKeys(page, session)));
  }
  lines.push([
    'key to paint p50, ms',
    figure(median(ours)),
    `${figure(median(bare) * 1.25)} (1.25x bare)`,
    `${figure(median(ours) / median(bare))}x`,
  ]);
  lines.push(['key to paint p95, ms', figure(p95(ours)), '20', `${figure(p95(ours) / p95(bare))}x`]);
  await close();
}

async function measureLane(browser: Browser, server: PageServer, lines: string[][]): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'ovoz-bench-'));
  try {
    const token = server.addRecording(silentWav(folder));
    server.peaks.set(token, speechPeaks());
    const bare = await bareFrames(browser);
    lines.push(['scroll a bare page, frame p95 ms', figure(bare), '', '']);
    for (const count of [0, 6_000]) {
      const transcript = shortSegments(Math.max(1, count));
      const { page, close } = await openEditor(browser, server, longDetailOf(transcript, token));
      await waitForSound(page);
      const lane = await page.locator('[data-pane="lane"] input[type="range"]').boundingBox();
      if (lane === null) throw new Error('There is no lane');
      await page.mouse.move(lane.x + lane.width / 2, lane.y + lane.height / 2);
      const scroll = await framesWhile(page, () => page.mouse.wheel(60, 0));
      await page.keyboard.down('Alt');
      const zoom = await framesWhile(page, (at) => page.mouse.wheel(0, at % 20 < 10 ? 40 : -40));
      await page.keyboard.up('Alt');
      const ratio = (frames: readonly number[]) => `${figure(p95(frames) / bare)}x bare`;
      lines.push([`scroll, ${String(count)} segments, frame p95 ms`, figure(p95(scroll)), '20', ratio(scroll)]);
      lines.push([`zoom, ${String(count)} segments, frame p95 ms`, figure(p95(zoom)), '20', ratio(zoom)]);
      await close();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Reads the waveform of a long recording as on first opening, compared with ffmpeg, which only decodes it. */
async function measurePeaks(browser: Browser, server: PageServer, lines: string[][]): Promise<void> {
  if (spawnSync('ffmpeg', ['-version']).error !== undefined) return;
  const folder = mkdtempSync(join(tmpdir(), 'ovoz-bench-'));
  const path = join(folder, 'long.mp3');
  const source = `sine=frequency=220:duration=${String(hours * 3600)}:sample_rate=${String(rate)}`;
  spawnSync('ffmpeg', ['-v', 'error', '-f', 'lavfi', '-i', source, '-b:a', '64k', '-y', path]);
  try {
    const took = { ffmpeg: [] as number[], ours: [] as number[], first: [] as number[] };
    for (let round = 0; round < 3; round += 1) {
      const from = performance.now();
      spawnSync('ffmpeg', ['-v', 'error', '-i', path, '-vn', '-f', 'null', '-']);
      took.ffmpeg.push(performance.now() - from);
      const token = server.addRecording(path);
      const { page, close } = await openEditor(browser, server, {
        ...longDetailOf(shortSegments(3), token),
        beforePage: () => {
          const seen: Record<string, number> = {};
          Object.assign(window, { seen });
          const watch = new MutationObserver(() => {
            const state = document.querySelector<HTMLElement>('[data-peaks]')?.dataset['peaks'];
            if (state !== undefined) seen[state] ??= performance.now();
          });
          watch.observe(document, {
            childList: true,
            subtree: true,
            attributes: true,
            attributeFilter: ['data-peaks'],
          });
        },
      });
      await page.locator('[data-peaks="ready"]').waitFor({ timeout: 180_000 });
      const seen = await page.evaluate(() => (window as unknown as { seen: Record<string, number> }).seen);
      took.ours.push((seen['ready'] ?? 0) - (seen['opening'] ?? 0));
      took.first.push((seen['drawing'] ?? seen['ready'] ?? 0) - (seen['opening'] ?? 0));
      await close();
    }
    const anchor = median(took.ffmpeg);
    lines.push([
      'peaks of 3 h of MP3, ms',
      figure(median(took.ours)),
      `${figure(anchor * 1.15)} (1.15x ffmpeg)`,
      `${figure(median(took.ours) / anchor)}x`,
    ]);
    lines.push(['first pixels of it, ms', figure(median(took.first)), '150', '']);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function measureMemory(server: PageServer, lines: string[][]): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'ovoz-bench-'));
  const browser = await launchQuietBrowser();
  try {
    const session = await browser.newBrowserCDPSession();
    const { processInfo } = (await session.send('SystemInfo.getProcessInfo')) as {
      readonly processInfo: readonly { readonly type: string; readonly id: number }[];
    };
    const pid = processInfo.find(({ type }) => type === 'browser')?.id ?? 0;
    const token = server.addRecording(silentWav(folder));
    server.peaks.set(token, speechPeaks());
    const { page, close } = await openEditor(browser, server, longDetailOf(longTranscript(1_500), token));
    await waitForSound(page);
    await page.evaluate(() => (location.hash = '#/transcribe'));
    await page.locator('article').first().waitFor({ state: 'detached' });
    const fresh = await openEditor(browser, server, longDetailOf(longTranscript(1), null));
    await fresh.close();
    await page.waitForTimeout(1500);
    const empty = readTree(pid).pssMiB;
    await page.goBack();
    await waitForSound(page);
    await page.waitForTimeout(1500);
    lines.push(['memory of 3 h with 30,000 words, MB', figure(readTree(pid).pssMiB - empty), '150', '']);
    await close();
  } finally {
    await browser.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * `npm run bench -- editor` measures the editor of a long recording: opening, typing, scrolling and reading its
 * waveform. It runs in a process of its own, because scripts can't import the code that drives pages.
 */
async function benchEditor(): Promise<void> {
  const server = await servePage();
  const browser = await launchQuietBrowser();
  const lines: string[][] = [['', 'measured', 'goal', 'ratio']];
  try {
    await measureText(browser, server, lines);
    await measureLane(browser, server, lines);
    await measurePeaks(browser, server, lines);
    await measureMemory(server, lines);
  } finally {
    await browser.close();
    await server.close();
  }
  process.stdout.write(`${columns(lines, 22)}\nload ${loadavg().map(figure).join(' ')}\n`);
}

await benchEditor();
