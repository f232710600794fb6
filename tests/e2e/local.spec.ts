import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, type Page } from '@playwright/test';
import { ask } from './support/ask.ts';
import { dragFiles } from './support/drag-files.ts';
import { turn } from '../support/turn.ts';
import { saveByDialog, test, wordsHeard } from './support/journey.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const model = join(root, 'tests', 'fixtures', 'recogniser');
const playwright = join(root, 'node_modules', '@playwright', 'test', 'cli.js');

/** A network of one's own, in which there is nothing but this computer. */
const isAlone = process.env['OVOZ_ALONE'] === '1';
const canBeAlone = spawnSync('unshare', ['-rn', 'ip', 'link', 'set', 'lo', 'up']).status === 0;

/** What a voice of the system says, from these milliseconds on. */
const spoken = [
  { language: 'uz', choice: 'Oʻzbekcha', voice: 'uz', text: 'bugun biz rishtonda kulolchilik ustaxonasidamiz' },
  { language: 'ru', choice: 'Русский', voice: 'ru', text: 'сегодня на лекции мы говорим о решении суда' },
  { language: 'en', choice: 'English', voice: 'en-us', text: 'my friend speaks very well' },
] as const;
const startMs = 1_200;

const recordingIn = (folder: string, language: string): string => join(folder, `sentence-${language}.wav`);

/** Writes the recordings, and what the microphone hears. */
function speak(folder: string, microphone: string): void {
  const raw = join(folder, 'raw.wav');
  for (const { language, voice, text } of spoken) {
    execFileSync('espeak-ng', ['-v', voice, '-s', '140', '-g', '6', '-w', raw, text]);
    // The voice's own silence goes, so that the sentence begins where it is put.
    const put = `silenceremove=start_periods=1:start_threshold=0.005,adelay=${String(startMs)},apad=pad_dur=0.8`;
    const recording = recordingIn(folder, language);
    execFileSync('ffmpeg', ['-v', 'error', '-y', '-i', raw, '-af', put, '-ar', '16000', recording]);
  }
  const pause = ['-af', 'apad=pad_dur=3', '-ar', '48000'];
  execFileSync('ffmpeg', ['-v', 'error', '-y', '-i', recordingIn(folder, 'uz'), ...pause, microphone]);
}

const row = (page: Page, language: string) => page.getByRole('row').filter({ hasText: `sentence-${language}` });

if (canBeAlone && !isAlone)
  test('recordings become text where there is no network', () => {
    test.setTimeout(240_000);
    const inside = [playwright, 'test', '-c', 'playwright.config.ts', 'local.spec.ts', '--project', 'app'];
    const options = ['--reporter', 'line', '--output', 'test-results/alone', '--retries', '0'];
    const run = spawnSync(
      'unshare',
      ['-rn', 'sh', '-c', 'ip link set lo up && exec "$0" "$@"', process.execPath, ...inside, ...options],
      { cwd: root, env: { ...process.env, OVOZ_ALONE: '1' }, encoding: 'utf8' },
    );
    expect(run.status, `${run.stdout}\n${run.stderr}`).toBe(0);
  });
else
  test('from the first screen to corrected subtitles and a dictation, with nothing but this computer', async ({
    journey,
  }) => {
    test.setTimeout(180_000);
    const folder = journey.newFolder();
    const microphone = join(folder, 'microphone.wav');
    speak(folder, microphone);
    const args = [
      '--use-fake-device-for-media-stream',
      '--use-fake-ui-for-media-stream',
      // Over and over: where all processors are busy the browser drops samples of it, and words are misheard.
      `--use-file-for-fake-audio-capture=${microphone}`,
    ];
    const start = () => journey.start({ args, env: { OVOZ_LOCAL_MODEL: model } });
    let studio = await start();
    const { page } = studio;
    await page.getByText('Ready. Your own model is used.').waitFor();
    await page.getByRole('button', { name: 'Open the studio' }).click();
    await expect(page.getByRole('heading', { name: 'Transcribe' })).toBeVisible();
    for (const { language, choice } of spoken) {
      await turn(page.getByRole('radio', { name: choice }));
      await dragFiles(page, [recordingIn(folder, language)]);
      await row(page, language).waitFor();
    }
    for (const { language, text } of spoken) {
      await expect(row(page, language).getByText('Done')).toBeVisible({ timeout: 60_000 });
      await row(page, language).getByRole('button', { name: 'Open' }).click();
      await expect(page.locator('[data-text]').first()).toHaveText(text);
      const transcriptId = /transcripts\/([^/]+)/u.exec(await page.evaluate(() => window.location.hash))?.[1] ?? '';
      const opened = await ask(page, 'transcripts.open', { transcriptId });
      if (!opened.ok) throw new Error(opened.error.kind);
      const { transcript, madeBy } = opened.value;
      expect(madeBy).toEqual({ origin: 'local', model: 'tiny' });
      expect(Math.abs((transcript.segments[0]?.words?.[0]?.startMs ?? 0) - startMs)).toBeLessThanOrEqual(60);
      if (language !== 'en') await page.getByRole('link', { name: 'Transcribe' }).click();
    }
    await page.getByRole('button', { name: 'Play', exact: true }).click();
    expect(await wordsHeard(page, 3)).toEqual(['my', 'friend', 'speaks']);

    await page.locator('[data-text]').first().click();
    await page.keyboard.press('End');
    await page.keyboard.type(' indeed');
    const target = join(folder, 'corrected.srt');
    await saveByDialog(studio, target);
    await page.getByRole('button', { name: 'Export' }).click();
    await turn(page.getByRole('radio', { name: /SubRip/ }));
    await page.getByRole('button', { name: 'Export .srt…' }).click();
    await expect(page.getByText(/Saved as corrected\.srt/)).toBeVisible();
    expect(readFileSync(target, 'utf8')).toMatch(/^1\n00:00:01,\d{3} --> 00:00:0\d,\d{3}\nmy friend speaks very well/u);
    expect(readFileSync(target, 'utf8')).toContain('indeed');

    await page.keyboard.press('Escape');
    await page.evaluate('location.hash = "#/settings/dictation"');
    await page.getByRole('radio', { name: 'Hands-free' }).click();
    await page.getByRole('link', { name: 'Dictate' }).click();
    await turn(page.getByRole('radio', { name: 'Oʻzbekcha' }));
    await page.getByRole('button', { name: 'Start dictating' }).click();
    const phrases = page.getByRole('list', { name: 'Phrases' });
    // A busy machine drops samples of the microphone, so a letter may differ.
    await expect(phrases).toContainText(/kulolchili\S* usta\S*nasida/u, { timeout: 60_000 });
    await page.getByRole('main').getByRole('button', { name: 'Stop dictating' }).click();
    await studio.quit();

    studio = await start();
    await studio.page.getByRole('link', { name: 'Library' }).click();
    for (const { language } of spoken) await expect(row(studio.page, language).first()).toBeVisible();
  });
