import type { CommandId } from '../commands/command-list.ts';

/** What a button can do: play for as long as it is held, run a command, or nothing. */
export const pedalActions = [
  'hold',
  'playback.toggle',
  'playback.back',
  'playback.forward',
  'playback.replaySlower',
  'none',
] as const satisfies readonly (CommandId | 'hold' | 'none')[];
export type PedalAction = (typeof pedalActions)[number];

export type PedalPlace = 'left' | 'middle' | 'right' | 'top';

export interface PedalModel {
  readonly maker: string;
  readonly vendorId: number;
  readonly productId: number;
  /** Where the button of each bit is, from bit 0 on; empty where sources differ or say nothing. */
  readonly places: readonly PedalPlace[];
}

/**
 * The pedals that may be read, by the ids of their USB descriptors; main permits no other device. At rest every bit of
 * their reports is 0, and a button that is held sets one.
 */
export const pedalModels: readonly PedalModel[] = [
  // IN-USB-2 and IN-USB-3: the list of USB ids and the drivers `peternewman/VECFootpedal` and `fenimore/scribouillage`
  // have the ids and the bits. A dump of its descriptor shows three buttons and 13 constant bits, without a report id.
  { maker: 'Infinity', vendorId: 0x05f3, productId: 0x00ff, places: ['left', 'middle', 'right'] },
  // ACC2310 and ACC2320, then ACC2330: ids and bits are those of `FootControlDevice` in `dictation_support`
  // (Apache-2.0), which calls the fourth button "EOL_PRIO"; users of that pedal describe it as the top one.
  { maker: 'Philips', vendorId: 0x0911, productId: 0x1844, places: ['left', 'middle', 'right'] },
  { maker: 'Philips', vendorId: 0x0911, productId: 0x091a, places: ['left', 'middle', 'right', 'top'] },
  // RS-27 and RS-28: the id is in the device list of `RustRide`, but its bits and those of others differ.
  { maker: 'Olympus', vendorId: 0x07b4, productId: 0x0218, places: [] },
  // RS-31: the id is in `MarkGzero/FootPedal`. Two dumps of its reports agree on the bits, but not on left and right.
  { maker: 'Olympus', vendorId: 0x07b4, productId: 0x025f, places: [] },
];

export const pedalModelOf = (vendorId: number, productId: number): PedalModel | null =>
  pedalModels.find((model) => model.vendorId === vendorId && model.productId === productId) ?? null;

const hex = (id: number) => id.toString(16).padStart(4, '0');
/** The model as `05f3:00ff`, as the systems show it. */
export const modelKey = ({ vendorId, productId }: PedalModel): string => `${hex(vendorId)}:${hex(productId)}`;

/** Bits that can be buttons where the places aren't known. The RS-31 sends 64 bytes and uses the first four. */
const unknownBits = 32;

/**
 * The held buttons after a report, each as `<report id>:<bit>`. A report says nothing about the buttons of reports with
 * other ids. The same object as `before`, if nothing has changed.
 */
export function heldButtons(
  model: PedalModel,
  before: ReadonlySet<string>,
  reportId: number,
  report: DataView,
): ReadonlySet<string> {
  // A model whose buttons are known has them all in one report, so its id makes no difference.
  const isKnown = model.places.length > 0;
  const prefix = `${isKnown ? 0 : reportId}:`;
  const held = new Set([...before].filter((button) => !button.startsWith(prefix)));
  const bitCount = Math.min(isKnown ? model.places.length : unknownBits, report.byteLength * 8);
  for (let bit = 0; bit < bitCount; bit += 1) {
    if ((report.getUint8(bit >> 3) & (1 << (bit & 7))) !== 0) held.add(`${prefix}${bit}`);
  }
  return held.size === before.size && [...held].every((button) => before.has(button)) ? before : held;
}

/** Counts from 0. */
export const bitOf = (button: string): number => Number(button.slice(button.indexOf(':') + 1));

/** Where a button is, or null. */
export const placeOf = ({ places }: PedalModel, button: string): PedalPlace | null => places[bitOf(button)] ?? null;

/** What the user has chosen for buttons, by `choiceKey`. */
export type PedalChoices = Readonly<Record<string, PedalAction>>;

export const choiceKey = (model: PedalModel, button: string): string => `${modelKey(model)} ${button}`;

/** The buttons of a model: those of known places, and of all these choices. In the order of their reports and bits. */
export function buttonsOf(model: PedalModel, choiceKeys: readonly string[]): readonly string[] {
  const prefix = choiceKey(model, '');
  const others = choiceKeys.filter((key) => key.startsWith(prefix)).map((key) => key.slice(prefix.length));
  const known = model.places.map((_, bit) => `0:${bit}`);
  return [...new Set([...known, ...others])].toSorted(
    (one, other) => Number.parseInt(one) - Number.parseInt(other) || bitOf(one) - bitOf(other),
  );
}

const usualActions: Readonly<Record<PedalPlace, PedalAction>> = {
  left: 'playback.back',
  middle: 'hold',
  right: 'playback.forward',
  top: 'none',
};

/** What a button does: the user's choice, or what its place usually does. */
export function actionOf(model: PedalModel, button: string, choices: PedalChoices): PedalAction {
  const place = placeOf(model, button);
  return choices[choiceKey(model, button)] ?? (place === null ? 'none' : usualActions[place]);
}
