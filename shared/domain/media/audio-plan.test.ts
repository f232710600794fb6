import { expect, it } from 'vitest';
import { planAudio } from './audio-plan.ts';
import { foreignFormats, takenFormats } from './sniff.ts';

const audio = (codec: string | null, startMs = 0) => ({ codec, startMs });
const probed = (hasVideo: boolean, found: { codec: string | null; startMs: number } | null) => ({
  hasVideo,
  containers: [],
  hasSubtitles: false,
  hasSecondAudio: false,
  durationMs: 1000,
  sound: found,
});

it('what the service accepts is sent unchanged, unless it contains video', () => {
  for (const format of takenFormats) expect(planAudio(format, probed(false, audio('aac')))).toEqual({ kind: 'as-is' });
  expect(planAudio('mp4', probed(true, audio('aac')))).toEqual({ kind: 'copy', extension: 'm4a' });
  expect(planAudio('webm', probed(true, audio('opus')))).toEqual({ kind: 'copy', extension: 'ogg' });
});

it('unreadable tracks are left to the service if it accepts the format, otherwise to the converter', () => {
  expect(planAudio('mp4', null)).toEqual({ kind: 'as-is' });
  for (const format of foreignFormats) expect(planAudio(format, null)).toEqual({ kind: 'convert', extension: 'm4a' });
});

it('a codec the service does not support, and audio that starts late, are encoded again', () => {
  expect(planAudio('matroska', probed(true, audio('ac3')))).toEqual({ kind: 'convert', extension: 'm4a' });
  expect(planAudio('matroska', probed(true, audio(null)))).toEqual({ kind: 'convert', extension: 'm4a' });
  expect(planAudio('quicktime', probed(true, audio('aac', 81)))).toEqual({ kind: 'convert', extension: 'm4a' });
  expect(planAudio('quicktime', probed(true, audio('aac', 80)))).toEqual({ kind: 'copy', extension: 'm4a' });
});

it('a video without audio is no recording', () => {
  expect(planAudio('mp4', probed(false, null))).toEqual({ kind: 'no-sound' });
  for (const format of ['mp4', 'webm', 'quicktime', 'matroska'] as const)
    expect(planAudio(format, probed(true, null))).toEqual({ kind: 'no-sound' });
});
