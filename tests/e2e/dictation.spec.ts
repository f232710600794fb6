import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test, type Page } from '@playwright/test';
import { turn } from '../support/turn.ts';
import type { TakeFacts } from '../../electron/services/dictation/takes-store.ts';
import { newDataDir, removeDataDir, startStudio, type Studio } from './support/studio.ts';

const sample = fileURLToPath(new URL('../../assets/samples/interview-uz', import.meta.url));
const dataDir = newDataDir();
/** What the microphone records: a bundled sample, once. */
const microphone = join(dataDir, 'microphone.wav');
const args = [
  '--use-fake-device-for-media-stream',
  '--use-fake-ui-for-media-stream',
  `--use-file-for-fake-audio-capture=${microphone}%noloop`,
];

interface Word {
  readonly text: string;
}
const { segments } = JSON.parse(readFileSync(`${sample}.json`, 'utf8')) as {
  readonly segments: readonly { readonly text: string; readonly endMs: number; readonly words: readonly Word[] }[];
};

test.beforeAll(() => {
  // The fake microphone plays 48 kHz without resampling.
  execFileSync('ffmpeg', [
    '-v',
    'error',
    '-y',
    '-i',
    `${sample}.mp3`,
    '-ac',
    '1',
    '-ar',
    '48000',
    '-t',
    '9',
    microphone,
  ]);
});
test.afterAll(() => removeDataDir(dataDir));

const start = (): Promise<Studio> => startStudio({ dataDir, args });

async function openDictation(page: Page): Promise<void> {
  const choice = page.getByRole('button', { name: 'Look around with samples' });
  const rail = page.getByRole('link', { name: 'Dictate' });
  await choice.or(rail).first().waitFor({ state: 'attached' });
  if ((await choice.count()) > 0) {
    await choice.click();
  }
  await rail.click();
  await expect(page.getByRole('heading', { name: 'Dictate' })).toBeVisible();
  await turn(page.getByRole('radio', { name: 'Oʻzbekcha' }));
}

const takes = (): readonly string[] =>
  existsSync(join(dataDir, 'practice', 'dictation'))
    ? readdirSync(join(dataDir, 'practice', 'dictation')).filter((name) => name.endsWith('.wav'))
    : [];
const audioOf = (name: string): Buffer => readFileSync(join(dataDir, 'practice', 'dictation', name)).subarray(44);

test('speech from a microphone becomes text on the screen and a document in the library, and every sample is accounted for', async () => {
  const studio = await start();
  const { page } = studio;
  await openDictation(page);
  await page.getByRole('radio', { name: 'Hands-free' }).click();
  await page.getByRole('button', { name: 'Start dictating' }).click();
  await expect(page.getByText('Listening, hands-free')).toBeVisible();
  const phrases = page.getByRole('list', { name: 'Phrases' });
  await expect(phrases).toContainText('Assalomu alaykum, usta!', { timeout: 30_000 });
  await expect(phrases).toContainText('kulolchilik ustaxonasidamiz.', { timeout: 30_000 });
  await page.getByRole('main').getByRole('button', { name: 'Stop dictating' }).click();
  await expect(phrases.locator('[data-state="waiting"], [data-state="speaking"]')).toHaveCount(0, { timeout: 30_000 });
  // No frame was lost between the microphone and the disk: the journal counts as many samples as the file has.
  const [name = ''] = takes();
  const journalFile = join(dataDir, 'practice', 'dictation', name.replace('.wav', '.jsonl'));
  const facts = () =>
    readFileSync(journalFile, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { readonly facts?: TakeFacts })
      .findLast((line) => line.facts !== undefined)?.facts;
  // Audio that is still on its way when Stop is pressed belongs to the take.
  await expect.poll(() => facts()?.isEnded).toBe(true);
  // A fake microphone on a busy machine may be late; that is counted and never hidden.
  expect(facts()?.captured).toBe(audioOf(name).length / 2);
  expect(facts()?.lostMs).toBeLessThan(500);
  const spoken = segments.filter(({ endMs }) => endMs < 8000).flatMap(({ words }) => words);
  const shown = (await phrases.locator('p[lang="uz"]').allTextContents()).join(' ');
  expect(shown.split(/\s+/).slice(0, spoken.length)).toEqual(spoken.map(({ text }) => text));

  // What is said next is added to the same session, and to the same file; another screen shows it and can stop it.
  await page.getByRole('button', { name: 'Start dictating' }).click();
  await expect(phrases.getByText('Assalomu alaykum, usta!', { exact: false })).toHaveCount(2, { timeout: 30_000 });
  await page.keyboard.press('Control+Digit1');
  await page
    .getByRole('banner')
    .getByRole('group', { name: 'Listening' })
    .getByRole('button', { name: 'Stop' })
    .click();
  await page.getByRole('link', { name: 'Dictate' }).click();
  await expect(phrases.locator('[data-state="waiting"], [data-state="speaking"]')).toHaveCount(0, { timeout: 30_000 });
  expect(takes()).toEqual([name]);

  await page.getByRole('button', { name: 'Save as a transcript' }).click();
  await page.waitForURL(/#\/transcripts\//);
  await expect(page.getByText('ustaxonasidamiz', { exact: false }).first()).toBeVisible();
  await studio.quit();
});

test(
  'F-65: a take that is killed in the middle is listed at the next start with its audio, and gets its text by itself where that is free',
  { tag: '@long' },
  async () => {
    const studio = await start();
    const { page } = studio;
    await openDictation(page);
    await page.getByRole('radio', { name: 'Hands-free' }).click();
    const before = new Set(takes());
    await page.getByRole('button', { name: 'Start dictating' }).click();
    await expect(page.getByText('Listening, hands-free')).toBeVisible();
    const secondsOf = (): number => {
      const name = takes().find((one) => !before.has(one));
      return name === undefined ? 0 : audioOf(name).length / 32_000;
    };
    await expect.poll(secondsOf, { timeout: 20_000 }).toBeGreaterThan(3);
    const main = studio.app.process();
    const heardS = secondsOf();
    main.kill('SIGKILL');
    await new Promise((resolve) => main.once('exit', resolve));
    expect(secondsOf()).toBeGreaterThanOrEqual(heardS);

    const again = await start();
    await openDictation(again.page);
    await again.page.getByRole('radio', { name: 'History' }).click();
    const rows = again.page.getByRole('listitem').filter({ hasText: 'Assalomu' });
    await expect(rows).toHaveCount(2, { timeout: 30_000 });
    await expect(rows.first().getByRole('button', { name: 'Play' })).toBeVisible();
    await again.quit();
  },
);

test(
  'F-65: a page that crashes in the middle of a take loses nothing of it, and its text is there when the page is back',
  { tag: '@long' },
  async () => {
    const studio = await start();
    const { page } = studio;
    await openDictation(page);
    await page.getByRole('button', { name: 'New session' }).click();
    await page.getByRole('radio', { name: 'Hands-free' }).click();
    const before = new Set(takes());
    await page.getByRole('button', { name: 'Start dictating' }).click();
    await expect(page.getByText('Listening, hands-free')).toBeVisible();
    const secondsOf = (): number => {
      const name = takes().find((one) => !before.has(one));
      return name === undefined ? 0 : audioOf(name).length / 32_000;
    };
    await expect.poll(secondsOf, { timeout: 20_000 }).toBeGreaterThan(4);
    const heardS = secondsOf();
    const isBack = studio.app.evaluate(({ BrowserWindow }) => {
      const contents = BrowserWindow.getAllWindows()[0]?.webContents;
      return new Promise<void>((resolve) => {
        contents?.once('did-finish-load', () => resolve());
        contents?.forcefullyCrashRenderer();
      });
    });
    await isBack;
    expect(secondsOf()).toBeGreaterThanOrEqual(heardS);
    // The take has ended: main hears of the crash, and sends what was said up to then.
    const takeId =
      takes()
        .find((one) => !before.has(one))
        ?.replace('.wav', '') ?? '';
    const journal = (): string => readFileSync(join(dataDir, 'practice', 'dictation', `${takeId}.jsonl`), 'utf8');
    await expect.poll(() => journal().trim().split('\n').at(-1), { timeout: 20_000 }).toContain('"isEnded":true');
    await expect.poll(journal, { timeout: 30_000 }).toContain('Assalomu');
    await studio.quit();
  },
);
