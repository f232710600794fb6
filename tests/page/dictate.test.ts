import type { Page } from '@playwright/test';
import { describe, expect, it } from 'vitest';
import type { TakeChange } from '../../shared/domain/dictation/take-view.ts';
import type { WrittenRewriting } from '../../shared/domain/dictation/rewriting.ts';
import type { WrittenPhrase } from '../../shared/domain/dictation/written-phrases.ts';
import { makeFailure } from '../../shared/domain/failures/make-failure.ts';
import { callsOf, emitEvent } from '../support/fake-studio.ts';
import { planStudio, type StudioPlan } from '../support/studio-plan.ts';
import { toneWav } from '../support/wav-files.ts';
import {
  aLetter,
  answerMicrophone,
  changeOf,
  cleanedUp,
  hold,
  readTake,
  rewritten,
  sayTake,
  somePhrase,
  someTake,
} from './dictation-states.ts';
import { pagesOfFile, waitForFocus } from './page-rig.ts';

const { open } = pagesOfFile();

type Choices = Partial<StudioPlan['app']['settings']>;
const openStudio = async (settings: Choices = {}, location = '/dictate'): Promise<Page> => {
  const page = await open({ plan: planStudio({ settings: { dictationSounds: false, ...settings } }), location });
  await answerMicrophone(page);
  return page;
};
/** The screen with an earlier session, whose microphone is off. */
const openSession = (
  phrases: readonly WrittenPhrase[],
  settings: Choices = {},
  answers: StudioPlan['answers'] = {},
  rewritings: readonly WrittenRewriting[] = [],
) =>
  open({
    plan: planStudio({
      settings: { dictationSession: 'take-1', ...settings },
      answers: {
        'dictation.read': readTake(phrases, rewritings),
        ...answers,
      },
    }),
    location: '/dictate',
  });
const tell = (page: Page, phrases: readonly WrittenPhrase[], sending: TakeChange['sending'] = null) =>
  emitEvent(page, 'dictation.changed', { ...changeOf('take-1', phrases), isRecording: false, sending });
const begun = (page: Page): Promise<(string | null)[]> =>
  page.evaluate(() =>
    window.fakeStudio.calls
      .filter(({ method }) => method === 'dictation.session')
      .map(({ input }) => (input as { readonly continues: string | null }).continues),
  );
const sentByStream = (page: Page) =>
  page.evaluate(() =>
    window.fakeStudio.calls
      .filter(({ method }) => method === 'stream dictation.session')
      .map(({ input }) => (input as { readonly value?: { readonly kind: string; readonly at: number } }).value),
  );
const main = (page: Page) => page.getByRole('main');
const startButton = (page: Page) => main(page).getByRole('button', { name: 'Start dictating' });
const stopButton = (page: Page) => main(page).getByRole('button', { name: 'Stop dictating' });
const begin = async (page: Page, takeId = 'take-1', fromMs = 0, nth = 1) => {
  await page.keyboard.press('Space');
  await sayTake(page, takeId, fromMs, nth);
  await stopButton(page).waitFor();
};

describe('Space dictates', () => {
  it('at once after opening, by the rail or its key and after a language was chosen, until it is released', async () => {
    const page = await openStudio({}, '/library');
    const ways = [
      () => page.getByRole('link', { name: 'Dictate' }).click(),
      async () => {
        await page.getByRole('link', { name: 'Dictate' }).click();
        // Checked once main has saved it.
        await page.getByRole('radio', { name: 'Русский' }).click();
        await page.getByRole('radio', { name: 'Русский', checked: true }).waitFor();
      },
      async () => {
        await page.keyboard.press('Control+Digit3');
        await page.getByRole('link', { name: 'Dictate' }).focus();
      },
    ];
    for (const [at, come] of ways.entries()) {
      await come();
      await page.getByRole('heading', { name: 'Dictate' }).waitFor();
      await page.keyboard.down('Space');
      await sayTake(page, `take-${String(at)}`, 0, at + 1);
      await page.getByText('Release to ', { exact: false }).waitFor();
      await hold(page);
      await page.keyboard.up('Space');
      await startButton(page).waitFor();
      await page.getByRole('link', { name: 'Library' }).click();
      await page.getByRole('heading', { name: 'Dictate' }).waitFor({ state: 'detached' });
    }
  });

  it('by a tap until it is pressed again, once from the focused button, and not while something is typed', async () => {
    const page = await openStudio();
    await waitForFocus(startButton(page));
    await page.keyboard.press('Control+Shift+Space');
    await sayTake(page, 'take-1', 0);
    await page.getByText('Press again to finish').waitFor();
    await waitForFocus(stopButton(page));
    await hold(page);
    await page.keyboard.press('Control+Shift+Space');
    await startButton(page).waitFor();
    expect(await begun(page)).toHaveLength(1);
    await page.getByRole('button', { name: 'As said' }).click();
    await page.getByRole('button', { name: 'Add a replacement' }).press('Space');
    await page.getByRole('textbox', { name: 'When I say' }).waitFor();
    await page.keyboard.type('a b');
    expect(await page.getByRole('textbox', { name: 'When I say' }).inputValue()).toBe('a b');
    expect(await begun(page)).toHaveLength(1);
  });

  it('and on standby gives also what was said just before the key, numbered from its first sample without a gap', async () => {
    const page = await openStudio({ keepsMicrophoneReady: false, dictationMode: 'toggle' }, '/settings/dictation');
    await page.getByRole('switch', { name: 'Keep the microphone ready' }).press('Space');
    await page.getByRole('link', { name: 'Dictate' }).click();
    await page.waitForFunction(() => window.fakeStudio.calls.some(({ method }) => method === 'dictation.ready'));
    const since = await page.evaluate(() => performance.now());
    await page.waitForFunction((from) => performance.now() - from > 1500, since);
    await startButton(page).focus();
    await begin(page);
    const frames = async () =>
      (await sentByStream(page)).flatMap((value) => (value?.kind === 'frame' ? [value.at] : []));
    await expect.poll(async () => (await frames()).length).toBeGreaterThanOrEqual(25);
    expect((await frames()).slice(0, 25)).toEqual(Array.from({ length: 25 }, (_one, at) => at * 320));
  });
});

describe('a session', () => {
  const once = [somePhrase(1, { text: 'Birinchi gap.' })];
  const twice = [...once, somePhrase(2, { text: 'Ikkinchi gap.' })];

  it('keeps the earlier text when the microphone is switched on again, and the copy contains all of it', async () => {
    const page = await openStudio({ dictationMode: 'toggle' });
    await begin(page);
    await emitEvent(page, 'dictation.changed', changeOf('take-1', once));
    await page.getByText('Birinchi gap.').waitFor();
    await page.keyboard.press('Space');
    await startButton(page).waitFor();
    await begin(page, 'take-1', 4000, 2);
    expect(await begun(page)).toEqual([null, 'take-1']);
    await emitEvent(page, 'dictation.changed', changeOf('take-1', twice));
    await page.getByText('Ikkinchi gap.').waitFor();
    expect(await page.getByText('Birinchi gap.').count()).toBe(1);
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByRole('button', { name: 'Copy all' }).click();
    await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe('Birinchi gap. Ikkinchi gap.');
    await page.evaluate(() => {
      navigator.clipboard.writeText = () => Promise.reject(new DOMException('', 'NotAllowedError'));
    });
    await page.getByRole('button', { name: 'Copy all' }).click();
    await page.getByText('Couldn’t copy. Try again.').waitFor();
  });

  it('is saved while one speaks, once the microphone is off and the last phrase has its text', async () => {
    const page = await openStudio({ dictationMode: 'hands-free' });
    await begin(page);
    const speaking = somePhrase(2, { state: 'speaking', endMs: null });
    await emitEvent(page, 'dictation.changed', changeOf('take-1', [...once, speaking]));
    await page.getByRole('button', { name: 'Save as document' }).click();
    await startButton(page).waitFor();
    expect(await callsOf(page, 'dictation.keep')).toEqual([]);
    // A model writes it now; the user's own words are shown meanwhile.
    const raw = somePhrase(2, { text: 'eee ikkinchi gap', cleanUp: cleanedUp({ isArriving: true }) });
    await tell(page, [...once, raw]);
    await page.getByText('eee ikkinchi gap').waitFor();
    expect(await callsOf(page, 'dictation.keep')).toEqual([]);
    await tell(page, twice);
    await expect.poll(() => callsOf(page, 'dictation.keep')).toMatchObject([{ takeId: 'take-1' }]);
  });

  it('is there after a restart, ends by a click only, and that can be undone', async () => {
    const page = await openSession(once);
    await page.getByText('Birinchi gap.').waitFor();
    await page.getByRole('button', { name: 'History' }).click();
    await page.getByRole('button', { name: 'New session' }).click();
    await page.getByText('Press the microphone and speak').waitFor();
    await expect
      .poll(async () => (await callsOf(page, 'settings.update')).at(-1))
      .toMatchObject({ dictationSession: '' });
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Birinchi gap.').waitFor();
  });
});

describe('the microphone', () => {
  it('that is on is shown on every screen and stopped there, and is off once another way to dictate is chosen', async () => {
    const page = await openStudio({ dictationMode: 'hands-free' });
    await begin(page);
    await page.keyboard.press('Control+Digit1');
    await page.getByRole('heading', { name: 'Dictate' }).waitFor({ state: 'detached' });
    const sign = page.getByRole('banner').getByRole('group', { name: 'Listening' });
    await sign.getByRole('button', { name: 'Listening' }).click();
    await page.getByRole('heading', { name: 'Dictate' }).waitFor();
    await sign.getByRole('button', { name: 'Stop dictating' }).click();
    await sign.waitFor({ state: 'detached' });
    await startButton(page).focus();
    await begin(page, 'take-1', 4000, 2);
    await page.evaluate(() => {
      location.hash = '#/settings/dictation';
    });
    await page.getByRole('radio', { name: 'Toggle' }).click();
    await sign.waitFor({ state: 'detached' });
  });

  it('that is pulled out ends the take by its name, keeps what was said, and the next press goes on', async () => {
    const page = await openStudio({ dictationMode: 'toggle' });
    await page.evaluate(() => {
      const ask = navigator.mediaDevices.getUserMedia.bind(navigator.mediaDevices);
      navigator.mediaDevices.getUserMedia = async (how) => {
        const stream = await ask(how);
        const [track] = stream.getAudioTracks();
        Object.defineProperty(track, 'label', { value: 'Samson Q2U' });
        addEventListener('pull-out', () => track?.dispatchEvent(new Event('ended')));
        return stream;
      };
    });
    await begin(page);
    await emitEvent(page, 'dictation.changed', changeOf('take-1', [somePhrase(1, { text: 'Birinchi gap.' })]));
    await page.getByText('Birinchi gap.').waitFor();
    await page.evaluate(() => dispatchEvent(new Event('pull-out')));
    const alert = page.getByRole('alert').filter({ hasText: 'Samson Q2U was disconnected' });
    await alert.waitFor();
    expect(await page.getByText('Birinchi gap.').count()).toBe(1);
    expect(await page.getByRole('banner').getByRole('group', { name: 'Listening' }).count()).toBe(0);
    await alert.getByRole('button', { name: 'Try again' }).click();
    await sayTake(page, 'take-1', 4000, 2);
    await alert.waitFor({ state: 'detached' });
    expect((await begun(page)).at(-1)).toBe('take-1');
  });

  it('that opens after its test in the settings was left is closed at once, and two presses open one', async () => {
    const page = await open({ plan: planStudio(), location: '/settings/dictation' });
    await page.evaluate(() => {
      navigator.mediaDevices.getUserMedia = () =>
        new Promise((resolve) => {
          const { stream } = new AudioContext().createMediaStreamDestination();
          const [track] = stream.getAudioTracks();
          addEventListener('allow', () => resolve(stream));
          addEventListener('look', () => document.body.setAttribute('data-track', track?.readyState ?? ''));
          document.body.setAttribute('data-track', 'asked');
        });
    });
    const button = page.getByRole('button', { name: 'Test now' });
    await button.click();
    await page.locator('[data-track="asked"]').waitFor();
    expect((await button.getAttribute('aria-disabled')) ?? String(await button.isDisabled())).toBe('true');
    await page.keyboard.press('Control+Shift+KeyF');
    await page.getByRole('searchbox').waitFor();
    await page.evaluate(() => dispatchEvent(new Event('allow')));
    await expect
      .poll(async () => {
        await page.evaluate(() => dispatchEvent(new Event('look')));
        return page.locator('body').getAttribute('data-track');
      })
      .toBe('ended');
  });
});

describe('money', () => {
  it('a phrase will cost is said once, before speaking, as far as it is known; in practice it is free', async () => {
    const spoken = [somePhrase(1, { text: 'Salom', startMs: 0, endMs: 7200 })];
    const rate = (creditsPerHour: string | null) => ({
      'usage.dictationRate': { sampleCount: 1, creditsPerHour, creditsPerGigabyte: null },
    });
    const known = await openSession(spoken, {}, rate('3600'));
    await known.getByText('A phrase of up to a minute costs about 60 credits').waitFor();
    await known.getByRole('listitem').getByText('Salom').waitFor();
    // A phrase may have been recognised by the service or on this computer, so it says nothing about money.
    expect(
      await known
        .getByRole('listitem')
        .getByText(/credit|charged/u)
        .count(),
    ).toBe(0);
    const unknown = await openSession(spoken, {}, rate(null));
    await unknown.getByText('Each phrase is charged by its length.').waitFor();
    const free = await openSession(spoken, { mode: 'practice' }, rate('3600'));
    await free.getByRole('listitem').getByText('Salom').waitFor();
    expect(await free.getByText(/charged/u).count()).toBe(0);
  });

  it('that may be charged again for what was sent without an answer is said instead of “nothing is lost”, unless it is free', async () => {
    const waiting = [somePhrase(1, { state: 'waiting', unanswered: 1 })];
    const heard = [somePhrase(1, { text: 'Salom', unanswered: 1 })];
    const page = await openSession([], { mode: 'service' });
    await tell(page, waiting, { kind: 'reconnecting' });
    await page.getByText('may be charged again').waitFor();
    expect(await page.getByText('nothing is lost').count()).toBe(0);
    await tell(page, waiting, { kind: 'stopped', failure: makeFailure('live-text-stopped'), triesAgainMs: null });
    await page.getByText('Sending it again may be charged again').waitFor();
    await tell(page, [somePhrase(1, { state: 'waiting' })], { kind: 'reconnecting' });
    await page.getByText('Keep talking: nothing is lost.').waitFor();
    await tell(page, heard);
    await page.getByText('it may have been charged more than once').waitFor();
    const free = await openSession([], { mode: 'local' });
    await tell(free, waiting, { kind: 'reconnecting' });
    await free.getByText('Keep talking: nothing is lost.').waitFor();
    expect(
      await main(free)
        .getByText(/charged/u)
        .count(),
    ).toBe(0);
    await tell(free, heard);
    await free.getByText('Salom').waitFor();
    expect(
      await main(free)
        .getByText(/charged/u)
        .count(),
    ).toBe(0);
  });
});

describe('the whole', () => {
  const cost = { 'dictation.cleanUpCost': { model: 'large', credits: '1.2', usual: '0.38' } };
  const words = (page: Page, text: string) => main(page).getByText(text, { exact: false });

  it('is rewritten once for a price that is said before, and a switch goes back to the own words', async () => {
    const page = await openSession(aLetter, { mode: 'service' }, cost);
    await page.getByRole('button', { name: 'Rewrite everything as an e-mail · about 0.38 credits' }).click();
    const asked = { takeId: 'take-1', style: 'email', from: 1, to: 3, sendsAgain: false };
    await expect.poll(() => callsOf(page, 'dictation.rewrite')).toEqual([asked]);
    const change = { ...changeOf('take-1', aLetter), isRecording: false };
    await emitEvent(page, 'dictation.changed', {
      ...change,
      rewritings: [rewritten({ written: null, isArriving: true })],
    });
    await main(page).getByText('E-mail: being written').waitFor();
    await emitEvent(page, 'dictation.changed', { ...change, rewritings: [rewritten()] });
    await words(page, 'murojaat qilyapman').waitFor();
    await main(page).getByText('0.38 credits', { exact: true }).waitFor();
    expect(await page.getByRole('button', { name: /^Rewrite everything/u }).count()).toBe(0);
    await page.getByRole('radio', { name: 'As said' }).click();
    await expect
      .poll(() => callsOf(page, 'dictation.showRewriting'))
      .toEqual([{ takeId: 'take-1', rewritingId: null }]);
    await emitEvent(page, 'dictation.changed', { ...change, rewritings: [rewritten({ isShown: false })] });
    await words(page, 'haligacha kelgani').waitFor();
  });

  it('that was rewritten is corrected in place, in lines, and goes back to what the model wrote', async () => {
    const page = await openSession(aLetter, {}, cost, [rewritten({ written: 'Salom!\n\nXayr.' })]);
    const field = page.getByRole('textbox', { name: 'Correct the text' });
    await words(page, 'Xayr.').dblclick();
    expect(await field.inputValue()).toBe('Salom!\n\nXayr.');
    await field.press('Control+End');
    await field.press('Enter');
    await field.pressSequentially('Hurmat bilan');
    await field.press('Control+Enter');
    const place = { takeId: 'take-1', rewritingId: 'rewriting-1' };
    const text = 'Salom!\n\nXayr.\nHurmat bilan';
    await expect.poll(() => callsOf(page, 'dictation.editRewriting')).toEqual([{ ...place, text }]);
    const change = { ...changeOf('take-1', aLetter), isRecording: false };
    const edited = rewritten({ written: 'Salom!\n\nXayr.', edited: text });
    await emitEvent(page, 'dictation.changed', { ...change, rewritings: [edited] });
    await words(page, 'Hurmat bilan').hover();
    await main(page).locator('[data-rewritten]').getByRole('button', { name: 'More' }).click();
    await page.getByRole('menuitem', { name: 'Back to what the model wrote' }).click();
    await expect
      .poll(async () => (await callsOf(page, 'dictation.editRewriting')).at(-1))
      .toEqual({ ...place, text: null });
  });

  it('is left out where a part is selected, and what failed names a charge before it is asked for again', async () => {
    const lost = rewritten({ written: null, fault: 'failed', isShown: false });
    const page = await openSession(aLetter, { mode: 'service' }, cost, [lost]);
    await page.getByRole('button', { name: /^E-mail again \(may be charged again\)/u }).click();
    await expect.poll(() => callsOf(page, 'dictation.rewrite')).toMatchObject([{ from: 1, to: 3, sendsAgain: true }]);
    await page.locator('[data-phrase="2"] p').selectText();
    await page.getByRole('button', { name: /^Rewrite the selection as an e-mail/u }).click();
    await expect
      .poll(async () => (await callsOf(page, 'dictation.rewrite')).at(-1))
      .toMatchObject({ from: 2, to: 2, sendsAgain: false });
  });
});

it('a session that is played from the history stops what is played from the page', async () => {
  const read = { ...readTake([somePhrase(1, { text: 'Salom.', startMs: 0, endMs: null })]), mediaToken: 'said' };
  const takes = [someTake('take-2', { text: 'Kechagi gap.' })];
  const page = await openSession([], {}, { 'dictation.read': read, 'dictation.list': { takes } });
  await page.route('**/media/**', (route) => route.fulfill({ contentType: 'audio/wav', body: toneWav(440, 70, 8000) }));
  await page.evaluate(() => {
    const started: HTMLMediaElement[] = [];
    // oxlint-disable-next-line typescript/unbound-method -- called with the element it is asked of
    const { play } = HTMLMediaElement.prototype;
    HTMLMediaElement.prototype.play = function notePlay() {
      started.push(this);
      return play.call(this);
    };
    Object.assign(window, { sounding: () => started.map(({ paused }) => !paused) });
  });
  const sounding = () => page.evaluate(() => (window as unknown as { sounding: () => boolean[] }).sounding());
  await main(page).getByText('Salom.').click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Play' }).click();
  await expect.poll(sounding).toEqual([true]);
  await page.getByRole('button', { name: 'History' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'More' }).click();
  await page.getByRole('menuitem', { name: 'Play' }).click();
  await expect.poll(sounding).toEqual([false, true]);
});

describe('a phrase', () => {
  it('is corrected in place or by its menu, Escape leaves it, and a correction can become a replacement', async () => {
    const page = await openSession([somePhrase(1, { text: 'Men Nargisa bilan gaplashdim.' })]);
    const phrase = main(page).getByText('Men Nargisa bilan gaplashdim.');
    const field = page.getByRole('textbox', { name: 'Correct the text' });
    await phrase.click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'Correct the text' }).click();
    await waitForFocus(field);
    await field.fill('x');
    await page.keyboard.press('Escape');
    await phrase.waitFor();
    expect(await callsOf(page, 'dictation.edit')).toEqual([]);
    await phrase.dblclick();
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
  });

  it('that a model wrote shows the person’s own words by one press or key, and names a charge before it is written again', async () => {
    const cleanUp = cleanedUp({ style: 'email', credits: '0.25', isChanged: true, isShown: true });
    const page = await openSession([somePhrase(1, { text: 'Dear all, see you.', raw: 'um see you', cleanUp })]);
    const row = (text: string) => page.getByRole('listitem').filter({ hasText: text });
    await row('Dear all').getByText('E-mail, 0.25 credits').waitFor();
    await row('Dear all').getByRole('button', { name: 'Show my own words' }).click();
    await page.keyboard.press('Control+Shift+KeyY');
    const raw = { takeId: 'take-1', phraseId: 1, isRaw: true };
    await expect.poll(() => callsOf(page, 'dictation.showRaw')).toEqual([raw, raw]);
    const failed = cleanedUp({ style: 'email', fault: 'late' });
    await tell(page, [somePhrase(1, { text: 'um see you', raw: 'um see you', cleanUp: failed })]);
    await page.getByText('The model took too long, so your own words stand here').waitFor();
    await row('um see you').getByRole('button', { name: 'More' }).click();
    await page.getByRole('menuitem', { name: 'Rewrite with AI (uses credits)' }).press('ArrowRight');
    await page.getByRole('menuitemradio', { name: 'E-mail again (may be charged again)' }).press('Enter');
    await expect
      .poll(() => callsOf(page, 'dictation.cleanUp'))
      .toEqual([{ takeId: 'take-1', phraseId: 1, style: 'email', sendsAgain: true }]);
    // A style would throw a correction away.
    await tell(page, [somePhrase(1, { text: 'By hand', raw: 'um see you', isEdited: true, cleanUp: failed })]);
    await row('By hand').getByRole('button', { name: 'More' }).click();
    await page.getByRole('menuitem', { name: 'Back to what was heard' }).waitFor();
    expect(await page.getByRole('menuitem', { name: /Write as|Rewrite with AI/u }).count()).toBe(0);
  });

  it('that nothing is sending, or that reached nobody, has a button that sends it and no sign of waiting', async () => {
    const waiting = [somePhrase(1, { state: 'waiting' })];
    const page = await openSession(waiting, { mode: 'service' });
    const row = main(page).getByRole('listitem');
    const send = row.getByRole('button', { name: 'Send waiting audio' });
    const sign = row.getByRole('status', { name: 'waiting for the text' });
    await send.click();
    await expect.poll(() => callsOf(page, 'dictation.sendAgain')).toHaveLength(1);
    expect(await sign.count()).toBe(0);
    await tell(page, waiting, { kind: 'live' });
    await sign.waitFor();
    expect(await row.getByRole('button').count()).toBe(0);
    await tell(page, waiting, { kind: 'connecting', failure: makeFailure('service-unreachable') });
    await row.getByText('Not sent: the service can’t be reached').waitFor();
    await page.getByText('Service not reachable').waitFor();
    expect(await sign.count()).toBe(0);
    await send.click();
    await expect.poll(() => callsOf(page, 'dictation.sendAgain')).toHaveLength(2);
  });

  it('that is being spoken is discarded by Esc and leaves the list; a notice says what may be charged and takes it back', async () => {
    const told = /^8\.4 s discarded\. What had already been sent may be charged$/u;
    const page = await openStudio({ dictationMode: 'toggle', mode: 'service' });
    await begin(page);
    await emitEvent(page, 'dictation.changed', changeOf('take-1', [somePhrase(1, { state: 'speaking', endMs: null })]));
    await page.keyboard.press('Escape');
    await expect
      .poll(async () => (await sentByStream(page)).flatMap((value) => (value?.kind === 'discard' ? [value.kind] : [])))
      .toEqual(['discard']);
    await tell(page, [somePhrase(1, { state: 'discarded', unanswered: 1 })]);
    await startButton(page).waitFor();
    const notices = page.getByRole('region', { name: 'Notices' });
    await notices.getByText(told).waitFor();
    expect(await main(page).getByRole('list', { name: 'Phrases' }).count()).toBe(0);
    await notices.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(() => callsOf(page, 'dictation.restore')).toEqual([{ takeId: 'take-1', phraseId: 1 }]);
  });
});
