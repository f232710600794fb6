import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { formatLogLine } from './json-log.ts';
import type { LogEntry } from '../../../shared/domain/diagnostics/log-entry.ts';
import { systemCode } from './storage-failure.ts';

const longestTailBytes = 512 * 1024;
const moment = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,3})?Z$/;

/**
 * The last lines of a log, each rebuilt from its allowed fields; a line that we did not write is left out. Empty when
 * there is no readable log.
 */
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
