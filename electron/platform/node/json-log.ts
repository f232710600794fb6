import { appendFileSync, mkdirSync, renameSync, statSync, closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { dirname } from 'node:path';
import type { LogEntry, Logger } from '../../../shared/domain/diagnostics/log-entry.ts';
import { systemCode } from './storage-failure.ts';

const maxTextLength = 128;
const defaultMaxBytes = 2 * 1024 * 1024;
const safeText = /^[A-Za-z0-9_.:/{}-]+$/;

/** Fields with words of the code or of the service; ids (`requestId`, `item`) may be long and random, these may not. */
const words = ['event', 'level', 'route', 'method', 'code', 'row'] as const;
const ids = ['requestId', 'item'] as const;
const numbers = ['status', 'attempt', 'ms', 'bytes', 'count'] as const;

/** Keys, tickets and signing secrets by their prefix, and signed tokens; a service may echo one as an id. */
const looksLikeKey = (text: string) =>
  /(?:^|[^a-z])(?:sk|pk|tok|token|ticket|whsec|secret|bearer|practice)[_-][\w-]{8}/i.test(text) ||
  /eyJ[\w-]{8,}\.[\w-]+\./.test(text);
const looksRandom = (text: string) => /[A-Za-z0-9]{21,}/.test(text) && /\d/.test(text);
const isSafeWord = (text: string) => safeText.test(text) && !looksLikeKey(text) && !looksRandom(text);
const isSafeId = (text: string) => /^[A-Za-z0-9_.:-]+$/.test(text) && !looksLikeKey(text);
/** Only a route contains slashes: in any other field they would be a path of this computer. */
const isSafePlainWord = (text: string) => !text.includes('/') && isSafeWord(text);

/**
 * Formats one line of the log: only listed fields, only plain words and numbers, whatever the entry contained (S-08).
 */
export function formatLogLine(entry: LogEntry, time: string): string {
  const line: Record<string, string | number> = { time, level: 'info' };
  const put = (name: string, value: unknown, isSafe: (text: string) => boolean) => {
    if (typeof value === 'string') line[name] = isSafe(value) ? value.slice(0, maxTextLength) : '[unsafe]';
  };
  for (const name of words) put(name, entry[name], name === 'route' ? isSafeWord : isSafePlainWord);
  for (const name of ids) put(name, entry[name], isSafeId);
  for (const name of numbers) {
    const value: unknown = entry[name];
    if (typeof value === 'number' && Number.isFinite(value)) line[name] = Math.round(value);
  }
  return `${JSON.stringify(line)}\n`;
}

export interface JsonLog extends Logger {
  readonly lostLines: number;
}

/** Appends JSON lines to a file of mode 0600; at `maxBytes` it is renamed to `<path>.1` and a new one begins. */
export function openJsonLog(
  path: string,
  now: () => Date = () => new Date(),
  maxBytes: number = defaultMaxBytes,
): JsonLog {
  let lostLines = 0;
  let toldLosses = 0;

  const append = (entry: LogEntry) => {
    if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) >= maxBytes) renameSync(path, `${path}.1`);
    appendFileSync(path, formatLogLine(entry, now().toISOString()), { mode: 0o600 });
  };
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  } catch {
    // Lines that can't be written are counted below.
  }
  return {
    get lostLines() {
      return lostLines;
    },
    write(entry) {
      try {
        if (lostLines > toldLosses) append({ event: 'log-lines-lost', level: 'warn', count: lostLines - toldLosses });
        toldLosses = lostLines;
        append(entry);
      } catch {
        lostLines += 1;
      }
    },
  };
}

/** A log that can be switched off: asked for each line, so that the setting takes effect at once. */
export const optionalLog = (log: JsonLog, isKept: () => boolean): JsonLog => ({
  get lostLines() {
    return log.lostLines;
  },
  write(entry) {
    if (isKept()) log.write(entry);
  },
});

const longestTailBytes = 512 * 1024;
const moment = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,3})?Z$/;

/** Each line is rebuilt from its allowed fields; a line that we did not write is left out. */
export function readLogTail(path: string, most: number): readonly string[] {
  return readEnd(path)
    .split('\n')
    .flatMap((line) => {
      const entry = parse(line);
      return entry === null ? [] : [entry];
    })
    .slice(-most);
}

function parse(line: string): string | null {
  let found: unknown;
  try {
    found = JSON.parse(line);
  } catch {
    return null;
  }
  if (typeof found !== 'object' || found === null || !('event' in found) || !('time' in found)) return null;
  const { time } = found;
  if (typeof time !== 'string' || !moment.test(time) || typeof found.event !== 'string') return null;
  return formatLogLine(found as LogEntry, time).trimEnd();
}

function readEnd(path: string): string {
  let file: number | null = null;
  try {
    file = openSync(path, 'r');
    const { size } = fstatSync(file);
    const end = Buffer.alloc(Math.min(size, longestTailBytes));
    const length = readSync(file, end, 0, end.length, size - end.length);
    const text = end.toString('utf8', 0, length);
    return size > end.length ? text.slice(text.indexOf('\n') + 1) : text;
  } catch (error) {
    if (systemCode(error) === '') throw error;
    return '';
  } finally {
    if (file !== null) closeSync(file);
  }
}
