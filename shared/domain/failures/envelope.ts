import type { FailureEnvelope } from '../../result/failure.ts';
import { cleanCode, cleanId } from './clean-text.ts';
import { parseGuardedJson } from './guarded-json.ts';

/** The facts about a failure in a body, whatever its shape; absent: the body did not contain it in an accepted form. */
export interface ReadEnvelope {
  readonly envelope: FailureEnvelope;
  readonly code?: string;
  readonly message?: string;
  readonly requestId?: string;
  readonly fields?: Readonly<Record<string, string>>;
}

type JsonObject = Readonly<Record<string, unknown>>;

/** Reads any body of an answer. Never throws; the texts are unchanged. */
export function readEnvelope(body: string, isTruncated: boolean): ReadEnvelope {
  const text = body.replace(/^\ufeff/u, '').trim();
  if (isTruncated) return { envelope: 'truncated' };
  if (text === '') return { envelope: 'empty', code: 'empty_body' };
  const json = parseGuardedJson(text);
  if (!json.isJson) return readMarkup(text);
  return isObject(json.value) ? readJson(json.value) : { envelope: 'none' };
}

function readMarkup(text: string): ReadEnvelope {
  const start = text.slice(0, 1024).toLowerCase();
  if (start.includes('<!doctype html') || start.includes('<html')) return { envelope: 'html' };
  if (start.startsWith('<?xml') || start.startsWith('<error')) {
    const code = cleanCode(/<code>([^<]{1,64})<\/code>/iu.exec(text.slice(0, 65_536))?.[1]);
    return { envelope: 'storage_xml', ...(code === undefined ? {} : { code }) };
  }
  return { envelope: 'text', message: text };
}

function readJson(body: JsonObject): ReadEnvelope {
  const error = body['error'];
  const message = stringOf(body['message']);
  const requestId = cleanId(body['request_id']) ?? (isObject(error) ? cleanId(error['request_id']) : undefined);
  const base = requestId === undefined ? {} : { requestId };

  if (isObject(error)) {
    const innerMessage = stringOf(error['message']);
    const isStandard = typeof error['code'] === 'string' && (message !== undefined || error['type'] === undefined);
    const isLlm = innerMessage !== undefined || error['type'] !== undefined;
    const code = cleanCode(error['code']);
    const words = innerMessage ?? message;
    const fields = fieldsOf(error['fields']);
    return {
      ...base,
      envelope: isStandard ? 'standard' : isLlm ? 'llm' : 'none',
      ...(code === undefined ? {} : { code }),
      ...(words === undefined ? {} : { message: words }),
      ...(fields === undefined ? {} : { fields }),
    };
  }
  if (body['detail'] !== undefined || body['error_key'] !== undefined) {
    const key = cleanCode(body['error_key']);
    const words = flattenDetail(body['detail']);
    return {
      ...base,
      envelope: 'legacy',
      ...(key === undefined ? {} : { code: `legacy.${key}`.slice(0, 64) }),
      ...(words === '' ? {} : { message: words }),
    };
  }
  if (typeof error === 'string') {
    const code = cleanCode(error);
    const words = message ?? (code === undefined ? error : undefined);
    return {
      ...base,
      envelope: 'none',
      ...(code === undefined ? {} : { code }),
      ...(words === undefined ? {} : { message: words }),
    };
  }
  return { ...base, envelope: 'none', ...(message === undefined ? {} : { message }) };
}

/** The legacy API's `detail`: a text, a list of `{loc, msg}`, or an object of them. */
function flattenDetail(detail: unknown, depth = 0): string {
  if (typeof detail === 'string') return detail;
  if (depth > 4) return '';
  if (Array.isArray(detail)) return joined(detail.slice(0, 16), depth);
  if (!isObject(detail)) return '';
  const words = stringOf(detail['msg']) ?? stringOf(detail['message']);
  return words ?? joined(Object.values(detail).slice(0, 16), depth);
}

const joined = (parts: readonly unknown[], depth: number): string =>
  parts
    .map((part) => flattenDetail(part, depth + 1))
    .filter((part) => part !== '')
    .join('; ');

function fieldsOf(value: unknown): Record<string, string> | undefined {
  if (!isObject(value)) return undefined;
  const entries = Object.entries(value)
    .map(([name, text]) => [name, Array.isArray(text) ? text.filter(isString).join('; ') : text] as const)
    .filter((entry): entry is readonly [string, string] => typeof entry[1] === 'string');
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}

const isString = (value: unknown): value is string => typeof value === 'string';
const stringOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;
const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
