import type { Page } from '@playwright/test';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { callsOf } from '../support/fake-studio.ts';
import { servePage, type PageUnderTest } from '../support/page-under-test.ts';
import { someSpeech } from '../support/some-speech.ts';
import { toneWav } from '../support/wav-files.ts';
import { planStudio } from '../support/studio-plan.ts';

const opened = someSpeech()['speak.open'].document;
let served: PageUnderTest;
beforeAll(async () => {
  served = await servePage();
});
afterAll(async () => {
  await served.close();
});

/** The name of the focused control. */
const focused = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const element = document.activeElement;
    const label = element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement ? element.labels : null;
    return element?.getAttribute('aria-label') ?? label?.[0]?.textContent ?? element?.textContent ?? '';
  });

/** Presses Tab until a control is reached. */
async function tabTo(page: Page, name: RegExp, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
  const passed: string[] = [];
  for (let presses = 0; presses < 90; presses += 1) {
    const at = await focused(page);
    if (name.test(at)) return;
    passed.push(at.slice(0, 30));
    await page.keyboard.press(key);
  }
  throw new Error(`${String(name)} is not reached: ${passed.join(' | ')}`);
}

it('Speak is used by keyboard alone: a text is written, spoken, edited by sentence and saved, and its words and history opened', async () => {
  const page = await served.open({ plan: planStudio({ answers: someSpeech() }), location: '/speak' });
  await page.getByRole('textbox', { name: 'Text to speak' }).waitFor();
  await tabTo(page, /^Text to speak$/u);
  await page.keyboard.press('Control+End');
  await page.keyboard.type(' Yangi gap.');
  await expect.poll(() => callsOf(page, 'speak.save').then((calls) => JSON.stringify(calls))).toContain('Yangi gap.');
  // Lines are kept, also where the field divides them by elements.
  await page.keyboard.press('Enter');
  await page.keyboard.insertText('Birinchi.\n\nIkkinchi.\nUchinchi.');
  await expect
    .poll(() => callsOf(page, 'speak.save').then((calls) => calls.at(-1)?.document.text ?? ''))
    .toMatch(/Yangi gap\.\nBirinchi\.\n\nIkkinchi\.\nUchinchi\.$/u);
  await page.keyboard.press('Control+Shift+Enter');
  await page.waitForFunction(() => window.fakeStudio.calls.some(({ method }) => method === 'speak.generate'));
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Stop', exact: true }).waitFor({ state: 'detached' });

  const chosen = () =>
    page.evaluate(() =>
      [...(CSS.highlights.get('ovoz-speak-chosen') ?? [])].map((range) => (range as Range).toString()),
    );
  await page.keyboard.press('Control+Home');
  await page.keyboard.press('Alt+ArrowDown');
  await page.keyboard.press('Alt+ArrowDown');
  const third = await chosen();
  await page.keyboard.press('Alt+ArrowUp');
  const second = await chosen();
  expect(second).toEqual([opened.blocks[1]?.text]);
  expect(third).toEqual([opened.blocks[2]?.text]);
  await page.keyboard.press('ArrowRight');
  await expect.poll(chosen).toEqual([]);
  const orders = () =>
    page.evaluate(() =>
      window.fakeStudio.calls
        .filter(({ method }) => method === 'speak.generate')
        .map(({ input }) => input as { readonly orders: readonly unknown[] }),
    );
  const before = await orders();
  // Listening sends nothing, whichever way: without audio there is a word, with it there is sound.
  await page.keyboard.press('Control+End');
  await page.keyboard.press('Control+Enter');
  await page.keyboard.press('Control+Space');
  await page.getByText('Sentence 11 has no audio yet', { exact: false }).waitFor();
  await page.route('**/media/**', (route) =>
    route.fulfill({ contentType: 'audio/wav', body: toneWav(440, 20, 24_000) }),
  );
  await page.keyboard.press('Control+Home');
  await page.keyboard.press('Control+Space');
  const player = page.getByRole('region', { name: 'Play', exact: true });
  await player.getByRole('button', { name: 'Pause', exact: true }).waitFor();
  await page.keyboard.press('Control+Space');
  await player.getByRole('button', { name: 'Resume', exact: true }).waitFor();
  await page.keyboard.press('Control+Space');
  await player.getByRole('button', { name: 'Pause', exact: true }).waitFor();
  // After a change of the speed it goes on where it was, not where the cursor is in the text.
  await page.keyboard.press('Control+Space');
  await player.getByRole('button', { name: 'Resume', exact: true }).waitFor();
  await page.keyboard.press('Control+End');
  await tabTo(page, /^Speed$/u);
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Control+Space');
  await player.getByRole('button', { name: 'Pause', exact: true }).waitFor();
  await tabTo(page, /^Text to speak$/u, 'Shift+Tab');
  await page.keyboard.press('Control+Home');
  await page.keyboard.press('Control+h');
  await expect.poll(() => focused(page)).toBe('Find');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Control+Enter');
  await player.getByRole('button', { name: 'Pause', exact: true }).waitFor();
  expect(await orders()).toEqual(before);
  await page.keyboard.press('Escape');

  await tabTo(page, /^Text$/u, 'Shift+Tab');
  await page.keyboard.press('ArrowRight');
  await page.getByRole('list', { name: 'Sentences' }).waitFor();
  await tabTo(page, /Hurmatli mehmonlar/u);
  await page.keyboard.press('Space');
  await page.getByText('Sentence 1', { exact: false }).first().waitFor();
  await tabTo(page, /^Sentence actions$/u);
  await page.keyboard.press('Enter');
  await page.getByRole('menuitem', { name: 'Edit the words' }).press('Enter');
  await expect.poll(() => focused(page)).toBe('Edit the words');
  await page.keyboard.press('Control+a');
  await page.keyboard.type('Aziz mehmonlar.');
  await page.keyboard.press('Enter');
  await expect
    .poll(() => callsOf(page, 'speak.save').then((calls) => JSON.stringify(calls.at(-1))))
    .toContain('Aziz mehmonlar.');
  await page.keyboard.press('Control+z');
  await expect
    .poll(() => callsOf(page, 'speak.save').then((calls) => JSON.stringify(calls.at(-1))))
    .not.toContain('Aziz mehmonlar.');

  await tabTo(page, /^Save$/u, 'Shift+Tab');
  await page.keyboard.press('Enter');
  await tabTo(page, /^MP3$/u);
  await page.keyboard.press('ArrowRight');
  await tabTo(page, /^Save…$/u);
  await page.keyboard.press('Enter');
  await expect.poll(() => callsOf(page, 'speak.saveAudio')).toMatchObject([{ format: 'ogg', as: 'one' }]);
  await page.keyboard.press('Escape');

  await tabTo(page, /^Pronunciation…$/u, 'Shift+Tab');
  await page.keyboard.press('Enter');
  await tabTo(page, /^Add a word$/u);
  await page.keyboard.press('Enter');
  await tabTo(page, /^Written$/u);
  await page.keyboard.type('adras');
  await page.keyboard.press('Tab');
  await page.keyboard.type('adrás');
  await expect
    .poll(() => callsOf(page, 'speak.savePronunciations').then((calls) => JSON.stringify(calls.at(-1))))
    .toContain('adrás');
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await expect.poll(() => focused(page)).toBe('Pronunciation…');

  await tabTo(page, /^Sentences$/u);
  await page.keyboard.press('ArrowLeft');
  await tabTo(page, /^Audiogid, 3-zal ?4 sentences/u);
  await page.keyboard.press('Enter');
  await page.getByRole('list', { name: 'Sentences of “Audiogid, 3-zal”' }).waitFor();
  await tabTo(page, /^Save… Hurmatli/u);
  await page.keyboard.press('Enter');
  await expect.poll(() => callsOf(page, 'speak.saveAudio').then((calls) => calls.length)).toBe(2);
  await page.context().close();
});

it('Voices is used by keyboard alone: searched, filtered, marked, compared, and the wizard is opened and left', async () => {
  const plan = planStudio({
    answers: {
      ...someSpeech(),
      'voices.removing': { voiceIds: [] },
      'clone.read': { draft: null, capabilities: { eligible: true, available: true } },
    },
  });
  const page = await served.open({ plan, location: '/voices' });
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
  await page.context().close();
});

it('what is played from the middle of a sentence is shown there, and not at its beginning', async () => {
  const page = await served.open({ plan: planStudio({ answers: someSpeech() }), location: '/speak' });
  await page.route('**/media/**', (route) =>
    route.fulfill({ contentType: 'audio/wav', body: toneWav(440, 20, 24_000) }),
  );
  const player = page.getByRole('region', { name: 'Play', exact: true });
  const position = player.getByRole('slider', { name: 'Position' });
  await position.fill('2000');
  await player.getByRole('button', { name: 'Pause', exact: true }).waitFor();
  const shown = await position.evaluate(
    (slider: HTMLInputElement) =>
      new Promise<number>((resolve) => {
        const look = () => (slider.valueAsNumber > 0 ? resolve(slider.valueAsNumber) : requestAnimationFrame(look));
        look();
      }),
  );
  expect(shown).toBeGreaterThanOrEqual(2000);
  await page.context().close();
});

it('a generation that exists only at the service stops loading when its button is pressed, and is heard when pressed again', async () => {
  const speech = someSpeech();
  const history = speech['speak.history'];
  const [take] = history.takes;
  if (take === undefined) throw new Error('no take');
  const remote = { id: 'remote-1', text: 'Salom.', voiceId: null, language: 'uz', createdAtMs: null, durationMs: null };
  const plan = planStudio({
    answers: {
      ...speech,
      'speak.history': { ...history, takes: [], texts: [], remote: [remote] },
      'speak.download': { take: { ...take, mediaUrl: '/media/downloaded' } },
    },
    waits: ['speak.download'],
  });
  const page = await served.open({ plan, location: '/speak/history' });
  let playedCount = 0;
  page.on('request', (request) => (playedCount += Number(request.url().endsWith('/media/downloaded'))));
  const play = page.getByRole('button', { name: 'Play: Salom.' });
  const loading = page.getByRole('button', { name: 'Loading, press to stop: Salom.' });
  const arrive = () => page.evaluate(() => window.fakeStudio.letGo('speak.download'));
  const readCount = () => callsOf(page, 'speak.history').then(({ length }) => length);
  await play.click();
  await loading.click();
  await play.waitFor();
  const before = await readCount();
  await arrive();
  await expect.poll(readCount).toBeGreaterThan(before);
  expect(playedCount).toBe(0);
  await play.click();
  await loading.waitFor();
  await arrive();
  await expect.poll(() => playedCount).toBe(1);
  await page.context().close();
});

it(
  'the button of a voice loads at once, stops what is heard, and says that it failed until it is pressed again',
  { tags: ['long'] },
  async () => {
    const speech = someSpeech();
    const plan = planStudio({
      answers: {
        ...speech,
        'voices.removing': { voiceIds: [] },
        'clone.read': { draft: null, capabilities: { eligible: true, available: true } },
      },
    });
    const page = await served.open({ plan, location: '/voices' });
    const [failed] = speech['speak.findTakes'].takes.filter(({ state }) => state === 'failed');
    const voice = speech['speak.voices'].voices.find(({ name }) => name === 'Claire');
    if (failed === undefined || voice === undefined) throw new Error('no failed take or voice');
    const blockId = `voice:${voice.id}`;
    const card = page.getByRole('listitem', { name: 'Claire' });
    const button = (name: string) => card.getByRole('button', { name, exact: true });
    const said = (value: unknown) =>
      page.evaluate((one) => window.fakeStudio.sayInStream('speak.generate', { kind: 'value', value: one }), value);
    await card.getByRole('button', { name: /^Listen to Claire/u }).click();
    await button('Loading, press to stop: Claire').click();
    await card.getByRole('button', { name: /^Listen to Claire/u }).click();
    await button('Loading, press to stop: Claire').waitFor();
    await page.evaluate((id) => {
      const pcm = new Int16Array(24_000 * 20);
      window.fakeStudio.sayInStream('speak.generate', { kind: 'value', value: { kind: 'sound', blockId: id, pcm } });
    }, blockId);
    await button('Stop Claire').click();
    await card.getByRole('button', { name: /^Listen to Claire/u }).click();
    await button('Loading, press to stop: Claire').waitFor();
    await said({ kind: 'failed', blockId, failure: failed.failure });
    await button('Could not be played, press to try again: Claire').click();
    await button('Loading, press to stop: Claire').waitFor();
    await page.context().close();
  },
);

it('a pronunciation that is offered for a word is saved when it is filled in, not when it is opened', async () => {
  const page = await served.open({ plan: planStudio({ answers: someSpeech() }), location: '/speak' });
  await page.getByRole('textbox', { name: 'Text to speak' }).click();
  await page.keyboard.press('Control+Home');
  await page.keyboard.type('Saytimiz example.uz manzilida. ');
  await expect.poll(() => callsOf(page, 'speak.save').then((calls) => JSON.stringify(calls))).toContain('example.uz');
  await page
    .locator('label')
    .filter({ has: page.locator('input[value="blocks"]') })
    .click();
  await page.locator('ol > li').first().getByRole('button').first().click();
  await page.getByRole('button', { name: 'How to read “example.uz”…' }).click();
  const dialog = page.getByRole('dialog');
  const reading = dialog.getByRole('textbox', { name: 'Read “example.uz” as' });
  await dialog.getByRole('button', { name: 'Done' }).click();
  await dialog.waitFor({ state: 'detached' });
  expect(await callsOf(page, 'speak.savePronunciations')).toEqual([]);
  await page.getByRole('button', { name: 'How to read “example.uz”…' }).click();
  await reading.pressSequentially('egzampl');
  await expect
    .poll(() => callsOf(page, 'speak.savePronunciations').then((calls) => calls.at(-1)?.pronunciations.uz))
    .toMatchObject([{ written: 'example.uz', spoken: 'egzampl' }]);
  await page.context().close();
});

it('recordings that are dropped on Speak are all isolated, and the view that was chosen is kept', async () => {
  const page = await served.open({
    plan: planStudio({ answers: someSpeech(), settings: { speakView: 'blocks' } }),
    location: '/speak',
  });
  await page.getByRole('list', { name: 'Sentences' }).waitFor();
  await page.evaluate(() => {
    const files = new DataTransfer();
    for (const name of ['one.wav', 'two.mp3']) files.items.add(new File(['x'], name, { type: 'audio/wav' }));
    window.dispatchEvent(new DragEvent('drop', { dataTransfer: files, bubbles: true, cancelable: true }));
  });
  await page.getByText('2 recordings').waitFor();
  await page.getByRole('button', { name: 'Isolate', exact: true }).click();
  await page.getByRole('heading', { name: 'Isolate', exact: true }).waitFor();
  await expect.poll(() => callsOf(page, 'jobs.addDropped').then((calls) => calls[0]?.tokens.length)).toBe(2);
  await page.context().close();
});

it('words of the text are found and replaced, one or all of them as one step', async () => {
  const page = await served.open({ plan: planStudio({ answers: someSpeech() }), location: '/speak' });
  await page.getByRole('textbox', { name: 'Text to speak' }).click();
  const saved = () => callsOf(page, 'speak.save').then((calls) => calls.at(-1)?.document.text ?? '');
  const found = () =>
    page.evaluate(() =>
      [...(CSS.highlights.get('ovoz-speak-chosen') ?? [])].map((range) => (range as Range).toString()),
    );
  await page.keyboard.press('Control+f');
  await page.keyboard.type('ANOR');
  await page.getByText('1 of 2', { exact: true }).waitFor();
  await expect.poll(found).toEqual(['anor']);
  await page.keyboard.press('Tab');
  await page.keyboard.type('olma');
  await page.keyboard.press('Enter');
  await expect.poll(saved).toMatch(/Naqshdagi olma [^]*, anor poʻsti/u);
  await page.getByText('1 of 1', { exact: true }).waitFor();
  await page.keyboard.press('Escape');
  await expect.poll(() => focused(page)).toBe('Text to speak');
  await page.keyboard.press('Control+f');
  await page.keyboard.type('zal');
  await page.getByRole('textbox', { name: 'Replace with' }).fill('xona');
  await page.getByRole('button', { name: 'Replace all 2' }).click();
  await expect.poll(saved).toMatch(/uchinchi xonadasiz[^]*Keyingi xonaga/u);
  await page.getByRole('button', { name: 'Undo', exact: true }).click();
  await expect.poll(saved).toMatch(/uchinchi zaldasiz[^]*Keyingi zalga/u);
  await page.context().close();
});

it('voices of other languages are offered while the text has such sentences, also where they are read like the rest', async () => {
  const answers = someSpeech();
  const document = { ...opened, defaults: { ...opened.defaults, otherVoices: { ru: '' } } };
  const page = await served.open({
    plan: planStudio({ answers: { ...answers, 'speak.open': { ...answers['speak.open'], document } } }),
    location: '/speak',
  });
  const text = page.getByRole('textbox', { name: 'Text to speak' });
  const voices = page.getByRole('region', { name: 'Other languages in this text' });
  await text.click();
  await page.keyboard.press('Control+End');
  await page.keyboard.insertText(' Сегодня на лекции мы говорим о решении суда.');
  await voices.waitFor();
  await page.keyboard.press('Control+a');
  await page.keyboard.insertText('Bir odam keldi.');
  await voices.waitFor({ state: 'detached' });
  await page.context().close();
});

it('the length that is shown is that of the saved file: a sentence with a time of its own begins then', async () => {
  const speech = someSpeech();
  const [first] = opened.blocks;
  if (first === undefined) throw new Error('no sentence');
  const timed = { ...first, slot: { startMs: 10_000, endMs: 20_000 } };
  const document = { ...opened, text: first.text, blocks: [timed] };
  const answers = { ...speech, 'speak.open': { ...speech['speak.open'], document } };
  const page = await served.open({ plan: planStudio({ answers }), location: '/speak' });
  const player = page.getByRole('region', { name: 'Play', exact: true });
  await player.getByText('0:14', { exact: true }).waitFor();
  await page.context().close();
});

it('saving offers to speak first what has no audio, with its price', async () => {
  const page = await served.open({ plan: planStudio({ answers: someSpeech() }), location: '/speak' });
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByRole('button', { name: /^Speak 3 sentences first, \d+ characters$/u }).click();
  await expect
    .poll(() =>
      page.evaluate(() =>
        window.fakeStudio.calls
          .filter(({ method }) => method === 'speak.generate')
          .map(({ input }) => (input as { readonly orders: readonly unknown[] }).orders.length),
      ),
    )
    .toEqual([3]);
  await page.context().close();
});
