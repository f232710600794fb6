import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { constants, deflateRawSync } from 'node:zlib';
import { strToU8, Zip, ZipDeflate, zipSync } from 'fflate';
import { beforeEach, expect, it } from 'vitest';
import { readSpeechText } from './read-speech-text.ts';
import { folderOfTest } from '../../../tests/support/test-folders.ts';

let path: string;
let folder: string;
beforeEach(async () => {
  folder = folderOfTest();
  path = join(folder, 'a.docx');
});

const name = 'word/document.xml';
const xml = strToU8('<w:p><w:r><w:t>Salom.</w:t></w:r></w:p>');
/** As programs write it that don't know a size before they have written the file. */
function streamed(): Uint8Array {
  const parts: Uint8Array[] = [];
  const zip = new Zip((_, part) => parts.push(part));
  for (const [file, bytes] of [
    ['a.txt', strToU8('x')],
    [name, xml],
  ] as const) {
    const entry = new ZipDeflate(file);
    zip.add(entry);
    entry.push(bytes, true);
  }
  zip.end();
  return Buffer.concat(parts);
}

it.each([
  ['with its sizes in front', zipSync({ 'a.txt': strToU8('x'), [name]: xml, 'b.txt': strToU8('x') })],
  ['stored', zipSync({ [name]: [xml, { level: 0 }] })],
  ['streamed', streamed()],
])('a Word document is read %s', async (_, bytes) => {
  await writeFile(path, bytes);
  expect(await readSpeechText(path)).toEqual({ ok: true, value: { text: 'Salom.', cues: null } });
});

it.each([
  ['says so', 2048],
  ['says that it is small', 0],
])('a Word document with 2 GB of text is refused before it fills the memory, where it %s', async (_says, megabytes) => {
  const stretch = deflateRawSync(Buffer.alloc(1024 * 1024, ' '), { finishFlush: constants.Z_FULL_FLUSH });
  const packed = Buffer.concat([...Array.from({ length: 2048 }, () => stretch), deflateRawSync('')]);
  const bytes = Buffer.from(zipSync({ [name]: [packed, { level: 0 }] }));
  // How it is packed stands before its unpacked size, in its own header and in that of the directory.
  const directory = bytes.lastIndexOf('PK\u0001\u0002', undefined, 'latin1');
  for (const at of [8, directory + 10]) bytes.writeUInt16LE(8, at);
  for (const at of [22, directory + 24]) bytes.writeUInt32LE(megabytes * 1024 * 1024 + 1000, at);
  await writeFile(path, bytes);
  const before = process.resourceUsage().maxRSS;
  expect(await readSpeechText(path)).toMatchObject({
    ok: false,
    error: { kind: 'file-unreadable', code: 'text_unreadable' },
  });
  expect(process.resourceUsage().maxRSS - before).toBeLessThan(400_000);
});
