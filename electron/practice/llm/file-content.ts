export interface FileContent {
  readonly purpose: 'vision' | 'document';
  readonly mimeType: string;
}

export type ContentOutcome =
  | { readonly kind: 'known'; readonly content: FileContent }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'damaged'; readonly detail: string };

const image = (mimeType: string): ContentOutcome => ({ kind: 'known', content: { purpose: 'vision', mimeType } });

/** Recognises a file by its content, never by its name, and checks whether a picture can be complete. */
export function inspectFile(bytes: Buffer): ContentOutcome {
  const head = bytes.subarray(0, 12).toString('latin1');
  if (head.startsWith('%PDF-')) return { kind: 'known', content: { purpose: 'document', mimeType: 'application/pdf' } };
  if (head.startsWith('\x89PNG\r\n\x1a\n')) {
    return bytes.includes('IEND', -12) ? image('image/png') : { kind: 'damaged', detail: 'The PNG has no end.' };
  }
  if (head.startsWith('\xff\xd8\xff')) {
    return bytes.includes(Buffer.from([0xff, 0xd9]), -64)
      ? image('image/jpeg')
      : { kind: 'damaged', detail: 'The JPEG has no end.' };
  }
  if (/^GIF8[79]a/.test(head)) {
    return bytes.at(-1) === 0x3b ? image('image/gif') : { kind: 'damaged', detail: 'The GIF has no end.' };
  }
  if (head.startsWith('RIFF') && head.slice(8) === 'WEBP') {
    return bytes.readUInt32LE(4) + 8 <= bytes.length + 1
      ? image('image/webp')
      : { kind: 'damaged', detail: 'The WebP is cut short.' };
  }
  return { kind: 'unknown' };
}
