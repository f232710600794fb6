import { asText, pick, type JsonObject } from './json-access.ts';

/** A time as written. `bare`: a number whose name does not reveal its unit. */
export interface RawTime {
  readonly value: number;
  readonly unit: 'ms' | 's' | 'bare';
}

/** Begin and end, as far as given. */
export interface RawSpan {
  readonly start?: RawTime;
  readonly end?: RawTime;
  /** Length, when no end was given. */
  readonly length?: RawTime;
}

/**
 * The names of one time with their units, in order of precedence. Looked up by the keys of an object, which are few,
 * because a long recording has a hundred thousand spans.
 */
type TimeNames = ReadonlyMap<string, { readonly rank: number; readonly unit: RawTime['unit'] }>;
function timeNames(...bare: readonly string[]): TimeNames {
  const units: readonly (readonly [RawTime['unit'], readonly string[]])[] = [
    ['ms', bare.flatMap((name) => [`${name}_ms`, `${name}Ms`])],
    ['s', bare.flatMap((name) => [`${name}_s`, `${name}_sec`, `${name}_seconds`, `${name}Seconds`])],
    ['bare', bare],
  ];
  const names = units.flatMap(([unit, list]) => list.map((name) => ({ name, unit })));
  return new Map(names.map(({ name, unit }, rank) => [name, { rank, unit }]));
}
const startNames = timeNames('start', 'start_time', 'startTime', 'begin', 'from', 'offset');
const endNames = timeNames('end', 'end_time', 'endTime', 'stop', 'to');
const lengthNames = timeNames('duration', 'length');
const durationNames = timeNames('duration', 'audio_duration', 'audioDuration', 'total_duration', 'length');
const pairNames = ['timestamp', 'timestamps'];

/** Reads the times of a segment or a word under every usual name; anything else is missing. */
export function readSpan(source: JsonObject): RawSpan {
  const pair = pick(source, pairNames, asPair);
  const start = readTime(source, startNames) ?? pair?.[0];
  const end = readTime(source, endNames) ?? pair?.[1];
  const length = end === undefined ? readTime(source, lengthNames) : undefined;
  return {
    ...(start === undefined ? {} : { start }),
    ...(end === undefined ? {} : { end }),
    ...(length === undefined ? {} : { length }),
  };
}

/** A length of the whole recording. */
export const readDuration = (source: JsonObject): RawTime | undefined => readTime(source, durationNames);

function readTime(source: JsonObject, names: TimeNames): RawTime | undefined {
  let found: RawTime | undefined;
  let foundRank = Infinity;
  for (const key of Object.keys(source)) {
    const known = names.get(key);
    if (known === undefined || known.rank > foundRank) continue;
    const time = known.unit === 'bare' ? asTime(source[key]) : numeric(source[key], known.unit);
    if (time === undefined) continue;
    found = time;
    foundRank = known.rank;
  }
  return found;
}

function asPair(value: unknown): readonly [RawTime | undefined, RawTime | undefined] | undefined {
  return Array.isArray(value) && value.length === 2 ? [asTime(value[0]), asTime(value[1])] : undefined;
}

/** A bare number, a number with its unit ("1.5s", "1500ms"), or a clock ("00:00:01.500", "1:02,5"). */
function asTime(value: unknown): RawTime | undefined {
  if (typeof value === 'number') return numeric(value, 'bare');
  const text = asText(value)?.trim() ?? '';
  const clock = /^(?:(\d{1,4}):)?(\d{1,2}):(\d{1,2}(?:[.,]\d{1,9})?)$/u.exec(text);
  if (clock) {
    const seconds = Number((clock[3] ?? '0').replace(',', '.'));
    return numeric(Number(clock[1] ?? 0) * 3600 + Number(clock[2]) * 60 + seconds, 's');
  }
  const measured = /^(\d{1,12}(?:\.\d{1,9})?)\s*(ms|s)?$/u.exec(text);
  return measured
    ? numeric(Number(measured[1]), measured[2] === 'ms' ? 'ms' : measured[2] === 's' ? 's' : 'bare')
    : undefined;
}

/** Finite and not negative, below a year; otherwise missing. */
function numeric(value: unknown, unit: RawTime['unit']): RawTime | undefined {
  const number = typeof value === 'string' && /^\d+(?:\.\d+)?$/u.test(value.trim()) ? Number(value) : value;
  if (typeof number !== 'number' || !Number.isFinite(number) || number < 0 || number > 31_536_000_000) return undefined;
  return { value: number, unit };
}
