import { expect, it } from 'vitest';
import { RateLimiter } from '../../electron/service/pace.ts';
import { systemClientClock } from '../../electron/service/transport.ts';
import { attachFile, judgeFiles } from '../../electron/service/ask.ts';
import { readCommand } from '../../electron/cli/options.ts';
import { largestMessage } from '../../electron/mcp/contract-tools.ts';
import { createWebhookService } from '../../electron/services/webhooks/webhook-service.ts';
import { checkLegacy } from '../../electron/service/legacy.ts';
import { windowOfService } from '../../shared/domain/account/usage-report.ts';
import { usagePeriods } from '../../shared/domain/ledger/usage-by-day.ts';
import { limits } from '../../electron/service/limits.ts';
import { tools } from '../../electron/mcp/tools.ts';
import { sendJson } from '../support/scripted-server.ts';
import { simplePdf } from '../support/simple-pdf.ts';
import { scriptedService } from './client-rig.ts';

const service = await scriptedService();
const day = 86_400_000;
const mib = 1024 * 1024;

/** As the service documents them (contract 8): milliseconds, bytes, and pages as smallest, largest and usual. */
const page = (max: number, usual: number) => ({ min: 1, max, default: usual });
const documented = {
  requestsPerSecond: 70,
  pages: {
    keys: page(100, 50),
    requestLogs: page(100, 50),
    generations: page(100, 30),
    transcriptions: page(100, 10),
    isolations: page(50, 20),
    files: page(100, 20),
    webhooks: page(100, 50),
    webhookPage: page(100_000, 1),
  },
  analytics: { windowMs: 90 * day, hourlyWindowMs: 31 * day },
  key: { nameCharacters: { min: 1, max: 80 }, allowedIps: 100 },
  speak: { speed: { min: 0.5, max: 2, default: 1 }, toolCharacters: { min: 1, max: 5000 } },
  legacy: { speakCharacters: { withKey: 1000, public: 500 }, longFileBytes: 500_000_000, diarizationMinMs: 15_000 },
  dictation: { commitMinMs: 100, commitMaxMs: 35_000 },
  isolation: { toolFileBytes: 300 * mib },
  toolRequestBytes: 10 * mib,
  attachment: { fileBytes: 4 * mib, pdfPages: 100, partsPerMessage: { min: 1, max: 12 }, retentionMs: 30 * day },
  webhook: { activePerAccount: 20, urlCharacters: 2048, port: 443, attempts: 8 },
};

it('the limits of the client are the documented ones', () => {
  expect(limits).toMatchObject(documented);
  expect(new RateLimiter(systemClientClock).rate).toBeLessThan(70);
  expect(largestMessage).toBe(10 * mib);
  const { speed, text } = tools.text_to_speech.input.properties;
  expect(speed).toMatchObject({ minimum: 0.5, maximum: 2, default: 1 });
  expect(text).toMatchObject({ minLength: 1, maxLength: 5000 });
});

it('what is beyond them is refused before anything is made', async () => {
  for (const period of usagePeriods) {
    const { from, to } = windowOfService(period, Date.now());
    expect(Date.parse(to) - Date.parse(from)).toBeLessThanOrEqual(90 * day);
  }
  expect(readCommand(['usage', '--account', '--days', '91'])).toMatchObject({ problem: 'badAccountDays' });
  expect(readCommand(['requests', '--days', '91'])).toMatchObject({ problem: 'badLogDays' });
  for (const speed of ['0.49', '2.01'])
    expect(readCommand(['speak', 'a', '--language', 'uz', '--speed', speed])).toMatchObject({ problem: 'badSpeed' });
  expect(checkLegacy({ name: 'a.mp3', sizeBytes: 500_000_001 })?.code).toBe('file_too_large');
  expect(checkLegacy({ name: 'a.mp3', sizeBytes: 500_000_000 })).toBeNull();
  expect([[4], [5], [4, 4, 4, 4], [4, 4, 4, 4, 1]].map(judgeFiles)).toEqual([null, 'files', null, 'all_files']);
});

it('an account that has its 20 subscriptions or 25 files gets no more, and nothing is sent to find out', async () => {
  const { server, client, files } = service;
  server.script = ({ url }, response) => {
    const webhooks = Array.from({ length: 20 }, (_, at) => ({ id: `wh_${at}`, enabled: true }));
    const data = Array.from({ length: 25 }, (_, at) => ({ id: `f_${at}`, filename: `${at}.pdf`, bytes: 1 }));
    if (url.startsWith('/v1/files')) sendJson(response, 200, { object: 'list', data, has_more: false });
    else sendJson(response, 200, { webhooks, pagination: { total: 20, next_page: null }, request_id: 'r' });
  };
  const hook = { url: 'https://hooks.example.com/a', eventTypes: ['tts.generation.completed'] };
  const full = { ok: false, error: { code: 'webhook_limit_reached' } };
  expect(await createWebhookService(client.webhooks, Date.now).create(hook)).toMatchObject(full);
  const { path } = await files.recording(simplePdf([['a']]), 'plan.pdf');
  const { signal } = new AbortController();
  const tooMany = { ok: false, error: { code: 'attachment_quota_exceeded' } };
  expect(await attachFile(client.ask, path, null, signal)).toMatchObject(tooMany);
  expect(server.seen.filter(({ method }) => method !== 'GET')).toEqual([]);
});
