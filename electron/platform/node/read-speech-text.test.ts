import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { constants, deflateRawSync } from 'node:zlib';
import { strToU8, Zip, ZipDeflate, zipSync } from 'fflate';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { readSpeechText } from './read-speech-text.ts';

let path: string;
let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ovoz-text-'));
  path = join(folder, 'a.docx');
});
afterEach(() => rm(folder, { recursive: true, force: true }));

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

it('a Word document that unpacks to more than it says is refused and not unpacked', async () => {
  const bytes = Buffer.from(zipSync({ [name]: new Uint8Array(33 * 1024 * 1024).fill(0x20) }, { level: 1 }));
  // Its size stands 22 bytes into its own header and 24 into that of the directory.
  bytes.writeUInt32LE(1000, 22);
  bytes.writeUInt32LE(1000, bytes.indexOf('PK\u0001\u0002', 0, 'latin1') + 24);
  await writeFile(path, bytes);
  expect(await readSpeechText(path)).toMatchObject({ ok: false, error: { row: 'E-010', code: 'text_unreadable' } });
});

it('a Word document with 2 GB of text is refused as soon as one with 64 MB', async () => {
  const stretch = deflateRawSync(Buffer.alloc(1024 * 1024, ' '), { finishFlush: constants.Z_FULL_FLUSH });
  const refusedInMs = async (megabytes: number) => {
    const packed = Buffer.concat([...Array.from({ length: megabytes }, () => stretch), deflateRawSync('')]);
    const bytes = Buffer.from(zipSync({ [name]: [packed, { level: 0 }] }));
    // How it is packed stands before its unpacked size, in its own header and in that of the directory.
    const directory = bytes.lastIndexOf('PK\u0001\u0002', undefined, 'latin1');
    for (const at of [8, directory + 10]) bytes.writeUInt16LE(8, at);
    for (const at of [22, directory + 24]) bytes.writeUInt32LE(megabytes * 1024 * 1024, at);
    await writeFile(path, bytes);
    const begunMs = performance.now();
    expect(await readSpeechText(path)).toMatchObject({ ok: false, error: { row: 'E-010', code: 'text_unreadable' } });
    return performance.now() - begunMs;
  };
  expect(await refusedInMs(2048)).toBeLessThan(10 * (await refusedInMs(64)));
});
