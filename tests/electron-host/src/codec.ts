type Bytes = Uint8Array<ArrayBuffer>;

/**
 * Structured clone as bytes: what Electron's IPC carries, over our socket. Both ends use it, so it refers to nothing
 * outside itself: the page's side is made from this function's own source text.
 */
export function makeCodec() {
  const encoder = new TextEncoder();
  const decoder = new TextDecoder();
  const views: Record<string, new (buffer: ArrayBuffer) => ArrayBufferView> = {
    Int8Array,
    Uint8Array,
    Uint8ClampedArray,
    Int16Array,
    Uint16Array,
    Int32Array,
    Uint32Array,
    Float32Array,
    Float64Array,
    BigInt64Array,
    BigUint64Array,
    DataView,
  };
  const errors: Record<string, ErrorConstructor> = {
    EvalError,
    RangeError,
    ReferenceError,
    SyntaxError,
    TypeError,
    URIError,
  };
  const aligned = (length: number) => (length + 7) & ~7;
  const refuse = (): never => {
    throw new Error('An object could not be cloned.');
  };

  /**
   * Whether JSON represents a value completely, as it does most: then it is sent as JSON, which the engine reads and
   * writes natively. Electron's own codec is as fast.
   */
  function isJson(value: unknown): boolean {
    const seen = new Set<object>();
    const check = (x: unknown): boolean => {
      if (typeof x === 'string' || typeof x === 'boolean' || x === null) return true;
      if (typeof x === 'number') return Number.isFinite(x) && !Object.is(x, -0);
      // An object referenced twice is one object on the other side too.
      if (typeof x !== 'object' || seen.has(x)) return false;
      seen.add(x);
      const prototype: unknown = Object.getPrototypeOf(x);
      if (Array.isArray(x)) {
        if (prototype !== Array.prototype) return false;
        for (let index = 0; index < x.length; index += 1) if (!check(x[index])) return false;
        return true;
      }
      if ((prototype !== Object.prototype && prototype !== null) || 'toJSON' in x) return false;
      for (const key of Object.keys(x)) {
        const property = (x as Record<string, unknown>)[key];
        if (property === undefined || !check(property)) return false;
      }
      return true;
    };
    return check(value);
  }
  const asJson = (value: unknown): Bytes => {
    const text = encoder.encode(JSON.stringify(value));
    const out = new Uint8Array(4 + text.length);
    out.set(text, 4);
    return out;
  };

  function encode(value: unknown): Bytes {
    if (isJson(value)) return asJson(value);
    const blocks: Uint8Array[] = [];
    const seen = new Map<object, number>();
    const block = (bytes: Uint8Array) => blocks.push(bytes) - 1;
    const write = (x: unknown): unknown => {
      switch (typeof x) {
        case 'string':
        case 'boolean':
          return x;
        case 'number':
          return Number.isFinite(x) && !Object.is(x, -0) ? x : { $: 'n', v: Object.is(x, -0) ? '-0' : String(x) };
        case 'undefined':
          return { $: 'u' };
        case 'bigint':
          return { $: 'i', v: String(x) };
        case 'object':
          return x === null ? null : writeObject(x);
        case 'function':
        case 'symbol':
          return refuse();
      }
    };
    const writeObject = (x: object): unknown => {
      const known = seen.get(x);
      if (known !== undefined) return { $: 'r', v: known };
      seen.set(x, seen.size);
      if (Array.isArray(x)) return { $: 'a', v: Array.from(x, write) };
      if (x instanceof ArrayBuffer) return { $: 'B', v: block(new Uint8Array(x)) };
      if (ArrayBuffer.isView(x)) {
        const own = x.constructor.name;
        const bytes = new Uint8Array(x.buffer, x.byteOffset, x.byteLength);
        return { $: 'T', t: own in views ? own : 'Uint8Array', v: block(bytes) };
      }
      if (x instanceof Date) return { $: 'D', v: write(x.getTime()) };
      if (x instanceof RegExp) return { $: 'R', v: [x.source, x.flags] };
      if (x instanceof Map) return { $: 'M', v: [...x].map(([k, v]) => [write(k), write(v)]) };
      if (x instanceof Set) return { $: 'S', v: [...x].map(write) };
      if (x instanceof Error) return { $: 'E', n: x.name, m: x.message, s: x.stack ?? '', c: write(x.cause) };
      const tag = Object.prototype.toString.call(x);
      if (tag !== '[object Object]' || typeof (x as { then?: unknown }).then === 'function') refuse();
      const out: Record<string, unknown> = Object.create(null);
      for (const key of Object.keys(x)) out[key] = write((x as Record<string, unknown>)[key]);
      return '$' in out ? { $: 'o', v: out } : out;
    };
    const head = encoder.encode(JSON.stringify([write(value), blocks.map((b) => b.byteLength)]));
    const start = aligned(4 + head.length);
    const out = new Uint8Array(blocks.reduce((sum, b) => sum + aligned(b.byteLength), start));
    new DataView(out.buffer).setUint32(0, head.length, true);
    out.set(head, 4);
    let at = start;
    for (const b of blocks) {
      out.set(b, at);
      at += aligned(b.byteLength);
    }
    return out;
  }

  function decode(bytes: Uint8Array): unknown {
    const length = new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true);
    // Without blocks, and even without their list.
    if (length === 0) return JSON.parse(decoder.decode(bytes.subarray(4)));
    const [root, lengths] = JSON.parse(decoder.decode(bytes.subarray(4, 4 + length))) as [unknown, number[]];
    let at = aligned(4 + length);
    const blocks = lengths.map((size) => {
      const from = at;
      at += aligned(size);
      return bytes.subarray(from, from + size);
    });
    const seen: unknown[] = [];
    const remember = <T>(x: T): T => {
      seen.push(x);
      return x;
    };
    const bufferOf = (index: unknown): ArrayBuffer => {
      const source = blocks[index as number] ?? refuse();
      const buffer = new ArrayBuffer(source.byteLength);
      new Uint8Array(buffer).set(source);
      return buffer;
    };
    const own = (out: Record<string, unknown>, from: Record<string, unknown>) => {
      for (const key of Object.keys(from)) {
        Object.defineProperty(out, key, {
          value: read(from[key]),
          writable: true,
          enumerable: true,
          configurable: true,
        });
      }
      return out;
    };
    const read = (x: unknown): unknown => {
      if (x === null || typeof x !== 'object') return x;
      const { $: tag, v } = x as { $?: string; v?: unknown };
      switch (tag) {
        case 'n':
          return Number(v);
        case 'u':
          return undefined;
        case 'i':
          return BigInt(v as string);
        case 'r':
          return seen[v as number];
        case 'a': {
          const list = remember<unknown[]>([]);
          for (const item of v as unknown[]) list.push(read(item));
          return list;
        }
        case 'B':
          return remember(bufferOf(v));
        case 'T': {
          const View = views[(x as { t?: string }).t ?? ''] ?? refuse();
          return remember(new View(bufferOf(v)));
        }
        case 'D':
          return remember(new Date(read(v) as number));
        case 'R': {
          const [source, flags] = v as [string, string];
          return remember(new RegExp(source, flags));
        }
        case 'M': {
          const map = remember(new Map<unknown, unknown>());
          for (const [key, item] of v as [unknown, unknown][]) map.set(read(key), read(item));
          return map;
        }
        case 'S': {
          const set = remember(new Set<unknown>());
          for (const item of v as unknown[]) set.add(read(item));
          return set;
        }
        case 'E': {
          const { n, m, s, c } = x as { n: string; m: string; s: string; c: unknown };
          const error = remember(new (errors[n] ?? Error)(m));
          if (error.name !== n) error.name = n;
          error.stack = s;
          const cause = read(c);
          if (cause !== undefined) error.cause = cause;
          return error;
        }
        case 'o':
          return own(remember<Record<string, unknown>>({}), v as Record<string, unknown>);
        case undefined:
        default:
          return own(remember<Record<string, unknown>>({}), x as Record<string, unknown>);
      }
    };
    return read(root);
  }

  return { encode, decode };
}

export type Codec = ReturnType<typeof makeCodec>;
