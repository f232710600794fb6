import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { forAll } from '../../../tests/support/for-all.ts';
import { judgeWebhookInput, webhookEventTypes, webhookLimits } from '../webhooks/webhook.ts';
import { isWanted, supportLines, type LogEntryView } from './account-views.ts';
import { judgeKeyInput, keyLimits, type KeyInput } from './key-input.ts';
import {
  reportCsv,
  reportOfService,
  spentInAll,
  spentOf,
  type CountedUsage,
  type ProductSpend,
} from './usage-report.ts';

const now = Date.parse('2026-11-22T10:00:00Z');
const soon = new Date(now + 60_000).toISOString();
const faultsOf = (wanted: KeyInput) => judgeKeyInput(wanted, now).map(({ field, problem }) => `${field} ${problem}`);
const ips = (count: number) => Array.from({ length: count }, (_, at) => `203.0.113.${String(at)}`);
const webhookFaults = (wanted: Parameters<typeof judgeWebhookInput>[0]) =>
  judgeWebhookInput(wanted).map(({ field, problem }) => `${field} ${problem}`);
const urlOf = (characters: number) => 'https://hooks.example.uz/'.padEnd(characters, 'a');

describe('limits of contract 4.1, 4.2, 4.11 and 8 are checked before anything is sent', () => {
  it.each<[string, KeyInput, readonly string[]]>([
    ['no name', { name: '  ' }, ['name empty']],
    ['a name of 80 characters', { name: 'ў'.repeat(keyLimits.nameCharacters.max) }, []],
    ['a name of 81', { name: 'ў'.repeat(81) }, ['name long']],
    ['100 addresses', { allowedIps: ips(100) }, []],
    ['101 addresses', { allowedIps: ips(101) }, ['allowedIps many']],
    ['an IPv6 range', { allowedIps: ['2001:db8::/32', '::1'] }, []],
    ['a range that is none', { allowedIps: ['10.0.0.0/33'] }, ['allowedIps malformed']],
    ['a name in place of an address', { allowedIps: ['example.uz'] }, ['allowedIps malformed']],
    ['an end in the future', { expiresAt: soon }, []],
    ['an end that has passed', { expiresAt: new Date(now).toISOString() }, ['expiresAt past']],
    ['an end without a zone', { expiresAt: '2030-01-01T00:00:00' }, ['expiresAt malformed']],
    ['a limit of 0', { creditLimit: 0 }, []],
    ['a limit below 0', { creditLimit: -1 }, ['creditLimit malformed']],
    ['a part of a credit', { creditLimit: 1.5 }, ['creditLimit malformed']],
  ])('key: %s', (_name, wanted, expected) => {
    expect(faultsOf(wanted)).toEqual(expected);
  });

  it.each<[string, Parameters<typeof judgeWebhookInput>[0], readonly string[]]>([
    ['2,048 characters', { url: urlOf(webhookLimits.urlCharacters) }, []],
    ['2,049 characters', { url: urlOf(2049) }, ['url too-long']],
    ['plain http', { url: 'http://hooks.example.uz' }, ['url other-scheme']],
    ['nothing', { url: ' ' }, ['url empty']],
    ['no event', { eventTypes: [] }, ['eventTypes none']],
    ['an event twice', { eventTypes: [webhookEventTypes[0]!, webhookEventTypes[0]!] }, ['eventTypes unknown']],
  ])('webhook: %s', (_name, wanted, expected) => {
    expect(webhookFaults(wanted)).toEqual(expected);
  });
});

const entry = (values: Record<string, number>, more: { at?: string; product?: string } = {}) => ({
  label: more.product ?? more.at ?? '',
  at: more.at ?? null,
  product: more.product ?? null,
  values,
});

it('the usage of the service is shown by days of UTC, with our names for its products and its own for newer ones', () => {
  const counted: CountedUsage = {
    summary: { total_credits: 12, total_requests: 7, success_rate: 0.5, failed_requests: 2, average_latency_ms: 40 },
    series: [
      entry({ total_credits: 5, total_requests: 3 }, { at: '2026-11-22T00:00:00Z' }),
      entry({ credits: 7 }, { at: '2026-11-16', product: 'llm' }),
      entry({ credits: 100 }, { at: 'whenever' }),
    ],
    products: [
      entry({ total_credits: 2, total_requests: 1, total_characters: 30 }, { product: 'tts' }),
      entry({ credits: 4, requests: 2 }, { product: 'llm' }),
      entry({ credits: 1 }, { product: 'tts' }),
      entry({ credits: 5 }, { product: 'dreams' }),
      // Dictation, and parts that were transcribed again.
      entry({ credits: 6 }, { product: 'stt_realtime' }),
    ],
  };
  const report = reportOfService(counted, { ...counted, summary: { total_credits: 24 } }, 7, now);
  expect(report.days.map(({ credits }) => credits)).toEqual([7, 0, 0, 0, 0, 0, 5]);
  expect(report.days[0]?.products).toEqual([{ product: 'ask', credits: 7 }]);
  expect(report.products.map(({ product, credits }) => `${product} ${credits}`)).toEqual([
    'live 6',
    'dreams 5',
    'ask 4',
    'speak 3',
  ]);
  expect(report).toMatchObject({ credits: 12, creditsBefore: 24, requests: 7, service: { failedRequests: 2 } });
  // The service knows all costs; only this computer counts requests without one.
  expect(report.products.some((product) => 'unreported' in product)).toBe(false);
  expect(reportCsv(report)).toContain('\r\n2026-11-22,2026-11-22,all,5,3,,\r\n');
});

it('P-09: no product name becomes a formula or a second cell', () => {
  forAll(fc.string({ maxLength: 40 }), (product) => {
    const csv = reportCsv({
      days: [],
      products: [{ product, credits: 1, requests: 1, audioMs: null, characters: null }],
    });
    const cell = csv.slice(csv.indexOf('\r\n,,') + '\r\n,,'.length, csv.lastIndexOf(',1,1,,'));
    expect(cell).not.toMatch(/^"?[=+\-@\t\r＝＋－＠]/u);
    if (/[",\r\n]/u.test(cell)) expect(cell).toMatch(/^"(?:[^"]|"")*"$/u);
  });
});

const logged: LogEntryView = {
  requestId: 'req_01JD',
  at: '2026-11-22T09:00:00Z',
  method: 'POST',
  route: '/v1/stt',
  status: 402,
  latencyMs: 84,
  requestBytes: null,
  responseBytes: 312,
  keyId: 'key_1',
  keyPrefix: 'sk_live_abc',
  usage: null,
};

it('the log is searched by parts of the route and request id, and a copy for support contains no key', () => {
  const all = { isFailedOnly: false, hidesReads: false, text: '' };
  const isShown = (filter: Partial<typeof all>, change: Partial<LogEntryView> = {}) =>
    isWanted({ ...logged, ...change }, { ...all, ...filter });
  expect([isShown({}), isShown({ isFailedOnly: true, text: 'STT' }), isShown({ text: '01jd' })]).toEqual(
    Array(3).fill(true),
  );
  expect([
    isShown({ text: 'tts' }),
    isShown({ isFailedOnly: true }, { status: 200 }),
    isShown({ hidesReads: true }, { method: 'GET' }),
  ]).toEqual(Array(3).fill(false));
  expect(supportLines(logged)).toContain('request_id: req_01JD');
  expect(supportLines(logged)).not.toContain('sk_live');
});

it('the total is the sum of what is said of the features, and never says less than they do', () => {
  const of = (product: string, credits: number, more: Partial<ProductSpend> = {}): ProductSpend => ({
    product,
    credits,
    requests: 2,
    audioMs: null,
    characters: null,
    ...more,
  });
  const exact = of('isolate', 17);
  const about = of('transcribe', 6900, { unreported: 1, expected: 441 });
  const atLeast = of('dictate', 450, { unreported: 1 });
  const unknown = of('speak', 0, { unreported: 2 });
  expect([exact, about, atLeast, unknown].map(spentOf)).toEqual([
    { credits: 17, is: 'exact' },
    { credits: 7341, is: 'about' },
    { credits: 450, is: 'at-least' },
    { credits: 0, is: 'unknown' },
  ]);
  const total = (...products: readonly ProductSpend[]) =>
    spentInAll({
      products,
      credits: products.reduce((sum, { credits }) => sum + credits, 0),
      unreported: products.reduce((sum, { unreported = 0 }) => sum + unreported, 0),
    });
  expect(total(exact)).toEqual({ credits: 17, is: 'exact' });
  expect(total(exact, about)).toEqual({ credits: 7358, is: 'about' });
  expect(total(exact, about, atLeast)).toEqual({ credits: 7808, is: 'at-least' });
  expect(total(unknown)).toEqual({ credits: 0, is: 'unknown' });
});
