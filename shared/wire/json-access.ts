/** A JSON object of unknown shape. Only own fields are ever read. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** Whether a JSON value is an object, and neither a list nor null. */
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

/** Like `pick`, over several objects in order. */
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

/** A list of anything; anything else is missing. */
export const asArray = (value: unknown): readonly unknown[] | undefined => (Array.isArray(value) ? value : undefined);

/** An object; lists, null and anything else are missing. */
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
