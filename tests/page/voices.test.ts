import type { Page } from '@playwright/test';
import { describe, expect, it } from 'vitest';
import { describeFailure } from '../../shared/domain/failures/describe-failure.ts';
import { makeFailure } from '../../shared/domain/failures/make-failure.ts';
import { newDraft } from '../../shared/domain/voices/clone-draft.ts';
import { catalogues } from '../../shared/i18n/catalogues.ts';
import { callsOf } from '../support/fake-studio.ts';
import { planStudio, type StudioPlan } from '../support/studio-plan.ts';
import { goTo, pagesOfFile, tabTo } from './page-rig.ts';
import { cloning } from './screens.ts';

const { open } = pagesOfFile();

const transcriptStep = {
  ...newDraft('draft-1', 'uz', 1),
  step: 'transcript' as const,
  enrollmentId: 'enr_1',
  reference: { fileName: 'a.wav', durationMs: 21_000, sizeBytes: 2_000_000, name: null },
  transcript: 'Men bolaligimdan radio eshitib katta boʻlganman.',
  referenceUrl: null,
  readingUrl: null,
};
const openWizard = (draft: object, changes: Partial<Pick<StudioPlan, 'answers' | 'failures'>> = {}) =>
  open({
    plan: planStudio({ ...changes, answers: { ...cloning(draft), ...changes.answers } }),
    location: '/voices/clone',
  });
const wizard = (page: Page) => page.getByRole('dialog', { name: 'Clone a voice' });
const approve = (page: Page) => wizard(page).getByRole('button', { name: 'Text is correct' });

it('Voices is used by keyboard alone: searched, filtered, marked, compared, and the wizard is opened and left', async () => {
  const page = await open({ plan: planStudio({ answers: cloning(null) }), location: '/voices' });
  await page.getByRole('listitem', { name: 'Claire' }).waitFor();
  await tabTo(page, /^Search voices$/u);
  await page.keyboard.type('nigora');
  await page.getByRole('listitem', { name: 'Claire' }).waitFor({ state: 'detached' });
  await page.keyboard.press('Control+a');
  await page.keyboard.press('Delete');
  await tabTo(page, /^English$/u);
  await page.keyboard.press('Space');
  await page.getByRole('listitem', { name: 'Nigora' }).waitFor({ state: 'detached' });
  await page.keyboard.press('Space');
  await tabTo(page, /^All$/u, 'Shift+Tab');
  await page.keyboard.press('Enter');
  for (const name of ['Jasur', 'Nigora']) {
    await tabTo(page, new RegExp(`^More for ${name}$`, 'u'));
    await page.keyboard.press('Enter');
    await page.getByRole('menuitem', { name: `Compare ${name}` }).press('Enter');
  }
  await tabTo(page, /^Compare…$/u);
  await page.keyboard.press('Enter');
  await page.getByRole('dialog', { name: 'Compare voices' }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await tabTo(page, /^Clone a voice/u, 'Shift+Tab');
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').getByRole('timer').waitFor();
  await tabTo(page, /^Microphone$/u);
  await page.keyboard.press('ArrowRight');
  await tabTo(page, /^Choose a file…$/u);
  await page.keyboard.press('Enter');
  await expect.poll(() => callsOf(page, 'clone.chooseFile').then((calls) => calls.length)).toBe(1);
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
});

describe('the wizard', () => {
  it('shows each kind of refusal and keeps its texts, and Escape closes it although its button can’t be pressed any more', async () => {
    const page = await openWizard(transcriptStep);
    const refuse = async (kind: Parameters<typeof makeFailure>[0], waitsUntilMs: number | null = null) => {
      const failure = makeFailure(kind);
      const answer = { draft: { ...transcriptStep, failure, waitsUntilMs } };
      await page.evaluate((given) => window.fakeStudio.setAnswer('clone.send', given), answer);
      await approve(page).focus();
      await page.keyboard.press('Enter');
      const title = String(
        describeFailure(failure)
          .titleKey.split('.')
          .reduce<unknown>((node, name) => Reflect.get(Object(node), name), catalogues.en),
      );
      const shown = wizard(page).getByRole('alert').or(wizard(page).getByRole('status'));
      await shown.filter({ hasText: title }).first().waitFor();
      expect(await wizard(page).getByRole('textbox').inputValue()).toBe(transcriptStep.transcript);
    };
    for (const kind of ['key-refused', 'clone-step-rejected', 'voice-limit', 'speaker-unclear'] as const)
      await refuse(kind);
    await refuse('clone-rate-limited', Date.now() + 90_000);
    await expect.poll(() => approve(page).isDisabled()).toBe(true);
    await page.keyboard.press('Escape');
    await wizard(page).waitFor({ state: 'detached' });
  });

  it('says of a recording whose answer was lost that it arrived, and sends it again by a press alone', async () => {
    const failure = makeFailure('answer-lost', { code: 'upload_arrived', outcome: 'unknown' });
    const { reference } = transcriptStep;
    const draft = { ...newDraft('draft-1', 'uz', 1), reference, failure, referenceUrl: null, readingUrl: null };
    const page = await openWizard(draft);
    await wizard(page).getByText('The recording arrived, but the answer was lost').waitFor();
    await wizard(page).getByRole('button', { name: 'Send again' }).waitFor();
    expect(await callsOf(page, 'clone.send')).toEqual([]);
  });

  it('approves no former words at the service where a corrected transcript could not be saved', async () => {
    const page = await openWizard(transcriptStep, {
      answers: { 'clone.change': { draft: transcriptStep }, 'clone.send': { draft: transcriptStep } },
      failures: { 'clone.change': makeFailure('internal-error') },
    });
    await wizard(page).getByRole('textbox').fill('Bir ikki uch.');
    await approve(page).click();
    await wizard(page).getByText('The draft is not saved').waitFor();
    await wizard(page).getByRole('alert').nth(1).waitFor();
    expect(await callsOf(page, 'clone.send')).toEqual([]);
    await page.evaluate(() => window.fakeStudio.setFailure('clone.change', null));
    const approved = async () => {
      await approve(page).click();
      return (await callsOf(page, 'clone.send'))[0];
    };
    await expect.poll(approved).toEqual({ sending: 'approve' });
    expect((await callsOf(page, 'clone.change')).at(-1)).toEqual({ transcript: 'Bir ikki uch.' });
  });

  it('lets a reading that was stopped to listen to it be checked at once, and Space does not record over it', async () => {
    const draft = {
      ...newDraft('draft-1', 'uz', 1),
      enrollmentId: 'enr_1',
      step: 'read' as const,
      challenge: { text: 'Bugun havo ochiq.', expiresAtMs: null },
      reading: { fileName: 'r.wav', durationMs: 9000, sizeBytes: 288_044, name: null },
      referenceUrl: null,
      readingUrl: '/media/reading-on-its-way',
    };
    const answers = { ...cloning(draft), 'clone.send': { draft } };
    const page = await open({ plan: planStudio({ answers }), location: '/library' });
    // What is heard in it is not known yet.
    await page.route('**/media/reading-on-its-way', () => undefined);
    await goTo(page, '/voices/clone');
    const check = wizard(page).getByRole('button', { name: 'Check this reading' });
    await check.waitFor();
    await wizard(page).getByText('Bugun havo ochiq.').click();
    await page.keyboard.press('Space');
    await wizard(page).getByRole('button', { name: 'Listen to the recording' }).waitFor();
    const isRecorded = () => window.fakeStudio.calls.some(({ method }) => method === 'clone.record');
    expect(await page.evaluate(isRecorded)).toBe(false);
    await check.click();
    await expect.poll(() => callsOf(page, 'clone.send')).toEqual([{ sending: 'verify' }]);
  });
});
