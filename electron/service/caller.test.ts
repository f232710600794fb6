import { expect, test } from 'vitest';
import type { PaidLedger } from '../../shared/domain/ledger/paid-action.ts';
import { ok } from '../../shared/result/result.ts';
import { endpoints } from './endpoints.ts';
import type { HttpCore } from './http.ts';
import { recordPaid } from './caller.ts';

test('what an isolation holds back is no cost until it is done, and never when it failed', async () => {
  let body: object = {};
  const core = {
    call: async () => ok({ status: 200, text: JSON.stringify(body), requestId: null, llmRequestId: null }),
  } as unknown as HttpCore;
  const told: (string | null)[] = [];
  const ledger: PaidLedger = {
    begin: () => ok(null),
    end: (_id, { report }) => void told.push(report?.credits ?? null),
    report: (_id, { credits }) => void told.push(credits),
  };
  const recorded = recordPaid(core, ledger);
  const call = async (name: 'isolate.submit' | 'isolate.read', answer: object) => {
    body = { id: 'iso_1', credits: 893, ...answer };
    const values = name === 'isolate.read' ? { id: 'iso_1' } : {};
    await recorded.call({ endpoint: endpoints[name], values, attempts: 'once' });
  };
  await call('isolate.submit', { status: 'processing' });
  expect(told).toEqual([null]);
  await call('isolate.read', { status: 'processing', audio_status: 'processing' });
  await call('isolate.read', { status: 'failed' });
  expect(told).toEqual([null]);
  await call('isolate.read', { status: 'completed', audio_status: 'completed', audio_url: 'https://a.example/b.mp3' });
  expect(told).toEqual([null, '893']);
});
