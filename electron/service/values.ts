/** A finite, non-negative number, also when written as text; anything else is missing. */
export function asCount(value: unknown): number | undefined {
  const number = typeof value === 'string' && /^\d{1,15}(?:\.\d{1,12})?$/u.test(value.trim()) ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) && number >= 0 ? number : undefined;
}

/** An amount as decimal text, so that fractions of a credit stay exact; never negative. */
export function asDecimal(value: unknown): string | undefined {
  const text = typeof value === 'number' && Number.isFinite(value) ? plainNumber(value) : asFilledText(value);
  return text !== undefined && /^\d{1,18}(?:\.\d{1,18})?$/u.test(text) ? text : undefined;
}

const unitsPerCredit = 100_000_000n;

/** Credits as decimal text, from units of 100,000,000 to a credit. */
export function asCreditUnits(value: unknown): string | undefined {
  const text = asDecimal(value);
  if (text === undefined || text.includes('.')) return undefined;
  const units = BigInt(text);
  const rest = String(units % unitsPerCredit).padStart(8, '0');
  return `${units / unitsPerCredit}.${rest}`.replace(/\.?0+$/u, '');
}

const plainNumber = (value: number): string =>
  /e/iu.test(String(value)) ? value.toFixed(12).replace(/\.?0+$/u, '') : String(value);

/** A boolean; words and numbers that stand for one are missing. */
export const asFlag = (value: unknown): boolean | undefined => (typeof value === 'boolean' ? value : undefined);

/**
 * A moment as RFC 3339 text, or missing. Without a zone it is UTC, as the service writes it, and not this computer's.
 */
export function asMoment(value: unknown): string | undefined {
  const written = asFilledText(value);
  const text = written?.replace(/^([\d-]{10})[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?)$/u, '$1T$2Z');
  const isMoment = text !== undefined && /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}/u.test(text);
  return isMoment && Number.isFinite(Date.parse(text)) ? text : undefined;
}

/** A moment as Unix milliseconds, from Unix seconds. */
export function asUnixSeconds(value: unknown): number | undefined {
  const seconds = asCount(value);
  return seconds !== undefined && seconds <= 8_640_000_000_000 ? seconds * 1000 : undefined;
}

/** Whole milliseconds of seconds; null stays null. */
export function msOfSeconds(seconds: number): number;
export function msOfSeconds(seconds: number | null): number | null;
export function msOfSeconds(seconds: number | null): number | null {
  return seconds === null ? null : Math.round(seconds * 1000);
}

/** The texts in a list; anything else is left out. */
export const asTexts = (value: unknown): readonly string[] | undefined =>
  asArray(value)?.flatMap((item) => asFilledText(item) ?? []);

/** The texts among the fields of an object; anything else is left out. */
export const textsByName = (source: unknown): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(asJsonObject(source) ?? {}).filter(
      (entry): entry is [string, string] => asText(entry[1]) !== undefined,
    ),
  );

/** Fields of one object by their own names; missing is null. */
export function fieldsOf(source: JsonObject) {
  const take = <T>(names: string | readonly string[], accept: (value: unknown) => T | undefined): T | null =>
    pick(source, typeof names === 'string' ? [names] : names, accept) ?? null;
  return {
    text: (...names: readonly string[]) => take(names, asFilledText),
    id: (...names: readonly string[]) => take(names, asId),
    count: (...names: readonly string[]) => take(names, asCount),
    decimal: (...names: readonly string[]) => take(names, asDecimal),
    flag: (...names: readonly string[]) => take(names, asFlag),
    moment: (...names: readonly string[]) => take(names, asMoment),
    unix: (...names: readonly string[]) => take(names, asUnixSeconds),
    texts: (...names: readonly string[]) => take(names, asTexts) ?? [],
  };
}

/** The objects under any of these names of one object. */
export const objectsIn = (source: JsonObject, names: readonly string[]): readonly JsonObject[] =>
  names.map((name) => pick(source, [name], asJsonObject)).filter((found) => found !== undefined);

/** The exact cost as decimal text: in credits, or in the units of which they are made. */
export const exactCredits = (places: readonly JsonObject[]): string | undefined =>
  pickFrom(places, ['credits_exact', 'credits_used', 'credits', 'credit', 'credits_cost'], asDecimal) ??
  pickFrom(places, ['credit_units', 'credits_units', 'exact_credit_units', 'units_debited'], asCreditUnits);

/** Some items and the cursor for the next page; null at the end. */
export interface Page<T> {
  readonly items: readonly T[];
  readonly nextCursor: string | null;
}

/**
 * A list under any of its usual names, with the cursor next to it or under `pagination`. Unreadable items are left out.
 * Null when the body contains no list at all.
 */
export function readPage<T>(
  body: unknown,
  names: readonly string[],
  readItem: (item: unknown) => T | null,
): Page<T> | null {
  const sources = unwrap(body);
  const list = Array.isArray(body) ? body : pickFrom(sources, [...names, 'data', 'items', 'results'], asArray);
  if (list === undefined) return null;
  const around = sources.flatMap((source) => [source, ...objectsIn(source, ['pagination', 'paging', 'meta', 'page'])]);
  const cursor = pickFrom(around, ['next_cursor', 'nextCursor', 'cursor_next', 'next'], asFilledText);
  return {
    items: list.flatMap((item) => readItem(item) ?? []),
    nextCursor: cursor !== undefined && cursor.length <= 4096 ? cursor : null,
  };
}

/** The object under one of `names`, otherwise the body itself when it contains one of `proof`; null: neither. */
export function readNamed(body: unknown, names: readonly string[], proof: readonly string[]): JsonObject | null {
  const sources = unwrap(body);
  const named = pickFrom(sources, names, asJsonObject);
  if (named !== undefined && proof.some((name) => Object.hasOwn(named, name))) return named;
  return sources.find((source) => proof.some((name) => Object.hasOwn(source, name))) ?? null;
}

/** Reads one object with an identifier, as `readNamed` finds it; null without one. */
export function readWithId<T>(
  body: unknown,
  names: readonly string[],
  idNames: readonly string[],
  make: (id: string, fields: ReturnType<typeof fieldsOf>, source: JsonObject) => T,
): T | null {
  const source = readNamed(body, names, idNames);
  const id = source === null ? undefined : pick(source, idNames, asId);
  return source === null || id === undefined ? null : make(id, fieldsOf(source), source);
}

/** A JSON object of unknown shape. Only own fields are ever read. */
export type JsonObject = Readonly<Record<string, unknown>>;

export const isJsonObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The first own field among `names` whose value `accept` accepts; a wrong type counts as missing. */
export function pick<T>(
  source: JsonObject,
  names: readonly string[],
  accept: (value: unknown) => T | undefined,
): T | undefined {
  for (const name of names) {
    if (!Object.hasOwn(source, name)) continue;
    const found = accept(source[name]);
    if (found !== undefined) return found;
  }
  return undefined;
}

export function pickFrom<T>(
  sources: readonly JsonObject[],
  names: readonly string[],
  accept: (value: unknown) => T | undefined,
): T | undefined {
  for (const source of sources) {
    const found = pick(source, names, accept);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** A text unchanged, even an empty one; anything else is missing. */
export const asText = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

/** A trimmed text; an empty one is missing. */
export const asFilledText = (value: unknown): string | undefined =>
  typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;

export const asArray = (value: unknown): readonly unknown[] | undefined => (Array.isArray(value) ? value : undefined);

export const asJsonObject = (value: unknown): JsonObject | undefined => (isJsonObject(value) ? value : undefined);

/**
 * An identifier: opaque text or a number. Anything that could not be one part of a path (`.`, `..`), contains a control
 * character or is absurdly long is no identifier.
 */
export function asId(value: unknown): string | undefined {
  const text = typeof value === 'number' && Number.isSafeInteger(value) ? String(value) : asFilledText(value);
  if (text === undefined || text.length > 512 || /^\.{1,2}$/u.test(text) || /\p{Cc}/u.test(text)) return undefined;
  return text.isWellFormed() ? text : undefined;
}

const wrapperNames = [
  'data',
  'transcription',
  'result',
  'results',
  'item',
  'transcript',
  'response',
  'output',
  'payload',
  'job',
  'record',
  'diarization',
  'channels',
  'alternatives',
];
/** Three levels around the fields, and a `result` inside them. */
const deepestWrapper = 4;

/** The body and the objects it wraps the actual fields in, outermost first. */
export function unwrap(body: unknown): readonly JsonObject[] {
  const found: JsonObject[] = [];
  let level: readonly unknown[] = [body];
  for (let depth = 0; depth <= deepestWrapper; depth += 1) {
    const objects = level.filter(isJsonObject).filter((object) => !found.includes(object));
    found.push(...objects);
    level = objects.flatMap((object) =>
      wrapperNames.filter((name) => Object.hasOwn(object, name)).map((name) => firstIfSingle(object[name])),
    );
  }
  return found;
}

/** `data: [{…}]` with one element is a wrapper too. */
const firstIfSingle = (value: unknown): unknown => (Array.isArray(value) && value.length === 1 ? value[0] : value);

/** Every documented state, by the kind of thing (contract 3). Unknown states mean "not finished". */
export const serviceStates = {
  delivery: ['pending', 'delivering', 'retrying', 'succeeded', 'failed', 'canceled'],
  enrollment: ['transcript_review', 'details_pending', 'verification_pending', 'ready'],
  verification: ['not_started', 'passed'],
  'legacy-task': ['PENDING', 'SUCCESS', 'FAILED'],
} as const satisfies Readonly<Record<string, readonly string[]>>;

export type StateMachine = keyof typeof serviceStates;

/** A reported state; `known: false` keeps a word of a newer service, and means "not finished". */
export type ReadState<M extends StateMachine> =
  | { readonly known: true; readonly state: (typeof serviceStates)[M][number] }
  | { readonly known: false; readonly raw: string };

/** The state of a thing, ignoring case; null when there is no word at all. */
export function readState<M extends StateMachine>(machine: M, value: unknown): ReadState<M> | null {
  const word = asFilledText(value)?.slice(0, 64);
  if (word === undefined) return null;
  const states: readonly (typeof serviceStates)[M][number][] = serviceStates[machine];
  const state = states.find((known) => known.toLowerCase() === word.toLowerCase());
  return state === undefined ? { known: false, raw: word } : { known: true, state };
}
