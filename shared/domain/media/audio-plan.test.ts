import { expect, it } from 'vitest';
import { homeOf, nameToSend, needsProbe, planAudio } from './audio-plan.ts';
import { foreignFormats, takenFormats } from './sniff.ts';

const audio = (codec: string | null, startMs = 0) => ({ codec, startMs });
const probed = (hasVideo: boolean, found: { codec: string | null; startMs: number } | null) => ({
  hasVideo,
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
  for (const format of ['mp4', 'webm', 'quicktime', 'matroska'] as const)
    expect(planAudio(format, probed(true, null))).toEqual({ kind: 'no-sound' });
});

it('every codec is copied into a container that the service supports', () => {
  const homes = ['aac', 'opus', 'vorbis', 'mp3', 'flac', 'pcm-s16', 'pcm-f32', 'ulaw', 'pcm-s16be', 'eac3'].map(homeOf);
  expect(homes).toEqual(['m4a', 'ogg', 'ogg', 'mp3', 'flac', 'wav', 'wav', 'wav', null, null]);
});

it('only formats with tracks are inspected, so that audio files need no thread', () => {
  expect([...takenFormats, ...foreignFormats].filter(needsProbe)).toEqual([
    'mp4',
    'webm',
    'quicktime',
    'matroska',
    'adts',
    'mpeg-ts',
  ]);
});

it('a name loses only its extension', () => {
  expect(nameToSend('Maʼruza 1.2.mkv', 'm4a')).toBe('Maʼruza 1.2.m4a');
  expect(nameToSend('.hidden', 'ogg')).toBe('.hidden.ogg');
});
