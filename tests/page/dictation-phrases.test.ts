import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TakeChange } from '../../shared/domain/dictation/take-view.ts';
import { makeFailure } from '../../shared/domain/failures/make-failure.ts';
import { callsOf, emitEvent } from '../support/fake-studio.ts';
import { tellBarriers } from '../support/find-barriers.ts';
import { servePage, type PageUnderTest } from '../support/page-under-test.ts';
import { planStudio } from '../support/studio-plan.ts';
import { changeOf, cleanedUp, somePhrase } from './dictation-states.ts';

let served: PageUnderTest;
beforeAll(async () => {
  served = await servePage();
});
afterAll(() => served.close());

describe('a phrase', () => {
  const text = 'Men Nargisa bilan gaplashdim.';
  const openSession = (settings = {}) =>
    served.open({
      plan: planStudio({
        settings: { dictationSession: 'take-1', ...settings },
        answers: {
          'dictation.read': {
            summary: { id: 'take-1', startedAtMs: 0, durationMs: 8000, text } as never,
            phrases: [somePhrase(1, { text })],
            mediaToken: null,
          },
        },
      }),
      location: '/dictate',
    });

  it('is corrected in place, and a correction can become a replacement', async () => {
    const page = await openSession();
    await page.getByRole('main').getByText(text).dblclick();
    const field = page.getByRole('textbox', { name: 'Correct the text' });
    await field.fill('Men Nargiza bilan gaplashdim.');
    await field.press('Enter');
    await expect
      .poll(() => callsOf(page, 'dictation.edit'))
      .toEqual([{ takeId: 'take-1', phraseId: 1, text: 'Men Nargiza bilan gaplashdim.' }]);
    await page.getByRole('button', { name: 'Always write it so' }).click();
    await expect
      .poll(async () => (await callsOf(page, 'settings.update')).at(-1))
      .toEqual({
        replacements: [{ language: 'uz', say: 'Nargisa', write: 'Nargiza', kind: 'word', isCaseSensitive: false }],
      });
    await page.context().close();
  });

  it('has its menu by right click and by keyboard; Escape leaves it as it was', async () => {
    const page = await openSession();
    await page.getByRole('main').getByText(text).click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'Correct the text' }).click();
    const field = page.getByRole('textbox', { name: 'Correct the text' });
    await field.and(page.locator(':focus')).waitFor();
    await field.fill('x');
    await page.keyboard.press('Escape');
    await page.getByRole('main').getByText(text).waitFor();
    await page.getByRole('listitem').getByRole('button', { name: 'More' }).press('Enter');
    await page.getByRole('menuitem', { name: 'Send again' }).waitFor();
    expect(await callsOf(page, 'dictation.edit')).toEqual([]);
    await page.context().close();
  });
});

it('a phrase that a model wrote shows the person’s own words by one press or key, and is written otherwise by its menu', async () => {
  const cleanUp = cleanedUp({ style: 'email', credits: '0.25', isChanged: true, isShown: true });
  const summary = { id: 'take-1', startedAtMs: 0, durationMs: 8000, text: 'Dear all' } as never;
  const page = await served.open({
    plan: planStudio({
      settings: { dictationSession: 'take-1' },
      answers: {
        'dictation.read': {
          summary,
          phrases: [somePhrase(1, { text: 'Dear all, see you.', raw: 'um see you', cleanUp })],
          mediaToken: null,
        },
      },
    }),
    location: '/dictate',
  });
  const row = page.getByRole('listitem').filter({ hasText: 'Dear all' });
  await row.getByText('E-mail, 0.25 credits').waitFor();
  await row.getByRole('button', { name: 'Show my own words' }).click();
  await page.keyboard.press('Control+Shift+KeyY');
  const raw = { takeId: 'take-1', phraseId: 1, isRaw: true };
  await expect.poll(() => callsOf(page, 'dictation.showRaw')).toEqual([raw, raw]);
  const failed = cleanedUp({ style: 'email', fault: 'late' });
  await emitEvent(page, 'dictation.changed', {
    ...changeOf('take-1', [somePhrase(1, { text: 'um see you', raw: 'um see you', cleanUp: failed })]),
    isRecording: false,
  });
  await page.getByText('The model took too long, so your own words stand here').waitFor();
  await page.getByRole('listitem').filter({ hasText: 'um see you' }).getByRole('button', { name: 'More' }).click();
  await page.getByRole('menuitem', { name: 'Rewrite with AI (uses credits)' }).press('ArrowRight');
  await page.getByRole('menuitemradio', { name: 'E-mail again (may be charged again)' }).press('Enter');
  await expect
    .poll(() => callsOf(page, 'dictation.cleanUp'))
    .toEqual([{ takeId: 'take-1', phraseId: 1, style: 'email', sendsAgain: true }]);
  // A style would throw a correction away.
  await emitEvent(page, 'dictation.changed', {
    ...changeOf('take-1', [somePhrase(1, { text: 'By hand', raw: 'um see you', isEdited: true, cleanUp: failed })]),
    isRecording: false,
  });
  await page.getByRole('listitem').filter({ hasText: 'By hand' }).getByRole('button', { name: 'More' }).click();
  await page.getByRole('menuitem', { name: 'Back to what was heard' }).waitFor();
  expect(await page.getByRole('menuitem', { name: /Write as|Rewrite with AI/u }).count()).toBe(0);
  await page.context().close();
});

it.each([true, false])(
  'what was sent without an answer may be charged again, and that is said instead of “nothing is lost” (unless it is free: %s)',
  async (isFree) => {
    const page = await served.open({
      plan: planStudio({
        settings: { dictationSession: 'take-1', mode: isFree ? 'local' : 'service' },
        answers: {
          'dictation.read': {
            summary: { id: 'take-1', startedAtMs: 0, durationMs: 8000, text: '' } as never,
            phrases: [],
            mediaToken: null,
          },
        },
      }),
      location: '/dictate',
    });
    const tell = (phrases: Parameters<typeof changeOf>[1], sending: TakeChange['sending']) =>
      emitEvent(page, 'dictation.changed', { ...changeOf('take-1', phrases), isRecording: false, sending });
    const waiting = somePhrase(1, { state: 'waiting', unanswered: 1 });
    if (isFree) {
      const told = page.getByRole('main').getByText(/charged/u);
      await tell([waiting], { kind: 'reconnecting' });
      await page.getByText('Keep talking: nothing is lost.').waitFor();
      expect(await told.count()).toBe(0);
      await tell([somePhrase(1, { text: 'Salom', unanswered: 1 })], null);
      await page.getByText('Salom').waitFor();
      expect(await told.count()).toBe(0);
      return page.context().close();
    }
    await tell([waiting], { kind: 'reconnecting' });
    await page.getByText('may be charged again').waitFor();
    expect(await page.getByText('nothing is lost').count()).toBe(0);
    await tell([waiting], { kind: 'stopped', failure: makeFailure('E-139'), triesAgainMs: null });
    await page.getByText('Sending it again may be charged again').waitFor();
    await tell([somePhrase(1, { state: 'waiting' })], { kind: 'reconnecting' });
    await page.getByText('Keep talking: nothing is lost.').waitFor();
    await tell([somePhrase(1, { text: 'Salom', unanswered: 1 })], null);
    await page.getByText('it may have been charged more than once').waitFor();
    await page.context().close();
  },
);

it('what a phrase costs is said once, before speaking, as far as it is known; in practice it is free', async () => {
  const open = (settings: object, creditsPerHour: string | null) =>
    served.open({
      plan: planStudio({
        settings: { dictationSession: 'take-1', ...settings },
        answers: {
          'usage.dictationRate': { sampleCount: 1, creditsPerHour, creditsPerGigabyte: null },
          'dictation.read': {
            summary: { id: 'take-1', startedAtMs: 0, durationMs: 8000, text: 'Salom' } as never,
            phrases: [somePhrase(1, { text: 'Salom', startMs: 0, endMs: 7200 })],
            mediaToken: null,
          },
        },
      }),
      location: '/dictate',
    });
  const known = await open({}, '3600');
  await known.getByText('A phrase of up to a minute costs about 60 credits').waitFor();
  await known.getByRole('listitem').getByText('Salom').waitFor();
  // A phrase may have been recognised by the service or on this computer, so it says nothing about money.
  expect(
    await known
      .getByRole('listitem')
      .getByText(/credit|charged/u)
      .count(),
  ).toBe(0);
  await known.context().close();
  const unknown = await open({}, null);
  await unknown.getByText('Each phrase is charged by its length.').waitFor();
  await unknown.context().close();
  const free = await open({ mode: 'practice' }, '3600');
  await free.getByRole('listitem').getByText('Salom').waitFor();
  expect(await free.getByText(/charged/u).count()).toBe(0);
  await free.context().close();
});

it('a discarded phrase can be taken back and offers nothing else; in practice mode no phrase names a cost', async () => {
  const cleanUp = cleanedUp({ style: 'email', credits: '0.25' });
  const row = (state: 'text' | 'discarded') => somePhrase(1, { text: 'Dear all.', raw: 'Dear all.', state, cleanUp });
  const summary = { id: 'take-1', startedAtMs: 0, durationMs: 8000, text: 'Dear all.' } as never;
  const page = await served.open({
    plan: planStudio({
      settings: { dictationSession: 'take-1', mode: 'practice' },
      answers: { 'dictation.read': { summary, phrases: [row('text')], mediaToken: null } },
    }),
    location: '/dictate',
  });
  const item = page.getByRole('main').getByRole('listitem');
  await item.getByText('E-mail: nothing to change').waitFor();
  await item.getByRole('button', { name: 'More' }).click();
  await page.getByRole('menuitem', { name: 'Discard the phrase' }).click();
  await emitEvent(page, 'dictation.changed', { ...changeOf('take-1', [row('discarded')]), isRecording: false });
  await item.getByText('discarded').waitFor();
  expect(await item.getByRole('button').count()).toBe(0);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect.poll(() => callsOf(page, 'dictation.restore')).toEqual([{ takeId: 'take-1', phraseId: 1 }]);
  await page.context().close();
});

it('a recording of the history unfolds into its phrases and can be continued; unsent ones alone are shown on request', async () => {
  const take = (id: string, text: string, waitingCount: number) =>
    ({
      id,
      text,
      waitingCount,
      title: null,
      startedAtMs: 0,
      durationMs: 8000,
      language: 'uz',
      mode: 'hold',
      device: '',
      isRecording: false,
      isPinned: false,
      hasSound: true,
      transcriptId: null,
      phraseCount: 2,
      deliveredTo: null,
      lostMs: 184,
    }) as const;
  const page = await served.open({
    plan: planStudio({
      answers: {
        'dictation.list': { takes: [take('a', 'Bir. Ikki.', 0), take('b', 'Uch.', 1)] },
        'dictation.read': {
          summary: take('a', 'Bir. Ikki.', 0),
          phrases: [somePhrase(1, { text: 'Bir.' }), somePhrase(2, { text: 'Ikki.' })],
          mediaToken: null,
        },
      },
    }),
    location: '/dictate/history',
  });
  await page.getByRole('button', { name: 'Bir. Ikki.' }).click();
  const phrases = page.getByRole('list', { name: 'Phrases' });
  await expect.poll(() => phrases.getByRole('listitem').count()).toBe(2);
  expect(await page.getByText('gap', { exact: false }).count()).toBe(0);
  expect(await tellBarriers(page)).toEqual([]);
  await page.getByRole('radio', { name: 'Not sent 1' }).check();
  await page.getByRole('button', { name: 'Bir. Ikki.' }).waitFor({ state: 'detached' });
  await page.getByRole('searchbox', { name: 'Search what was said' }).fill('zzz');
  await page.getByRole('heading', { name: 'No matches for “zzz”' }).waitFor();
  await page.getByRole('button', { name: 'Show all' }).click();
  expect(await page.getByRole('radio', { name: 'All 2' }).isChecked()).toBe(true);
  await page
    .getByRole('listitem')
    .filter({ hasText: 'Bir. Ikki.' })
    .getByRole('button', { name: 'More' })
    .first()
    .click();
  await page.getByRole('menuitem', { name: 'Continue this session' }).click();
  await expect.poll(() => page.getByRole('radio', { name: 'This session' }).isChecked()).toBe(true);
  await page.getByText('Ikki.').waitFor();
  await page.context().close();
});
