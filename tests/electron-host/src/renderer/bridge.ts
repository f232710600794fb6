export type BridgedFunction = (...args: unknown[]) => unknown;

/**
 * One half of a synchronous call between the page's world and the preload's. The two worlds share the DOM and nothing
 * else; an event's `detail` is cloned by the browser when the other world reads it, so a value crosses as in Electron's
 * `contextBridge`. Functions and promises cross as numbers. Runs inside the page: refers to nothing outside itself.
 */
export function makeBridge(secret: string, mine: string, theirs: string) {
  interface Packed {
    readonly [key: string]: unknown;
    readonly id: number;
    readonly v?: unknown;
  }
  interface Message {
    readonly op: 'call' | 'return' | 'resolve' | 'reject' | 'free';
    readonly id: number;
    readonly count?: number;
    readonly args?: unknown;
    readonly v?: unknown;
    readonly e?: unknown;
  }
  interface Settle {
    readonly resolve: (value: unknown) => void;
    readonly reject: (reason: unknown) => void;
  }
  // Taken before any of the page's scripts can replace them.
  const [PageEvent, PagePromise, PageError, PageMap] = [CustomEvent, Promise, Error, Map];
  const dispatch = EventTarget.prototype.dispatchEvent.bind(document);
  const listen = EventTarget.prototype.addEventListener.bind(document);
  const { getPrototypeOf, keys, prototype: plain } = Object;
  const { isArray } = Array;
  const tagOf = (value: object): string => plain.toString.call(value);

  const functions = new PageMap<number, BridgedFunction>();
  const idOf = new WeakMap<BridgedFunction, number>();
  const sent = new PageMap<number, number>();
  const wrappers = new PageMap<number, WeakRef<BridgedFunction>>();
  const received = new PageMap<number, number>();
  const promises = new PageMap<number, Settle>();
  let lastId = 0;
  let answer: Message | undefined;

  const emit = (message: Message) => void dispatch(new PageEvent(secret + theirs, { detail: message }));
  // A function may cross many times; its owner releases it only when the other side has seen every crossing and holds
  // none.
  const released = new FinalizationRegistry<number>((id) => {
    const reference = wrappers.get(id);
    if (reference?.deref() !== undefined) return;
    const count = received.get(id) ?? 0;
    wrappers.delete(id);
    received.delete(id);
    emit({ op: 'free', id, count });
  });

  const packError = (e: unknown): unknown =>
    e instanceof PageError ? { name: e.name, message: e.message, stack: e.stack } : { raw: pack(e) };
  const unpackError = (packed: unknown): unknown => {
    const e = packed as { raw?: unknown; name: string; message: string };
    if ('raw' in e) return unpack(e.raw);
    const error = new PageError(e.message);
    error.name = e.name;
    return error;
  };
  const pack = (value: unknown): unknown => {
    if (typeof value === 'function') {
      const fn = value as BridgedFunction;
      const id = idOf.get(fn) ?? ++lastId;
      idOf.set(fn, id);
      functions.set(id, fn);
      sent.set(id, (sent.get(id) ?? 0) + 1);
      return { [secret]: 'function', id };
    }
    if (typeof value === 'symbol') return undefined;
    if (value === null || typeof value !== 'object') return value;
    if (value instanceof PagePromise) {
      const id = ++lastId;
      value.then(
        (v: unknown) => emit({ op: 'resolve', id, v: pack(v) }),
        (e: unknown) => emit({ op: 'reject', id, e: packError(e) }),
      );
      return { [secret]: 'promise', id };
    }
    if (value instanceof PageError) return { [secret]: 'error', id: 0, v: packError(value) };
    const prototype: unknown = getPrototypeOf(value);
    if (!isArray(value) && prototype !== plain && prototype !== null && tagOf(value) !== '[object Object]')
      return value;
    const from = value as Record<string, unknown>;
    // The browser copies values that cross; another copy is made only of those containing something that crosses as a
    // number.
    let out: Record<string, unknown> | null = prototype === plain || prototype === null || isArray(value) ? null : {};
    const names = keys(from);
    for (const [at, key] of names.entries()) {
      const part = from[key];
      const packed = pack(part);
      if (out === null && packed !== part) {
        out = isArray(value) ? ([] as unknown as Record<string, unknown>) : {};
        for (const before of names.slice(0, at)) out[before] = from[before];
      }
      if (out !== null) out[key] = packed;
    }
    return out ?? value;
  };
  const wrapperOf = (id: number): BridgedFunction => {
    received.set(id, (received.get(id) ?? 0) + 1);
    const known = wrappers.get(id)?.deref();
    if (known !== undefined) return known;
    const wrapper: BridgedFunction = (...args) => call(id, args);
    wrappers.set(id, new WeakRef(wrapper));
    released.register(wrapper, id);
    return wrapper;
  };
  const unpack = (value: unknown): unknown => {
    if (value === null || typeof value !== 'object') return value;
    const packed = value as Packed;
    switch (packed[secret]) {
      case 'function':
        return wrapperOf(packed.id);
      case 'promise':
        return new PagePromise((resolve, reject) => promises.set(packed.id, { resolve, reject }));
      case 'error':
        return unpackError(packed.v);
      default:
        break;
    }
    const prototype: unknown = getPrototypeOf(value);
    if (!isArray(value) && prototype !== plain && prototype !== null) return value;
    // It is the browser's copy for this side alone.
    const own = value as Record<string, unknown>;
    for (const key of keys(own)) {
      const part = own[key];
      if (part === null || typeof part !== 'object') continue;
      const unpacked = unpack(part);
      if (unpacked !== part) own[key] = unpacked;
    }
    return own;
  };
  const call = (id: number, args: unknown[]): unknown => {
    answer = undefined;
    emit({ op: 'call', id, args: pack(args) });
    const got = answer as Message | undefined;
    answer = undefined;
    if (got === undefined) throw new PageError('An object could not be cloned.');
    if (got.e !== undefined) throw unpackError(got.e);
    return unpack(got.v);
  };
  const answerCall = (message: Message): Message => {
    try {
      const fn = functions.get(message.id);
      if (fn === undefined) throw new PageError('The function is no longer there.');
      return { op: 'return', id: message.id, v: pack(fn(...(unpack(message.args) as unknown[]))) };
    } catch (e) {
      return { op: 'return', id: message.id, e: packError(e) };
    }
  };
  const settle = (id: number): Settle | undefined => {
    const found = promises.get(id);
    promises.delete(id);
    return found;
  };
  listen(secret + mine, (event) => {
    const message = (event as CustomEvent<Message | null>).detail;
    // Null if something in it can't be cloned: the caller then finds no answer and reports that.
    if (message === null) return;
    switch (message.op) {
      case 'call':
        emit(answerCall(message));
        break;
      case 'return':
        answer = message;
        break;
      case 'resolve':
        settle(message.id)?.resolve(unpack(message.v));
        break;
      case 'reject':
        settle(message.id)?.reject(unpackError(message.e));
        break;
      case 'free': {
        const left = (sent.get(message.id) ?? 0) - (message.count ?? 0);
        sent.set(message.id, left);
        if (left > 0) break;
        const fn = functions.get(message.id);
        functions.delete(message.id);
        sent.delete(message.id);
        if (fn !== undefined) idOf.delete(fn);
        break;
      }
    }
  });
  /** Makes `fn` callable from the other world as number 1; must be the first thing to cross. */
  const open = (fn: BridgedFunction): void => void pack(fn);
  return { call, open };
}

export type MakeBridge = typeof makeBridge;
