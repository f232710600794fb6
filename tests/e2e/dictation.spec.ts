import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from '@playwright/test';
import { turn } from '../support/turn.ts';
import type { TakeFacts } from '../../electron/services/dictation/take-engine.ts';
import { enterPractice, killStudio, test } from './support/journey.ts';

const sample = fileURLToPath(new URL('../../assets/samples/interview-uz', import.meta.url));

interface Word {
  readonly text: string;
}
const { segments } = JSON.parse(readFileSync(`${sample}.json`, 'utf8')) as {
  readonly segments: readonly { readonly text: string; readonly endMs: number; readonly words: readonly Word[] }[];
};

test('speech becomes text and a transcript, with every sample accounted for; a crashed page and a killed app lose none of it (F-65)', async ({
  journey,
}) => {
  test.setTimeout(240_000);
  // What the microphone records: a bundled sample, once. The fake one plays 48 kHz without resampling.
  const microphone = join(journey.newFolder(), 'microphone.wav');
  const cut = ['-i', `${sample}.mp3`, '-ac', '1', '-ar', '48000', '-t', '9'];
  execFileSync('ffmpeg', ['-v', 'error', '-y', ...cut, microphone]);
  const args = [
    '--use-fake-device-for-media-stream',
    '--use-fake-ui-for-media-stream',
    `--use-file-for-fake-audio-capture=${microphone}%noloop`,
  ];
  const folder = join(journey.dataDir, 'practice', 'dictation');
  const takes = (): readonly string[] =>
    existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.wav')) : [];
  const audioOf = (name: string): Buffer => readFileSync(join(folder, name)).subarray(44);
  const journalOf = (name: string): string => readFileSync(join(folder, name.replace('.wav', '.jsonl')), 'utf8');

  let studio = await journey.start({ args });
  let { page } = studio;
  await enterPractice(page);
  const openDictation = async () => {
    await page.getByRole('link', { name: 'Dictate' }).click();
    await expect(page.getByRole('heading', { name: 'Dictate' })).toBeVisible();
    await turn(page.getByRole('radio', { name: 'Oʻzbekcha' }));
  };
  await page.evaluate('location.hash = "#/settings/dictation"');
  await page.getByRole('radio', { name: 'Hands-free' }).click();
  await openDictation();
  const listen = async () => {
    await page.getByRole('button', { name: 'Start dictating' }).click();
    await expect(page.getByText('Listening, hands-free')).toBeVisible();
  };
  const phrases = page.getByRole('list', { name: 'Phrases' });
  const allHeard = () =>
    expect(phrases.locator('[data-state="waiting"], [data-state="speaking"]')).toHaveCount(0, { timeout: 30_000 });

  const first = await test.step('what is said is shown, and every sample is accounted for', async () => {
    await listen();
    await expect(phrases).toContainText('Assalomu alaykum, usta!', { timeout: 30_000 });
    await expect(phrases).toContainText('kulolchilik ustaxonasidamiz.', { timeout: 30_000 });
    await page.getByRole('main').getByRole('button', { name: 'Stop dictating' }).click();
    await allHeard();
    // No frame was lost between the microphone and the disk: the journal counts as many samples as the file has.
    const [name = ''] = takes();
    const facts = () =>
      journalOf(name)
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
    const shown = (await phrases.locator('p[lang="uz"]').allTextContents()).join(' ').trim();
    expect(shown.split(/\s+/).slice(0, spoken.length)).toEqual(spoken.map(({ text }) => text));
    return name;
  });

  await test.step('what is said next is added to the same file; another screen shows it and can stop it', async () => {
    await page.getByRole('button', { name: 'Start dictating' }).click();
    await expect(phrases.getByText('Assalomu alaykum, usta!', { exact: false })).toHaveCount(2, { timeout: 30_000 });
    await page.keyboard.press('Control+Digit1');
    await page
      .getByRole('banner')
      .getByRole('group', { name: 'Listening' })
      .getByRole('button', { name: 'Stop' })
      .click();
    await page.getByRole('link', { name: 'Dictate' }).click();
    await allHeard();
    expect(takes()).toEqual([first]);
  });

  await test.step('the whole is rewritten as one e-mail, a switch goes back, and saved it is a page of text in the library once', async () => {
    const rewrite = page.getByRole('button', { name: /^Rewrite everything as an e-mail/ });
    await rewrite.click();
    const versions = page.getByRole('radiogroup', { name: 'Version' });
    await expect(versions.getByRole('radio', { name: 'E-mail' })).toBeChecked({ timeout: 30_000 });
    const letter = page.locator('[data-rewritten="email"]');
    // One text for all phrases, in which both recordings are.
    await expect(letter).toContainText(/ustaxonasidamiz[\s\S]*ustaxonasidamiz/);
    await expect(phrases).toHaveCount(0);
    await expect(rewrite).toHaveCount(0);
    await turn(versions.getByRole('radio', { name: 'As said' }));
    await expect(phrases).toContainText('Assalomu alaykum, usta!');
    await turn(versions.getByRole('radio', { name: 'E-mail' }));
    await page.getByRole('button', { name: 'Save as document' }).click();
    await page.waitForURL(/#\/dictate\/document\//);
    await expect(letter).toContainText('ustaxonasidamiz');
    await page.getByRole('link', { name: 'Library' }).click();
    await expect(page.getByRole('row').filter({ hasText: 'Dictation, ' })).toHaveCount(1);
    await page.getByRole('link', { name: 'Dictate' }).click();
  });

  /** Dictates in a session of its own until so much is on the disk. */
  const dictateFor = async (seconds: number) => {
    await page.getByRole('button', { name: 'History' }).click();
    const newSession = page.getByRole('button', { name: 'New session' });
    if (await newSession.isEnabled()) await newSession.click();
    else await page.keyboard.press('Escape');
    const before = new Set(takes());
    await listen();
    const name = () => takes().find((one) => !before.has(one)) ?? '';
    const heard = (): number => (name() === '' ? 0 : audioOf(name()).length / 32_000);
    await expect.poll(heard, { timeout: 20_000 }).toBeGreaterThan(seconds);
    return { name: name(), heard };
  };

  await test.step('a page that crashes in the middle of a take: it ends, and its text comes', async () => {
    const { name, heard } = await dictateFor(4);
    const heardS = heard();
    await studio.app.evaluate(({ BrowserWindow }) => {
      const contents = BrowserWindow.getAllWindows()[0]?.webContents;
      return new Promise<void>((resolve) => {
        contents?.once('did-finish-load', () => resolve());
        contents?.forcefullyCrashRenderer();
      });
    });
    expect(heard()).toBeGreaterThanOrEqual(heardS);
    // Main hears of the crash, and sends what was said up to then.
    await expect.poll(() => journalOf(name).trim().split('\n').at(-1), { timeout: 20_000 }).toContain('"isEnded":true');
    await expect.poll(() => journalOf(name), { timeout: 30_000 }).toContain('Assalomu');
    await studio.quit();
  });

  await test.step('an app that is killed in the middle of a take: the next start lists it with its audio and its text', async () => {
    studio = await journey.start({ args });
    ({ page } = studio);
    await openDictation();
    await page.getByRole('button', { name: 'History' }).click();
    // Takes that have a text. The session that is kept stands behind the history, with its own list.
    const rows = () =>
      page
        .getByRole('dialog', { name: 'History' })
        .getByRole('listitem')
        .filter({ has: page.locator('[lang="uz"]') });
    await expect(rows().first()).toBeVisible();
    const earlier = await rows().count();
    await page.keyboard.press('Escape');
    const { heard } = await dictateFor(3);
    const heardS = heard();
    await killStudio(studio);
    expect(heard()).toBeGreaterThanOrEqual(heardS);

    studio = await journey.start({ args });
    ({ page } = studio);
    await page.getByRole('link', { name: 'Dictate' }).click();
    await page.getByRole('button', { name: 'History' }).click();
    await expect(rows()).toHaveCount(earlier + 1, { timeout: 30_000 });
    await rows().first().getByRole('button', { name: 'More' }).click();
    await expect(page.getByRole('menuitem', { name: 'Play' })).toBeEnabled();
  });
});
