import { expect, test } from 'vitest';
import { makeFailure } from '../../../shared/domain/failures/make-failure.ts';
import { products, type Product } from '../../../shared/domain/permissions/permission-map.ts';
import { Secret } from '../../secret/secret.ts';
import type { ConnectionReport } from '../../service/connection-check.ts';
import { createAccessService } from './access-service.ts';

const key = 'sk_CANARY_4f7d1c0b9a8e6d5c';
const missing = (permission: string) =>
  makeFailure('permission-missing', { code: 'insufficient_scope', params: { permission } });

function report(denied: Partial<Record<Product, string>>, unknown: readonly Product[] = []): ConnectionReport {
  return {
    service: 'reached',
    key: 'accepted',
    clockOffsetMs: 0,
    failure: null,
    products: products.map((product) => ({
      product,
      access: unknown.includes(product) ? 'unknown' : product in denied ? 'denied' : 'allowed',
      permission: denied[product] ?? null,
    })),
  };
}

function build(start: { readonly kept?: string; readonly answer?: ConnectionReport } = {}) {
  const state = {
    kept: start.kept ?? null,
    id: new Secret(key).fingerprint('https://api.example.test') as string | null,
    answer: start.answer ?? report({}),
    mayAsk: true,
    asked: 0,
    notified: 0,
    nowMs: 1_000_000,
  };
  const access = createAccessService({
    identity: () => state.id,
    mayAsk: () => state.mayAsk,
    ask: async () => {
      state.asked += 1;
      return state.answer;
    },
    memory: { read: () => state.kept, save: (text) => (state.kept = text) },
    now: () => state.nowMs,
  });
  access.onChanged(() => (state.notified += 1));
  const of = (product: Product) => access.describe().products.find((one) => one.product === product);
  return { access, state, of };
}

test('a new key is checked once automatically, never in practice mode, and the result is stored without the key', async () => {
  const { access, state, of } = build({ answer: report({ ask: 'llm: read' }) });
  state.mayAsk = false;
  access.refresh();
  expect([state.asked, of('ask')?.access]).toEqual([0, 'unknown']);
  state.mayAsk = true;
  access.refresh();
  access.refresh();
  await access.recheck();
  expect(state.asked).toBe(1);
  access.refresh();
  expect(state.asked).toBe(1);
  expect(of('ask')).toEqual({ product: 'ask', access: 'denied', permission: 'llm: read' });
  expect(of('transcribe')?.access).toBe('allowed');
  expect(state.kept).not.toContain('CANARY');
  expect(state.kept).not.toContain('example');

  const restarted = build({ kept: state.kept ?? '' });
  expect(restarted.of('ask')?.access).toBe('denied');
  expect(restarted.access.describe().checkedAtMs).toBe(1_000_000);
});

test('another key or address is another map, and the first one is there again when it comes back', async () => {
  const { access, state, of } = build({ answer: report({ speak: 'text_to_speech: read' }) });
  await access.recheck();
  const first = state.id;
  state.id = new Secret('another-key-0123456789').fingerprint('https://api.example.test');
  expect(of('speak')?.access).toBe('unknown');
  state.answer = report({});
  access.refresh();
  await access.recheck();
  expect(of('speak')?.access).toBe('allowed');
  state.id = first;
  expect(of('speak')?.access).toBe('denied');
  state.id = null;
  expect(access.describe()).toMatchObject({ checkedAtMs: null });
});

test('a refusal during work denies at once, lasts over free reads, and ends with a successful use or a check by the user', async () => {
  const { access, state, of } = build();
  await access.recheck();
  state.nowMs += 120_000;
  access.noteRefusal('transcribe', missing('speech_to_text: write'));
  expect(of('transcribe')).toMatchObject({ access: 'denied', permission: 'speech_to_text: write' });
  await Promise.resolve();
  expect(state.asked).toBe(2);
  expect(of('transcribe')?.access).toBe('denied');
  // A storm of refusals causes one round of free reads.
  access.noteRefusal('transcribe', missing('speech_to_text: write'));
  expect(state.asked).toBe(2);
  access.noteUse('speak');
  expect(of('transcribe')?.access).toBe('denied');
  access.noteUse('transcribe');
  expect(of('transcribe')?.access).toBe('allowed');

  access.noteRefusal('ask', missing('llm: write'));
  expect(of('ask')?.access).toBe('denied');
  await access.recheck();
  expect(of('ask')?.access).toBe('allowed');
  for (const row of ['key-refused', 'credits-exhausted', 'gateway-error'] as const)
    access.noteRefusal('ask', makeFailure(row));
  expect(of('ask')?.access).toBe('allowed');
});

test('a failed check does not discard what was known, and an invalid file counts as empty', async () => {
  const { access, state, of } = build({ answer: report({ isolate: 'audio_isolation: read' }) });
  await access.recheck();
  state.answer = report({}, ['isolate', 'ask']);
  await access.recheck();
  expect([of('isolate')?.access, of('ask')?.access]).toEqual(['denied', 'allowed']);
  state.answer = { ...report({}), key: 'refused', products: [] };
  const told = state.notified;
  await access.recheck();
  expect([access.describe().isKeyRefused, state.notified]).toEqual([true, told + 1]);
  expect(of('isolate')?.access).toBe('denied');
  state.answer = report({});
  await access.recheck();
  expect(access.describe().isKeyRefused).toBe(false);
  for (const kept of ['', '[]', '{"version":2}', '{"version":1,"known":[{"id":"x"}]}']) {
    expect(build({ kept }).access.describe().checkedAtMs).toBeNull();
  }
});

test('an answer for a key that was replaced meanwhile is not applied to the new one', async () => {
  const { access, state, of } = build({ answer: report({ ask: 'llm: read' }) });
  const answered = access.recheck();
  state.id = 'f'.repeat(32);
  await answered;
  expect(of('ask')?.access).toBe('unknown');
});
