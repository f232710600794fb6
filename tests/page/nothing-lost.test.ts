import type { Page } from '@playwright/test';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeFailure } from '../../shared/domain/failures/make-failure.ts';
import { callsOf } from '../support/fake-studio.ts';
import { servePage, type PageUnderTest } from '../support/page-under-test.ts';
import { someSpeech } from '../support/some-speech.ts';
import { planStudio } from '../support/studio-plan.ts';
import type { Failure } from '../../shared/result/failure.ts';
import { known, signedIn } from './account-plans.ts';
import { newDraft } from '../../shared/domain/voices/clone-draft.ts';
import { libraryPlan, someItem, someItems, someTags } from './library-states.ts';

let served: PageUnderTest;
beforeAll(async () => {
  served = await servePage();
});
afterAll(() => served.close());

/** A microphone that opens when the test says so. */
const holdMicrophone = (page: Page) =>
  page.evaluate(() => {
    navigator.mediaDevices.getUserMedia = () =>
      new Promise((resolve) => {
        const { stream } = new AudioContext().createMediaStreamDestination();
        Object.assign(window, { allow: () => resolve(stream), track: stream.getAudioTracks()[0] });
      });
  });
interface Held {
  readonly allow: () => void;
  readonly track: MediaStreamTrack;
}

it('a microphone that opens after its test was left is closed at once, and two presses open one', async () => {
  const page = await served.open({ plan: planStudio(), location: '/settings/dictation' });
  await holdMicrophone(page);
  const button = page.getByRole('button', { name: 'Test the microphone' });
  await button.click();
  await page.waitForFunction(() => 'allow' in window);
  expect((await button.getAttribute('aria-disabled')) ?? String(await button.isDisabled())).toBe('true');
  await page.keyboard.press('Control+Shift+KeyF');
  await page.getByRole('searchbox').waitFor();
  await page.evaluate(() => (window as unknown as Held).allow());
  await expect.poll(() => page.evaluate(() => (window as unknown as Held).track.readyState)).toBe('ended');
  await page.context().close();
});

it('a microphone that can not be asked for says why', async () => {
  const page = await served.open({ plan: planStudio(), location: '/settings/dictation' });
  await page.evaluate((failure) => window.fakeStudio.setFailure('dictation.ready', failure), makeFailure('E-230'));
  await page.getByRole('button', { name: 'Test the microphone' }).click();
  await page.getByRole('alert').first().waitFor();
  await page.context().close();
});

const makeKey = async (page: Page, id: string, maskedSuffix: string) => {
  const { key } = known['account.createKey'] ?? {};
  const answer = { key: { ...key, id, name: id }, maskedSuffix };
  await page.evaluate((made) => window.fakeStudio.setAnswer('account.createKey', made), answer);
  await page.getByRole('button', { name: 'New key' }).click();
  await page.getByRole('dialog').getByRole('textbox').first().fill(id);
  // Without permissions it is asked first: nothing works with such a key.
  await page.getByRole('dialog').getByRole('button', { name: 'Create key' }).click();
  await page.getByRole('dialog').getByRole('alert').getByText('nothing works with it').waitFor();
  await page.getByRole('dialog').getByRole('button', { name: 'Create without permissions' }).click();
  await page.getByRole('region', { name: `“${id}” is ready` }).waitFor();
};

it.each(['Revoke', 'Delete'])(
  'what is said of a new API key goes with the key (%s), and its limits are not shown once only',
  async (what) => {
    const page = await served.open({ plan: signedIn, location: '/account/keys' });
    await makeKey(page, 'key_2', 'aaaa');
    const details = page.getByRole('complementary', { name: 'Key details' });
    // The list of the service tells no limit, so one would be gone when the page is opened again.
    await details.getByText('The service doesn’t report limits').waitFor();
    expect(await details.getByText('1,000').count()).toBe(0);
    await page.getByRole('button', { name: `${what}…` }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: what }).click();
    await page.getByRole('region', { name: '“key_2” is ready' }).waitFor({ state: 'detached' });
    expect(await callsOf(page, 'account.dropKey')).toEqual([{ keyId: 'key_2' }]);
    await page.context().close();
  },
);

it('each new API key stays to be copied until the user has it', async () => {
  const page = await served.open({ plan: signedIn, location: '/account/keys' });
  await makeKey(page, 'first', 'aaaa');
  await makeKey(page, 'second', 'bbbb');
  const first = page.getByRole('region', { name: '“first” is ready' });
  // What is not on the clipboard has no tick, and is not closed without a question.
  const refused = makeFailure('E-067', { code: 'not_copied', outcome: 'accepted', layer: 'local' });
  const refuse = (failure: Failure | null) =>
    page.evaluate((given) => window.fakeStudio.setFailure('account.copyKey', given), failure);
  await refuse(refused);
  await first.getByRole('button', { name: 'Copy' }).click();
  await first.getByText('did not take it').waitFor();
  await first.getByRole('button', { name: 'I have saved it' }).click();
  const question = page.getByRole('alertdialog', { name: 'Close without copying?' });
  await question.getByRole('button', { name: 'Cancel' }).click();
  await question.waitFor({ state: 'detached' });
  await refuse(null);
  await first.getByRole('button', { name: 'Copy' }).click();
  await first.getByRole('button', { name: 'Copied' }).waitFor();
  await expect.poll(() => callsOf(page, 'account.copyKey')).toEqual([{ keyId: 'first' }, { keyId: 'first' }]);
  await first.getByRole('button', { name: 'I have saved it' }).click();
  await first.waitFor({ state: 'detached' });
  expect(await page.getByRole('region', { name: '“second” is ready' }).count()).toBe(1);
  // The keys of another account token are not those of this one.
  await page.evaluate(() =>
    window.fakeStudio.setConnection({
      accountToken: { present: true, maskedSuffix: 'zzzz', store: 'keychain', keychain: 'present' },
    }),
  );
  await page.getByRole('region', { name: 'is ready' }).waitFor({ state: 'detached', timeout: 3000 });
  await page.context().close();
});

it('a percent sign in an address is a percent sign', async () => {
  const page = await served.open({ plan: libraryPlan(), location: '/library/search/100%25%20natija' });
  await expect.poll(() => page.getByRole('searchbox').inputValue()).toBe('100% natija');
  await page.context().close();
});

it('undo of imported words is offered only until the words are changed or the window is closed', async () => {
  const csv = 'written,spoken\nadras,adrás\n';
  const page = await served.open({
    plan: planStudio({ answers: { ...someSpeech(), 'speak.readList': { file: { name: 'words.csv', csv } } } }),
    location: '/speak',
  });
  const dialog = page.getByRole('dialog', { name: 'Pronunciation' });
  const undo = dialog.getByRole('button', { name: 'Undo' });
  await page.getByRole('button', { name: 'Pronunciation…' }).click();
  await dialog.getByRole('button', { name: 'Import CSV…' }).click();
  await undo.waitFor();
  await dialog.getByRole('textbox', { name: 'Written' }).first().fill('atlas');
  await undo.waitFor({ state: 'detached', timeout: 3000 });
  await dialog.getByRole('button', { name: 'Import CSV…' }).click();
  await undo.waitFor();
  await dialog.getByRole('button', { name: 'Done' }).click();
  await page.getByRole('button', { name: 'Pronunciation…' }).click();
  await dialog.waitFor();
  expect(await undo.count()).toBe(0);
  await page.context().close();
});

it('undo in the library takes back that step only: no tag that was there before, no made-up title', async () => {
  const items = [...someItems, someItem('u1', '', 1, { kind: 'dictation' })];
  const plan = libraryPlan();
  const list = { items, folders: [], tags: someTags };
  const page = await served.open({
    plan: { ...plan, answers: { ...plan.answers, 'library.list': list, 'library.saveTag': { id: 'g2' } } },
    location: '/library',
  });
  await page.getByRole('row', { name: 'Chorsu bozori' }).click();
  await page.getByRole('row', { name: 'Interview with a ceramicist' }).click({ modifiers: ['ControlOrMeta'] });
  await page.getByRole('row', { name: 'Chorsu bozori' }).click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Tags' }).press('Enter');
  await page.getByRole('menuitem', { name: 'New tag…' }).press('Enter');
  await page.getByRole('dialog', { name: 'New tag' }).getByRole('textbox').fill('Tekshirish kerak');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Undo' }).click();
  const t3 = [{ kind: 'transcript', id: 't3' }];
  await expect
    .poll(() => callsOf(page, 'library.tag'))
    .toEqual([
      { items: t3, tagId: 'g2', isOn: true },
      { items: t3, tagId: 'g2', isOn: false },
    ]);

  await page.getByRole('row', { name: /^Dictation, / }).focus();
  await page.keyboard.press('F2');
  await page.getByRole('dialog', { name: 'Rename' }).getByRole('textbox').fill('Ertalab');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect
    .poll(async () => (await callsOf(page, 'library.rename')).map(({ title }) => title))
    .toEqual(['Ertalab', '']);
  await page.context().close();
});

it('the undo key takes nothing back once a later step can’t be undone', async () => {
  const page = await served.open({ plan: libraryPlan(), location: '/library' });
  await page.getByRole('row', { name: 'Buxoro gilamlari' }).focus();
  await page.keyboard.press('Delete');
  await page.getByText('1 item moved to the trash').waitFor();
  await page.getByRole('button', { name: 'More for Gilam', exact: true }).press('Enter');
  await page.getByRole('menuitem', { name: 'Rename…' }).press('Enter');
  await page.getByRole('dialog', { name: 'Rename the tag' }).getByRole('textbox').fill('Tekshirish kerak');
  await page.keyboard.press('Enter');
  await expect.poll(async () => (await callsOf(page, 'library.saveTag')).length).toBe(1);
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.getByRole('row', { name: 'Chorsu bozori' }).focus();
  await page.keyboard.press('Control+KeyZ');
  // A step after it shows that the key was handled.
  await page.keyboard.press('Delete');
  await expect.poll(async () => (await callsOf(page, 'library.trash')).length).toBe(2);
  expect(await callsOf(page, 'library.restore')).toEqual([]);
  await page.context().close();
});

it('a recording that arrives after its row was left is not played', async () => {
  const page = await served.open({
    plan: {
      ...libraryPlan(),
      waits: ['library.audio'],
      answers: { ...libraryPlan().answers, 'library.audio': { mediaUrl: '/media/none', failure: null } },
    },
    location: '/library',
  });
  await page.evaluate(() => {
    HTMLMediaElement.prototype.play = async () => void Object.assign(window, { isPlayed: true });
  });
  await page.getByRole('row', { name: 'Buxoro gilamlari' }).click();
  await page.getByRole('button', { name: /^Play from/ }).click();
  await page.getByRole('row', { name: 'Chorsu bozori' }).click();
  await page.getByRole('complementary', { name: 'Preview' }).getByText('Chorsu bozori').first().waitFor();
  await page.evaluate(() => window.fakeStudio.letGo('library.audio'));
  await page.evaluate(() => new Promise((resolve) => void setTimeout(resolve)));
  expect(await page.evaluate(() => 'isPlayed' in window)).toBe(false);
  await page.context().close();
});

it('a corrected transcript that could not be saved is not approved at the service in its former words', async () => {
  const draft = { ...newDraft('draft-1', 'uz', 1), enrollmentId: 'enr_1', step: 'transcript', transcript: 'Bir ikki.' };
  const shown = { ...draft, referenceUrl: null, readingUrl: null } as const;
  const page = await served.open({
    plan: planStudio({
      answers: {
        ...someSpeech(),
        'voices.removing': { voiceIds: [] },
        'clone.read': { draft: shown as never, capabilities: { eligible: true, available: true } },
        'clone.change': { draft: shown as never },
        'clone.send': { draft: shown as never },
      },
      failures: { 'clone.change': makeFailure('E-230') },
    }),
    location: '/voices/clone',
  });
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox').fill('Bir ikki uch.');
  await dialog.getByRole('button', { name: 'The text is right' }).click();
  await dialog.getByText('The draft is not saved').waitFor();
  await dialog.getByRole('alert').nth(1).waitFor();
  expect(await callsOf(page, 'clone.send')).toEqual([]);
  await page.evaluate(() => window.fakeStudio.setFailure('clone.change', null));
  const approved = async () => {
    await dialog.getByRole('button', { name: 'The text is right' }).click();
    return (await callsOf(page, 'clone.send'))[0];
  };
  await expect.poll(approved).toEqual({ sending: 'approve' });
  expect((await callsOf(page, 'clone.change')).at(-1)).toEqual({ transcript: 'Bir ikki uch.' });
  await page.context().close();
});

it('a reading that was stopped to listen to it can be checked at once, and Space does not record over it', async () => {
  const draft = {
    ...newDraft('draft-1', 'uz', 1),
    enrollmentId: 'enr_1',
    step: 'read',
    challenge: { text: 'Bugun havo ochiq.', expiresAtMs: null },
    reading: { fileName: 'r.wav', durationMs: 9000, sizeBytes: 288_044, name: null },
  };
  const shown = { ...draft, referenceUrl: null, readingUrl: '/media/reading-on-its-way' } as const;
  const page = await served.open({
    plan: planStudio({
      answers: {
        ...someSpeech(),
        'voices.removing': { voiceIds: [] },
        'clone.read': { draft: shown as never, capabilities: { eligible: true, available: true } },
        'clone.send': { draft: shown as never },
      },
    }),
    location: '/blank',
  });
  // What is heard in it is not known yet.
  await page.route('**/media/reading-on-its-way', () => undefined);
  await page.evaluate(() => void (location.hash = '/voices/clone'));
  const dialog = page.getByRole('dialog');
  const check = dialog.getByRole('button', { name: 'Check this reading' });
  await check.waitFor();
  await dialog.getByText('Bugun havo ochiq.').click();
  await page.keyboard.press('Space');
  await dialog.getByRole('button', { name: 'Listen to the recording' }).waitFor();
  expect(await page.evaluate(() => window.fakeStudio.calls.some(({ method }) => method === 'clone.record'))).toBe(
    false,
  );
  await check.click();
  expect(await callsOf(page, 'clone.send')).toEqual([{ sending: 'verify' }]);
  await page.context().close();
});
