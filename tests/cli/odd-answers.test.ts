import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { jsonLines, runCli } from '../support/cli-run.ts';
import { sendJson, startScriptedServer, type Script, type ScriptedServer } from '../support/scripted-server.ts';
import { simplePdf } from '../support/simple-pdf.ts';
import { toneWav } from '../support/wav-files.ts';

const root = mkdtempSync(join(tmpdir(), 'ovoz-odd-'));
const key = 'sk-odd-answers-0001';
let server: ScriptedServer;
let script: Script = () => undefined;
let place = '';
let number = 0;

beforeEach(async () => {
  server = await startScriptedServer((request, response, at) => script(request, response, at));
  number += 1;
  place = join(root, String(number));
  mkdirSync(place, { recursive: true });
});
afterEach(() => server.close());
afterAll(() => rmSync(root, { recursive: true, force: true }));

const run = (
  name: string,
  more: readonly string[] = [],
  env: { readonly key?: string; readonly legacyKey?: string } = {},
) => {
  writeFileSync(join(place, name), toneWav(300, 0.2));
  return runCli(['transcribe', join(place, name), '--language', 'uz', '--out', join(place, 'out'), ...more], {
    url: server.url,
    key,
    dataDir: join(place, 'data'),
    ...env,
  });
};
const posts = () => server.seen.filter(({ method }) => method === 'POST');

describe('a paid answer without words', () => {
  it('is written beside the texts as it came, its path is printed, and nothing is sent under another key', async () => {
    const answer = '{"amount":3,"words_are":"nowhere"}';
    script = (request, response) => {
      if (request.method !== 'POST') return sendJson(response, 200, { items: [] });
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(answer);
    };
    const first = await run('Suhbat.wav', ['--json']);
    const kept = join(place, 'out', 'Suhbat answer.json');
    expect(first.code).toBe(1);
    expect(jsonLines(first.out)[0]).toMatchObject({
      state: 'failed',
      error: { code: 'unreadable_answer', message: expect.stringContaining(kept) },
    });
    expect(readFileSync(kept, 'utf8')).toBe(answer);
    expect(readdirSync(join(place, 'out'))).toEqual(['Suhbat answer.json']);
    expect(new Set(posts().map(({ headers }) => headers['idempotency-key'])).size).toBe(1);
  }, 60_000);
});

it('failed work is sent again under a new key if the user accepts the charge, and only then', async () => {
  script = (_request, response, at) =>
    sendJson(response, 200, at.number === 1 ? { id: 'tr_0', status: 'failed' } : { id: 'tr_1', text: 'Salom.' });
  const first = await run('a.wav', ['--json']);
  expect(jsonLines(first.out)[0]?.error?.message).toContain('--send-again');
  expect((await run('a.wav', ['--json'])).code).toBe(1);
  expect(posts()).toHaveLength(1);
  expect((await run('a.wav', ['--json', '--send-again'])).code).toBe(0);
  expect(new Set(posts().map(({ headers }) => headers['idempotency-key'])).size).toBe(2);
}, 30_000);

it('a key that no header can contain is wrong usage, and nothing is sent', async () => {
  const { code, error } = await run('a.wav', [], { key: 'sk-one\nsk-two' });
  expect(code).toBe(2);
  expect(error).toContain('API key holds');
  expect(error).not.toContain('sk-one');
  expect(server.seen).toEqual([]);
});

it('a name can’t send commands to the terminal or break a line', async () => {
  script = (_request, response) => sendJson(response, 200, { id: 'tr_1', status: 'completed', text: 'Salom.' });
  const { code, out, error } = await run('red\u001b[31m\nDone: 9.wav');
  expect(code).toBe(0);
  expect(out + error).not.toContain('\u001b');
  expect(out.split('\n').filter((line) => line.startsWith('Done:'))).toEqual(['Done: 1. Failed: 0. Skipped: 0.']);
});

it('files that a question can’t have are refused before one of them is uploaded', async () => {
  script = (_request, response) => sendJson(response, 200, { data: [] });
  const paths = [1, 2, 3, 4, 5].map((at) => join(place, `${at}.pdf`));
  for (const path of paths) writeFileSync(path, simplePdf([[path]]));
  writeFileSync(join(place, 'letter.doc'), 'Dear friend');
  const ask = (files: readonly string[]) =>
    runCli(['ask', 'Nima bu?', '--json', ...files.flatMap((path) => ['--attach', path])], {
      url: server.url,
      key,
      dataDir: join(place, 'data'),
    });
  const [many, other] = [await ask(paths), await ask([paths[0] ?? '', join(place, 'letter.doc')])];
  expect([many, other].map(({ code, out }) => [code, jsonLines(out)[0]?.error?.code])).toEqual([
    [1, 'attachment_files'],
    [1, 'attachment_other_type'],
  ]);
  expect(posts()).toEqual([]);
}, 60_000);

it.each([
  [['requests'], 'OVOZ_ACCOUNT_TOKEN'],
  [['transcribe', 'a.wav', '--language', 'uz', '--legacy'], 'OVOZ_LEGACY_KEY'],
])(
  'a missing secret is wrong use: %j',
  async (args, name) => {
    writeFileSync(join(place, 'a.wav'), toneWav(300, 0.2));
    const { code, error } = await runCli(args, { url: server.url, key, dataDir: join(place, 'data'), cwd: place });
    expect([code, server.seen.length]).toEqual([2, 0]);
    expect(error).toContain(name);
  },
  30_000,
);

it('a legacy recording that is too short for speakers says that they are not told apart', async () => {
  script = (request, response) =>
    sendJson(response, 200, {
      id: 5,
      ...(request.method === 'POST' ? { status: 'PENDING' } : { status: 'SUCCESS', transcript: 'Salom.' }),
    });
  const { code, error } = await run('a.wav', ['--legacy', '--speakers'], { legacyKey: 'old-odd-answers-0001' });
  expect(code).toBe(0);
  expect(error).toContain('shorter than 15 seconds');
}, 30_000);

it('a legacy service that answers 503 is said to have trouble, and the command may be given again later', async () => {
  script = (_request, response) => sendJson(response, 503, { error_key: 'unavailable', detail: 'server words' });
  const secrets = { legacyKey: 'old-odd-answers-0001' };
  const speak = ['speak', 'Salom', '--language', 'uz', '--voice', 'legacy:happy', '--out', join(place, 'a.wav')];
  const ends = await Promise.all([
    run('b.wav', ['--legacy', '--wait', '2'], secrets),
    runCli(speak, { url: server.url, key, dataDir: join(place, 'spoken'), ...secrets }),
  ]);
  expect(ends.map(({ code }) => code)).toEqual([75, 75]);
  for (const { out, error } of ends) {
    expect(error).toContain('The service is having trouble.');
    expect(out + error).not.toContain('server words');
  }
  expect(existsSync(join(place, 'a.wav'))).toBe(false);
}, 60_000);
