import { err, ok, type Result } from '../result/result.ts';
import { endpoints, type EndpointName } from './endpoints.ts';
import type { Endpoint } from './endpoint.ts';
import { isJsonObject, type JsonObject } from './json-access.ts';

/** Undocumented names of request fields and stream messages, by our own names (the sentences are in `assumptions`). */
export const assumedFields = {
  'isolate.audio': 'audio',
  'isolate.title': 'title',
  'isolate.speech-restoration': 'speech_restoration',
  'isolate.restoration-model': 'restoration_model',
  'isolate.export-format': 'format',
  'clone.verify-audio': 'audio',
  'stt.editor-revision': 'revision',
  'stt.editor-segments': 'segments',
  'ask.stream': 'stream',
  'ask.temperature': 'temperature',
  'speak.stream-start': 'start',
  'speak.stream-text': 'text',
  'speak.stream-end': 'commit',
} as const satisfies Readonly<Record<string, string>>;

export type AssumedField = keyof typeof assumedFields;

/** The routes and names that the client uses: those of this version, with the corrections from the settings. */
export interface WireTable {
  readonly endpoints: Readonly<Record<EndpointName, Endpoint>>;
  readonly fields: Readonly<Record<AssumedField, string>>;
  /** Names in answers that this version does not know, and the known name of the same thing. */
  readonly aliases: Readonly<Record<string, string>>;
}

/** The table of this version without corrections. */
export const defaultWireTable: WireTable = { endpoints, fields: assumedFields, aliases: {} };

/** Why a correction was rejected; `at` is its path in the data. */
export interface OverrideProblem {
  readonly at: string;
  readonly problem: 'not-an-object' | 'unknown-name' | 'is-documented' | 'not-a-path' | 'other-places' | 'not-a-name';
}

const pathPattern = /^\/(?:[A-Za-z0-9._~-]+|\{\w+\})(?:\/(?:[A-Za-z0-9._~-]+|\{\w+\}))*\/?$/u;
const namePattern = /^[A-Za-z_][A-Za-z0-9_.[\]-]{0,63}$/u;
const unsafeNames = new Set(['__proto__', 'constructor', 'prototype']);

/**
 * Corrects assumptions from plain data (`readOverrides` reads the file): `{paths: {name: path}, fields: {name: text},
 * aliases: {theirs: ours}}`. All or nothing, so that a typing mistake is reported instead of half applied. What the
 * document shows can't be changed, and a path must keep the placeholders (`{id}`) of the one it replaces.
 */
export function overrideWire(data: unknown): Result<WireTable, readonly OverrideProblem[]> {
  if (!isJsonObject(data)) return err([{ at: '', problem: 'not-an-object' }]);
  const problems: OverrideProblem[] = Object.keys(data)
    .filter((name) => !['paths', 'fields', 'aliases'].includes(name))
    .map((at) => ({ at, problem: 'unknown-name' }));
  const paths = section(data, 'paths', problems, (name, value) => pathProblem(name, value));
  const fields = section(data, 'fields', problems, (name, value) =>
    Object.hasOwn(assumedFields, name) ? nameProblem(value) : 'unknown-name',
  );
  const aliases = section(data, 'aliases', problems, (name, value) => nameProblem(name) ?? nameProblem(value));
  if (problems.length > 0) return err(problems);
  const corrected = Object.entries(paths).map(([name, path]) => {
    const known = endpoints[name as EndpointName];
    return [name, { ...known, path }] as const;
  });
  return ok({
    endpoints: { ...endpoints, ...Object.fromEntries(corrected) },
    fields: { ...assumedFields, ...fields },
    aliases,
  });
}

function section(
  data: JsonObject,
  name: string,
  problems: OverrideProblem[],
  problemOf: (name: string, value: string) => OverrideProblem['problem'] | null,
): Readonly<Record<string, string>> {
  const given = Object.hasOwn(data, name) ? data[name] : {};
  if (!isJsonObject(given)) {
    problems.push({ at: name, problem: 'not-an-object' });
    return {};
  }
  const taken: Record<string, string> = {};
  for (const [key, value] of Object.entries(given)) {
    const problem = typeof value === 'string' ? problemOf(key, value) : 'not-a-name';
    if (problem !== null) problems.push({ at: `${name}.${key}`, problem });
    else if (typeof value === 'string') taken[key] = value;
  }
  return taken;
}

function pathProblem(name: string, path: string): OverrideProblem['problem'] | null {
  if (!Object.hasOwn(endpoints, name)) return 'unknown-name';
  const known: Endpoint = endpoints[name as EndpointName];
  // A correction that a later version of the document confirmed is no mistake.
  if (known.evidence === 'documented') return path === known.path ? null : 'is-documented';
  if (path.length > 200 || !pathPattern.test(path) || /(?:^|\/)\.{1,2}(?:\/|$)/u.test(path)) return 'not-a-path';
  return placesOf(path) === placesOf(known.path) ? null : 'other-places';
}

const placesOf = (path: string): string => (path.match(/\{\w+\}/gu) ?? []).toSorted().join();

const nameProblem = (name: string): OverrideProblem['problem'] | null =>
  namePattern.test(name) && !unsafeNames.has(name) ? null : 'not-a-name';

/** The same body under the names this version knows; a name that is already in use is left alone. */
export function withAliases(body: unknown, aliases: Readonly<Record<string, string>>): unknown {
  if (Object.keys(aliases).length === 0) return body;
  if (Array.isArray(body)) return body.map((part) => withAliases(part, aliases));
  if (!isJsonObject(body)) return body;
  const renamed: [string, unknown][] = Object.entries(body).map(([name, value]) => {
    const known = Object.hasOwn(aliases, name) ? (aliases[name] ?? name) : name;
    return [Object.hasOwn(body, known) ? name : known, withAliases(value, aliases)];
  });
  return Object.fromEntries(renamed);
}
