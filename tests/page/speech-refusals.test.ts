import type { Page } from '@playwright/test';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeFailure } from '../../shared/domain/failures/describe-failure.ts';
import { textAfterTitle } from '../../shared/domain/failures/text-after-title.ts';
import { newDraft } from '../../shared/domain/voices/clone-draft.ts';
import { catalogues } from '../../shared/i18n/catalogues.ts';
import type { Failure } from '../../shared/result/failure.ts';
import { emitEvent } from '../support/fake-studio.ts';
import { servePage, type PageUnderTest } from '../support/page-under-test.ts';
import { someSpeech } from '../support/some-speech.ts';
import { failureOfRefusal, speechRefusals } from '../support/speech-refusals.ts';
import { planStudio } from '../support/studio-plan.ts';

let served: PageUnderTest;
beforeAll(async () => {
  served = await servePage();
});
afterAll(async () => {
  await served.close();
});

const failuresOf = (part: string): readonly Failure[] =>
  speechRefusals.flatMap(([name, area, request, refusals]) =>
    name.includes(part) ? refusals.map((refusal) => failureOfRefusal(refusal, area, request)) : [],
  );
const english = (key: string): string =>
  String(key.split('.').reduce<unknown>((node, name) => (node as Record<string, unknown>)[name], catalogues.en));
/** What the window must show: the title and, after it, what was stored and what to do. */
const told = (failure: Failure) => {
  const { titleKey, textKey } = describeFailure(failure);
  const [title, text] = [english(titleKey), english(textKey)];
  return { title, text, rest: textAfterTitle(title, text, 'en') };
};
const alert = (page: Page) => page.getByRole('main').getByRole('alert');

it('each refusal of a sentence is shown with its title, what was stored and a next step, and the text stays', async () => {
  const speech = someSpeech();
  const page = await served.open({ plan: planStudio({ answers: speech }), location: '/speak' });
  const field = page.getByRole('textbox', { name: 'Text to speak' });
  await field.waitFor();
  const text = await field.textContent();
  const failed = speech['speak.findTakes'].takes.find(({ state }) => state === 'failed');
  if (failed === undefined) throw new Error('no failed take');
  const refusals = failuresOf('generated');
  expect(refusals.length).toBeGreaterThan(10);
  for (const failure of refusals) {
    await emitEvent(page, 'speak.takeChanged', { take: { ...failed, failure } });
    const { title, rest } = told(failure);
    await expect.poll(() => alert(page).textContent()).toContain(title);
    expect(await alert(page).textContent()).toContain(rest);
    expect(await alert(page).getByRole('button').count()).toBeGreaterThan(1);
    expect(await field.textContent()).toBe(text);
  }
  await page.context().close();
});

it.each(['/speak', '/voices'])(
  'each refusal of the list of voices is shown in %s, and it can be requested again',
  async (location) => {
    const refusals = failuresOf('voices are read');
    const plan = planStudio({ answers: someSpeech(), failures: { 'speak.voices': refusals[0] as Failure } });
    const page = await served.open({ plan, location });
    for (const failure of refusals) {
      await page.evaluate((one) => window.fakeStudio.setFailure('speak.voices', one), failure);
      const notice = page.getByRole('alert').filter({ hasText: 'The voices could not be loaded' });
      await notice.getByRole('button').last().click();
      await expect.poll(() => notice.textContent()).toContain(told(failure).text);
    }
    await page.evaluate(() => window.fakeStudio.setFailure('speak.voices', null));
    await page.getByRole('alert').getByRole('button').last().click();
    await page.getByText('Nigora').first().waitFor();
    await page.context().close();
  },
);

it('each refusal of a step of cloning is shown in the wizard, and its texts are kept', async () => {
  const draft = {
    ...newDraft('draft-1', 'uz', Date.UTC(2026, 10, 22, 9)),
    step: 'transcript' as const,
    enrollmentId: 'enr_1',
    reference: { fileName: 'a.wav', durationMs: 21_000, sizeBytes: 2_000_000, name: null },
    transcript: 'Men bolaligimdan radio eshitib katta boʻlganman.',
    referenceUrl: null,
    readingUrl: null,
  };
  const capabilities = { eligible: true, available: true };
  const plan = planStudio({
    answers: { ...someSpeech(), 'voices.removing': { voiceIds: [] }, 'clone.read': { draft, capabilities } },
  });
  const page = await served.open({ plan, location: '/voices/clone' });
  const wizard = page.getByRole('dialog', { name: 'Clone a voice' });
  for (const failure of [...failuresOf('cloned'), ...failuresOf('verified')]) {
    // As main stores it in the draft.
    const waitsUntilMs = failure.row === 'E-096' ? Date.now() + 90_000 : null;
    await page.evaluate((answer) => window.fakeStudio.setAnswer('clone.send', answer), {
      draft: { ...draft, failure, waitsUntilMs },
    });
    await wizard.getByRole('button', { name: 'The text is right' }).click();
    const { title, rest } = told(failure);
    const own: Readonly<Record<string, string>> = {
      'E-093': 'The reading text expired after 10 minutes',
      'E-094': `${title}, 5 tries left`,
      'E-096': title,
    };
    const notice = wizard
      .getByRole('alert')
      .or(wizard.getByRole('status'))
      .filter({ hasText: own[failure.row] ?? title });
    await notice.first().waitFor();
    if (own[failure.row] === undefined) expect(await notice.first().textContent()).toContain(rest);
    expect(await wizard.getByRole('textbox').inputValue()).toBe(draft.transcript);
    if (waitsUntilMs !== null) {
      await page.evaluate((answer) => window.fakeStudio.setAnswer('clone.read', answer), { draft, capabilities });
      await page.reload();
      await wizard.getByRole('textbox').waitFor();
    }
  }
  await page.context().close();
});
