import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const pieceLength = 12;

/** Base64 of a text at each of its three alignments, without the letters that depend on neighbouring bytes. */
function base64Forms(text: string): string[] {
  return [0, 1, 2].map((shift) => {
    const encoded = Buffer.concat([Buffer.alloc(shift), Buffer.from(text)])
      .toString('base64')
      .replaceAll('=', '');
    const from = [0, 2, 3][shift] ?? 0;
    return encoded.slice(from, encoded.length - 1);
  });
}

/** Every form in which a secret is searched for: plain, encoded, reversed, and any piece of twelve characters of it. */
export function formsOf(secret: string): readonly Buffer[] {
  const pieces = Array.from({ length: Math.max(0, secret.length - pieceLength + 1) }, (_, at) =>
    secret.slice(at, at + pieceLength),
  );
  const base64 = base64Forms(secret);
  const hex = Buffer.from(secret).toString('hex');
  const texts = [
    ...pieces,
    ...base64,
    ...base64.map((form) => form.replaceAll('+', '-').replaceAll('/', '_')),
    hex,
    hex.toUpperCase(),
    encodeURIComponent(secret),
    JSON.stringify(secret).slice(1, -1),
    Array.from(secret).toReversed().join(''),
  ];
  return [...texts.map((text) => Buffer.from(text)), ...pieces.map((text) => Buffer.from(text, 'utf16le'))];
}

/** A running program renames what it has written. */
function readUnlessGone(path: string): Buffer | null {
  try {
    return readFileSync(path);
  } catch (error) {
    if (existsSync(path)) throw error;
    return null;
  }
}

/** Files under a folder that contain the secret in any of its forms. */
export function filesHolding(folder: string, secret: string): readonly string[] {
  const forms = formsOf(secret);
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => {
      const bytes = readUnlessGone(path);
      return forms.some((form) => bytes?.includes(form) === true);
    });
}
