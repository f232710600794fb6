import { mkdtempSync, readFileSync, readdirSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeEach, expect, test } from 'vitest';
import type { Ledger } from '../../electron/services/account/ledger.ts';
import { openLedger } from '../../electron/storage/open-ledger.ts';
import type { Failure } from '../../shared/result/failure.ts';

const root = mkdtempSync(join(tmpdir(), 'ovoz-damaged-ledger-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));
const nowMs = Date.UTC(2026, 10, 20, 12);
let folder: string;
let path: string;
let troubles: Failure[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(root, 'case-'));
  path = join(folder, 'ledger.db');
  troubles = [];
});

function open(): Ledger {
  const opened = openLedger({ path, now: () => nowMs, onTrouble: (failure) => void troubles.push(failure) });
  if (!opened.ok) throw new Error(opened.error.row);
  return opened.value;
}

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
  expect(again.openRequest(again.fingerprint(['ask']), 'key-4', false)).toMatchObject({ value: { actionId: 'key-4' } });
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
  const lost = { ok: false, error: { row: 'E-041', code: 'record_lost' } };
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
  expect(troubles.map(({ row }) => row)).toEqual(['E-182']);
  const aside = readdirSync(folder).find((name) => name.startsWith('ledger.corrupt-')) ?? '';
  expect(readFileSync(join(folder, aside), 'utf8')).toContain('something that was here');

  const newer = new DatabaseSync(path);
  newer.exec('PRAGMA user_version = 99');
  newer.close();
  expect(openLedger({ path, now: () => nowMs, onTrouble: () => undefined })).toMatchObject({
    ok: false,
    error: { row: 'E-184' },
  });
});
