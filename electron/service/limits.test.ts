import { expect, it } from 'vitest';
import { judgeAttachment, judgeMessages, limits } from './limits.ts';

const png = Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const ofSize = (bytes: number): Uint8Array => {
  const file = new Uint8Array(bytes);
  file.set(png.subarray(0, bytes));
  return file;
};
const text = (words: string) => new TextEncoder().encode(words);
const pdf = (pages: number) => text(`%PDF-1.7\n${'<< /Type /Page >>\n'.repeat(pages)}`);
const largest = limits.attachment.fileBytes;

it.each([
  ['nothing', ofSize(0), { fault: 'empty' }],
  ['a picture of exactly 4 MiB', ofSize(largest), 'vision'],
  ['a byte more', ofSize(largest + 1), { fault: 'too_large' }],
  ['a WebP', text('RIFF\0\0\0\0WEBPVP8 '), 'vision'],
  ['a WAV', text('RIFF\0\0\0\0WAVEfmt '), { fault: 'other_type' }],
  ['a PDF of 100 pages', pdf(100), 'document'],
  ['a PDF of 101 pages', pdf(101), { fault: 'too_many_pages' }],
  [
    'a PDF that counts 101 pages',
    text('%PDF-1.4\n<< /Type /Pages /Kids [] /Count 101 >>'),
    { fault: 'too_many_pages' },
  ],
] as const)('%s is checked before it is uploaded (contract 4.4, 8)', (_what, bytes, judged) => {
  expect(judgeAttachment(bytes)).toEqual(judged);
});

const parts = (texts: number, files: number) => [
  ...Array.from({ length: texts }, () => ({ type: 'text' })),
  ...Array.from({ length: files }, () => ({ type: 'file' })),
];
const user = (texts: number, files: number) => ({ role: 'user', content: parts(texts, files) });

it.each([
  ['a text alone', [{ role: 'user', content: 'a' }], null],
  ['12 parts', [user(8, 4)], null],
  ['13 parts', [user(13, 0)], 'parts'],
  ['5 files in a message', [user(1, 5)], 'files'],
  ['a file of the assistant', [{ role: 'assistant', content: parts(1, 1) }], 'files'],
  ['16 files in all', Array.from({ length: 4 }, () => user(1, 4)), null],
  ['17 files in all', [...Array.from({ length: 4 }, () => user(1, 4)), user(1, 1)], 'all_files'],
] as const)('%s is checked before it is sent (contract 4.4, 8)', (_what, messages, fault) => {
  expect(judgeMessages(messages)).toBe(fault);
});
