export { CommandPalette } from './command-palette.tsx';
export { commandIcon } from './command-icons.ts';
export { unaskedAtMost, wordsAsked } from './model/arrange.ts';
export { findByName } from './model/rank.ts';
export type { PaletteEntry } from './model/arrange.ts';
