const maxDepth = 24;
const isPlain = (value: object) => {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
};

/**
 * Approximate size of a message in bytes: UTF-8 of its strings and keys, buffers as they are. Stops counting at
 * `limit`. Infinity for anything that a request never contains: cycles, maps, dates, very deep nesting.
 */
export function measureBytes(value: unknown, limit: number): number {
  let bytes = 0;
  const open = new Set<object>();
  const walk = (item: unknown, depth: number): void => {
    if (bytes > limit) return;
    if (depth > maxDepth) bytes = Infinity;
    else if (typeof item === 'string') bytes += item.length > limit ? item.length : Buffer.byteLength(item) + 2;
    else if (item === null || item === undefined || typeof item === 'boolean' || typeof item === 'number') bytes += 8;
    else if (ArrayBuffer.isView(item)) bytes += item.byteLength;
    else if (typeof item !== 'object' || open.has(item)) bytes = Infinity;
    else if (Array.isArray(item) || isPlain(item)) {
      open.add(item);
      for (const key in item) {
        if (!Array.isArray(item)) walk(key, depth);
        walk((item as Record<string, unknown>)[key], depth + 1);
        if (bytes > limit) return;
      }
      open.delete(item);
    } else bytes = Infinity;
  };
  walk(value, 0);
  return bytes;
}
