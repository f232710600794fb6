import { describe, expect, it } from 'vitest';
import type { ConnectionReport, LocalModelView, RequestOutput } from '../../renderer/bridge/types.ts';
import { makeFailure } from '../../shared/domain/failures/make-failure.ts';
import { callsOf, emitEvent } from '../support/fake-studio.ts';
import { someModel } from '../support/some-model.ts';
import { planStudio } from '../support/studio-plan.ts';
import { pagesOfFile, tabTo, waitForFocus } from './page-rig.ts';
import { noKey, refusedKey, restoredLibrary, workingKey } from './screens.ts';

const { open } = pagesOfFile();

const modelsOf = (part: Partial<LocalModelView>, refused: RequestOutput<'models.list'>['refused'] = []) => ({
  models: [{ ...someModel, ...part }],
  refused: [...refused],
  hasOwn: false,
});
const firstRun = planStudio({
  settings: { mode: 'unset', serviceAddress: '' },
  connection: { mode: 'unset', serviceAddress: '', key: noKey },
  answers: { 'connection.check': workingKey, 'models.list': modelsOf({}) },
});

const isSeen = (said: Element) => {
  const { x, y, width, height } = said.getBoundingClientRect();
  return said.contains(document.elementFromPoint(x + width / 2, y + height / 2));
};

describe('the first screen', () => {
  it('leads from nothing to the open studio by keyboard alone, and says who gives address and key, and who sets prices', async () => {
    const page = await open({ plan: firstRun });
    await page.getByText(/gives you the address and the key, and sets the prices/u).waitFor();
    await tabTo(page, /Enter a key/);
    await page.keyboard.press('Enter');
    await page.getByText(/in your account at the service, under “API keys”/u).waitFor();
    // The other answer is folded, and comes back.
    await page.getByRole('button', { name: 'Use this instead' }).click();
    await page.getByRole('button', { name: /^Download the model/u }).waitFor();
    await tabTo(page, /Enter a key/);
    await page.keyboard.press('Enter');
    await tabTo(page, /Service address/);
    await page.keyboard.type('https://speech.example.test');
    await tabTo(page, /Open the studio/);
    await page.keyboard.press('Enter');
    await page.getByText('Add a key first. It is entered in a small window of its own.').waitFor();
    await expect.poll(() => callsOf(page, 'connection.enterKey')).toEqual([{}]);
    await tabTo(page, /Paste key/);
    await page.keyboard.press('Enter');
    await page.getByText('Works', { exact: true }).waitFor();
    const found = page.getByRole('list', { name: 'What this key may do' }).getByRole('listitem');
    expect((await found.allInnerTexts()).map((said) => said.trim())).toEqual([
      'Transcribe',
      'Dictate: checked at first use',
      'Speak',
      'Isolate',
      'Voices: couldn’t be checked',
      'Ask: no permission',
    ]);
    await expect
      .poll(() => callsOf(page, 'connection.setAddress'))
      .toEqual([{ serviceAddress: 'https://speech.example.test' }]);
    await tabTo(page, /Open the studio/);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Transcribe', level: 1 }).waitFor();
    await expect.poll(() => callsOf(page, 'connection.choose')).toEqual([{ mode: 'service' }]);
  });

  it('starts practice by keyboard alone, and uses the language of the interface for speech until another is chosen', async () => {
    const page = await open({ plan: firstRun });
    await tabTo(page, /Look around with samples/);
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Try the samples' }).waitFor();
    await expect.poll(() => callsOf(page, 'connection.choose')).toEqual([{ mode: 'practice' }]);
    expect(await callsOf(page, 'settings.update')).toEqual([{ speechLanguage: 'en', dictationLanguage: 'en' }]);
  });

  it('offers this computer first: nothing is fetched before a press, the studio opens while the model comes', async () => {
    const failure = makeFailure('model-host-unreachable', { params: { name: 'models.example' } });
    const answers = { ...firstRun.answers, 'models.list': modelsOf({ failure }), 'models.add': null };
    const page = await open({
      plan: { ...firstRun, answers, failures: { 'models.add': makeFailure('disk-full') } },
    });
    const here = page.getByRole('region', { name: 'On this computer' });
    const said = here.getByRole('alert');
    const show = async (models: ReturnType<typeof modelsOf>) => {
      await page.evaluate((given) => window.fakeStudio.setAnswer('models.list', given), models as unknown);
      await emitEvent(page, 'models.changed', {});
    };
    await here
      .getByText('From models.example, MIT licence. The app contacts the site only when you press the button.')
      .waitFor();
    await said.getByText('models.example can’t be reached. Check your internet connection, then try again.').waitFor();
    expect(await callsOf(page, 'models.get')).toEqual([]);
    await here.getByRole('button', { name: 'I already have it…' }).click();
    await expect.poll(() => said.count()).toBe(2);
    await here.getByRole('button', { name: 'Download the model · 225 MB' }).click();
    await expect.poll(() => said.count()).toBe(1);
    expect(await callsOf(page, 'models.get')).toEqual([{ id: 'small' }]);

    await show(modelsOf({}, [{ name: 'other.onnx', sha256: 'ab', published: null, missing: null }]));
    await page.getByText('These are not the files that the makers published, so they are not used.').waitFor();
    await show(modelsOf({ state: 'downloading', bytes: 94_500_000 }));
    await here.getByText('42%').waitFor();
    await here.getByRole('button', { name: 'Pause' }).click();
    await expect.poll(() => callsOf(page, 'models.pause')).toEqual([{ id: 'small' }]);
    await here.getByRole('button', { name: 'Open the studio' }).click();
    await page.getByRole('heading', { name: 'Transcribe', level: 1 }).waitFor();
    expect(await callsOf(page, 'connection.choose')).toEqual([{ mode: 'local' }]);
  });

  it('says what is missing, keeps and describes a wrong address, takes a proxy, and never asks main for a key, only about it', async () => {
    const failures = { 'connection.setAddress': makeFailure('address-invalid', { code: 'bad_address' }) };
    const page = await open({ plan: { ...firstRun, failures } });
    await page.setViewportSize({ width: 960, height: 640 });
    await page.getByRole('button', { name: 'Enter a key', exact: true }).click();
    await page.getByRole('button', { name: 'Open the studio' }).click();
    await expect.poll(() => page.getByText('Enter the service address.').evaluate(isSeen)).toBe(true);
    await waitForFocus(page.getByRole('textbox', { name: 'Service address' }));
    await page.getByText(/^Add a key first\./u).waitFor();
    await expect.poll(() => callsOf(page, 'connection.choose')).toEqual([]);
    expect(await callsOf(page, 'connection.enterKey')).toEqual([]);

    const address = page.getByRole('textbox', { name: 'Service address' });
    await address.fill('not an address');
    await expect.poll(() => callsOf(page, 'connection.setAddress')).toEqual([]);
    await page.keyboard.press('Tab');
    await expect.poll(() => callsOf(page, 'connection.setAddress')).toHaveLength(1);
    await page.waitForFunction(() => document.querySelector('input[aria-invalid="true"]') !== null);
    expect(await address.inputValue()).toBe('not an address');
    const described = await address.evaluate((input) =>
      (input.getAttribute('aria-describedby') ?? '')
        .split(' ')
        .map((id) => document.getElementById(id)?.textContent ?? '')
        .join(' '),
    );
    expect(described.trim()).not.toBe('');

    await page.getByRole('button', { name: 'Use a proxy…' }).press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Proxy' });
    await dialog.getByText('Custom').click();
    await dialog.getByRole('button', { name: 'Done' }).press('Enter');
    await dialog.getByText('Enter a host name or an address').waitFor();
    await dialog.getByLabel('Proxy address').fill('proxy.example:3128');
    await dialog.getByRole('button', { name: 'Done' }).click();
    await dialog.waitFor({ state: 'detached' });
    await expect
      .poll(() => callsOf(page, 'connection.setProxy'))
      .toEqual([{ mode: 'manual', server: 'proxy.example:3128', port: 3128 }]);

    await page.getByRole('button', { name: 'Enter key…' }).click();
    await expect.poll(() => callsOf(page, 'connection.enterKey')).toEqual([{}]);
    expect(await page.locator('input[type="password"]').count()).toBe(0);
  });

  it('stays when the key is refused or can’t be stored, each said once and in sight, and opens once a working one is entered', async () => {
    const key = { present: true, maskedSuffix: '3kQ9', store: 'session', keychain: 'no-service' } as const;
    const plan = planStudio({
      settings: { mode: 'unset' },
      connection: { key },
      answers: { 'connection.check': refusedKey, 'models.list': modelsOf({}) },
    });
    const page = await open({ plan, size: { width: 960, height: 640 } });
    await page.getByText('Not accepted', { exact: true }).waitFor();
    await expect.poll(() => page.getByText('API key not accepted').evaluate(isSeen)).toBe(true);
    await expect.poll(() => page.getByText('The key is sent only to the service.').evaluate(isSeen)).toBe(true);
    await page.getByRole('button', { name: 'Open the studio' }).click();
    await page.getByRole('button', { name: 'Open anyway' }).waitFor();
    await expect.poll(() => page.getByText('The connection couldn’t be confirmed.').evaluate(isSeen)).toBe(true);
    const said = await page.getByRole('main').innerText();
    expect(said.match(/safe place/gu)).toHaveLength(1);
    expect(said.match(/when you quit/gu)).toHaveLength(1);
    expect(await page.getByRole('button', { name: /again/iu }).count()).toBe(1);
    await emitEvent(page, 'connection.changed', { ...plan.app.connection, key: { ...key, keychain: 'locked' } });
    await page.getByText(/^The key could not be stored/u).waitFor();
    const locked = await page.getByRole('main').innerText();
    expect(locked).not.toMatch(/keychain/iu);
    expect(locked.match(/when you quit/gu)).toHaveLength(1);
    await expect.poll(() => callsOf(page, 'connection.choose')).toEqual([]);
    await page.evaluate((report) => window.fakeStudio.setAnswer('connection.check', report), workingKey as unknown);
    await page.getByRole('button', { name: 'Paste key' }).click();
    await page.getByText('Works', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Open the studio' }).click();
    await page.getByRole('heading', { name: 'Transcribe', level: 1 }).waitFor();
  });

  it('says what is wrong with an address that leads nowhere, and goes on only after confirmation', async () => {
    const failure = makeFailure('address-not-found', { code: 'dns_not_found' });
    const report: ConnectionReport = { service: 'not-reached', key: 'not-checked', products: [], failure };
    const answers = { 'connection.check': report };
    const page = await open({ plan: planStudio({ settings: { mode: 'unset' }, answers }) });
    await page.getByText('No answer', { exact: true }).waitFor();
    await page.getByText('Check the address for typing mistakes').waitFor();
    // There are no files yet, and no settings to open.
    expect(await page.getByText('wait here').count()).toBe(0);
    await page.getByRole('button', { name: 'Open the studio' }).click();
    await page.getByText(/^The connection couldn’t be confirmed/).waitFor();
    await page.getByRole('button', { name: 'Try again' }).last().click();
    await expect.poll(async () => (await callsOf(page, 'connection.check')).length).toBeGreaterThan(1);
    expect(await callsOf(page, 'connection.choose')).toEqual([]);
    await page.getByRole('button', { name: 'Open anyway' }).click();
    await page.getByRole('heading', { name: 'Transcribe', level: 1 }).waitFor();
    expect(await callsOf(page, 'connection.choose')).toEqual([{ mode: 'service' }]);
  });
});

describe('a damaged library', () => {
  it('is reported first: what happened, what is kept, that settings were reset too; then the studio opens', async () => {
    const plan = planStudio({ recovery: { areSettingsReset: true, library: restoredLibrary, failure: null } });
    const page = await open({ plan });
    const heading = page.getByRole('heading', { level: 1, name: 'Library restored from a copy' });
    await heading.waitFor();
    await expect.poll(() => heading.evaluate((element) => element === document.activeElement)).toBe(true);
    expect(await page.getByRole('main').getByRole('paragraph').allInnerTexts()).toContainEqual(
      expect.stringMatching(
        /^The library file was damaged, so Ovoz Studio went back to its copy of \d+ Nov 2026 \d\d:\d\d; the damaged file is kept, and what you changed after that has to be done again\.$/u,
      ),
    );
    await page.getByRole('heading', { level: 2, name: 'Settings were reset' }).waitFor();
    await expect.poll(() => page.getByRole('navigation').count()).toBe(0);
    await page.getByRole('button', { name: 'Show the damaged file' }).click();
    await expect.poll(() => callsOf(page, 'recovery.reveal')).toEqual([{ what: 'damaged-file' }]);
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('navigation').waitFor();
    await expect.poll(() => callsOf(page, 'recovery.acknowledge')).toHaveLength(1);
  });

  it('that can’t be opened keeps its screen until it can, says why it still can’t, and leaves practice', async () => {
    const plan = planStudio({
      recovery: { areSettingsReset: false, library: null, failure: makeFailure('data-folder-unwritable') },
      failures: { 'recovery.reveal': makeFailure('file-unreadable', { code: 'folder_unreadable' }) },
    });
    const page = await open({ plan });
    await page.getByRole('heading', { level: 1, name: 'App folder can’t be written' }).waitFor();
    await page.getByRole('button', { name: 'Show the app’s folder' }).click();
    await page.getByRole('alert').filter({ hasText: 'folder' }).waitFor();
    await page.evaluate((state) => window.fakeStudio.setAnswer('recovery.retry', state), {
      areSettingsReset: false,
      library: null,
      failure: makeFailure('already-open'),
    });
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('heading', { level: 1, name: 'Already open' }).waitFor();
    // This computer has the same library as the service.
    const others = page.getByRole('button', { name: /for now$/u });
    expect(await others.allInnerTexts()).toEqual(['Work in practice mode for now']);
    await others.click();
    await expect.poll(() => callsOf(page, 'connection.choose')).toHaveLength(1);
  });
});
