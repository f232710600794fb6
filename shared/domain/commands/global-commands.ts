import type { CommandId } from './command-list.ts';

/** The commands whose keys can control playback from any program. */
export const playbackAnywhereCommands = [
  'playback.toggle',
  'playback.pause',
  'playback.back',
  'playback.forward',
] as const satisfies readonly CommandId[];
export type PlaybackAnywhereCommand = (typeof playbackAnywhereCommands)[number];
