import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { linesOf } from '../support/cli-lines.ts';
import { runCli } from '../support/cli-run.ts';
import { simplePdf } from '../support/simple-pdf.ts';
import { startStandAlone, type StandAlone } from '../practice/practice-process.ts';

// Each run is a process of its own, and a busy machine is slow at starting them.
vi.setConfig({ testTimeout: 120_000 });
const root = mkdtempSync(join(tmpdir(), 'ovoz-kept-questions-'));
const place = { dataDir: join(root, 'data'), out: join(root, 'out') };
const sample = fileURLToPath(new URL('../../assets/samples/interview-uz.mp3', import.meta.url));
let practice: StandAlone;

beforeAll(async () => {
  mkdirSync(place.out);
  practice = await startStandAlone([]);
});
afterAll(async () => {
  practice.child.kill('SIGTERM');
  await practice.exited;
  rmSync(root, { recursive: true, force: true });
});

const ask = (args: readonly string[]) =>
  runCli([...args, '--json'], { url: practice.url, key: practice.token, dataDir: place.dataDir, cwd: place.out });

describe('in the terminal', () => {
  it('a conversation is stored and continued; a request is looked up by its id; generated speech is listed; a title is sent', async () => {
    const begun = await ask(['ask', 'Toshkent qayerda?', '--conversation', 'new']);
    const first = linesOf(begun).at(-1) as unknown as { conversationId: string; requestId: string };
    expect([begun.code, typeof first.conversationId]).toEqual([0, 'string']);
    const more = await ask(['ask', 'Yana nima?', '--conversation', 'Toshkent qayerda?']);
    expect([more.code, linesOf(more).at(-1)]).toMatchObject([0, { conversationId: first.conversationId }]);
    // Files can be added to a question of a conversation too, for a model that reads them.
    const plan = join(place.out, 'reja.pdf');
    writeFileSync(plan, simplePdf([['Chorshanba kuni tom yopiladi.']]));
    const told = await ask(['ask', 'Chorshanba kuni nima?', '--conversation', first.conversationId, '--attach', plan]);
    expect([told.code, linesOf(told).at(-1)]).toMatchObject([
      0,
      { conversationId: first.conversationId, answer: expect.stringContaining('tom yopiladi') },
    ]);
    const lost = await ask(['ask', 'Qachon?', '--conversation', 'nobody']);
    expect([lost.code, linesOf(lost).find(({ error }) => error)?.error?.code]).toEqual([1, 'unknown_conversation']);

    const looked = await ask(['request', first.requestId]);
    expect([looked.code, linesOf(looked).at(-1)]).toMatchObject([
      0,
      { outcome: 'settled', requestId: first.requestId },
    ]);
    const none = await ask(['request', 'llm_nobody']);
    expect(none.code).toBe(1);

    const wav = join(place.out, 'gap.wav');
    await ask(['speak', 'Salom dunyo', '--language', 'uz', '--out', wav]);
    const spoken = await ask(['history', '--limit', '1']);
    expect([spoken.code, linesOf(spoken).at(-1)]).toMatchObject([0, { generations: [{ text: 'Salom dunyo' }] }]);
    expect(spoken.out).not.toMatch(/https?:/u);

    const cleaned = await ask(['isolate', wav, '--out', place.out, '--title', 'Bozor shovqini']);
    expect([cleaned.code, linesOf(cleaned)[0]]).toMatchObject([0, { title: 'Bozor shovqini' }]);
    const both = await ask(['isolate', wav, sample, '--title', 'Bir']);
    expect(both.code).toBe(2);
  });
});
