import type { CaptionFile } from '../../renderer/features/editor/model/caption-problems.ts';
import type { GivenOptions } from '../../shared/domain/exports/exporter.ts';

export const writing = {
  title: '',
  madeAtMs: 0,
  media: null,
  nameSpeaker: (_: string, number: number) => `${String(number)}-soʻzlovchi`,
};

/** Captions as SRT with these options. */
export const fileOf = (given: GivenOptions = {}): CaptionFile => ({ format: 'srt', given, writing });

/** A segment as it is received, without times of words. */
export const said = (text: string, startMs: number, endMs: number) => ({ text, startMs, endMs, words: [] });
