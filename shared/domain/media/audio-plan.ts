import { assertNever } from '../../result/result.ts';
import type { MediaFormat } from './sniff.ts';

/** What is known of the tracks of a file. Seconds count from the beginning of the file. */
export interface ProbedMedia {
  readonly hasVideo: boolean;
  readonly durationMs: number | null;
  /** The sound that a player would choose; null when there is none. */
  readonly sound: { readonly codec: string | null; readonly startMs: number } | null;
}

export type AudioExtension = 'm4a' | 'ogg' | 'mp3' | 'flac' | 'wav';

/** How the sound of a file gets to the service (contract 4.6 takes six formats and no video). */
export type AudioPlan =
  /** The file is sent as it is. */
  | { readonly kind: 'as-is' }
  /** The sound is moved into a file of its own, packet by packet: nothing is encoded again, nothing is lost. */
  | { readonly kind: 'copy'; readonly extension: AudioExtension }
  /** The sound is decoded and encoded again by the converter of this computer. */
  | { readonly kind: 'convert'; readonly extension: 'm4a' }
  | { readonly kind: 'no-sound' };

/** Sound that begins later than this is moved by silence, so that times of the text are times of the video. */
const tolerableStartMs = 80;

const asIs: AudioPlan = { kind: 'as-is' };
const convert: AudioPlan = { kind: 'convert', extension: 'm4a' };

/** Whether the tracks of such a file have to be looked at before it is known what to do. */
export const needsProbe = (format: MediaFormat): boolean =>
  format === 'mp4' ||
  format === 'webm' ||
  format === 'quicktime' ||
  format === 'matroska' ||
  format === 'adts' ||
  format === 'mpeg-ts';

/**
 * Whether the length of such a file may stand where neither its first nor its last bytes reach: recorders of phones
 * write their table of contents last, and that of an hour has half a megabyte, with the length at its beginning.
 */
export const hidesLength = (format: MediaFormat): boolean => format === 'm4a';

/**
 * Says what to do with a file. `probed` is null when its tracks could not be read: then the service judges the kinds it
 * takes, and the converter the others.
 */
export function planAudio(format: MediaFormat, probed: ProbedMedia | null): AudioPlan {
  switch (format) {
    case 'wav':
    case 'mp3':
    case 'm4a':
    case 'ogg':
    case 'flac':
      return asIs;
    case 'mp4':
    case 'webm':
      if (probed === null || (!probed.hasVideo && probed.sound !== null)) return asIs;
      return ofTracks(probed);
    case 'quicktime':
    case 'matroska':
    case 'adts':
    case 'mpeg-ts':
      return probed === null ? convert : ofTracks(probed);
    case 'avi':
    case 'amr':
    case 'asf':
      return convert;
    default:
      return assertNever(format);
  }
}

function ofTracks({ sound }: ProbedMedia): AudioPlan {
  if (sound === null) return { kind: 'no-sound' };
  const extension = homeOf(sound.codec);
  return extension === null || sound.startMs > tolerableStartMs ? convert : { kind: 'copy', extension };
}

const homes: ReadonlyMap<string, AudioExtension> = new Map([
  ['aac', 'm4a'],
  ['opus', 'ogg'],
  ['vorbis', 'ogg'],
  ['mp3', 'mp3'],
  ['flac', 'flac'],
]);

/** The container in which the service takes a codec; null when it must be encoded again. */
export function homeOf(codec: string | null): AudioExtension | null {
  if (codec === null) return null;
  if (/^(pcm-(u8|s16|s24|s32|f32)|ulaw|alaw)$/.test(codec)) return 'wav';
  return homes.get(codec) ?? null;
}

/** The name a sound is sent under: that of its recording, with the ending of what it is now. */
export function nameToSend(name: string, extension: string): string {
  const dot = name.lastIndexOf('.');
  const stem = dot > 0 ? name.slice(0, dot) : name;
  return `${stem}.${extension}`;
}
