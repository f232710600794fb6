import type { KeyOverrides } from './keymap.ts';

export const keyPresets = ['studio', 'otranscribe', 'express-scribe', 'descript', 'subtitle-edit'] as const;
export type KeyPreset = (typeof keyPresets)[number];

/** Names of programs are the same in every language. */
export const presetNames: { readonly [Preset in KeyPreset]: string } = {
  studio: 'Ovoz Studio',
  otranscribe: 'oTranscribe',
  'express-scribe': 'Express Scribe',
  descript: 'Descript',
  'subtitle-edit': 'Subtitle Edit',
};

/**
 * The keys that people know from other programs, where these differ from ours. `docs/key-presets.md` says which of them
 * were verified and which are general knowledge.
 */
export const overridesOf: { readonly [Preset in KeyPreset]: KeyOverrides } = {
  studio: {},
  // Esc, F1 to F4 and the key to jump to a time are our defaults as well: they come from this program.
  otranscribe: {
    'versions.open': 'Mod+KeyS',
    'text.insertTime': 'Mod+KeyJ',
    'jobs.open': 'Alt+KeyJ',
  },
  'express-scribe': {
    'playback.pause': 'F4',
    'playback.toggle': 'F9',
    'playback.back': 'F7',
    'playback.forward': 'F8',
    'playback.slower': 'F2',
    'playback.faster': 'F3',
    'captions.nextProblem': 'Mod+F8',
    'captions.previousProblem': 'Mod+Shift+F8',
    'text.lastEdited': 'Mod+F7',
  },
  descript: {
    'playback.toggle': 'Mod+Enter',
    'segment.split': 'Mod+KeyR',
    'segment.next': 'Alt+ArrowDown',
    'segment.previous': 'Alt+ArrowUp',
  },
  'subtitle-edit': {
    'segment.setStart': 'F11',
    'segment.setEnd': 'F12',
    'segment.previous': 'Alt+ArrowUp',
    'segment.next': 'Alt+ArrowDown',
    'segment.split': 'Mod+Alt+KeyV',
    'segment.insert': 'Alt+Insert',
    'playback.back': 'Alt+ArrowLeft',
    'playback.forward': 'Alt+ArrowRight',
    'segment.nudgeEndEarlier': 'Mod+Alt+Comma',
    'segment.nudgeEndLater': 'Mod+Alt+Period',
    'segment.nudgeStartEarlier': 'Mod+Alt+Shift+Comma',
    'segment.nudgeStartLater': 'Mod+Alt+Shift+Period',
    'text.findNext': 'F3',
    'text.findPrevious': 'Shift+F3',
    'playback.slower': 'Mod+Alt+BracketLeft',
    'playback.faster': 'Mod+Alt+BracketRight',
  },
};

/** The number of actions whose keys are another choice than that of the preset. */
const differenceFrom = (preset: KeyPreset, overrides: KeyOverrides): number =>
  Object.keys({ ...overridesOf[preset], ...overrides }).filter((id) => overridesOf[preset][id] !== overrides[id])
    .length;

/** The preset that keys of one's own were most probably made from: the fewest differ. */
export const nearestPreset = (overrides: KeyOverrides): KeyPreset =>
  keyPresets.reduce((nearest, preset) =>
    differenceFrom(preset, overrides) < differenceFrom(nearest, overrides) ? preset : nearest,
  );

/** The preset with exactly these keys; null when the user has chosen keys of their own. */
export function presetOf(overrides: KeyOverrides): KeyPreset | null {
  const nearest = nearestPreset(overrides);
  return differenceFrom(nearest, overrides) === 0 ? nearest : null;
}
