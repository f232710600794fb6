import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';

/** Seconds of work for a second of audio, by the id of the model, as measured on this computer. */
export type Factors = Readonly<Record<string, number>>;

const stored = z.record(z.string(), z.number().positive());
const pathIn = (folder: string): string => join(folder, 'factors.json');

/** What was measured so far; nothing when there is no such file, or it holds something else. */
export async function readFactors(folder: string): Promise<Factors> {
  try {
    return stored.parse(JSON.parse(await readFile(pathIn(folder), 'utf8')));
  } catch {
    return {};
  }
}

/** Keeps what was measured beside the models. */
export async function keepFactor(folder: string, id: string, factor: number): Promise<void> {
  const part = `${pathIn(folder)}.part`;
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await writeFile(part, JSON.stringify({ ...(await readFactors(folder)), [id]: factor }), { mode: 0o600 });
  await rename(part, pathIn(folder));
}
