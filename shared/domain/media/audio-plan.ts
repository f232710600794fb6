import { assertNever } from '../../result/result.ts';
import type { VideoFormat } from '../exports/formats.ts';
import type { MediaFormat } from './sniff.ts';

export interface ProbedMedia {
  readonly hasVideo: boolean;
  /** In which its pictures can be copied. */
  readonly containers: readonly VideoFormat[];
  readonly hasSubtitles: boolean;
  readonly hasSecondAudio: boolean;
  readonly durationMs: number | null;
  readonly sound: { readonly codec: string | null; readonly startMs: number } | null;
}

const videos: Readonly<Partial<Record<MediaFormat, VideoFormat>>> = {
  mp4: 'mp4',
  quicktime: 'mov',
  matroska: 'mkv',
  webm: 'webm',
};

/** Its own container first; none for audio, and for a video whose pictures can't be copied. */
export function containersOf(format: MediaFormat, probed: ProbedMedia | null): readonly VideoFormat[] {
  const [own, containers] = [videos[format], probed?.containers ?? []];
  return own !== undefined && containers.includes(own) ? [own, ...containers.filter((other) => other !== own)] : [];
}

/** WebM takes no AAC, and there is no encoder of Opus here. */
export const audioForVideo = (container: VideoFormat): AudioExtension => (container === 'webm' ? 'ogg' : 'm4a');

export type AudioExtension = 'm4a' | 'ogg' | 'mp3' | 'flac' | 'wav';

/** How the audio of a file gets to the service (contract 4.6 accepts six formats and no video). */
export type AudioPlan =
  | { readonly kind: 'as-is' }
  /** The audio is copied into a file of its own, packet by packet: nothing is re-encoded, nothing is lost. */
  | { readonly kind: 'copy'; readonly extension: AudioExtension }
  | { readonly kind: 'convert'; readonly extension: 'm4a' }
  | { readonly kind: 'no-sound' };

/** Audio that begins later than this is preceded by silence, so that times of the text are times of the video. */
const tolerableStartMs = 80;

const asIs: AudioPlan = { kind: 'as-is' };
const convert: AudioPlan = { kind: 'convert', extension: 'm4a' };

export const needsProbe = (format: MediaFormat): boolean =>
  format === 'mp4' ||
  format === 'webm' ||
  format === 'quicktime' ||
  format === 'matroska' ||
  format === 'adts' ||
  format === 'mpeg-ts';

/** Phone recorders write the table of contents last; that of an hour has half a megabyte. */
export const hidesLength = (format: MediaFormat): boolean => format === 'm4a';

/** `probed` is null when the tracks could not be read: the service or the converter judges then. */
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

function ofTracks({ sound: audio }: ProbedMedia): AudioPlan {
  if (audio === null) return { kind: 'no-sound' };
  const extension = homeOf(audio.codec);
  return extension === null || audio.startMs > tolerableStartMs ? convert : { kind: 'copy', extension };
}

const homes: ReadonlyMap<string, AudioExtension> = new Map([
  ['aac', 'm4a'],
  ['opus', 'ogg'],
  ['vorbis', 'ogg'],
  ['mp3', 'mp3'],
  ['flac', 'flac'],
]);

function homeOf(codec: string | null): AudioExtension | null {
  if (codec === null) return null;
  if (/^(pcm-(u8|s16|s24|s32|f32)|ulaw|alaw)$/.test(codec)) return 'wav';
  return homes.get(codec) ?? null;
}

/** The name under which extracted audio is sent: that of its recording, with its own extension. */
export function nameToSend(name: string, extension: string): string {
  const dot = name.lastIndexOf('.');
  const stem = dot > 0 ? name.slice(0, dot) : name;
  return `${stem}.${extension}`;
}
