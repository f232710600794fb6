import { closeSync, openSync, readFileSync, readSync, readdirSync } from 'node:fs';

interface Region {
  readonly start: number;
  readonly end: number;
}

const writableRegions = (pid: number): readonly Region[] =>
  readFileSync(`/proc/${pid}/maps`, 'utf8')
    .split('\n')
    .map((line) => /^([0-9a-f]+)-([0-9a-f]+) rw/.exec(line))
    .filter((match) => match !== null)
    .map((match) => ({ start: Number.parseInt(match[1] ?? '0', 16), end: Number.parseInt(match[2] ?? '0', 16) }));

const chunkBytes = 4 * 1024 * 1024;

/**
 * Whether a process has the text in its writable memory, as Latin-1 or UTF-16 (the two ways in which V8 stores
 * strings).
 */
export function memoryHolds(pid: number, text: string): boolean {
  const forms = [Buffer.from(text, 'latin1'), Buffer.from(text, 'utf16le')];
  const overlap = text.length * 2;
  const chunk = Buffer.alloc(chunkBytes + overlap);
  const memory = openSync(`/proc/${pid}/mem`, 'r');
  try {
    for (const region of writableRegions(pid)) {
      for (let at = region.start; at < region.end; at += chunkBytes) {
        let read = 0;
        try {
          read = readSync(memory, chunk, 0, Math.min(chunk.length, region.end - at), at);
        } catch {
          // A guard page or a mapping that disappeared meanwhile: nothing to read there.
          break;
        }
        const bytes = chunk.subarray(0, read);
        if (forms.some((form) => bytes.includes(form))) return true;
      }
    }
    return false;
  } finally {
    closeSync(memory);
  }
}

/** Processes of this machine with their arguments, as every user of it can read them. */
export const commandLines = (): readonly { readonly pid: number; readonly args: string }[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        return [{ pid: Number(name), args: readFileSync(`/proc/${name}/cmdline`, 'latin1').replaceAll('\0', ' ') }];
      } catch {
        return [];
      }
    });

/** Pids of the descendants of a process, itself included. */
export function processTree(root: number): readonly number[] {
  const parents = new Map<number, number>();
  for (const { pid } of commandLines()) {
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
      parents.set(pid, Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]));
    } catch {
      // Exited meanwhile.
    }
  }
  const tree = new Set([root]);
  for (let size = 0; size !== tree.size;) {
    size = tree.size;
    for (const [pid, parent] of parents) if (tree.has(parent)) tree.add(pid);
  }
  return [...tree];
}
