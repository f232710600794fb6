import type { SpendEstimate } from '../../shared/domain/spend/spend-limit.ts';
import { expect, test, vi } from 'vitest';
import type { AssistantService } from '../../electron/services/assistant/assistant-service.ts';
import { createCleanUp, type CleanUpByModel } from '../../electron/services/dictation/clean-up-phrase.ts';
import type { App } from '../../electron/sections/context.ts';
import { dictationProcedures } from '../../electron/sections/dictation.ts';
import { textToCleanUp, type WritingStyle } from '../../shared/domain/dictation/clean-up.ts';
import { makeFailure } from '../../shared/domain/failures/make-failure.ts';
import { err, ok } from '../../shared/result/result.ts';
import { newFolder, studio, talk } from '../support/dictation-studio.ts';

// Its dialogs are not opened here.
vi.mock('electron', () => ({ dialog: {}, BrowserWindow: {} }));

/** A model that answers when the test lets it, or is aborted. */
function slowModel() {
  const asked: (Parameters<CleanUpByModel>[0] & { readonly answer: (written: string) => void })[] = [];
  const cleanUp: CleanUpByModel = (wanted) => {
    const { promise, resolve } = Promise.withResolvers<Awaited<ReturnType<CleanUpByModel>>>();
    const end = (written: string | null) =>
      resolve({ written, fault: written === null ? 'late' : null, credits: Promise.resolve(null) });
    wanted.signal.addEventListener('abort', () => end(null));
    asked.push({ ...wanted, answer: end });
    return promise;
  };
  return { asked, cleanUp };
}

test('a phrase is written by a model, with the person’s own words one step away, and stays so after a restart', async () => {
  const folder = newFolder();
  const credits = Promise.withResolvers<string | null>();
  const asked: string[] = [];
  const { service, press } = studio(folder, 'email', async ({ text }) => {
    asked.push(text);
    return { written: `Dear ${text}`, fault: null, credits: credits.promise };
  });
  const id = await press(talk(1000, 1));
  const phrase = () => service.read(id)?.phrases[0];
  await expect.poll(() => phrase()?.text).toBe(`Dear ${asked[0]}`);
  expect(phrase()).toMatchObject({ raw: asked[0], cleanUp: { style: 'email', fault: null, isArriving: false } });
  credits.resolve('0.25');
  await expect.poll(() => phrase()?.cleanUp?.credits).toBe('0.25');
  expect(service.showRaw(id, 1, true)).toBe(true);
  expect(phrase()).toMatchObject({ text: asked[0], cleanUp: { isShown: false } });
  expect(service.showRaw(id, 1, false)).toBe(true);
  await service.close();
  // Another choice later changes nothing of what was written.
  const again = studio(folder, 'verbatim');
  expect(again.service.read(id)?.phrases[0]).toMatchObject({ text: `Dear ${asked[0]}`, cleanUp: { credits: '0.25' } });
  expect(again.service.cleanUp(id, 1, 'tidy', false)).toBe(true);
  expect(again.service.read(id)?.phrases[0]?.cleanUp).toMatchObject({ style: 'tidy', credits: null });
  expect(asked).toHaveLength(1);
  await again.service.close();
});

test.each([
  ['failed', null],
  ['different', 'Quite another text about 12 other things.'],
  ['limit', null],
] as const)('the person’s own words are used, and it is said why (%s)', async (fault, text) => {
  const assistant = {
    chooseModel: async () => ok({ model: 'cheap', estimate: '1' }),
    ask: async () =>
      text === null
        ? err({ failure: makeFailure('offline'), partial: '', llmRequestId: null })
        : ok({ text, finishReason: 'stop', usage: { credits: '0.1' }, llmRequestId: 'llm_1' }),
    lookUp: async () => null,
  } as unknown as AssistantService;
  const { service, press } = studio(newFolder(), 'chat', createCleanUp(assistant, () => fault !== 'limit').write);
  const id = await press(talk(1000, 1));
  await expect.poll(() => service.read(id)?.phrases[0]?.cleanUp?.fault).toBe(fault);
  const [phrase] = service.read(id)?.phrases ?? [];
  expect(phrase?.text).toBe(phrase?.raw);
  await expect.poll(() => service.read(id)?.phrases[0]?.cleanUp?.credits).toBe(fault === 'different' ? '0.1' : null);
  await service.close();
});

test('a phrase that the last quit left unwritten is sent to a model by no other change of it', async () => {
  const folder = newFolder();
  const { service, press } = studio(folder, 'email', slowModel().cleanUp);
  const id = await press(talk(1000, 1));
  await service.close();
  const { asked, cleanUp } = slowModel();
  const again = studio(folder, 'email', cleanUp).service;
  again.noteDelivery(id, [1], 'Notes');
  again.showRaw(id, 1, true);
  again.edit(id, 1, 'What I meant');
  expect(asked).toEqual([]);
  // A style would throw the correction away.
  expect(again.cleanUp(id, 1, 'chat', false)).toBe(false);
  expect(again.read(id)?.phrases[0]).toMatchObject({ text: 'What I meant', isEdited: true });
  expect(again.edit(id, 1, null)).toBe(true);
  expect(again.cleanUp(id, 1, 'chat', false)).toBe(true);
  expect(asked).toHaveLength(1);
  await again.close();
});

test('a style to which the user agreed is not judged by the hour’s limit again, and counts once', async () => {
  const admitted: number[] = [];
  const assistant = {
    chooseModel: async () => ok({ model: 'cheap', estimate: '1' }),
    ask: async ({ messages }: Parameters<AssistantService['ask']>[0]) => {
      const { content } = messages[1] ?? { content: '' };
      const text = textToCleanUp(typeof content === 'string' ? content : '');
      return ok({ text, finishReason: 'stop', usage: { credits: '0.1' }, llmRequestId: 'llm_1' });
    },
  } as unknown as AssistantService;
  const { write } = createCleanUp(assistant, (characters) => {
    admitted.push(characters);
    return false;
  });
  const { service, press } = studio(newFolder(), 'verbatim', write);
  const id = await press(talk(1000, 1));
  expect(service.cleanUp(id, 1, 'chat', false)).toBe(true);
  await expect.poll(() => service.read(id)?.phrases[0]?.cleanUp).toMatchObject({ fault: null, credits: '0.1' });
  expect(admitted).toEqual([]);
  await service.close();
});

test('another style is counted only if it is sent: not for a corrected phrase, nor for one that is on its way', async () => {
  const { asked, cleanUp } = slowModel();
  const { service, press } = studio(newFolder(), 'verbatim', cleanUp);
  const id = await press(talk(1000, 1));
  const counted: number[] = [];
  const choose = dictationProcedures({
    workspaces: {
      current: () => ok({ dictation: service, cleanUp: { cost: async () => ok({ credits: '9', usual: '4' }) } }),
    },
    paid: {
      start: async (_caller: unknown, estimate: Promise<SpendEstimate>) => {
        const { characters, price } = await estimate;
        expect(price).toEqual({ usual: '4', most: '9' });
        counted.push(characters);
        return ok(true);
      },
    },
  } as unknown as App)['dictation.cleanUp'];
  const asking = (style: WritingStyle) =>
    choose.handle({ takeId: id, phraseId: 1, style, sendsAgain: false }, { windowId: 1, activation: 1 } as never);
  expect(service.edit(id, 1, 'What I meant')).toBe(true);
  expect(await asking('email')).toMatchObject({ error: { code: 'no_such_take' } });
  expect(counted).toEqual([]);
  expect(service.edit(id, 1, null)).toBe(true);
  expect(await asking('email')).toMatchObject({ ok: true });
  expect(await asking('email')).toMatchObject({ ok: true });
  expect(await asking('tidy')).toMatchObject({ ok: true });
  expect(counted).toEqual([service.read(id)?.phrases[0]?.raw.length]);
  expect(asked).toHaveLength(1);
  await service.close();
});

test('a whole is rewritten once for its words: it is on disk before it is asked for, and never paid for twice', async () => {
  const folder = newFolder();
  const { asked, cleanUp } = slowModel();
  const { service, takes, press } = studio(folder, 'verbatim', cleanUp);
  const id = await press(talk(1000, 1));
  await press(talk(1000, 2), { continues: id });
  const said = service.read(id)?.summary.text ?? '';
  const whole = { from: 1, to: 2 };
  expect(service.rewriting.charactersToSend(id, 'email', whole)).toBe(said.length);
  expect(service.rewriting.start(id, 'email', whole, false)).toBe(true);
  expect(takes.read(id)?.facts.rewritings).toMatchObject([{ style: 'email', said, written: null }]);
  // A second press while it is on its way.
  expect(service.rewriting.start(id, 'email', whole, false)).toBe(false);
  await expect.poll(() => asked.length).toBe(1);
  expect(asked[0]).toMatchObject({ text: said, isAdmitted: true });
  asked[0]?.answer('Dear all');
  await expect.poll(() => service.read(id)?.summary.text).toBe('Dear all');
  const [{ id: rewritingId } = { id: '' }] = service.rewriting.view(id);
  expect(service.rewriting.show(id, null)).toBe(true);
  expect(service.read(id)?.summary.text).toBe(said);
  // The same words again cost nothing.
  expect(service.rewriting.charactersToSend(id, 'email', whole)).toBe(0);
  expect(service.rewriting.start(id, 'email', whole, false)).toBe(true);
  expect(service.rewriting.view(id)).toMatchObject([{ id: rewritingId, isShown: true }]);
  expect(service.rewriting.edit(id, rewritingId, 'Dear Anvar')).toBe(true);
  // What is said next stands behind it.
  await press(talk(1000, 3), { continues: id });
  expect(service.read(id)?.summary.text).toMatch(/^Dear Anvar\n\n\w+$/u);
  await service.close();
  const again = studio(folder, 'verbatim', cleanUp);
  expect(again.service.read(id)?.summary.text).toMatch(/^Dear Anvar\n\n\w+$/u);
  expect(again.service.rewriting.edit(id, rewritingId, null)).toBe(true);
  expect(again.service.read(id)?.summary.text).toMatch(/^Dear all\n\n\w+$/u);
  expect(asked).toHaveLength(1);
  await again.service.close();
});
