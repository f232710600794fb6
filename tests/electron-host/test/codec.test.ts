import fc from 'fast-check';
import { expect, it } from 'vitest';
import { forAllIn } from '../../support/for-all.ts';
import { makeCodec } from '../src/codec.ts';

// The page's half is made from the function's text, so that is tested beside main's half.
const main = makeCodec();
// oxlint-disable-next-line no-eval -- see above
const page = (0, eval)(`(${makeCodec.toString()})`)() as typeof main;

const cloneable = fc.anything({
  withBigInt: true,
  withDate: true,
  withMap: true,
  withSet: true,
  withTypedArray: true,
  withNullPrototype: false,
  withObjectString: true,
});

it('the codec of messages transfers anything cloneable as structured clone does, both ways', () => {
  forAllIn(process.env['OVOZ_LONG'] ? 5000 : 300, cloneable, (value) => {
    const clone = structuredClone(value);
    expect(page.decode(main.encode(value))).toStrictEqual(clone);
    expect(main.decode(page.encode(value))).toStrictEqual(clone);
  });
});
