import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { LogEntryView } from '../../../shared/domain/account/account-views.ts';
import { sumUsed } from '../../../shared/domain/ledger/usage-by-day.ts';
import { ok } from '../../../shared/result/result.ts';
import { openLedger } from '../../storage/open-ledger.ts';
import { createCostReader, sharesOf } from './ledger.ts';
import { folderOfTest } from '../../../tests/support/test-folders.ts';

const nowMs = Date.UTC(2026, 10, 20, 12);

const entry = (requestId: string, credits: string | null, isBillable: boolean | null = true): LogEntryView => ({
  requestId,
  at: null,
  method: 'POST',
  route: null,
  status: 200,
  latencyMs: null,
  requestBytes: null,
  responseBytes: null,
  keyId: null,
  keyPrefix: null,
  usage: {
    product: 'tts',
    operation: null,
    characters: 38,
    durationMs: null,
    credits,
    isBillable,
    firstByteMs: null,
    costMicros: null,
    currency: null,
  },
});

function openCosts() {
  const folder = folderOfTest();
  const changes = { count: 0 };
  const opened = openLedger({
    path: join(folder, 'ledger.db'),
    now: () => nowMs,
    onTrouble: () => undefined,
    onChanged: () => (changes.count += 1),
  });
  if (!opened.ok) throw new Error(opened.error.kind);
  const ledger = opened.value;
  onTestFinished(() => {
    ledger.close();
  });
  const used = () => {
    const listed = ledger.list({ fromMs: 0, toMs: nowMs + 1 });
    return listed.ok ? sumUsed(listed.value) : null;
  };
  return { ledger, changes, used };
}
const where = { now: () => nowMs, dictationRoute: '/v1/stt/stream' };

test('what a request cost whose answer did not say it is looked up in the account’s log, page by page, and once more for calls in the meantime', async () => {
  const { ledger, changes, used } = openCosts();
  const pay = (id: string, requestId: string | null, credits: string | null) => {
    ledger.begin({ id, route: 'speak.generate', product: 'speak', asked: { characters: 38 }, estimate: null });
    const report = { credits, characters: null, durationMs: null, inputTokens: null, outputTokens: null };
    const told = { status: 200, row: null, code: null, requestId, llmRequestId: null, remoteId: null, report };
    ledger.end(id, { outcome: 'accepted', ...told });
  };
  const pages = [
    { items: [entry('req_held', '0', false), entry('req_other', '99')], nextCursor: 'two' },
    { items: [entry('req_speech', '38'), entry('req_told', '99'), entry('req_silent', null)], nextCursor: null },
  ];
  const asked: unknown[] = [];
  const readCosts = createCostReader(
    {
      requestLogs: async (filter, page) => {
        asked.push([filter.from, filter.to, page.cursor]);
        return ok(page.cursor === undefined ? pages[0]! : pages[1]!);
      },
    },
    ledger,
    where,
  );
  await readCosts();
  expect(asked).toEqual([]);
  pay('one', 'req_speech', null);
  pay('two', 'req_told', '1.5');
  pay('three', 'req_held', null);
  expect(used()).toEqual({ credits: '1.5', actionCount: 3, unreportedCount: 2 });
  changes.count = 0;
  await Promise.all([readCosts(), readCosts(), readCosts()]);
  const pagesOnce = [
    ['2026-11-19', '2026-11-21', undefined],
    ['2026-11-19', '2026-11-21', 'two'],
  ];
  // What was paid for during the first look-up may be missing from it.
  expect(asked).toEqual([...pagesOnce, ...pagesOnce]);
  expect(used()).toEqual({ credits: '39.5', actionCount: 3, unreportedCount: 1 });
  expect(changes.count).toBe(1);
});

test('a question costs what the log says, and not what its answer said, before or after the log', async () => {
  const { ledger, used } = openCosts();
  const report = { credits: '0.662', characters: null, durationMs: null, inputTokens: null, outputTokens: null };
  for (const id of ['one', 'two']) {
    ledger.begin({ id, route: 'ask.complete', product: 'ask', asked: {}, estimate: null });
    const ids = { requestId: `req_${id}`, llmRequestId: `llm_${id}`, remoteId: null };
    ledger.end(id, { outcome: 'accepted', status: 200, row: null, code: null, ...ids, report });
  }
  let asked = 0;
  const requestLogs = async () => {
    asked += 1;
    return ok({ items: [entry('req_one', '1'), entry('req_two', '1')], nextCursor: null });
  };
  const readCosts = createCostReader({ requestLogs }, ledger, where);
  expect(used()?.credits).toBe('1.324');
  await readCosts();
  expect(used()?.credits).toBe('2');
  ledger.report('llm_one', report);
  await readCosts();
  expect([used()?.credits, asked]).toEqual(['2', 1]);
});

const phrase = (
  id: string,
  durationMs: number | null,
  credits: string | null = null,
  state: 'accepted' | 'unknown' = 'accepted',
) => ({
  id,
  state,
  asked: state === 'unknown' && durationMs !== null ? { audioMs: durationMs } : {},
  report: state === 'unknown' ? null : { credits, characters: null, durationMs, inputTokens: null, outputTokens: null },
});

test('what a connection of dictation cost is shared by its phrases, and by nothing that was said elsewhere', () => {
  const phrases = [phrase('a', 2000, '60'), phrase('b', 3100), phrase('c', 4040), phrase('d', null)];
  expect(sharesOf(phrases, [{ durationMs: 7140, credits: 120 }])).toEqual([
    ['b', '60'],
    ['c', '60'],
  ]);
  // The first phrase of the same connection had its cost before the others were said.
  expect(sharesOf(phrases, [{ durationMs: 9140, credits: 180 }])).toEqual([
    ['b', '60'],
    ['c', '60'],
  ]);
  expect(sharesOf(phrases, [{ durationMs: 9000, credits: 180 }])).toEqual([]);
});

test('connections that took turns, equal phrases, and a phrase that was paid for twice each get their cost', () => {
  const turns = [phrase('a', 2000), phrase('b', 3100), phrase('c', 2500), phrase('d', 4040)];
  const two = [
    { durationMs: 4500, credits: 120 },
    { durationMs: 7140, credits: 140 },
  ];
  expect(Object.fromEntries(sharesOf(turns, two))).toEqual({ a: '60', c: '60', b: '70', d: '70' });
  const second = { durationMs: 2000, credits: 60 };
  expect(sharesOf([phrase('a', 2000, '60'), phrase('b', 2000)], [second, second])).toEqual([['b', '60']]);
  const twice = [phrase('first', 3100, null, 'unknown'), phrase('again', 3100)];
  const once = { durationMs: 3100, credits: 60 };
  expect(sharesOf(twice, [once, once])).toEqual([
    ['again', '60'],
    ['first', '60'],
  ]);
  // Charged once: nobody pays for the try that had no answer.
  expect(sharesOf(twice, [once])).toEqual([['again', '60']]);
});
