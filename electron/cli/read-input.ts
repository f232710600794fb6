import { readFile, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Failure } from '../../shared/result/failure.ts';
import { err, ok, type Result } from '../../shared/result/result.ts';
import { readFailure } from '../platform/node/storage-failure.ts';

/** The service never accepts a longer text in one request. */
const largestBytes = 1024 * 1024;

/** Where a command finds its text when the arguments don't hold it. */
export interface InputSource {
  /** All of standard input up to `maxBytes`; null when there is more. */
  readInput(maxBytes: number): Promise<string | null>;
}

export type InputText =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'wrong'; readonly problem: 'noText' | 'textTooLong' }
  | { readonly kind: 'failed'; readonly failure: Failure };

/** The text of a command: its arguments, a file, or standard input. */
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
