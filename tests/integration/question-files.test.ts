import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { askQuestion } from '../../electron/cli/ask.ts';
import { readCommand } from '../../electron/cli/options.ts';
import { Reporter } from '../../electron/cli/reporter.ts';
import { loadWords } from '../../electron/cli/words.ts';
import type { AskCommand } from '../../electron/cli/command.ts';
import { createQuestionFiles } from '../../electron/services/assistant/question-files.ts';
import type { Workspace } from '../../electron/workspace/workspace.ts';
import { ok } from '../../shared/result/result.ts';
import { closeLibrary, openLibrary, rig, setUpConversations, wanted } from '../support/conversation-rig.ts';

setUpConversations();

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
  expect(await conversations.inspectFile(join(rig.folder, 'a.docx'))).toMatchObject({ error: { row: 'E-078' } });
  expect(await conversations.inspectFile(join(rig.folder, 'empty.png'))).toMatchObject({
    error: { row: 'E-079', code: 'attachment_empty', outcome: 'not_sent' },
  });
  const refused = (files: readonly string[]) => conversations.ask(wanted({ model: 'blind', files }), () => undefined);
  expect(await refused([path])).toMatchObject({ error: { code: 'attachment_model', outcome: 'not_sent' } });
  expect(await refused(Array.from({ length: 5 }, () => path))).toMatchObject({ error: { code: 'attachment_files' } });
  expect(rig.bodies).toEqual([]);

  // Everything that the model reads is reserved for files, so that is the most they can cost.
  const asked = wanted({ files: [path] });
  expect(await conversations.estimate(asked)).toMatchObject({ ok: true, value: { credits: '1.8192' } });
  const first = await conversations.ask(asked, () => undefined);
  if (!first.ok) throw new Error(first.error.row);
  const { conversationId } = first.value;
  expect(first.value).toMatchObject({
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
    const asked = await first.conversations.ask(wanted({ question, files: [path] }), () => undefined);
    if (!asked.ok) throw new Error(asked.error.row);
    ids.push(asked.value.conversationId);
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

it('a question that is asked while its file is being deleted at the service uploads it again', async () => {
  const workspace = await openLibrary();
  const { conversations } = workspace;
  const files = [await writePlan()];
  const first = await conversations.ask(wanted({ files }), () => undefined);
  if (!first.ok) throw new Error(first.error.row);
  const { promise, resolve: finish } = Promise.withResolvers<void>();
  rig.detaching = promise;
  await erase(workspace, first.value.conversationId);
  await vi.waitFor(() => expect(rig.detached).toEqual(['f1']));
  const { promise: began, resolve: begin } = Promise.withResolvers<void>();
  const asked = conversations.ask(wanted({ question: 'Again?', files }), () => begin());
  await began;
  const before = rig.bodies.length;
  // Whoever did not wait has read the file and the list of the service after as many reads of both.
  for (let read = 0; read < 10; read += 1) {
    await conversations.inspectFile(files[0] ?? '');
    await conversations.models();
  }
  finish();
  expect(await asked).toMatchObject({ value: { state: 'done', files: [{ fileId: 'f1' }] } });
  expect(rig.bodies.slice(before)).toHaveLength(2);
  expect(rig.isUploaded).toBe(true);
});

it('a question that waits for a deletion is stopped at once, and so is quitting', async () => {
  const workspace = await openLibrary();
  const { conversations } = workspace;
  const files = [await writePlan()];
  const first = await conversations.ask(wanted({ files }), () => undefined);
  if (!first.ok) throw new Error(first.error.row);
  // The service never answers the deletion.
  rig.detaching = new Promise(() => undefined);
  await erase(workspace, first.value.conversationId);
  await vi.waitFor(() => expect(rig.detached).toEqual(['f1']));
  const before = rig.bodies.length;
  const stopped = conversations.ask(wanted({ question: 'Again?', files }), (progress) => {
    if (progress.kind === 'began') setImmediate(() => conversations.stop(progress.exchange.id));
  });
  expect(await stopped).toMatchObject({ value: { state: 'stopped' } });
  const { promise: began, resolve: begin } = Promise.withResolvers<void>();
  const asked = conversations.ask(wanted({ question: 'Once more?', files }), () => begin());
  await began;
  await closeLibrary(workspace);
  expect(await asked).toMatchObject({ value: { state: 'stopped' } });
  expect(rig.bodies).toHaveLength(before);
});

it('a file of an earlier question that got another id is deleted with its conversation too', async () => {
  const workspace = await openLibrary();
  const { conversations } = workspace;
  const files = [await writePlan()];
  const first = await conversations.ask(wanted({ files }), () => undefined);
  if (!first.ok) throw new Error(first.error.row);
  const { conversationId } = first.value;
  // The service has forgotten it.
  rig.isUploaded = false;
  rig.fileId = 'f2';
  await conversations.ask(wanted({ conversationId, question: 'And then?' }), () => undefined);
  expect(rig.isUploaded).toBe(true);
  await erase(workspace, conversationId);
  await conversations.sweepFiles();
  await vi.waitFor(() => expect(new Set(rig.detached)).toEqual(new Set(['f1', 'f2'])));
});

it('a sweep that breaks is not the last one', async () => {
  const detached: string[] = [];
  const swept = createQuestionFiles({
    store: { fileIds: () => ok([]) },
    notes: { note: () => ok('["f1"]'), saveNote: () => ok(null) },
    assistant: {
      detach: async (id) => {
        detached.push(id);
        if (detached.length === 1) throw new Error('broken');
        return ok(null);
      },
    },
    log: { write: () => undefined },
  });
  await swept.sweep(() => false);
  await swept.sweep(() => false);
  await swept.close();
  expect(detached).toEqual(['f1', 'f1']);
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

  await workspace.conversations.ask(wanted({ files: [path] }), () => undefined);
  expect(await askQuestion(run, 'Where?')).toBe('done');
  expect([rig.detached, rig.isUploaded]).toEqual([['f1'], true]);
});

it('a picture is uploaded under the extension and the type of its format', async () => {
  const { conversations } = await openLibrary();
  const path = join(rig.folder, 'board');
  await writeFile(path, Uint8Array.from([0xff, 0xd8, 0xff, 0xe0]));
  await conversations.ask(wanted({ files: [path] }), () => undefined);
  expect(rig.bodies[0]).toMatch(/filename="[0-9a-f]{24}\.jpg"\r\nContent-Type: image\/jpeg/u);
});
