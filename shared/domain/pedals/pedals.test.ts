import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { actionOf, buttonsOf, heldButtons, modelKey, pedalModelOf, pedalModels, placeOf } from './pedals.ts';

const report = (...bytes: number[]) => new DataView(Uint8Array.from(bytes).buffer);
const none: ReadonlySet<string> = new Set();
const infinity = pedalModelOf(0x05f3, 0x00ff)!;
const philips = pedalModelOf(0x0911, 0x091a)!;
const olympus = pedalModelOf(0x07b4, 0x025f)!;
const model = fc.constantFrom(...pedalModels);
const bytes = fc.array(fc.integer({ min: 0, max: 255 }), { maxLength: 64 });
const button = fc.tuple(fc.nat(3), fc.nat(40)).map(([id, bit]) => `${id}:${bit}`);
const buttons = fc.array(button, { maxLength: 6 }).map((some): ReadonlySet<string> => new Set(some));

describe('a report', () => {
  it.each([
    [infinity, [0x02, 0x00], ['middle']],
    [infinity, [0x05, 0x00], ['left', 'right']],
    [infinity, [0x07, 0xff], ['left', 'middle', 'right']],
    [philips, [0x0a, 0x80, 0x80], ['middle', 'top']],
  ] as const)('of %o that is %o says that these are held: %o', (known, sent, places) => {
    const held = [...heldButtons(known, none, 0, report(...sent))];
    expect(held.map((one) => placeOf(known, one))).toEqual(places);
  });

  it('of a pedal whose buttons are not known names them by bit and report id', () => {
    const held = heldButtons(olympus, none, 3, report(0, 0, 0x04, 0x02, 0xff));
    expect([...held]).toEqual(['3:18', '3:25']);
    expect([...held].map((one) => placeOf(olympus, one))).toEqual([null, null]);
  });

  it('with another id leaves the buttons of the others held', () => {
    const first = heldButtons(olympus, none, 1, report(0x01));
    expect([...heldButtons(olympus, first, 2, report(0x02))]).toEqual(['1:0', '2:1']);
    expect([...heldButtons(olympus, first, 1, report(0x00))]).toEqual([]);
  });

  it('counts no buttons that it has no bits for', () => {
    expect(heldButtons(infinity, none, 0, report())).toBe(none);
  });

  it('at rest releases everything that an equal report held', () => {
    fc.assert(
      fc.property(model, bytes, fc.nat(255), (some, sent, id) => {
        const held = heldButtons(some, none, id, report(...sent));
        expect(heldButtons(some, held, id, report(...sent.map(() => 0))).size).toBe(sent.length === 0 ? held.size : 0);
      }),
    );
  });

  it('that repeats the last one changes nothing, not even the object', () => {
    fc.assert(
      fc.property(model, buttons, bytes, fc.nat(3), (some, before, sent, id) => {
        const held = heldButtons(some, before, id, report(...sent));
        expect(heldButtons(some, held, id, report(...sent))).toBe(held);
      }),
    );
  });

  it('holds exactly as many buttons as it has bits set among those that can be buttons', () => {
    fc.assert(
      fc.property(model, bytes, (some, sent) => {
        const bitCount = some.places.length || 32;
        const bits = sent.flatMap((byte) => Array.from({ length: 8 }, (_, bit) => (byte >> bit) & 1));
        const set = bits.slice(0, bitCount).filter((bit) => bit === 1);
        expect(heldButtons(some, none, 0, report(...sent)).size).toBe(set.length);
      }),
    );
  });
});

describe('a button', () => {
  it('goes back on the left, plays while held in the middle, goes forward on the right, and does nothing elsewhere', () => {
    const actions = buttonsOf(philips, []).map((one) => actionOf(philips, one, {}));
    expect(actions).toEqual(['playback.back', 'hold', 'playback.forward', 'none']);
    expect(actionOf(olympus, '0:16', {})).toBe('none');
  });

  it('does what the user has chosen for this button of this model', () => {
    const choices = { '05f3:00ff 0:0': 'none', '07b4:025f 0:16': 'playback.toggle' } as const;
    expect(actionOf(infinity, '0:0', choices)).toBe('none');
    expect(actionOf(philips, '0:0', choices)).toBe('playback.back');
    expect(actionOf(olympus, '0:16', choices)).toBe('playback.toggle');
  });

  it('is listed once, after those of lower reports and bits, if its place is known or it was pressed or chosen', () => {
    const keys = ['05f3:00ff 0:0', '07b4:025f 1:0', '07b4:025f 0:16', '07b4:025f 0:9', '07b4:025f 0:9'];
    expect(buttonsOf(olympus, keys)).toEqual(['0:9', '0:16', '1:0']);
    expect(buttonsOf(infinity, keys)).toEqual(['0:0', '0:1', '0:2']);
  });
});

it('every model has ids of its own', () => {
  expect(new Set(pedalModels.map(modelKey)).size).toBe(pedalModels.length);
  expect(pedalModelOf(0x05f3, 0x1844)).toBeNull();
});
