import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { readCreditRate } from '../../electron/shell/credit-rate.ts';
import { openLedger } from '../../electron/storage/open-ledger.ts';
import { unusableLedger, type Ledger } from '../../electron/services/account/ledger.ts';
import { makeFailure } from '../../shared/domain/failures/make-failure.ts';
import type { PaidEnding } from '../../shared/domain/ledger/paid-action.ts';
import { noRate } from '../../shared/domain/ledger/expected-cost.ts';
import { finished, openQueueRig, refuse, type QueueRig } from '../support/queue-rig.ts';
import { sendJson } from '../support/scripted-server.ts';

const day = 86_400_000;
let rig: QueueRig;
beforeEach(async () => {
  rig = await openQueueRig();
});
afterEach(() => rig.close());

it('the rate follows the charges of the service: by its length, or by ours if it reports none', async () => {
  const answers = [
    { ...finished('tr_1'), usage: { credits: '2' } },
    { ...finished('tr_2'), usage: { credits: '4', duration_ms: 7000 } },
  ];
  let uploads = 0;
  rig.server.script = (request, response, at) => {
    if (request.method !== 'POST') return sendJson(response, 200, { data: [], next_cursor: null });
    const answer = answers[uploads];
    uploads += 1;
    return answer === undefined
      ? refuse(415, 'unsupported_media_type')(request, response, at)
      : sendJson(response, 200, answer);
  };
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

function withLedger(work: (ledger: Ledger, at: (ms: number) => void) => void): void {
  let nowMs = 0;
  const opened = openLedger({ path: join(rig.folder, 'other.db'), now: () => nowMs, onTrouble: () => undefined });
  if (!opened.ok) throw new Error(opened.error.row);
  work(opened.value, (ms) => (nowMs = ms));
  opened.value.close();
}
const transcription = { route: 'stt.submit', product: 'transcribe', asked: { bytes: 500_000_000 }, estimate: null };
const charge = (ledger: Ledger, id: string, credits: string | null, more: Partial<PaidEnding> = {}): void => {
  ledger.begin({ id, ...transcription });
  const report = { credits, characters: null, durationMs: null, inputTokens: null, outputTokens: null };
  const ending = { status: 200, row: null, code: null, requestId: null, llmRequestId: null, remoteId: null } as const;
  ledger.end(id, { outcome: 'accepted', ...ending, report, ...more });
};

it('only the last twenty charged recordings count; those of unknown length are judged by their size', () => {
  withLedger((ledger, at) => {
    for (let number = 0; number < 30; number += 1) {
      at(number * day);
      charge(ledger, `paid-${number}`, number < 10 ? '1000' : '3');
      charge(ledger, `untold-${number}`, null);
      charge(ledger, `lost-${number}`, '1000', { outcome: 'unknown' });
    }
    const library = { ledger, jobs: rig.library.jobs };
    expect(readCreditRate(library, 30 * day)).toEqual({
      sampleCount: 20,
      creditsPerHour: null,
      creditsPerGigabyte: '6',
      stepMs: 60_000,
    });
  });
});

it('a ledger that can not be read gives no rate', () => {
  const ledger = unusableLedger(makeFailure('E-180'));
  expect(readCreditRate({ ledger, jobs: rig.library.jobs }, day)).toEqual(noRate);
});

it('isolations are judged by what was charged for isolations, transcriptions by their own', () => {
  withLedger((ledger) => {
    charge(ledger, 'transcription', '3');
    const isolation = { id: 'isolation', route: 'isolate.submit', product: 'isolate' };
    ledger.begin({ ...transcription, ...isolation });
    const none = { row: null, code: null, requestId: null, llmRequestId: null, report: null };
    ledger.end('isolation', { outcome: 'accepted', status: 202, remoteId: 'iso_1', ...none });
    const counts = { characters: null, inputTokens: null, outputTokens: null };
    // The cost is reported by a later read of the finished work.
    ledger.report('iso_1', { credits: '31', durationMs: 31_000, ...counts });
    const library = { ledger, jobs: rig.library.jobs };
    expect(readCreditRate(library, day, 'isolate')).toMatchObject({ sampleCount: 1, creditsPerHour: '3600' });
    expect(readCreditRate(library, day)).toMatchObject({ sampleCount: 1, creditsPerGigabyte: '6' });
  });
});
