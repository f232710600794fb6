export { CommandPalette } from './command-palette.tsx';
export { commandIcon } from './command-icons.ts';
export { foundAtMost, unaskedAtMost, wordsAsked, type MoreEntries, type PaletteEntry } from './model/arrange.ts';
export { rank } from './model/rank.ts';
export { synonymsOf } from './model/synonyms.ts';
