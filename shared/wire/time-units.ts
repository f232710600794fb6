import { asText, pick, type JsonObject } from './values.ts';

/** Milliseconds in one unit of a bare number. */
export type BareUnit = 1000 | 1;

/** The units in one body: of its times, and of the length of the recording. */
export interface TimeUnits {
  readonly times: BareUnit;
  readonly duration: BareUnit;
}

/** What the choice rests on. */
export interface UnitEvidence {
  readonly spans: readonly { readonly span: RawSpan; readonly characters: number }[];
  readonly duration: RawTime | undefined;
  /** Length of the recording as known here, milliseconds. */
  readonly knownDurationMs?: number | undefined;
}

/** Approximate number of characters spoken per second. */
const usualPace = 14;
const units: readonly BareUnit[] = [1000, 1];

/**
 * Decides whether bare numbers are seconds or milliseconds, once for the whole body. A name that ends in `_ms` (or a
 * clock, or a unit next to the number) is unambiguous and helps to decide the others. Each interpretation of the bare
 * numbers is judged by three questions, and the more plausible one wins; a tie is seconds: 1. does the last time lie
 * within the length of the recording, and near it? 2. is the pace of speech a human one (about 14 characters a second
 * of speech)? 3. would milliseconds have fractions, or would the length of a recording be some milliseconds?
 */
export function decideUnits(evidence: UnitEvidence): TimeUnits {
  let best: { readonly units: TimeUnits; readonly doubt: number } | null = null;
  for (const times of units) {
    const measured = measure(evidence, times);
    for (const duration of units) {
      const doubt = doubtOf(evidence, measured, { times, duration });
      if (best === null || doubt < best.doubt - 1e-9) best = { units: { times, duration }, doubt };
    }
  }
  return best?.units ?? { times: 1000, duration: 1000 };
}

function doubtOf(
  evidence: UnitEvidence,
  { lastMs, spokenMs, characters, hasBareFraction }: Measured,
  choice: TimeUnits,
): number {
  const statedMs = evidence.duration === undefined ? undefined : toMs(evidence.duration, choice.duration);
  const lengthMs = evidence.knownDurationMs ?? statedMs;
  let doubt = 0;
  if (lengthMs !== undefined && lengthMs > 0 && lastMs > 0) doubt += lengthDoubt(lastMs, lengthMs);
  if (evidence.knownDurationMs !== undefined && statedMs !== undefined && statedMs > 0)
    doubt += Math.abs(Math.log(statedMs / evidence.knownDurationMs));
  if (spokenMs > 0 && characters > 0) doubt += Math.abs(Math.log((characters * 1000) / spokenMs / usualPace)) / 2;
  else if (lastMs === 0 && statedMs !== undefined && characters > 0) {
    doubt += Math.abs(Math.log((characters * 1000) / Math.max(1, statedMs) / usualPace)) / 2;
  }
  if (hasBareFraction && choice.times === 1) doubt += 3;
  const isBareDuration = evidence.duration?.unit === 'bare';
  if (isBareDuration && choice.duration === 1 && !Number.isInteger(evidence.duration?.value)) doubt += 3;
  return doubt;
}

/** Speech may end early, so a last time before the end costs little; one after the end costs a lot. */
function lengthDoubt(lastMs: number, lengthMs: number): number {
  const ratio = Math.log(lastMs / lengthMs);
  return ratio > 0.1 ? 2 * ratio : Math.max(0, -ratio - 0.5) / 2;
}

interface Measured {
  readonly lastMs: number;
  readonly spokenMs: number;
  readonly characters: number;
  readonly hasBareFraction: boolean;
}

function measure(evidence: UnitEvidence, unit: BareUnit): Measured {
  const total = { lastMs: 0, spokenMs: 0, characters: 0, hasBareFraction: false };
  for (const { span, characters } of evidence.spans) {
    const { startMs, endMs } = spanToMs(span, unit);
    total.lastMs = Math.max(total.lastMs, endMs ?? startMs ?? 0);
    if (characters > 0 && startMs !== undefined && endMs !== undefined && endMs > startMs) {
      total.spokenMs += endMs - startMs;
      total.characters += characters;
    }
    total.hasBareFraction ||= isBareFraction(span.start) || isBareFraction(span.end) || isBareFraction(span.length);
  }
  if (total.characters === 0) total.characters = evidence.spans.reduce((sum, { characters }) => sum + characters, 0);
  return total;
}

const isBareFraction = (time: RawTime | undefined): boolean => time?.unit === 'bare' && !Number.isInteger(time.value);

/** A time in integer milliseconds. */
export function toMs(time: RawTime, bare: BareUnit): number {
  const factor = time.unit === 'ms' ? 1 : time.unit === 's' ? 1000 : bare;
  return Math.round(time.value * factor);
}

/** A span in integer milliseconds; an end before its start is missing. */
export function spanToMs(span: RawSpan, bare: BareUnit): { startMs?: number; endMs?: number } {
  const startMs = span.start === undefined ? undefined : toMs(span.start, bare);
  const stated = span.end === undefined ? undefined : toMs(span.end, bare);
  const endMs =
    stated ?? (span.length === undefined || startMs === undefined ? undefined : startMs + toMs(span.length, bare));
  return {
    ...(startMs === undefined ? {} : { startMs }),
    ...(endMs === undefined || (startMs !== undefined && endMs < startMs) ? {} : { endMs }),
  };
}

/** A time as written. `bare`: a number whose name does not reveal its unit. */
export interface RawTime {
  readonly value: number;
  readonly unit: 'ms' | 's' | 'bare';
}

/** Begin and end, as far as given. */
export interface RawSpan {
  readonly start?: RawTime;
  readonly end?: RawTime;
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
