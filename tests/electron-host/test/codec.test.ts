import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { makeCodec } from '../src/codec.ts';

// The page's half is made from the function's text, so that is tested beside main's half.
const main = makeCodec();
// oxlint-disable-next-line no-eval -- see above
const page = (0, eval)(`(${makeCodec.toString()})`)() as typeof main;
const there = (value: unknown) => page.decode(main.encode(value));
const back = (value: unknown) => main.decode(page.encode(value));

const cloneable = fc.anything({
  withBigInt: true,
  withDate: true,
  withMap: true,
  withSet: true,
  withTypedArray: true,
  withNullPrototype: false,
  withObjectString: true,
});

describe('the codec of messages works like structured clone', () => {
  it('transfers anything cloneable, both ways', () => {
    fc.assert(
      fc.property(cloneable, (value) => {
        const clone = structuredClone(value);
        expect(there(value)).toStrictEqual(clone);
        expect(back(value)).toStrictEqual(clone);
      }),
      { numRuns: process.env['OVOZ_LONG'] ? 5000 : 300 },
    );
  });
  it('keeps cycles and shared parts', () => {
    const shared = { n: 1 };
    const value: { self?: unknown; list: unknown[] } = { list: [shared, shared, new Map([['k', shared]])] };
    value.self = value;
    const got = there(value) as typeof value;
    expect(got.self).toBe(got);
    expect(got.list[0]).toBe(got.list[1]);
    expect((got.list[2] as Map<string, unknown>).get('k')).toBe(got.list[0]);
  });
  it('keeps errors with name, message and cause', () => {
    const got = there(new RangeError('far', { cause: new Error('near') })) as RangeError;
    expect(got).toBeInstanceOf(RangeError);
    expect([got.name, got.message, (got.cause as Error).message]).toEqual(['RangeError', 'far', 'near']);
  });
  it('transfers the part of a buffer that a view covers', () => {
    const bytes = Buffer.from('abcdef').subarray(2, 4);
    expect([...(there(bytes) as Uint8Array)]).toEqual([99, 100]);
  });
  it('does not let a value change the prototype', () => {
    const got = there(JSON.parse('{"__proto__": {"polluted": 1}}')) as object;
    expect(Object.getPrototypeOf(got)).toBe(Object.prototype);
    expect(Object.keys(got)).toEqual(['__proto__']);
  });
  it.each([[() => 1], [Symbol('s')], [Promise.resolve()], [new WeakMap()]])('refuses %s', (value) => {
    expect(() => there({ value })).toThrow('could not be cloned');
  });
});
