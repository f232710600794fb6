import type { Part } from '../../shared/decoding/decoded-audio.ts';

/** All parts of a recording that is split in so many. */
export const partsOf = (of: number): Part[] => Array.from({ length: of }, (_, index) => ({ index, of }));
