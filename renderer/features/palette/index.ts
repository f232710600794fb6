export { CommandPalette } from './command-palette.tsx';
export { commandIcon } from './command-icons.ts';
export type { PaletteEntry } from './model/arrange.ts';
