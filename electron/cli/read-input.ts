import { readFile, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Failure } from '../../shared/result/failure.ts';
import { err, ok, type Result } from '../../shared/result/result.ts';
import { readFailure } from '../platform/node/storage-failure.ts';

/** Longer texts are never one request of the service. */
const largestBytes = 1024 * 1024;

/** Where the words of a command are when they are not in it. */
export interface InputSource {
  /** All of standard input, at most so many bytes; null when there is more. */
  readInput(maxBytes: number): Promise<string | null>;
}

export type InputText =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'wrong'; readonly problem: 'noText' | 'textTooLong' }
  | { readonly kind: 'failed'; readonly failure: Failure };

/** The text of a command: its words, a file, or standard input. */
export async function readInput(
  { text, file }: { readonly text: string; readonly file: string | null },
  source: InputSource,
): Promise<InputText> {
  if (file === null) return { kind: 'text', text };
  const read = file === '-' ? ok(await source.readInput(largestBytes)) : await readWhole(resolve(file));
  if (!read.ok) return { kind: 'failed', failure: { ...read.error, params: { name: file } } };
  if (read.value === null) return { kind: 'wrong', problem: 'textTooLong' };
  const found = read.value.replace(/^\uFEFF/u, '').trim();
  return found === '' ? { kind: 'wrong', problem: 'noText' } : { kind: 'text', text: found };
}

async function readWhole(path: string): Promise<Result<string | null, Failure>> {
  try {
    return ok((await stat(path)).size > largestBytes ? null : await readFile(path, 'utf8'));
  } catch (error) {
    return err(readFailure(error));
  }
}
