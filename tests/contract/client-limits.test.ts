import { mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { pageQuery } from '../../electron/api/http/resource-call.ts';
import { systemClientClock } from '../../electron/api/http/clock.ts';
import { RateLimiter } from '../../electron/api/http/rate-limiter.ts';
import { attachFile, judgeFiles } from '../../electron/api/resources/attach-file.ts';
import { readCommand } from '../../electron/cli/options.ts';
import { largestMessage } from '../../electron/mcp/tool.ts';
import { createAccountService } from '../../electron/services/account/account-service.ts';
import { checkLegacy } from '../../electron/services/jobs/kinds/legacy-transcription.ts';
import { createWebhookService } from '../../electron/services/webhooks/webhook-service.ts';
import { usagePeriods } from '../../shared/domain/ledger/usage-by-day.ts';
import { windowOfService } from '../../shared/domain/account/usage-report.ts';
import { describeFailure } from '../../shared/domain/failures/describe-failure.ts';
import { webhookEventTypes } from '../../shared/domain/webhooks/webhook-input.ts';
import {
  cloneRules,
  findDetailTroubles,
  findRecordingTrouble,
  isTranscriptFit,
  noDetails,
} from '../../shared/domain/voices/clone-rules.ts';
import type { Failure } from '../../shared/result/failure.ts';
import type { Result } from '../../shared/result/result.ts';
import { judgeMessages } from '../../shared/wire/attachment-limits.ts';
import { limits } from '../../shared/wire/limits.ts';
import { tools } from '../../shared/wire/tools.ts';
import { catalogues } from '../../shared/i18n/catalogues.ts';
import { sendJson, startScriptedServer, type ScriptedServer } from '../support/scripted-server.ts';
import { simplePdf } from '../support/simple-pdf.ts';
import { openService } from './service-rig.ts';

let server: ScriptedServer;
let client: ReturnType<typeof openService>;
const folder = mkdtempSync(join(tmpdir(), 'ovoz-limits-'));
const signal = new AbortController().signal;
const day = 86_400_000;
const mib = 1024 * 1024;

beforeAll(async () => {
  server = await startScriptedServer((request, response) => {
    const webhooks = Array.from({ length: 20 }, (_, at) => ({ id: `wh_${at}`, enabled: true }));
    const files = Array.from({ length: 25 }, (_, at) => ({ id: `f_${at}`, filename: `${at}.pdf`, bytes: 1 }));
    if (request.url.startsWith('/v1/files')) sendJson(response, 200, { object: 'list', data: files, has_more: false });
    else sendJson(response, 200, { webhooks, pagination: { total: 20, next_page: null }, request_id: 'r' });
  });
  client = openService(server.url);
});
/** What a limit refuses is not sent: lists may be read, nothing is made or changed. */
afterEach(() => {
  expect(server.seen.filter(({ method }) => method !== 'GET')).toEqual([]);
});
afterAll(async () => {
  await client.close();
  await server.close();
  rmSync(folder, { recursive: true, force: true });
});

type Refused = Promise<Result<unknown, Failure>> | Result<unknown, Failure>;

/** Its machine code, after its words were found in every language. */
async function codeOf(refused: Refused): Promise<string> {
  const result = await refused;
  if (result.ok) return 'sent';
  return wordedCode(result.error);
}
function wordedCode(failure: Failure | null): string {
  if (failure === null) return 'allowed';
  const { textKey } = describeFailure(failure);
  for (const language of ['uz', 'ru', 'en'] as const) expect(textOf(language, textKey)).toMatch(/\p{L}{3}/u);
  expect(failure.outcome).not.toBe('accepted');
  return failure.code;
}
const textOf = (language: 'uz' | 'ru' | 'en', key: string): unknown =>
  key.split('.').reduce<unknown>((tree, part) => (tree as Record<string, unknown>)[part], catalogues[language]);
const hasWords = (key: string): boolean =>
  (['uz', 'ru', 'en'] as const).every((language) => typeof textOf(language, key) === 'string');

const account = () =>
  createAccountService(
    client.account,
    () => Date.now(),
    () => '',
  );
const webhooks = () => createWebhookService(client.webhooks, () => Date.now());
const key = (more: object) => codeOf(account().createKey({ name: 'a', ...more }));
const hook = (url: string) => codeOf(webhooks().create({ url, eventTypes: [webhookEventTypes[0]] }));
const fieldOf = async (refused: Refused, field: string): Promise<string | undefined> => {
  const result = await refused;
  return result.ok ? undefined : result.error.fields?.[field];
};
const file = (name: string, bytes: Uint8Array | string): string => {
  const path = join(folder, name);
  writeFileSync(path, bytes);
  return path;
};
const attach = (path: string) => codeOf(attachFile(client.ask, path, null, signal));
const edges = (page: { readonly min: number; readonly max: number; readonly default: number }) => [
  pageQuery({ limit: page.max + 1 }, page)['limit'],
  pageQuery({ limit: 0 }, page)['limit'],
  pageQuery({}, page)['limit'],
];
const speech = tools.text_to_speech.input.properties;
const recording = (durationMs: number, sizeBytes = 1) => ({ durationMs, sizeBytes });

/** Every row of the table of limits (contract 8), in its order. */
const rows: Readonly<Record<string, () => void | Promise<void>>> = {
  'Analytics window': () => {
    for (const period of usagePeriods) {
      const { from, to } = windowOfService(period, Date.now());
      expect(Date.parse(to) - Date.parse(from)).toBeLessThanOrEqual(90 * day);
    }
    expect(readCommand(['usage', '--account', '--days', '91'])).toMatchObject({ problem: 'badAccountDays' });
    expect(readCommand(['requests', '--days', '91'])).toMatchObject({ problem: 'badLogDays' });
    expect(hasWords('cli.problem.badAccountDays') && hasWords('cli.problem.badLogDays')).toBe(true);
  },
  'Key-list and request-log `limit`': () => {
    expect([edges(limits.pages.keys), edges(limits.pages.requestLogs)]).toEqual([
      [100, 1, 50],
      [100, 1, 50],
    ]);
  },
  'Key name': async () => {
    expect([await key({ name: '' }), await key({ name: 'x'.repeat(81) })]).toEqual(Array(2).fill('validation_error'));
    expect(await fieldOf(account().createKey({ name: 'x'.repeat(81) }), 'name')).toBe('long');
    expect(hasWords('account.keys.faults.name.long')).toBe(true);
  },
  '`allowed_ips`': async () => {
    const many = { name: 'a', allowedIps: Array.from({ length: 101 }, () => '203.0.113.7') };
    expect(await fieldOf(account().createKey(many), 'allowedIps')).toBe('many');
    expect(hasWords('account.keys.faults.allowedIps.many')).toBe(true);
  },
  'TTS history `limit`': () => expect(edges(limits.pages.generations)).toEqual([100, 1, 30]),
  'STT history `limit`': () => expect(edges(limits.pages.transcriptions)).toEqual([100, 1, 10]),
  'Isolation history `limit` (tool)': () => expect(edges(limits.pages.isolations)).toEqual([50, 1, 20]),
  'TTS `speed`': () => {
    expect(speech['speed']).toMatchObject({ minimum: 0.5, maximum: 2, default: 1 });
    for (const speed of ['0.49', '2.01'])
      expect(readCommand(['speak', 'a', '--language', 'uz', '--speed', speed])).toMatchObject({ problem: 'badSpeed' });
    expect(hasWords('cli.problem.badSpeed')).toBe(true);
  },
  'TTS tool text': () => expect(speech['text']).toMatchObject({ minLength: 1, maxLength: 5000 }),
  // tests/integration/legacy-api.test.ts sends a longer one through the service: nothing leaves.
  'Older TTS transcript': () => {
    expect(limits.legacy.speakCharacters.withKey).toBe(1000);
    expect(hasWords('errors.variants.legacy_text_too_long.textPlain')).toBe(true);
  },
  'Older STT v2 file': () => {
    expect(wordedCode(checkLegacy({ name: 'a.mp3', sizeBytes: 500_000_001 }))).toBe('file_too_large');
    expect(checkLegacy({ name: 'a.mp3', sizeBytes: 500_000_000 })).toBeNull();
  },
  // Speakers are not asked for in shorter audio (legacy-transcription.ts), and the switch says so.
  'Older STT diarization': () => {
    expect(limits.legacy.diarizationMinMs).toBe(15_000);
    expect(String(textOf('en', 'transcribe.next.legacyHint'))).toContain('15 seconds');
  },
  // realtime-stt.test.ts: what is shorter is forgotten, what is longer is cut at 34.5 s.
  'Realtime STT commit': () => expect(limits.dictation).toEqual({ commitMinMs: 100, commitMaxMs: 35_000 }),
  'Isolation tool upload': async () => {
    const source = { path: join(folder, 'none'), name: 'a.wav', sizeBytes: 300 * mib + 1, mtimeMs: 0 };
    const input = { source, speechRestoration: false, idempotencyKey: crypto.randomUUID(), signal };
    expect(await codeOf(client.isolate.submit(input))).toBe('file_too_large');
  },
  // tool-server.test.ts sends a longer line and gets E-243.
  'Tool gateway JSON request': () => {
    expect(largestMessage).toBe(10 * mib);
    expect(hasWords('errors.E-243.text')).toBe(true);
  },
  'LLM file': async () => {
    const large = file('large.pdf', '%PDF-1.7');
    truncateSync(large, 4 * mib + 1);
    expect(await attach(large)).toBe('attachment_too_large');
    const pages = file('pages.pdf', simplePdf(Array.from({ length: 101 }, () => ['a'])));
    expect(await attach(pages)).toBe('attachment_too_many_pages');
    expect(await attach(file('empty.pdf', ''))).toBe('attachment_empty');
    expect(await attach(file('letter.docx', 'PK'))).toBe('attachment_other_type');
    const parts = (count: number) => [
      { role: 'user', content: Array.from({ length: count }, () => ({ type: 'text' })) },
    ];
    expect([judgeMessages(parts(12)), judgeMessages(parts(13)), judgeMessages(parts(0))]).toEqual([
      null,
      'parts',
      'parts',
    ]);
    expect([judgeFiles([4]), judgeFiles([5]), judgeFiles([4, 4, 4, 4]), judgeFiles([4, 4, 4, 4, 1])]).toEqual([
      null,
      'files',
      null,
      'all_files',
    ]);
    expect(hasWords('errors.codes.attachment_files.text') && hasWords('errors.codes.attachment_all_files.text')).toBe(
      true,
    );
  },
  'LLM file list `limit`': () => expect(edges(limits.pages.files)).toEqual([100, 1, 20]),
  // Each question names its files anew and looks for them first: an expired one is uploaded again (attach-file.ts).
  'LLM file retention': () => expect(limits.attachment.retentionMs).toBe(30 * day),
  // Files of a question go one after another; how many were tried today only the service knows, and its 429 has words.
  'LLM files per account': async () => {
    expect(await attach(file('plan.pdf', simplePdf([['a']])))).toBe('attachment_quota_exceeded');
  },
  'Webhooks per account': async () => expect(await hook('https://hooks.example.com/a')).toBe('webhook_limit_reached'),
  'Webhook URL': async () => {
    const faultOf = (url: string) => fieldOf(webhooks().create({ url, eventTypes: [webhookEventTypes[0]] }), 'url');
    const long = 'https://hooks.example.com/'.padEnd(2049, 'x');
    const faults = [await faultOf(long), await faultOf('https://hooks.example.com:8443/')];
    expect(faults).toEqual(['too-long', 'other-port']);
    for (const fault of faults) expect(hasWords(`webhooks.faults.url.${fault}`)).toBe(true);
  },
  // The longest address with all events is far below.
  'Webhook JSON body': () => {
    const body = { url: 'x'.repeat(2048), event_types: webhookEventTypes, enabled: true, expected_revision: 1e15 };
    expect(Buffer.byteLength(JSON.stringify(body)) * 3).toBeLessThan(limits.webhook.bodyBytes);
  },
  'Webhook list': async () => {
    const before = server.seen.length;
    await client.webhooks.list({ page: 100_001, pageSize: 101 });
    await client.webhooks.list({ page: 0, pageSize: 0 });
    await client.webhooks.list({});
    expect(server.seen.slice(before).map(({ url }) => url.split('?')[1])).toEqual([
      'page=100000&page_size=100',
      'page=1&page_size=1',
      'page=1&page_size=50',
    ]);
  },
  // The receiver is the user's own server: these two are rules of the service, shown with each delivery.
  'Webhook receiver timeout': () => expect(hasWords('webhooks.errors.timeout')).toBe(true),
  'Webhook attempts': () => expect(hasWords('webhooks.attempts') && hasWords('webhooks.next')).toBe(true),
  // tests/integration/clone-draft.test.ts sends them through the service.
  'Voice-clone reference': () => {
    const trouble = (what: 'reference' | 'reading', ms: number, size?: number) =>
      findRecordingTrouble(what, recording(ms, size));
    expect([9999, 10_000, 30_000, 30_001].map((ms) => trouble('reference', ms))).toEqual(['short', null, null, 'long']);
    expect([2999, 3000, 60_000, 60_001].map((ms) => trouble('reading', ms))).toEqual(['short', null, null, 'long']);
    expect([trouble('reference', 10_000, 10 * mib), trouble('reading', 3000, 10 * mib + 1)]).toEqual([null, 'large']);
    expect(hasWords('errors.E-087.text')).toBe(true);
  },
  'Voice-clone transcript': () => {
    expect([isTranscriptFit(' '), isTranscriptFit('a'.repeat(20_000)), isTranscriptFit('a'.repeat(20_001))]).toEqual([
      false,
      true,
      false,
    ]);
    const details = { ...noDetails, name: 'a'.repeat(101), description: 'a'.repeat(1001), accent: 'oʻ'.repeat(41) };
    expect(findDetailTroubles(details)).toEqual(['name-long', 'description-long', 'accent-long']);
    expect([cloneRules.attempts, cloneRules.challengeMs]).toEqual([5, 600_000]);
    expect(hasWords('errors.E-091.text') && hasWords('errors.E-093.text') && hasWords('errors.E-094.text')).toBe(true);
  },
  // Judged by the service alone; a lower score is E-094, with the tries that are left.
  'Voice-clone similarity cutoff': () => expect(cloneRules.leastScore).toBe(0.72),
  // The step is not repeated after that time; what became of it is read (E-095).
  'Voice-clone request deadline': () => expect(hasWords('errors.E-095.text')).toBe(true),
  // Shared with the dashboard, so only the service can count; E-096 tells when the step can be sent again.
  'Voice-clone rate (per account per API replica, shared with the dashboard)': () =>
    expect(hasWords('errors.E-096.text') && hasWords('errors.E-096.textPlain')).toBe(true),
  'Active custom voices': () => {
    expect(cloneRules.voices).toBe(5);
    expect(hasWords('errors.E-090.text')).toBe(true);
  },
  'General developer API rate': () => {
    expect(new RateLimiter(systemClientClock).rate).toBeLessThan(limits.requestsPerSecond);
  },
};

describe('each limit of the contract is kept by the client, before anything is sent and with words', () => {
  it.each(Object.entries(rows))('%s', async (_row, check) => {
    await check();
  });

  const document = process.env['OVOZ_SERVICE_DOCUMENT'];
  it.runIf(document !== undefined)('the rows are those of the document', () => {
    const [, table = ''] = readFileSync(document ?? '', 'utf8').split(/^## 8\. .*$/mu);
    const named = [...(table.split(/^Billing/mu)[0]?.matchAll(/^\| (?!Limit \||---)(?<row>[^|]+?) \|/gmu) ?? [])];
    expect(Object.keys(rows)).toEqual(named.map(({ groups }) => groups?.['row']));
  });
});
