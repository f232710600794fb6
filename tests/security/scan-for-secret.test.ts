import { writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, it } from 'vitest';
import { filesHolding } from './scan-for-secret.ts';
import { folderOfFile } from '../support/test-folders.ts';

const folder = folderOfFile();
const secret = 'sk_test_CANARY_4f9a/oʻ+7Q';
const encode = (before: string) => Buffer.from(`${before}${secret} and more`).toString('base64');

it.each<[string, string | Buffer]>([
  ['plain', `key=${secret};`],
  ['utf-16', Buffer.from(secret, 'utf16le')],
  ['base64', encode('')],
  ['base64 shifted by one', encode('x')],
  ['base64 shifted by two', encode('xx')],
  ['base64url', encode('').replaceAll('+', '-').replaceAll('/', '_')],
  ['hex', Buffer.from(secret).toString('hex')],
  ['url', `?k=${encodeURIComponent(secret)}`],
  ['json', JSON.stringify({ secret })],
  ['backwards', Array.from(secret).toReversed().join('')],
  ['a piece', secret.slice(5, 17)],
])('the scan finds a secret that is %s', (name, bytes) => {
  writeFileSync(join(folder, name), bytes);
  expect(filesHolding(folder, secret).map((path) => basename(path))).toContain(name);
});

it('the scan finds nothing where there is nothing', () => {
  const clean = join(folder, 'clean');
  writeFileSync(clean, 'sk_test_ and CANARY apart, and 4f9a');
  expect(filesHolding(folder, secret)).not.toContain(clean);
});
