import { askInConversation } from '../../electron/cli/ask-conversation.ts';
import type { AskCommand } from '../../electron/cli/command.ts';
import { readCommand } from '../../electron/cli/options.ts';
import { Reporter } from '../../electron/cli/reporter.ts';
import { loadWords } from '../../electron/cli/words.ts';
import type { ConversationService } from '../../electron/services/assistant/conversations.ts';
import { readdirSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { describeFailure } from '../../shared/domain/failures/describe-failure.ts';
import {
  closeLibrary,
  endless,
  openLibrary,
  pending,
  piece,
  rig,
  stream,
  setUpConversations,
  type Answer,
  wanted,
  whole,
} from '../support/conversation-rig.ts';

setUpConversations();

it('after llm_usage_pending no other question is sent, and the same one keeps its key until it is answered', async () => {
  const { conversations } = await openLibrary();
  rig.answers = [pending, pending, whole];
  const refused = await conversations.ask(wanted(), () => undefined);
  if (!refused.ok) throw new Error(refused.error.row);
  expect(refused.value).toMatchObject({ state: 'failed', failure: { row: 'E-074' }, question: 'What was said?' });
  const { id: again, conversationId } = refused.value;

  const another = await conversations.ask(wanted({ question: 'And then?' }), () => undefined);
  expect(another).toMatchObject({ ok: false, error: { row: 'E-074', outcome: 'not_sent' } });
  expect(rig.keys).toHaveLength(1);

  await conversations.ask(wanted({ conversationId, again }), () => undefined);
  const answered = await conversations.ask(wanted({ conversationId, again }), () => undefined);
  expect(answered).toMatchObject({ ok: true, value: { id: again, state: 'done', answer: 'It was said.' } });
  expect(rig.keys).toHaveLength(3);
  expect(new Set(rig.keys).size).toBe(1);
  expect(await conversations.ask(wanted({ question: 'And then?' }), () => undefined)).toMatchObject({ ok: true });
});

it('a question usually costs what earlier ones did, and an estimate before there are any; the most it can cost is more', async () => {
  const { conversations } = await openLibrary();
  rig.answers = [whole];
  const costs = async () => {
    const estimated = await conversations.estimate(wanted());
    if (!estimated.ok) throw new Error(estimated.error.row);
    return { usual: Number(estimated.value.usual), most: Number(estimated.value.credits) };
  };
  const before = await costs();
  expect(before.usual).toBeGreaterThan(0);
  expect(before.usual).toBeLessThan(before.most / 2);
  expect(await conversations.ask(wanted(), () => undefined)).toMatchObject({ value: { credits: '0.125' } });
  expect(await costs()).toEqual({ usual: 0.125, most: before.most });
});

it('a partial answer is stored when it is stopped or the app ends, and asking again is another request', async () => {
  const first = await openLibrary();
  rig.answers = [endless];
  let begun = '';
  const stopped = await first.conversations.ask(wanted(), (progress) => {
    if (progress.kind === 'text') first.conversations.stop(begun);
    else begun = progress.exchange.id;
  });
  if (!stopped.ok) throw new Error(stopped.error.row);
  expect(stopped.value).toMatchObject({ state: 'stopped', answer: 'The beginning', failure: null });

  const { promise: arrived, resolve } = Promise.withResolvers<void>();
  const { conversationId } = stopped.value;
  const interrupted = first.conversations.ask(wanted({ conversationId, question: 'And then?' }), ({ kind }) => {
    if (kind === 'text') resolve();
  });
  await arrived;
  await closeLibrary(first);
  await interrupted;

  const second = await openLibrary();
  const opened = second.conversations.open(conversationId);
  expect(opened).toMatchObject({
    ok: true,
    value: {
      exchanges: [
        { state: 'stopped', answer: 'The beginning' },
        { state: 'interrupted', answer: 'The beginning' },
      ],
    },
  });
  rig.answers = [whole];
  const again = opened.ok ? (opened.value.exchanges[1]?.id ?? null) : null;
  const asked = await second.conversations.ask(
    wanted({ conversationId, question: 'And then?', again }),
    () => undefined,
  );
  expect(asked).toMatchObject({ ok: true, value: { state: 'done' } });
  expect(new Set(rig.keys).size).toBe(3);
  // What came and may have been charged is not replaced.
  expect(second.conversations.open(conversationId)).toMatchObject({
    value: {
      exchanges: [
        { state: 'stopped' },
        { state: 'interrupted', answer: 'The beginning' },
        { state: 'done', question: 'And then?', answer: 'It was said.' },
      ],
    },
  });
});

it('an exchange that is asked again twice at once is sent once', async () => {
  const { conversations } = await openLibrary();
  rig.answers = [(response) => void stream(response).end(`${piece('The beginning')}`), whole];
  const cut = await conversations.ask(wanted(), () => undefined);
  if (!cut.ok) throw new Error(cut.error.row);
  const { id: again, conversationId } = cut.value;
  const twice = await Promise.all(
    [1, 2].map(() => conversations.ask(wanted({ conversationId, again }), () => undefined)),
  );
  expect(twice).toMatchObject([
    { ok: true, value: { state: 'done' } },
    { ok: false, error: { code: 'still_asking' } },
  ]);
  expect(rig.keys).toHaveLength(2);
});

it('a conversation is an item of the library: found by its words, moved to the trash, and erased without a trace', async () => {
  const { conversations, items } = await openLibrary();
  rig.answers = [(response) => void stream(response).end(`${piece('## Javob\nMaxfiygap [s1].')}data: [DONE]\n\n`)];
  const asked = await conversations.ask(wanted({ title: 'Maxfiysavol', question: 'Maxfiysavol?' }), () => undefined);
  if (!asked.ok) throw new Error(asked.error.row);
  const ref = { kind: 'conversation', id: asked.value.conversationId } as const;
  await conversations.ask(wanted({ conversationId: ref.id, question: 'Keyin-chi?' }), () => undefined);
  const find = async (text: string) => {
    const found = await items.search({ text, among: [`conversation:${ref.id}`], mostItems: 5 });
    return found.ok ? found.value.items : [];
  };
  expect(await items.list()).toMatchObject({ value: { items: [{ ...ref, title: 'Maxfiysavol', credits: '0.25' }] } });
  // The markers of its sources are no words; a moment names the question.
  expect(await find('maxfiygap')).toMatchObject([
    { ...ref, moments: [{ startMs: 0, text: 'Maxfiygap.' }, { startMs: 1 }], momentCount: 2 },
  ]);
  await items.rename(ref, 'Maxfiynom');
  expect(await find('maxfiynom')).toMatchObject([{ ...ref, titleRanges: [[0, 9]] }]);

  await items.trash([ref]);
  expect(conversations.list()).toMatchObject({ value: [] });
  await items.restore([ref]);
  expect(conversations.list()).toMatchObject({ value: [{ id: ref.id, title: 'Maxfiynom' }] });

  await items.trash([ref]);
  await items.erase([ref], false);
  expect(await items.list()).toMatchObject({ value: { items: [] } });
  const files = readdirSync(rig.folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'latin1').toLowerCase());
  expect(files.filter((text) => text.includes('maxfiy'))).toEqual([]);
});

it('a translation retries only the missing segments, keeps the others, and is saved with ids and times', async () => {
  const workspace = await openLibrary();
  const { conversations, importTranscript, transcripts } = workspace;
  const path = join(rig.folder, 'suhbat.srt');
  const cue = (at: number, text: string) => `${at}\n00:00:0${at},000 --> 00:00:0${at},900\n${text}\n`;
  const bytes = Buffer.from([cue(1, 'Salom.'), cue(2, 'Sir qayerdan?'), cue(3, 'Rishtondan.')].join('\n'));
  await writeFile(path, bytes);
  const imported = await importTranscript({ path, name: 'suhbat.srt', bytes, mediaPath: null, language: 'uz' });
  if (!imported.ok) throw new Error(imported.error.row);
  const { transcriptId } = imported.value;
  const asLines = (text: string): Answer => {
    const done = `data: ${JSON.stringify({ choices: [{ finish_reason: 'stop', delta: {} }] })}\n\ndata: [DONE]\n\n`;
    return (response) => void stream(response).end(`${piece(text)}${done}`);
  };
  // The second segment is never returned; a segment of another transcript is ignored.
  rig.answers = [asLines('[s1] Привет.\n[s3] Из Риштана.\n[s9] Чужое.'), asLines('Не знаю.')];
  const task = { task: 'toRu', question: '', transcriptIds: [transcriptId], title: 'T' } as const;
  expect(await conversations.estimate(wanted(task))).toMatchObject({ value: { lines: 3, requests: 1 } });
  const first = await conversations.ask(wanted(task), () => undefined);
  if (!first.ok) throw new Error(first.error.row);
  expect(first.value).toMatchObject({ state: 'broken', failure: { code: 'lines_missing' }, credits: '0.25' });
  expect(rig.bodies.map((body) => /BEGIN LINES\\n(.*)\\nEND LINES/u.exec(body)?.[1])).toEqual([
    '[s1] Salom.\\n[s2] Sir qayerdan?\\n[s3] Rishtondan.',
    // It came without the segment, so the same request is not paid for once more.
    '[s2] Sir qayerdan?',
  ]);
  expect(new Set(rig.keys).size).toBe(2);
  expect(conversations.saveLines(first.value.id, 'T')).toMatchObject({ ok: false });

  rig.answers = [asLines('[s2] Откуда глазурь?')];
  const { id: again, conversationId } = first.value;
  const whole = await conversations.ask(wanted({ ...task, conversationId, again }), () => undefined);
  if (!whole.ok) throw new Error(whole.error.row);
  expect(whole.value).toMatchObject({ state: 'done', credits: '0.375' });
  const saved = conversations.saveLines(again, 'Suhbat (ruscha)');
  if (!saved.ok) throw new Error(saved.error.row);
  const read = async (id: string) => {
    const opened = await transcripts.open(id);
    if (!opened.ok) throw new Error(opened.error.row);
    return opened.value;
  };
  const [raw, translated] = [await read(transcriptId), await read(saved.value.transcriptId)];
  const places = (one: typeof raw) => one.transcript.segments.map(({ id, startMs, endMs }) => [id, startMs, endMs]);
  expect(places(translated)).toEqual(places(raw));
  expect(translated.transcript.language).toBe('ru');
  expect(translated.transcript.segments.map(({ text }) => text)).toEqual(['Привет.', 'Откуда глазурь?', 'Из Риштана.']);
  expect(raw.transcript.segments.map(({ text }) => text)).toEqual(['Salom.', 'Sir qayerdan?', 'Rishtondan.']);

  // A model that writes no marks is asked once, which is what was shown and admitted.
  rig.answers = [asLines('Hello. Where is the secret from?')];
  const requestsBefore = rig.bodies.length;
  const markless = await conversations.ask(wanted({ ...task, task: 'toEn' }), () => undefined);
  expect(markless).toMatchObject({ ok: true, value: { state: 'broken', failure: { code: 'lines_missing' } } });
  expect(rig.bodies).toHaveLength(requestsBefore + 1);
});

it.each(['before', 'while'])(
  'a question in the terminal that is interrupted %s it begins is not sent',
  async (when) => {
    const workspace = await openLibrary();
    const interrupt = new AbortController();
    const streams = { out: () => undefined, error: () => undefined, isTerminal: false };
    const reporter = new Reporter(streams, loadWords('en'), 'en', true);
    const command = readCommand(['ask', 'When?', '--conversation', 'new', '--model', 'm', '--json']) as AskCommand;
    const conversations: ConversationService = {
      ...workspace.conversations,
      ask: (question, onProgress) => {
        interrupt.abort();
        return workspace.conversations.ask(question, onProgress);
      },
    };
    if (when === 'before') interrupt.abort();
    const close = () => Promise.resolve();
    const run = { command, workspace: { ...workspace, conversations, close }, reporter, language: 'en' } as const;
    expect(await askInConversation({ ...run, signal: interrupt.signal }, 'When?')).toBe('failed');
    expect(rig.keys).toEqual([]);
  },
);

it('an answer that reached its longest length says that it was cut, in the window and in the terminal', async () => {
  const cut = { choices: [{ finish_reason: 'length', delta: { content: 'Half' } }] };
  rig.answers = [(response) => void stream(response).end(`data: ${JSON.stringify(cut)}\n\ndata: [DONE]\n\n`)];
  const workspace = await openLibrary();
  const asked = await workspace.conversations.ask(wanted(), () => undefined);
  if (!asked.ok || asked.value.failure === null) throw new Error('no failure');
  expect(describeFailure(asked.value.failure).textKey).toBe('errors.codes.answer_cut.text');
  const said: string[] = [];
  const streams = { out: () => undefined, error: (text: string) => void said.push(text), isTerminal: false };
  const reporter = new Reporter(streams, loadWords('en'), 'en', false);
  const command = readCommand(['ask', 'When?', '--conversation', 'new', '--model', 'm']) as AskCommand;
  const close = () => Promise.resolve();
  const signal = new AbortController().signal;
  await askInConversation({ command, workspace: { ...workspace, close }, reporter, language: 'en', signal }, 'When?');
  expect(said.join('')).toContain('was cut');
});
