import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { collectDiagnostics } from '../../electron/entries/compose/collect-diagnostics.ts';
import { locateDataFolder } from '../../electron/platform/node/data-folder.ts';
import { openLedger } from '../../electron/storage/open-ledger.ts';
import { openLibraryFile } from '../../electron/storage/open-library-file.ts';
import { defaultSettings } from '../../electron/services/settings/stored-settings.ts';
import { filesHolding, formsOf } from '../security/scan-for-secret.ts';
import { folderOfFile } from '../support/test-folders.ts';

const root = folderOfFile();

/** Everything that a report must not contain, planted where the app stores it or where a defect might put it. */
const secrets = {
  key: 'sk_live_Zq81vXw0LpR7tNc3',
  text: 'Mening maxfiy suhbatim haqida',
  name: 'Shartnoma-Karimov-2026',
  folder: '/home/karimova/Yashirin',
  signedUrl: 'https://cdn.example.test/a.mp3?X-Signature=8f7e6d5c4b3a2918',
  address: 'https://ichki-xizmat.karimov.example',
} as const;

function fill() {
  const folder = locateDataFolder(join(root, 'data'));
  mkdirSync(folder.logs, { recursive: true });
  const opened = openLibraryFile(join(folder.root, 'library.db'), Date.now());
  if (!opened.ok) throw new Error(opened.error.kind);
  const memory = {
    attempt: 3,
    note: secrets.text,
    state: {
      tag: 'failed',
      failure: {
        row: 'E-034',
        code: 'insufficient_credits',
        status: 402,
        requestId: 'req_5b1c2d3e4f5061728394a5b6c7d8e9f0',
        details: secrets.text,
        params: { name: secrets.name, url: secrets.signedUrl },
      },
    },
  };
  const insert = opened.value.database.prepare(
    `INSERT INTO jobs (id, seq, path, name, size_bytes, duration_ms, language, include_speakers, added_at_ms, tag, memory)
     VALUES (?, 1, ?, ?, 1000, 60000, ?, 0, 5, ?, ?)`,
  );
  const path = `${secrets.folder}/${secrets.name}.mp3`;
  insert.run(
    '6f1b0d6e-1111-4a4a-9b9b-0123456789ab',
    path,
    `${secrets.name}.mp3`,
    'uz',
    'failed',
    JSON.stringify(memory),
  );
  // As a defect might leave it: secrets in place of identifiers.
  const odd = { state: { failure: { row: secrets.key, code: secrets.key, requestId: secrets.key } } };
  insert.run(secrets.key, path, `x.${secrets.key}`, secrets.text, secrets.signedUrl, JSON.stringify(odd));
  opened.value.close();

  const ledger = openLedger({ path: join(folder.root, 'ledger.db'), now: () => 7, onTrouble: () => undefined });
  if (!ledger.ok) throw new Error(ledger.error.kind);
  const asked = { characters: 5, model: secrets.key, language: secrets.text };
  ledger.value.begin({ id: 'request-1', route: 'speak.generate', product: 'speak', asked, estimate: null });
  ledger.value.end('request-1', {
    outcome: 'accepted',
    status: 200,
    row: null,
    code: secrets.signedUrl,
    requestId: 'req_77',
    llmRequestId: null,
    remoteId: secrets.key,
    report: null,
  });
  ledger.value.close();

  const time = new Date(0).toISOString();
  const lines = [
    { time, event: 'service-attempt', route: '/v1/stt', status: 402, requestId: 'req_77', body: secrets.text },
    { time, event: secrets.text, code: secrets.key, item: secrets.folder },
    { time: secrets.key, event: 'odd' },
  ];
  for (const line of lines) appendFileSync(join(folder.logs, 'studio.log'), `${JSON.stringify(line)}\n`);
  appendFileSync(
    join(folder.logs, 'cli.log'),
    `Error: ${secrets.folder} ${secrets.signedUrl}\n    at ${secrets.folder}/a.ts\n`,
  );
  writeFileSync(join(folder.root, 'settings.json'), JSON.stringify({ serviceAddress: secrets.address }));
  return folder;
}

test('a report for support says what happened and contains no key, text, name, folder or address', async () => {
  const folder = fill();
  // The scan works: each secret is in the folder that the report is made from.
  for (const secret of Object.values(secrets)) expect(filesHolding(folder.root, secret)).not.toEqual([]);

  const text = await collectDiagnostics({
    folder,
    app: { version: '0.1.0', shell: 'window', isPackaged: false },
    settings: { ...defaultSettings, serviceAddress: secrets.address },
    hasAddress: true,
    key: { present: true, store: 'keychain', keychain: 'present' },
    products: [{ product: 'transcribe', access: 'denied', permission: 'speech_to_text: write' }],
  });
  const bytes = Buffer.from(text);
  const found = Object.entries(secrets).filter(([, secret]) => formsOf(secret).some((form) => bytes.includes(form)));
  expect(found.map(([kind]) => kind)).toEqual([]);
  expect(formsOf(secrets.key).some((form) => Buffer.from(`x ${secrets.key}`).includes(form))).toBe(true);

  const report = JSON.parse(text) as {
    readonly settings: unknown;
    readonly products: unknown;
    readonly libraries: readonly { readonly kind: string; readonly state: string; readonly jobs: readonly object[] }[];
    readonly ledger: readonly object[];
    readonly logs: readonly { readonly name: string; readonly lines: readonly object[] }[];
  };
  expect(report).toMatchObject({
    app: { version: '0.1.0', shell: 'window' },
    settings: { mode: 'unset', hasAddress: true },
    key: { present: true, store: 'keychain' },
    products: [{ product: 'transcribe', access: 'denied', permission: 'speech_to_text: write' }],
  });
  expect(report.libraries[0]).toMatchObject({ kind: 'service', state: 'readable' });
  expect(report.libraries[0]?.jobs).toContainEqual({
    id: '6f1b0d6e-1111-4a4a-9b9b-0123456789ab',
    tag: 'failed',
    addedAtMs: 5,
    language: 'uz',
    sizeBytes: 1000,
    durationMs: 60000,
    ending: '.mp3',
    attempt: 3,
    row: 'E-034',
    code: 'insufficient_credits',
    status: 402,
    requestId: 'req_5b1c2d3e4f5061728394a5b6c7d8e9f0',
  });
  expect(report.ledger).toMatchObject([{ id: 'request-1', state: 'accepted', requestId: 'req_77', code: '[unsafe]' }]);
  const studio = report.logs.find(({ name }) => name === 'studio.log')?.lines;
  expect(studio?.[0]).toMatchObject({ event: 'service-attempt', status: 402, requestId: 'req_77' });
  expect(studio).toHaveLength(2);
  expect(report.logs.find(({ name }) => name === 'cli.log')?.lines).toEqual([]);
});
