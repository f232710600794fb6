import { readdirSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import type { ConversationService } from '../../electron/services/assistant/conversation-service.ts';
import type { AskWanted } from '../../electron/services/assistant/conversations.ts';
import { askQuestion } from '../../electron/cli/ask.ts';
import { readCommand, type AskCommand } from '../../electron/cli/options.ts';
import { Reporter, loadWords } from '../../electron/cli/reporter.ts';
import { usageByDay } from '../../shared/domain/ledger/usage-by-day.ts';
import { findViolations } from '../../shared/domain/transcript/find-violations.ts';
import {
  closeLibrary,
  endless,
  openLibrary,
  pending,
  piece,
  rig,
  stream,
  setUpConversations,
  untold,
  wanted,
  whole,
  type Answer,
} from '../support/conversation-rig.ts';
import type { Workspace } from '../../electron/workspace/open-workspace.ts';
import { spokenTake } from '../support/spoken-take.ts';
import { valueOf } from './open-library.ts';

setUpConversations();

const ask = async (conversations: ConversationService, more: Partial<AskWanted> = {}) =>
  valueOf(await conversations.ask(wanted(more), () => undefined));

it('after llm_usage_pending no other question is sent, and the same one keeps its key until it is answered', async () => {
  const { conversations } = await openLibrary();
  rig.answers = [pending, pending, whole];
  const refused = await ask(conversations);
  expect(refused).toMatchObject({
    state: 'failed',
    failure: { kind: 'earlier-question-pending' },
    question: 'What was said?',
  });
  const { id: again, conversationId } = refused;

  const another = await conversations.ask(wanted({ question: 'And then?' }), () => undefined);
  expect(another).toMatchObject({ ok: false, error: { kind: 'earlier-question-pending', outcome: 'not_sent' } });
  expect(rig.keys).toHaveLength(1);

  await ask(conversations, { conversationId, again });
  const answered = await conversations.ask(wanted({ conversationId, again }), () => undefined);
  expect(answered).toMatchObject({ ok: true, value: { id: again, state: 'done', answer: 'It was said.' } });
  expect(rig.keys).toHaveLength(3);
  expect(new Set(rig.keys).size).toBe(1);
  expect(await conversations.ask(wanted({ question: 'And then?' }), () => undefined)).toMatchObject({ ok: true });
});

it('an answer whose cost is not told yet costs about what earlier ones did, in the conversation and in the account, until the log tells it', async () => {
  const { conversations, ledger } = await openLibrary();
  rig.answers = [whole, untold];
  await ask(conversations);
  const asked = await ask(conversations);
  const shown = () => {
    const opened = conversations.open(asked.conversationId);
    const actions = ledger.list({ fromMs: 0, toMs: Date.now() + 1 });
    if (!opened.ok || !actions.ok) throw new Error('not opened');
    const [{ credits, usual } = { credits: null, usual: null }] = opened.value.exchanges;
    const [inAccount] = usageByDay(actions.value, 7, Date.now()).products;
    return { credits, usual, account: inAccount?.credits, expected: inAccount?.expectedCredits };
  };
  expect(shown()).toEqual({ credits: null, usual: '0.125', account: '0.125', expected: '0.125' });
  const told = { characters: null, durationMs: null, inputTokens: null, outputTokens: null };
  ledger.reportRequest('request_2', { ...told, credits: '1' });
  expect(shown()).toEqual({ credits: '1', usual: null, account: '1.125', expected: '0' });
});

it('a question usually costs what earlier ones did, and an estimate before there are any; the most it can cost is more', async () => {
  const { conversations } = await openLibrary();
  rig.answers = [whole];
  const costs = async () => {
    const estimated = valueOf(await conversations.estimate(wanted()));
    return { usual: Number(estimated.usual), most: Number(estimated.credits) };
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
  const stopped = valueOf(
    await first.conversations.ask(wanted(), (progress) => {
      if (progress.kind === 'text') first.conversations.stop(begun);
      else begun = progress.exchange.id;
    }),
  );
  expect(stopped).toMatchObject({ state: 'stopped', answer: 'The beginning', failure: null });

  const { promise: arrived, resolve } = Promise.withResolvers<void>();
  const { conversationId } = stopped;
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

it('a folder or a search that was asked about is one after a restart', async () => {
  const first = await openLibrary();
  const sources = [
    { kind: 'folder', id: 'f1' },
    { kind: 'search', id: 'sir', itemIds: ['t1'] },
  ] as const;
  const { conversationId } = await ask(first.conversations, { sources });
  await closeLibrary(first);
  const { conversations } = await openLibrary();
  expect(valueOf(conversations.open(conversationId)).sources).toEqual(sources);
});

it('an exchange that is asked again twice at once is sent once', async () => {
  const { conversations } = await openLibrary();
  rig.answers = [(response) => void stream(response).end(`${piece('The beginning')}`), whole];
  const cut = await ask(conversations);
  const { id: again, conversationId } = cut;
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
  const asked = await ask(conversations, { title: 'Maxfiysavol', question: 'Maxfiysavol?' });
  const ref = { kind: 'conversation', id: asked.conversationId } as const;
  await ask(conversations, { conversationId: ref.id, question: 'Keyin-chi?' });
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

const asLines = (text: string): Answer => {
  const done = `data: ${JSON.stringify({ choices: [{ finish_reason: 'stop', delta: {} }] })}\n\ndata: [DONE]\n\n`;
  return (response) => void stream(response).end(`${piece(text)}${done}`);
};

it('a translation retries only the missing segments, keeps the others, and is saved with ids and times', async () => {
  const workspace = await openLibrary();
  const { conversations, importTranscript, transcripts } = workspace;
  const path = join(rig.folder, 'suhbat.srt');
  const cue = (at: number, text: string) => `${at}\n00:00:0${at},000 --> 00:00:0${at},900\n${text}\n`;
  const bytes = Buffer.from([cue(1, 'Salom.'), cue(2, 'Sir qayerdan?'), cue(3, 'Rishtondan.')].join('\n'));
  await writeFile(path, bytes);
  const imported = valueOf(
    await importTranscript({ path, name: 'suhbat.srt', bytes, mediaPath: null, language: 'uz' }),
  );
  const { transcriptId } = imported;
  // The second segment is never returned; a segment of another transcript is ignored.
  rig.answers = [asLines('[s1] Привет.\n[s3] Из Риштана.\n[s9] Чужое.'), asLines('Не знаю.')];
  const task = { task: 'toRu', question: '', transcriptIds: [transcriptId], title: 'T' } as const;
  expect(await conversations.estimate(wanted(task))).toMatchObject({ value: { lines: 3, requests: 1 } });
  const first = await ask(conversations, task);
  expect(first).toMatchObject({ state: 'broken', failure: { code: 'lines_missing' }, credits: '0.25' });
  expect(rig.bodies.map((body) => /BEGIN LINES\\n(.*)\\nEND LINES/u.exec(body)?.[1])).toEqual([
    '[s1] Salom.\\n[s2] Sir qayerdan?\\n[s3] Rishtondan.',
    // It came without the segment, so the same request is not paid for once more.
    '[s2] Sir qayerdan?',
  ]);
  expect(new Set(rig.keys).size).toBe(2);
  expect(conversations.saveLines(first.id, 'T')).toMatchObject({ ok: false });

  rig.answers = [asLines('[s2] Откуда глазурь?')];
  const { id: again, conversationId } = first;
  const whole = await ask(conversations, { ...task, conversationId, again });
  expect(whole).toMatchObject({ state: 'done', credits: '0.375' });
  const saved = valueOf(conversations.saveLines(again, 'Suhbat (ruscha)'));
  const read = async (id: string) => {
    const opened = valueOf(await transcripts.open(id));
    return opened;
  };
  const [raw, translated] = [await read(transcriptId), await read(saved.transcriptId)];
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

const erase = async ({ items }: Workspace, conversationId: string) => {
  const ref = { kind: 'conversation', id: conversationId } as const;
  await items.trash([ref]);
  expect(await items.erase([ref], false)).toMatchObject({ ok: true });
};

const writePlan = async (): Promise<string> => {
  const path = join(rig.folder, 'reja.pdf');
  await writeFile(path, '%PDF-1.4\n1 0 obj << /Type /Page >> endobj');
  return path;
};

it('files are sent with their question and the next ones; a limit is reported before anything is sent', async () => {
  const { conversations } = await openLibrary();
  const path = await writePlan();
  await writeFile(join(rig.folder, 'a.docx'), 'PK not a picture');
  await writeFile(join(rig.folder, 'empty.png'), '');
  expect(await conversations.inspectFile(join(rig.folder, 'a.docx'))).toMatchObject({
    error: { kind: 'attachment-type' },
  });
  expect(await conversations.inspectFile(join(rig.folder, 'empty.png'))).toMatchObject({
    error: { kind: 'attachment-unusable', code: 'attachment_empty', outcome: 'not_sent' },
  });
  const refused = (files: readonly string[]) => conversations.ask(wanted({ model: 'blind', files }), () => undefined);
  expect(await refused([path])).toMatchObject({ error: { code: 'attachment_model', outcome: 'not_sent' } });
  expect(await refused([join(rig.folder, 'a.docx')])).toMatchObject({ error: { code: 'attachment_other_type' } });
  expect(await refused(Array.from({ length: 5 }, () => path))).toMatchObject({ error: { code: 'attachment_files' } });
  expect(rig.bodies).toEqual([]);

  // Everything that the model reads is reserved for files, so that is the most they can cost.
  const asked = wanted({ files: [path] });
  expect(await conversations.estimate(asked)).toMatchObject({ ok: true, value: { credits: '1.8192' } });
  const first = valueOf(await conversations.ask(asked, () => undefined));
  const { conversationId } = first;
  expect(first).toMatchObject({
    state: 'done',
    files: [{ name: 'reja.pdf', purpose: 'document', fileId: 'f1' }],
  });
  // They are sent with the next question too, so it can cost as much.
  const next = wanted({ conversationId, question: 'And then?' });
  expect(await conversations.estimate(next)).toMatchObject({ ok: true, value: { credits: '1.8192' } });
  await conversations.ask(next, () => undefined);
  const questions = rig.bodies.filter((body) => body.startsWith('{'));
  expect(questions.map((body) => body.match(/"file_id":"f1"/gu)?.length)).toEqual([1, 1]);
  expect(rig.bodies).toHaveLength(3);

  // A conversation has 16 files at most.
  const four = { conversationId, files: Array.from({ length: 4 }, () => path) };
  for (const question of ['2', '3', '4']) await conversations.ask(wanted({ ...four, question }), () => undefined);
  expect(rig.keys).toHaveLength(5);
  const seventeenth = await conversations.ask(wanted({ ...four, question: '5' }), () => undefined);
  expect(seventeenth).toMatchObject({ error: { code: 'attachment_all_files', outcome: 'not_sent' } });
  const three = await conversations.ask(
    wanted({ ...four, files: four.files.slice(1), question: '6' }),
    () => undefined,
  );
  expect(three).toMatchObject({ value: { state: 'done' } });
  expect(rig.bodies.at(-1)?.match(/"file_id":"f1"/gu)).toHaveLength(16);
});

it('a file is deleted at the service once no conversation has it; what fails is tried again at the next start', async () => {
  const first = await openLibrary();
  const path = await writePlan();
  const ids: string[] = [];
  for (const question of ['One?', 'Two?']) {
    const asked = await ask(first.conversations, { question, files: [path] });
    ids.push(asked.conversationId);
  }
  await erase(first, ids[0] ?? '');
  await first.conversations.sweepFiles();
  expect(rig.detached).toEqual([]);

  rig.detaches = false;
  await erase(first, ids[1] ?? '');
  await first.conversations.sweepFiles();
  expect(new Set(rig.detached)).toEqual(new Set(['f1']));
  expect(rig.isUploaded).toBe(true);
  await closeLibrary(first);

  rig.detaches = true;
  const second = await openLibrary();
  await vi.waitFor(() => expect(rig.isUploaded).toBe(false));
  await second.conversations.sweepFiles();
  const count = rig.detached.length;
  await second.conversations.sweepFiles();
  expect(rig.detached).toHaveLength(count);
});

it('a question in the terminal deletes the file that it uploaded, and leaves one that a conversation has', async () => {
  const workspace = await openLibrary();
  const path = await writePlan();
  const streams = { out: () => undefined, error: () => undefined, isTerminal: false };
  const reporter = new Reporter(streams, loadWords('en'), 'en', true);
  const command = readCommand(['ask', 'When?', '--model', 'm', '--attach', path, '--json']) as AskCommand;
  const signal = new AbortController().signal;
  const run = { command, session: workspace, reporter, signal, library: workspace as never, language: 'en' } as const;
  expect(await askQuestion(run, 'When?')).toBe('done');
  expect([rig.detached, rig.isUploaded]).toEqual([['f1'], false]);

  await ask(workspace.conversations, { files: [path] });
  expect(await askQuestion(run, 'Where?')).toBe('done');
  expect([rig.detached, rig.isUploaded]).toEqual([['f1'], true]);
});

it('a dictation is asked about by its phrases, and is rewritten by one paid request, whose text is kept even if it differs', async () => {
  const takeId = '11111111-2222-4333-8444-555555555555';
  await spokenTake(join(rig.folder, 'dictation'), takeId, ['Birinchi gap.', 'Ikkinchi gap.']);
  const { conversations, dictation } = await openLibrary();
  const cites: Answer = (response) => void stream(response).end(`${piece('So it is [s2].')}data: [DONE]\n\n`);
  rig.answers = [cites, whole];
  const asked = await ask(conversations, { transcriptIds: [takeId] });
  expect(rig.bodies[0]).toContain('00:00:02: Ikkinchi gap.');
  expect(asked.citations).toMatchObject([{ transcriptId: takeId, segmentId: 'phrase-2', startMs: 2000 }]);
  expect(valueOf(conversations.open(asked.conversationId)).cited).toMatchObject([{ line: { text: 'Ikkinchi gap.' } }]);

  expect(dictation.rewriting.start(takeId, 'email', { from: 1, to: 2 }, false)).toBe(true);
  await expect.poll(() => dictation.rewriting.view(takeId)[0]?.written).toBe('It was said.');
  await expect.poll(() => dictation.rewriting.view(takeId)[0]?.credits).toBe('0.125');
  expect(dictation.rewriting.view(takeId)).toMatchObject([{ fault: 'different', isShown: false }]);
  expect(dictation.read(takeId)?.summary.text).toBe('Birinchi gap. Ikkinchi gap.');
  expect(dictation.rewriting.show(takeId, dictation.rewriting.view(takeId)[0]?.id ?? '')).toBe(true);
  expect(dictation.read(takeId)?.summary.text).toBe('It was said.');
  expect(rig.keys).toHaveLength(2);
});

it('a translation of a dictation is saved as a text of its own, with its times and without a recording', async () => {
  const takeId = '11111111-2222-4333-8444-555555555555';
  await spokenTake(join(rig.folder, 'dictation'), takeId, ['Birinchi gap.', 'Ikkinchi gap.']);
  const { conversations, items, transcripts } = await openLibrary();
  rig.answers = [asLines('[s1] Первая фраза.\n[s2] Вторая фраза.')];
  const asked = await ask(conversations, { task: 'toRu', question: '', transcriptIds: [takeId] });
  expect(asked).toMatchObject({ state: 'done' });
  const { transcriptId } = valueOf(conversations.saveLines(asked.id, 'Gap (ruscha)'));
  const { title, recordingPath, transcript } = valueOf(await transcripts.open(transcriptId));
  expect([title, recordingPath, transcript.language, transcript.durationMs]).toEqual([
    'Gap (ruscha)',
    null,
    'ru',
    4000,
  ]);
  expect(transcript.segments.map(({ text, startMs, endMs }) => [text, startMs, endMs])).toEqual([
    ['Первая фраза.', 0, 2000],
    ['Вторая фраза.', 2000, 4000],
  ]);
  expect(findViolations(transcript)).toEqual([]);
  const listed = valueOf(await items.list()).items.find(({ id }) => id === transcriptId);
  expect(listed?.states).toContain('no-recording');
});
