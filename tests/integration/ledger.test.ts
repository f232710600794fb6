import { readFileSync, readdirSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { Secret } from '../../electron/secret/secret.ts';
import { openServiceClient } from '../../electron/service/client.ts';
import { openLedger } from '../../electron/storage/open-ledger.ts';
import type { Ledger } from '../../electron/services/account/ledger.ts';
import { dailyUse, sumUsed, usageByDay } from '../../shared/domain/ledger/usage-by-day.ts';
import type { PaidEnding, PaidIntent, PaidReport } from '../../shared/domain/ledger/paid-action.ts';
import { makeFailure } from '../../shared/domain/failures/make-failure.ts';
import { err, ok } from '../../shared/result/result.ts';
import type { Failure } from '../../shared/result/failure.ts';
import { sendJson, startScriptedServer } from '../support/scripted-server.ts';
import { usageProcedures } from '../../electron/sections/account.ts';
import { readCreditRate, withExpectedCosts } from '../../electron/shell/credit-rate.ts';
import { reportOfComputer, spentInAll } from '../../shared/domain/account/usage-report.ts';
import { noRate } from '../../shared/domain/ledger/expected-cost.ts';
import { finished, openQueueRig, refuse } from '../support/queue-rig.ts';
import { folderOfTest } from '../support/test-folders.ts';

vi.mock('electron', () => ({ dialog: {}, shell: {} }));

let folder: string;
let path: string;
let nowMs = 0;
let troubles: Failure[] = [];
beforeEach(() => {
  folder = folderOfTest();
  path = join(folder, 'ledger.db');
  nowMs = Date.UTC(2026, 10, 20, 12);
  troubles = [];
});

function open(account?: () => string): Ledger {
  const opened = openLedger({ path, now: () => nowMs, account, onTrouble: (failure) => void troubles.push(failure) });
  if (!opened.ok) throw new Error(opened.error.kind);
  return opened.value;
}
const intent = (id: string, more: Partial<PaidIntent> = {}): PaidIntent => ({
  id,
  route: 'speak.generate',
  product: 'speak',
  asked: { characters: 100, language: 'uz' },
  estimate: null,
  ...more,
});
const nothing: PaidReport = {
  credits: null,
  characters: null,
  durationMs: null,
  inputTokens: null,
  outputTokens: null,
};
const ending = (outcome: PaidEnding['outcome'], more: Partial<PaidEnding> = {}): PaidEnding => ({
  outcome,
  status: 200,
  row: null,
  code: null,
  requestId: 'req_1',
  llmRequestId: null,
  remoteId: null,
  report: null,
  ...more,
});
function records(ledger: Ledger) {
  const listed = ledger.list({ fromMs: 0, toMs: nowMs + 1 });
  if (!listed.ok) throw new Error(listed.error.kind);
  return listed.value;
}

test('what each account paid is counted and priced apart; what an earlier version recorded belongs to the present one', () => {
  const before = open();
  const paid = (ledger: Ledger, id: string, credits: string) => {
    ledger.begin(intent(id, { route: 'isolate.submit', product: 'isolate', asked: { audioMs: 1000 } }));
    ledger.end(id, ending('accepted', { report: { ...nothing, credits } }));
  };
  paid(before, 'old', '1');
  before.close();
  let account = 'one';
  const ledger = open(() => account);
  paid(ledger, 'first', '10');
  account = 'two';
  paid(ledger, 'second', '100');
  const used = (of: string) => {
    const listed = ledger.list({ fromMs: 0, toMs: nowMs + 1, account: of });
    return listed.ok ? sumUsed(listed.value).credits : null;
  };
  expect([used('one'), used('two'), records(ledger).length]).toEqual(['11', '101', 3]);
  const rateOf = (of: string) =>
    readCreditRate({ ledger, jobs: { lengthsOf: () => new Map() }, accountId: () => of } as never, nowMs, 'isolate');
  expect([rateOf('one').sampleCount, rateOf('three').sampleCount]).toEqual([2, 1]);
  ledger.close();
});

test('an answer that arrives after the ledger was closed is logged, throws nothing, and its action may have been charged', () => {
  const ledger = open();
  ledger.begin(intent('one'));
  ledger.close();
  ledger.end('one', ending('accepted'));
  ledger.closeRequest('some');
  expect(troubles).toMatchObject([
    { kind: 'data-folder-unwritable', code: 'library_closed' },
    { kind: 'data-folder-unwritable', code: 'library_closed' },
  ]);
  expect(ledger.begin(intent('two'))).toMatchObject({ ok: false, error: { kind: 'data-folder-unwritable' } });
  const again = open();
  expect(records(again)).toMatchObject([{ id: 'one', state: 'open' }]);
  again.close();
});

test('an action that a killed process left open may have been charged, whatever its repeat is answered', () => {
  const killed = open();
  killed.begin(intent('one'));
  killed.close();
  const ledger = open();
  ledger.begin(intent('one'));
  ledger.end('one', ending('refused', { status: 402, row: 'E-036' }));
  expect(records(ledger)).toMatchObject([{ state: 'unknown', attempts: 2, row: 'E-036' }]);
  ledger.close();
});

test('an action whose answer was lost may have been charged, though its repeat is refused', () => {
  const ledger = open();
  ledger.begin(intent('one'));
  ledger.end('one', ending('unknown', { status: null, row: 'E-023' }));
  ledger.begin(intent('one'));
  expect(records(ledger)).toMatchObject([{ state: 'unknown', attempts: 2 }]);
  ledger.end('one', ending('refused', { status: 402, row: 'E-036' }));
  expect(records(ledger)).toMatchObject([{ state: 'unknown' }]);
  ledger.close();
});

test('an action that was refused, then begun again and cut off, is open and not free', () => {
  const ledger = open();
  ledger.begin(intent('one'));
  ledger.end('one', ending('refused'));
  ledger.begin(intent('one'));
  expect(records(ledger)).toMatchObject([{ state: 'open' }]);
  ledger.end('one', ending('refused'));
  expect(records(ledger)).toMatchObject([{ state: 'refused', attempts: 2 }]);
  ledger.close();
});

test('the cost of a dictated phrase is expected from that of recordings, by started minutes, because it is never reported', () => {
  const ledger = open();
  const phrase = intent('phrase', { route: 'dictate.stream', product: 'dictate', asked: { audioMs: 10_000 } });
  expect(ledger.expectedCredits('dictate.stream', phrase.asked)).toBe(null);
  ledger.begin(intent('file', { route: 'stt.submit', product: 'transcribe', asked: { bytes: 700 } }));
  ledger.end('file', ending('accepted', { remoteId: 'tr_1' }));
  ledger.report('tr_1', { ...nothing, credits: '6', durationMs: 60_000 });
  ledger.begin(phrase);
  ledger.end('phrase', ending('accepted', { report: { ...nothing, durationMs: 10_000 } }));
  expect(records(ledger).find(({ id }) => id === 'phrase')).toMatchObject({ estimate: '6' });
  expect(usageByDay(records(ledger), 7, nowMs).products.find(({ product }) => product === 'dictate')).toMatchObject({
    credits: '0',
    unreportedCount: 1,
    expectedCredits: '6',
  });
  ledger.close();
});

test('what a later free read reports is added by the id of the work, and estimates follow it', () => {
  const ledger = open();
  ledger.begin(intent('one'));
  ledger.end('one', ending('accepted', { remoteId: 'gen_7' }));
  ledger.report('gen_7', { ...nothing, credits: '2', characters: 100 });
  ledger.report('gen_7', { ...nothing, durationMs: 5000 });
  expect(ledger.expectedCredits('speak.generate', { characters: 50 })).toBe('1');
  expect(ledger.expectedCredits('isolate.submit', { bytes: 50 })).toBe(null);
  nowMs += 1000;
  ledger.begin(intent('two', { asked: { characters: 250 } }));
  expect(records(ledger)).toMatchObject([
    { id: 'two', estimate: '5' },
    { id: 'one', estimate: null, report: { credits: '2', characters: 100, durationMs: 5000 } },
  ]);
  expect(dailyUse(records(ledger), () => 0)).toEqual([
    {
      day: '2026-11-20',
      product: 'speak',
      accepted: 1,
      free: 0,
      uncertain: 1,
      credits: '2',
      unreported: 1,
      expectedCredits: '5',
      characters: 350,
      audioMs: 5000,
      tokens: 0,
    },
  ]);
  // In Tashkent the day is five hours ahead.
  nowMs = Date.UTC(2026, 10, 20, 23);
  ledger.begin(intent('three'));
  expect(dailyUse(records(ledger), () => 300).map(({ day, uncertain }) => [day, uncertain])).toEqual([
    ['2026-11-21', 1],
    ['2026-11-20', 1],
  ]);
  ledger.close();
});

test('paid work is found by its content, its kind and its fields, until it is forgotten', () => {
  const ledger = open();
  const sha256 = 'ab'.repeat(32);
  ledger.begin(intent('text', { product: 'transcribe', asked: { language: 'uz' }, sha256 }));
  ledger.end('text', ending('accepted', { remoteId: 'stt_1' }));
  ledger.begin(intent('sound', { product: 'isolate', asked: { restoresSpeech: true }, sha256 }));
  ledger.end('sound', ending('accepted', { remoteId: 'iso_1' }));
  const isolate = { kind: 'isolate', sha256 } as const;
  expect(ledger.findPaid({ ...isolate, restoresSpeech: true })).toMatchObject({ id: 'sound', remoteId: 'iso_1' });
  expect(ledger.findPaid({ ...isolate, restoresSpeech: false })).toBeNull();
  const text = { kind: 'transcribe', sha256, includeSpeakers: false } as const;
  expect(ledger.findPaid({ ...text, language: 'uz' })).toMatchObject({ id: 'text', remoteId: 'stt_1' });
  expect(ledger.findPaid({ ...text, language: 'ru' })).toBeNull();
  expect([...ledger.creditsByRemoteId()]).toEqual([]);
  ledger.report('stt_1', { ...nothing, credits: '4.70000001' });
  expect([...ledger.creditsByRemoteId()]).toEqual([['stt_1', '4.70000001']]);
  ledger.forgetContents([sha256]);
  expect(ledger.findPaid({ ...isolate, restoresSpeech: true })).toBeNull();
  ledger.close();
});

test('a request keeps one key across any number of starts until it is closed, and can not be read back', () => {
  const ledger = open();
  const fingerprint = ledger.fingerprint(['speak', 'Maxfiy soʻzlar']);
  expect(ledger.openRequest(fingerprint, 'key-1', false)).toMatchObject({
    ok: true,
    value: { actionId: 'key-1', remoteId: null },
  });
  ledger.noteRemoteId(fingerprint, 'gen_1');
  ledger.close();
  const again = open();
  expect(again.fingerprint(['speak', 'Maxfiy soʻzlar'])).toBe(fingerprint);
  expect(again.openRequest(fingerprint, 'key-2', false)).toMatchObject({
    value: { actionId: 'key-1', remoteId: 'gen_1' },
  });
  again.closeRequest(fingerprint);
  expect(again.openRequest(fingerprint, 'key-3', false)).toMatchObject({
    value: { actionId: 'key-3', remoteId: null },
  });
  again.close();
});

test('a paid request is written before its first byte is sent, and nothing of its text or key is in the file', async () => {
  const ledger = open();
  const seenWhenAsked: unknown[] = [];
  const server = await startScriptedServer((request, response) => {
    const reader = new DatabaseSync(path, { readOnly: true });
    seenWhenAsked.push(...reader.prepare('SELECT id, state, asked FROM paid_actions').all());
    reader.close();
    sendJson(response, 200, {
      id: 'cmpl_1',
      choices: [{ message: { content: 'CANARY-ANSWER' }, finish_reason: 'stop' }],
      usage: { prompt_tokens: 5, completion_tokens: 3, credits: '0.0125' },
      request_id: `req_${request.method}`,
    });
  });
  const key = 'sk_CANARY_4f7d1c0b9a8e';
  const client = openServiceClient({
    connection: () => ({ kind: 'practice', baseUrl: server.url, key: new Secret(key) }),
    log: { write: () => undefined },
    allowsLoopbackHttp: true,
    ledger,
  });
  const answer = await client.ask.ask({
    model: 'small-1',
    messages: [{ role: 'user', content: 'CANARY-QUESTION: kim u?' }],
    maxCompletionTokens: 64,
    idempotencyKey: 'request-1',
  });
  expect(answer).toMatchObject({ ok: true, value: { text: 'CANARY-ANSWER' } });
  expect(seenWhenAsked).toEqual([
    { id: 'request-1', state: 'open', asked: JSON.stringify({ maxTokens: 64, model: 'small-1' }) },
  ]);
  expect(records(ledger)).toMatchObject([
    {
      id: 'request-1',
      route: 'ask.complete',
      state: 'accepted',
      requestId: 'req_POST',
      report: { credits: '0.0125', inputTokens: 5, outputTokens: 3 },
    },
  ]);
  await client.close();
  ledger.close();
  await server.close();
  for (const name of readdirSync(folder)) expect(readFileSync(join(folder, name), 'latin1')).not.toContain('CANARY');
});

test('when the ledger can’t be written nothing is sent', async () => {
  const server = await startScriptedServer((_request, response) => sendJson(response, 200, { id: 'x' }));
  const ledger = open();
  const failure = makeFailure('disk-full');
  const client = openServiceClient({
    connection: () => ({ kind: 'practice', baseUrl: server.url, key: new Secret('sk-test-0123456789') }),
    log: { write: () => undefined },
    allowsLoopbackHttp: true,
    ledger: { ...ledger, begin: () => err(failure) },
  });
  const asked = await client.ask.ask({ model: 'm', messages: [], maxCompletionTokens: 1, idempotencyKey: 'k1' });
  expect(asked).toMatchObject({ ok: false, error: { failure: { kind: 'disk-full', outcome: 'not_sent' } } });
  expect(server.seen).toEqual([]);
  await client.close();
  await server.close();
  ledger.close();
});

/** The page on which a table begins is overwritten with zeros. */
function wipeTable(name: string): void {
  const database = new DatabaseSync(path);
  const page = Number(database.prepare('SELECT rootpage FROM sqlite_schema WHERE name = ?').get(name)?.['rootpage']);
  const size = Number(database.prepare('PRAGMA page_size').get()?.['page_size']);
  database.close();
  const bytes = readFileSync(path);
  bytes.fill(0, (page - 1) * size, page * size);
  writeFileSync(path, bytes);
}
const removeLedger = () => ['', '-wal', '-shm'].forEach((end) => rmSync(path + end, { force: true }));

test.each([
  ['overwritten', () => writeFileSync(path, 'no database')],
  ['emptied', () => truncateSync(path, 0)],
  ['cut in half', () => truncateSync(path, statSync(path).size / 2)],
  ['without its requests', () => wipeTable('open_wishes')],
  ['without its secret', () => wipeTable('meta')],
  ['deleted', removeLedger],
])('a ledger that is %s while a request is open gives the same request its key again', (_name, damage) => {
  const ledger = open();
  const said = ['speak', 'Salom'];
  ledger.openRequest(ledger.fingerprint(said), 'key-1', false);
  ledger.openRequest(ledger.fingerprint(['ask']), 'key-2', false);
  ledger.closeRequest(ledger.fingerprint(['ask']));
  ledger.close();
  damage();
  const again = open();
  expect(again.openRequest(again.fingerprint(said), 'key-3', false)).toMatchObject({ value: { actionId: 'key-1' } });
  expect(again.openRequest(again.fingerprint(['ask']), 'key-4', false)).toMatchObject({
    value: { actionId: 'key-4' },
  });
  again.close();
});

test('when the open requests are lost with the ledger, nothing is sent before the user has sent it again', () => {
  const ledger = open();
  const said = ['speak', 'Salom'];
  ledger.openRequest(ledger.fingerprint(said), 'key-1', false);
  ledger.close();
  writeFileSync(path, 'no database');
  writeFileSync(join(folder, 'open-requests.json'), '{"secret":');
  open().close();
  const again = open();
  const fingerprint = again.fingerprint(said);
  const lost = { ok: false, error: { kind: 'job-not-found', code: 'record_lost' } };
  expect(again.openRequest(fingerprint, 'key-2', false)).toMatchObject(lost);
  expect(again.openRequest(fingerprint, 'key-3', true)).toMatchObject({ value: { actionId: 'key-3' } });
  expect(again.openRequest(fingerprint, 'key-4', false)).toMatchObject({ value: { actionId: 'key-3' } });
  again.close();
});

test('a damaged ledger is put aside whole and a new one begins; a newer one is left as it is', () => {
  open().close();
  writeFileSync(path, 'no database at all, but something that was here');
  const ledger = open();
  expect(ledger.begin({ id: 'one', route: 'speak.generate', product: 'speak', asked: {}, estimate: null }).ok).toBe(
    true,
  );
  ledger.close();
  expect(troubles.map(({ kind }) => kind)).toEqual(['library-damaged']);
  const aside = readdirSync(folder).find((name) => name.startsWith('ledger.corrupt-')) ?? '';
  expect(readFileSync(join(folder, aside), 'utf8')).toContain('something that was here');

  const newer = new DatabaseSync(path);
  newer.exec('PRAGMA user_version = 99');
  newer.close();
  expect(openLedger({ path, now: () => nowMs, onTrouble: () => undefined })).toMatchObject({
    ok: false,
    error: { kind: 'library-newer' },
  });
});

const day = 86_400_000;

test('the credit rate follows the charges of the service: by its length, or by ours if it reports none', async () => {
  const answers = [
    { ...finished('tr_1'), usage: { credits: '2' } },
    { ...finished('tr_2'), usage: { credits: '4', duration_ms: 7000 } },
  ];
  let uploads = 0;
  const rig = await openQueueRig((request, response, at) => {
    if (request.method !== 'POST') return sendJson(response, 200, { data: [], next_cursor: null });
    const answer = answers[uploads];
    uploads += 1;
    return answer === undefined
      ? refuse(415, 'unsupported_media_type')(request, response, at)
      : sendJson(response, 200, answer);
  });
  onTestFinished(() => rig.close());
  for (const [at, seconds] of [2, 3, 4].entries()) {
    await rig.add(rig.record(`${at}.wav`, 300 + at, seconds));
    await rig.until(['done', 'done', 'failed'].slice(0, at + 1));
  }
  const listed = rig.library.ledger.list({ fromMs: 0, toMs: Number.MAX_SAFE_INTEGER, product: 'transcribe' });
  const lastAtMs = listed.ok ? Math.max(...listed.value.map(({ beganAtMs }) => beganAtMs)) : 0;
  // Six credits for two started minutes; refused work cost nothing and does not count.
  expect(readCreditRate(rig.library, lastAtMs)).toMatchObject({ sampleCount: 2, creditsPerHour: '180' });
  expect(readCreditRate(rig.library, lastAtMs + 91 * day)).toMatchObject(noRate);
});

test('transcribing with speakers has a price of its own; a part again costs what a recording without them does', () => {
  const ledger = open();
  const charge = (id: string, asked: PaidIntent['asked'], credits: string) => {
    ledger.begin(intent(id, { route: 'stt.submit', product: 'transcribe', asked: { audioMs: 30_000, ...asked } }));
    ledger.end(id, ending('accepted', { report: { ...nothing, credits } }));
  };
  const workspace = { ledger, jobs: { lengthsOf: () => new Map() }, accountId: () => 'one' } as never;
  const perHour = (work: Parameters<typeof readCreditRate>[2]) => readCreditRate(workspace, nowMs, work).creditsPerHour;
  charge('with', { includesSpeakers: true }, '90');
  expect([perHour('transcribe'), perHour('speakers'), perHour('listen')]).toEqual([null, '5400', null]);
  charge('without', { includesSpeakers: false }, '60');
  expect([perHour('transcribe'), perHour('speakers'), perHour('listen')]).toEqual(['3600', '5400', '3600']);
  ledger.close();
});

test('what is not reported yet is expected by the started minutes and the option, and is unknown without a rate', () => {
  const ledger = open();
  const add = (id: string, includesSpeakers: boolean, credits: string | null) => {
    const asked = { audioMs: 19_000, bytes: 700, includesSpeakers };
    ledger.begin(intent(id, { route: 'stt.submit', product: 'transcribe', asked, estimate: '25.3' }));
    ledger.end(id, ending('accepted', { report: { ...nothing, credits } }));
  };
  const workspace = { ledger, jobs: { lengthsOf: () => new Map() }, accountId: () => 'one' } as never;
  const report = () => reportOfComputer(usageByDay(withExpectedCosts(workspace, records(ledger), nowMs), 7, nowMs));
  const said = () => [spentInAll(report()), spentInAll(report().days.at(-1) as never)];
  add('plain', false, '60');
  add('with speakers', true, null);
  expect(said()).toEqual([
    { credits: 60, is: 'at-least' },
    { credits: 60, is: 'at-least' },
  ]);
  add('with a price', true, '90');
  expect(said()).toEqual([
    { credits: 240, is: 'about' },
    { credits: 240, is: 'about' },
  ]);
  ledger.close();
});

test('the credit rate is that of the last twenty charged recordings; isolations have their own', async () => {
  const { library, close } = await openQueueRig();
  onTestFinished(() => close());
  const ledger = open();
  const transcription = { route: 'stt.submit', product: 'transcribe', asked: { bytes: 500_000_000 }, estimate: null };
  const charge = (id: string, credits: string | null, outcome: PaidEnding['outcome'] = 'accepted') => {
    ledger.begin({ id, ...transcription });
    ledger.end(id, ending(outcome, { report: { ...nothing, credits } }));
  };
  for (let number = 0; number < 30; number += 1) {
    nowMs = number * day;
    charge(`paid-${number}`, number < 10 ? '1000' : '3');
    charge(`untold-${number}`, null);
    charge(`lost-${number}`, '1000', 'unknown');
  }
  // Those of unknown length are judged by their size.
  const rate = { sampleCount: 20, creditsPerHour: null, creditsPerGigabyte: '6', stepMs: 60_000 };
  const workspace = { ledger, jobs: library.jobs, accountId: () => 'service' };
  expect(readCreditRate(workspace, 30 * day)).toEqual(rate);
  ledger.begin({ ...transcription, id: 'isolation', route: 'isolate.submit', product: 'isolate' });
  ledger.end('isolation', ending('accepted', { status: 202, remoteId: 'iso_1' }));
  // The cost is reported by a later read of the finished work.
  ledger.report('iso_1', { ...nothing, credits: '31', durationMs: 31_000 });
  const isolated = readCreditRate(workspace, 30 * day, 'isolate');
  expect(isolated).toMatchObject({ sampleCount: 1, creditsPerHour: '3600' });
  expect(readCreditRate(workspace, 30 * day)).toEqual(rate);
  ledger.close();
});

test('while no key is known, what this computer spent at all accounts is counted, and not called nothing', async () => {
  nowMs = Date.now();
  const payer = { id: 'one' };
  const ledger = open(() => payer.id);
  for (const id of ['one', 'two']) {
    payer.id = id;
    ledger.begin(intent(`speak-${id}`));
    ledger.end(`speak-${id}`, ending('accepted', { report: { ...nothing, credits: '100' } }));
  }
  const jobs = { lengthsOf: () => new Map() };
  const requestsOf = async (identity: string | null) => {
    const { 'usage.days': days } = usageProcedures({
      workspaces: {
        opened: async () => ok({ ledger, accountId: () => identity ?? 'service', jobs, readCosts: async () => {} }),
      },
      connection: { serviceIdentity: () => identity },
    } as unknown as Parameters<typeof usageProcedures>[0]);
    const usage = await days.handle({ days: 30, from: 'computer' }, {} as never);
    return usage.ok ? usage.value.requests : null;
  };
  expect([await requestsOf('two'), await requestsOf(null)]).toEqual([1, 2]);
});

test('what one account paid says nothing about the price of another', () => {
  const payer = { id: 'one' };
  const ledger = open(() => payer.id);
  for (const id of ['1', '2']) {
    ledger.begin(intent(id));
    ledger.end(id, ending('accepted', { report: { ...nothing, credits: '300' } }));
  }
  const price = () => ledger.expectedCredits('speak.generate', { characters: 100, language: 'uz' });
  expect(price()).not.toBe(null);
  payer.id = 'two';
  expect(price()).toBe(null);
});
