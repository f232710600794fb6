/** The deepest nesting that is still parsed. */
export const maxJsonDepth = 64;

const dangerousKeys = new Set(['__proto__', 'constructor', 'prototype']);

export type GuardedJson = { readonly isJson: true; readonly value: unknown } | { readonly isJson: false };

/**
 * `JSON.parse` for bodies that may be hostile: a byte order mark is dropped, nesting is
 * capped, and keys that could reach a prototype are left out. Never throws.
 */
export function parseGuardedJson(text: string): GuardedJson {
  const source = text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
  if (isTooDeep(source)) return { isJson: false };
  try {
    const mayHoldDangerousKeys = /__proto__|constructor|prototype|\\u/u.test(source);
    const value: unknown = mayHoldDangerousKeys ? JSON.parse(source, dropDangerousKeys) : JSON.parse(source);
    return { isJson: true, value };
  } catch {
    return { isJson: false };
  }
}

function dropDangerousKeys(key: string, value: unknown): unknown {
  return dangerousKeys.has(key) ? undefined : value;
}

function isTooDeep(source: string): boolean {
  let depth = 0;
  let isInString = false;
  for (let at = 0; at < source.length; at += 1) {
    const character = source.charCodeAt(at);
    if (isInString) {
      if (character === 0x5c) at += 1;
      else if (character === 0x22) isInString = false;
    } else if (character === 0x22) isInString = true;
    else if (character === 0x7b || character === 0x5b) {
      depth += 1;
      if (depth > maxJsonDepth) return true;
    } else if (character === 0x7d || character === 0x5d) depth -= 1;
  }
  return false;
}
