export { CommandPalette } from './command-palette.tsx';
export { commandIcon } from './command-icons.ts';
export { foundAtMost, unaskedAtMost, wordsAsked } from './model/arrange.ts';
export { rank } from './model/rank.ts';
export type { MoreEntries, PaletteEntry } from './model/arrange.ts';
export { synonymsOf } from './model/synonyms.ts';
