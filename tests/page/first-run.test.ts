import type { Page } from '@playwright/test';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeFailure } from '../../shared/domain/failures/make-failure.ts';
import { callsOf } from '../support/fake-studio.ts';
import type { Contract } from '../../shared/ipc/contract.ts';
import type { LocalModelView } from '../../shared/ipc/contract-models.ts';
import type { RequestOutput } from '../../shared/ipc/derive.ts';
import { someModel } from '../support/some-model.ts';
import { planStudio } from '../support/studio-plan.ts';
import { servePage, type PageUnderTest } from '../support/page-under-test.ts';
import { noKey, refusedKey, workingKey } from './screens.ts';

let served: PageUnderTest;
beforeAll(async () => {
  served = await servePage();
});
afterAll(() => served.close());

const firstRun = planStudio({
  settings: { mode: 'unset', serviceAddress: '' },
  connection: { mode: 'unset', serviceAddress: '', key: noKey },
  answers: { 'connection.check': workingKey },
});

const modelIs = (part: Partial<LocalModelView>, refused: RequestOutput<Contract, 'models.list'>['refused'] = []) => ({
  ...firstRun,
  answers: {
    ...firstRun.answers,
    'models.list': { models: [{ ...someModel, ...part }], refused: [...refused], hasOwn: false },
    'models.get': {},
    'models.pause': {},
    'models.add': null,
    'models.dismissRefused': {},
  },
});

/** Presses Tab until the named control has the focus, as a user would; fails if it never does. */
async function tabTo(page: Page, name: RegExp): Promise<void> {
  for (let presses = 0; presses < 40; presses += 1) {
    await page.keyboard.press('Tab');
    const focused = await page.evaluate(() => {
      const element = document.activeElement;
      if (!(element instanceof HTMLElement)) return '';
      const labels =
        element instanceof HTMLInputElement ? [...(element.labels ?? [])].map((label) => label.textContent) : [];
      return [element.getAttribute('aria-label'), ...labels, element.textContent].filter(Boolean).join(' ');
    });
    if (name.test(focused)) return;
  }
  throw new Error(`Tab never reached ${String(name)}`);
}

describe('the first screen', () => {
  it('leads from nothing to the open studio by keyboard alone', async () => {
    const page = await served.open({ plan: firstRun });
    await tabTo(page, /Enter a key/);
    await page.keyboard.press('Enter');
    await tabTo(page, /Service address/);
    await page.keyboard.type('https://speech.example.test');
    await tabTo(page, /Paste key/);
    await page.keyboard.press('Enter');
    await page.getByText('Works', { exact: true }).waitFor();
    await expect
      .poll(() => callsOf(page, 'connection.setAddress'))
      .toEqual([{ serviceAddress: 'https://speech.example.test' }]);
    await tabTo(page, /Open the studio/);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Transcribe', level: 1 }).waitFor();
    await expect.poll(() => callsOf(page, 'connection.choose')).toEqual([{ mode: 'service' }]);
    await page.context().close();
  });

  it('accepts a proxy before anything else, says what is wrong with it, and contacts the service through it', async () => {
    const page = await served.open({
      plan: planStudio({
        settings: { mode: 'unset' },
        connection: { mode: 'unset', key: noKey },
        answers: { 'connection.check': workingKey },
      }),
    });
    await expect.poll(() => callsOf(page, 'connection.check')).toHaveLength(1);
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
    await expect.poll(() => callsOf(page, 'connection.check')).toHaveLength(2);
    await page.context().close();
  });

  it('starts practice mode by keyboard alone', async () => {
    const page = await served.open({ plan: firstRun });
    await tabTo(page, /Look around with samples/);
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Try the samples' }).waitFor();
    await expect.poll(() => callsOf(page, 'connection.choose')).toEqual([{ mode: 'practice' }]);
    await page.context().close();
  });

  it('offers this computer first: who is contacted, licence and size are read before anything is fetched', async () => {
    const page = await served.open({ plan: modelIs({ state: 'absent' }) });
    const here = page.getByRole('region', { name: 'On this computer' });
    await here.getByText('From models.example, MIT licence. Contacted only when you press the button.').waitFor();
    expect(await callsOf(page, 'models.get')).toEqual([]);
    await here.getByRole('button', { name: 'Get the model · 225 MB' }).click();
    await expect.poll(() => callsOf(page, 'models.get')).toEqual([{ id: 'small' }]);
    await page.context().close();
  });

  it('a model that can’t be got names its host and not the service, and trouble with files goes when it is tried', async () => {
    const failure = makeFailure('E-254', { params: { name: 'models.example' } });
    const page = await served.open({
      plan: { ...modelIs({ state: 'absent', failure }), failures: { 'models.add': makeFailure('E-180') } },
    });
    const here = page.getByRole('region', { name: 'On this computer' });
    const said = here.getByRole('alert');
    await said.getByText('models.example can’t be reached. Check your internet connection, then try again.').waitFor();
    await here.getByRole('button', { name: 'I already have it…' }).click();
    await expect.poll(() => said.count()).toBe(2);
    await here.getByRole('button', { name: 'Get the model · 225 MB' }).click();
    await expect.poll(() => said.count()).toBe(1);
    await page.context().close();
  });

  it('nobody waits for a model: the studio opens while it comes', async () => {
    const page = await served.open({ plan: modelIs({ state: 'downloading', bytes: 94_500_000 }) });
    const here = page.getByRole('region', { name: 'On this computer' });
    await here.getByText('42%').waitFor();
    await here.getByRole('button', { name: 'Pause' }).click();
    await expect.poll(() => callsOf(page, 'models.pause')).toEqual([{ id: 'small' }]);
    await here.getByRole('button', { name: 'Open the studio' }).click();
    await page.getByRole('heading', { name: 'Transcribe', level: 1 }).waitFor();
    expect(await callsOf(page, 'connection.choose')).toEqual([{ mode: 'local' }]);
    await page.context().close();
  });

  it('a model that is ready asks for a recording at once', async () => {
    const page = await served.open({ plan: modelIs({ state: 'here', bytes: 225_000_000 }) });
    await page.getByRole('button', { name: 'Choose a recording…' }).click();
    await expect
      .poll(() => callsOf(page, 'jobs.addPicked'))
      .toMatchObject([{ from: 'files', options: { language: 'en' } }]);
    expect(await callsOf(page, 'connection.choose')).toEqual([{ mode: 'local' }]);
    await page.context().close();
  });

  it('files that are none of a published model are not used, and it says so', async () => {
    const page = await served.open({
      plan: modelIs({ state: 'absent' }, [{ name: 'other.onnx', sha256: 'ab', published: null, missing: null }]),
    });
    await page.getByText('These are not the files that the makers published, so they are not used.').waitFor();
    await page.getByRole('button', { name: 'I already have it…' }).click();
    await expect.poll(() => callsOf(page, 'models.add')).toEqual([{}]);
    await page.context().close();
  });

  it('says what is missing instead of opening without address and key', async () => {
    const page = await served.open({ plan: firstRun });
    await page.getByRole('button', { name: 'Enter a key', exact: true }).click();
    await page.getByRole('button', { name: 'Open the studio' }).click();
    await page.getByText('Enter the service address.').waitFor();
    await page.getByText('Add a key first.').waitFor();
    await expect.poll(() => callsOf(page, 'connection.choose')).toEqual([]);
    await page.context().close();
  });

  it('says what an address and a key are, who gives them, and what costs; nothing moves while the key is pasted', async () => {
    const page = await served.open({ plan: firstRun });
    await page.getByText(/come from the speech service you have an account with, and so do the prices/u).waitFor();
    await page.getByRole('button', { name: 'Enter a key', exact: true }).click();
    await page.getByText(/^Both come from the provider of the speech service/u).waitFor();
    await page.getByText('The web address where the service answers.').waitFor();
    await page.getByText('A long secret, like a password.').waitFor();
    await page.getByRole('textbox', { name: 'Service address' }).fill('https://speech.example.test');
    await page.getByRole('button', { name: 'Paste key' }).click();
    await page.getByText('Works', { exact: true }).waitFor();
    await page.context().close();
  });

  it('says once that a key is refused and once that it can’t be stored, and tries again by one button', async () => {
    const key = { present: true, maskedSuffix: '3kQ9', store: 'session', keychain: 'no-service' } as const;
    const plan = planStudio({
      settings: { mode: 'unset' },
      connection: { key },
      answers: { 'connection.check': refusedKey },
    });
    const page = await served.open({ plan });
    await page.getByRole('button', { name: 'Open the studio' }).click();
    await page.getByRole('button', { name: 'Open anyway' }).waitFor();
    const said = await page.getByRole('main').innerText();
    expect(said.match(/safe place/gu)).toHaveLength(1);
    expect(said.match(/until you quit|when you quit/gu)).toHaveLength(1);
    expect(await page.getByRole('button', { name: /again/iu }).count()).toBe(1);
    await page.context().close();
  });

  it('validates the address when the field is left, and keeps what was typed', async () => {
    const plan = { ...firstRun, failures: { 'connection.setAddress': makeFailure('E-234', { code: 'bad_address' }) } };
    const page = await served.open({ plan });
    await page.getByRole('button', { name: 'Enter a key', exact: true }).click();
    const address = page.getByRole('textbox', { name: 'Service address' });
    await address.fill('not an address');
    await expect.poll(() => callsOf(page, 'connection.setAddress')).toEqual([]);
    await page.keyboard.press('Tab');
    await page.waitForFunction(() => document.querySelector('input[aria-invalid="true"]') !== null);
    await expect.poll(() => address.inputValue()).toBe('not an address');
    const described = await address.evaluate((input) =>
      (input.getAttribute('aria-describedby') ?? '')
        .split(' ')
        .map((id) => document.getElementById(id)?.textContent ?? '')
        .join(' '),
    );
    expect(described.trim()).not.toBe('');
    await page.context().close();
  });

  it('stays when the key is refused, and opens once a working one is entered', async () => {
    const plan = planStudio({
      settings: { mode: 'unset' },
      answers: {
        'connection.check': refusedKey,
      },
    });
    const page = await served.open({ plan });
    await page.getByText('Not accepted', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Open the studio' }).click();
    await page.getByText('Not accepted', { exact: true }).waitFor();
    await expect.poll(() => callsOf(page, 'connection.choose')).toEqual([]);
    await page.evaluate((report) => window.fakeStudio.setAnswer('connection.check', report), workingKey as unknown);
    await page.getByRole('button', { name: 'Paste key' }).click();
    await page.getByText('Works', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Open the studio' }).click();
    await page.getByRole('heading', { name: 'Transcribe', level: 1 }).waitFor();
    await page.context().close();
  });

  it('says what is wrong with an address that leads nowhere, and continues only after confirmation', async () => {
    const plan = planStudio({
      settings: { mode: 'unset' },
      answers: {
        'connection.check': {
          service: 'not-reached',
          key: 'not-checked',
          products: [],
          failure: makeFailure('E-002', { code: 'dns_not_found' }),
        },
      },
    });
    const page = await served.open({ plan });
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
    await page.context().close();
  });

  it('uses the language of the interface for recordings and dictation until another is chosen', async () => {
    const page = await served.open({ plan: firstRun });
    await page.getByRole('button', { name: 'Look around with samples' }).click();
    await page.getByRole('heading', { name: 'Transcribe', level: 1 }).waitFor();
    expect(await callsOf(page, 'settings.update')).toEqual([{ speechLanguage: 'en', dictationLanguage: 'en' }]);
    await page.context().close();
  });

  it('changes language and appearance afterwards, in the settings, without leaving them', async () => {
    const page = await served.open({ plan: planStudio({ answers: { 'connection.check': workingKey } }) });
    await page.getByRole('link', { name: 'Settings' }).click();
    await page.getByRole('radiogroup', { name: 'Interface language' }).getByText('Русский').click();
    await page.getByRole('heading', { name: 'Настройки', level: 1 }).waitFor();
    await page.getByRole('radiogroup', { name: 'Тема' }).getByText('Тёмная').click();
    await page.waitForFunction(() => document.documentElement.dataset['theme'] === 'dark');
    await expect
      .poll(() => callsOf(page, 'settings.update'))
      .toEqual([{ interfaceLanguage: 'ru' }, { appearance: 'dark' }]);
    await page.context().close();
  });

  it('never asks main for a key, only about it', async () => {
    const page = await served.open({ plan: firstRun });
    await page.getByRole('button', { name: 'Enter a key', exact: true }).click();
    await page.getByRole('button', { name: 'Enter key…' }).click();
    await page.waitForFunction(() => window.fakeStudio.calls.some((call) => call.method === 'connection.enterKey'));
    await expect.poll(() => callsOf(page, 'connection.enterKey')).toEqual([{}]);
    await expect.poll(() => page.locator('input[type="password"]').count()).toBe(0);
    await page.context().close();
    expect(served.complaints).toEqual([]);
  });
});
