import { json } from './json.ts';
import { srt } from './srt.ts';
import { txt } from './txt.ts';
import { vtt } from './vtt.ts';

/** Every format, in the order they are offered. */
export const exporters = { txt, srt, vtt, json } as const;

/** The name of a format, as the terminal and the menu use it. */
export type ExporterId = keyof typeof exporters;
