export type BridgedFunction = (...args: unknown[]) => unknown;

/**
 * One half of a synchronous call between the page's world and the preload's. The two worlds share the DOM and nothing
 * else; an event's `detail` is cloned by the browser when the other world reads it, so a value crosses as in Electron's
 * `contextBridge`. Functions, promises and symbols cross as numbers. Runs inside the page: refers to nothing outside itself.
 */
export function makeBridge(secret: string, mine: string, theirs: string) {
  interface Packed {
    readonly [key: string]: unknown;
    readonly id: number;
    readonly v?: unknown;
    readonly keys?: readonly (readonly [unknown, unknown])[];
  }
  interface Message {
    readonly op: 'call' | 'return' | 'resolve' | 'reject' | 'free';
    readonly id: number;
    readonly count?: number;
    readonly v?: unknown;
    /** The text of an error. */
    readonly e?: string;
  }
  interface Settle {
    readonly resolve: (value: unknown) => void;
    readonly reject: (reason: unknown) => void;
  }
  // Taken before any of the page's scripts can replace them.
  const [PageEvent, PagePromise, PageError, PageTypeError, PageMap] = [CustomEvent, Promise, Error, TypeError, Map];
  const [PageSymbol, PageDate, PageBuffer, clone] = [Symbol, Date, ArrayBuffer, structuredClone];
  const dispatch = EventTarget.prototype.dispatchEvent.bind(document);
  const listen = EventTarget.prototype.addEventListener.bind(document);
  const { getPrototypeOf, keys, defineProperty: define, getOwnPropertySymbols: symbolsOf, prototype: plain } = Object;
  const { isArray } = Array;
  const isView = (value: unknown): boolean => PageBuffer.isView(value);
  const isEnumerable = (value: object, key: symbol): boolean => plain.propertyIsEnumerable.call(value, key);
  const symbolNames = Object.getOwnPropertyNames(Symbol);
  const tagOf = (value: object): string => plain.toString.call(value);

  const functions = new PageMap<number, BridgedFunction>();
  const idOf = new WeakMap<BridgedFunction, number>();
  const idOfWrapper = new WeakMap<BridgedFunction, number>();
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

  const uncloneable = 'An object could not be cloned.';
  const nothingThrown =
    'An unknown exception occurred in the isolated context, an error occurred but a valid exception was not thrown.';
  const deepest = 1000;
  const tooDeep =
    'Electron contextBridge recursion depth exceeded.  Nested objects deeper than 1000 are not supported.';
  /** What the other side throws for something that was thrown while a value was being packed here. */
  const uncaught = (e: unknown): string =>
    e instanceof PageError ? `Uncaught ${e.name}: ${e.message}` : nothingThrown;

  // A symbol of this world has a stand-in in the other; those of the language and the registry are the same in both.
  const symbols = new PageMap<number, symbol>();
  const idOfSymbol = new PageMap<symbol, number>();
  const theirSymbols = new PageMap<number, symbol>();
  const idOfTheirs = new PageMap<symbol, number>();
  const packSymbol = (value: symbol): unknown => {
    const registered = PageSymbol.keyFor(value);
    if (registered !== undefined) return { [secret]: 'symbol', id: 0, v: registered };
    const wellKnown = symbolNames.find((name) => (PageSymbol as unknown as Record<string, unknown>)[name] === value);
    if (wellKnown !== undefined) return { [secret]: 'well-known', id: 0, v: wellKnown };
    const theirs = idOfTheirs.get(value);
    if (theirs !== undefined) return { [secret]: 'your symbol', id: theirs };
    const id = idOfSymbol.get(value) ?? ++lastId;
    idOfSymbol.set(value, id);
    symbols.set(id, value);
    return { [secret]: 'my symbol', id, v: value.description };
  };
  const symbolOf = (id: number, description: string | undefined): symbol => {
    const known = theirSymbols.get(id);
    if (known !== undefined) return known;
    const made = PageSymbol(description);
    theirSymbols.set(id, made);
    idOfTheirs.set(made, id);
    return made;
  };

  const packFunction = (fn: BridgedFunction): unknown => {
    const theirs = idOfWrapper.get(fn);
    if (theirs !== undefined) return { [secret]: 'your function', id: theirs };
    const id = idOf.get(fn) ?? ++lastId;
    idOf.set(fn, id);
    functions.set(id, fn);
    sent.set(id, (sent.get(id) ?? 0) + 1);
    return { [secret]: 'function', id };
  };
  const packPromise = (promise: Promise<unknown>): unknown => {
    const id = ++lastId;
    const settled = (op: 'resolve' | 'reject') => (v: unknown) => {
      try {
        emit({ op, id, v: pack(v) });
      } catch (e) {
        emit({ op: 'reject', id, v: { [secret]: 'error', id: 0, v: uncaught(e) } });
      }
    };
    promise.then(settled('resolve'), settled('reject'));
    return { [secret]: 'promise', id };
  };
  /** A value as it can cross. What is met twice crosses once, `cache` remembers it; throws what a getter throws. */
  const pack = (value: unknown, cache = new PageMap<object, unknown>(), depth = 0): unknown => {
    if (depth >= deepest) throw new PageTypeError(tooDeep);
    if (typeof value === 'symbol') return packSymbol(value);
    if (value === null || (typeof value !== 'object' && typeof value !== 'function')) return value;
    const known = cache.get(value);
    if (known !== undefined) return known;
    const remember = <T>(packed: T): T => {
      cache.set(value, packed);
      return packed;
    };
    if (typeof value === 'function') return remember(packFunction(value as BridgedFunction));
    if (value instanceof PagePromise) return remember(packPromise(value));
    if (value instanceof PageError) return remember({ [secret]: 'error', id: 0, v: String(value.message) });
    if (isArray(value)) {
      const list = remember<unknown[]>([]);
      // By its indices, so that holes become undefined, as in Electron.
      for (let index = 0; index < value.length; index += 1) list[index] = pack(value[index], cache, depth + 1);
      return list;
    }
    if (getPrototypeOf(value) !== plain && getPrototypeOf(value) !== null && tagOf(value) !== '[object Object]') {
      if (isView(value) || value instanceof PageDate || value instanceof PageBuffer) return value;
      try {
        clone(value);
      } catch {
        throw new PageError(uncloneable);
      }
      return value;
    }
    const from = value as Record<PropertyKey, unknown>;
    const own: Record<string, unknown> = {};
    const names = symbolsOf(value).filter((key) => isEnumerable(value, key));
    const keyed: [unknown, unknown][] = [];
    const out = remember(names.length === 0 ? own : { [secret]: 'keyed', id: 0, v: own, keys: keyed });
    for (const key of keys(value)) {
      const packed = pack(from[key], cache, depth + 2);
      if (key === '__proto__')
        define(own, key, { value: packed, enumerable: true, writable: true, configurable: true });
      else own[key] = packed;
    }
    for (const key of names) keyed.push([packSymbol(key), pack(from[key], cache, depth + 2)]);
    return out;
  };
  const wrapperOf = (id: number): BridgedFunction => {
    received.set(id, (received.get(id) ?? 0) + 1);
    const known = wrappers.get(id)?.deref();
    if (known !== undefined) return known;
    const wrapper: BridgedFunction = (...args) => call(id, args);
    idOfWrapper.set(wrapper, id);
    wrappers.set(id, new WeakRef(wrapper));
    released.register(wrapper, id);
    return wrapper;
  };
  /** Turns the browser's copy, which is for this side alone, into what was meant; `done` holds what has been seen. */
  const unpack = (value: unknown, done = new PageMap<object, unknown>()): unknown => {
    if (value === null || typeof value !== 'object') return value;
    if (done.has(value)) return done.get(value);
    const remember = <T>(unpacked: T): T => {
      done.set(value, unpacked);
      return unpacked;
    };
    const packed = value as Packed;
    switch (packed[secret]) {
      case 'function':
        return remember(wrapperOf(packed.id));
      case 'your function':
        return functions.get(packed.id);
      case 'promise':
        return remember(new PagePromise((resolve, reject) => promises.set(packed.id, { resolve, reject })));
      case 'error':
        return remember(new PageError(packed.v as string));
      case 'symbol':
        return PageSymbol.for(packed.v as string);
      case 'well-known':
        return (PageSymbol as unknown as Record<string, symbol>)[packed.v as string];
      case 'my symbol':
        return symbolOf(packed.id, packed.v as string | undefined);
      case 'your symbol':
        return symbols.get(packed.id);
      case 'keyed': {
        const keyed = remember(packed.v as Record<PropertyKey, unknown>);
        unpack(keyed, done);
        for (const [key, part] of packed.keys ?? []) keyed[unpack(key) as symbol] = unpack(part, done);
        return keyed;
      }
      default:
        break;
    }
    remember(value);
    const prototype: unknown = getPrototypeOf(value);
    if (!isArray(value) && prototype !== plain && prototype !== null) return value;
    const own = value as Record<string, unknown>;
    for (const key of keys(own)) {
      const part = own[key];
      if (part === null || typeof part !== 'object') continue;
      const unpacked = unpack(part, done);
      if (unpacked !== part) own[key] = unpacked;
    }
    return own;
  };
  const call = (id: number, args: unknown[]): unknown => {
    const cache = new PageMap<object, unknown>();
    const packed: unknown[] = [];
    for (const arg of args) packed.push(pack(arg, cache));
    answer = undefined;
    emit({ op: 'call', id, v: packed });
    const got = answer as Message | undefined;
    answer = undefined;
    if (got === undefined) throw new PageError(uncloneable);
    if (got.e !== undefined) throw new PageError(got.e);
    return unpack(got.v);
  };
  const messageOf = (e: unknown): string => {
    const message: unknown = e !== null && typeof e === 'object' ? (e as { message?: unknown }).message : undefined;
    return typeof message === 'string' ? message : nothingThrown;
  };
  const answerCall = ({ id, v: packed }: Message): Message => {
    const fn = functions.get(id);
    if (fn === undefined) return { op: 'return', id, e: 'The function is no longer there.' };
    let returned: unknown;
    try {
      returned = fn(...(unpack(packed) as unknown[]));
    } catch (e) {
      return { op: 'return', id, e: messageOf(e) };
    }
    try {
      return { op: 'return', id, v: pack(returned) };
    } catch (e) {
      return { op: 'return', id, e: uncaught(e) };
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
        settle(message.id)?.reject(unpack(message.v));
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
