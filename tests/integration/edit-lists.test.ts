import fc from 'fast-check';
import { expect, it } from 'vitest';
import { exporters } from '../../shared/domain/exports/exporters.ts';
import { keptSpans, prepareTranscript } from '../../shared/domain/exports/prepare.ts';
import { frameRates, type FrameRateId } from '../../shared/domain/exports/timecode.ts';
import { writeDocument } from '../../shared/domain/exports/write-export.ts';
import type { Transcript } from '../../shared/domain/transcript/transcript.ts';
import { unheardSpans } from '../../shared/domain/transcript/unheard-spans.ts';
import { anyTranscript } from '../support/any-transcript.ts';

/*
 * Readers of edit lists, written from the published formats (CMX 3600 after SMPTE 258M, SMPTE 12-1 for time codes, the
 * OpenTimelineIO schema) and sharing nothing with the writers. If OpenTimelineIO itself is installed,
 * `exports-other-readers` uses it too.
 */

/** A part of the recording in frames, and its position in the result. */
interface Cut {
  readonly source: readonly [number, number];
  readonly record: readonly [number, number];
}

/**
 * SMPTE 12-1: at 29.97 the numbers 0 and 1 (at 59.94: 0 to 3) are skipped in each minute that is not divisible by ten.
 */
function frameOf(code: string, counted: number): number {
  const [, h = '', m = '', s = '', sign = '', f = ''] = /^(\d\d):(\d\d):(\d\d)([:;])(\d\d)$/u.exec(code) ?? [];
  expect(h, code).not.toBe('');
  const [hours, minutes, seconds, frames] = [h, m, s, f].map(Number) as [number, number, number, number];
  expect(minutes < 60 && seconds < 60 && frames < counted, code).toBe(true);
  const all = ((hours * 60 + minutes) * 60 + seconds) * counted + frames;
  if (sign === ':') return all;
  const left = counted === 60 ? 4 : 2;
  expect(seconds > 0 || minutes % 10 === 0 || frames >= left, `${code} is a number that is left out`).toBe(true);
  const passed = hours * 60 + minutes;
  return all - left * (passed - Math.floor(passed / 10));
}

function readEdl(text: string, counted: number): { readonly cuts: readonly Cut[]; readonly isDrop: boolean } {
  const [title = '', mode = '', ...lines] = text.split('\n');
  expect(title).toMatch(/^TITLE: .{0,70}$/u);
  expect(mode).toMatch(/^FCM: (?:NON-)?DROP FRAME$/u);
  const cuts: Cut[] = [];
  for (const line of lines) {
    if (line === '' || line.startsWith('* ')) continue;
    const [number = '', reel = '', channel = '', kind = '', ...codes] = line.split(/ +/u);
    expect(Number(number)).toBe(cuts.length + 1);
    expect(reel).toMatch(/^\w{1,8}$/u);
    expect(channel).toMatch(/^(?:V|A|AA|AA\/V|B)$/u);
    expect(kind).toBe('C');
    const [from = 0, to = 0, begin = 0, end = 0] = codes.map((code) => frameOf(code, counted));
    expect(codes).toHaveLength(4);
    cuts.push({ source: [from, to], record: [begin, end] });
  }
  return { cuts, isDrop: mode === 'FCM: DROP FRAME' };
}

interface Schema {
  readonly OTIO_SCHEMA: string;
  readonly [name: string]: unknown;
}
const fieldOf = (of: Schema, name: string, schema: string): Schema => {
  const found = of[name] as Schema;
  expect(found.OTIO_SCHEMA).toBe(schema);
  return found;
};

function readOtio(text: string): { readonly cuts: readonly Cut[]; readonly rate: number } {
  const timeline = JSON.parse(text) as Schema;
  expect(timeline.OTIO_SCHEMA).toBe('Timeline.1');
  const tracks = fieldOf(timeline, 'tracks', 'Stack.1')['children'] as readonly Schema[];
  const audio = tracks.find(({ kind }) => kind === 'Audio');
  if (audio === undefined) throw new Error('no track of audio');
  expect(audio.OTIO_SCHEMA).toBe('Track.1');
  const start = timeline['global_start_time'] as Schema | null;
  let at = start === null ? 0 : Number(start['value']);
  let rate = 0;
  const cuts = (audio['children'] as readonly Schema[]).map((clip): Cut => {
    expect(clip.OTIO_SCHEMA).toBe('Clip.1');
    const range = fieldOf(clip, 'source_range', 'TimeRange.1');
    const from = fieldOf(range, 'start_time', 'RationalTime.1');
    const length = fieldOf(range, 'duration', 'RationalTime.1');
    const media = fieldOf(clip, 'media_reference', 'ExternalReference.1');
    expect(() => new URL(String(media['target_url']))).not.toThrow();
    const whole = fieldOf(fieldOf(media, 'available_range', 'TimeRange.1'), 'duration', 'RationalTime.1');
    const [first, frames] = [Number(from['value']), Number(length['value'])];
    expect(first >= 0 && frames > 0 && first + frames <= Number(whole['value'])).toBe(true);
    rate = Number(from['rate']);
    at += frames;
    return { source: [first, first + frames], record: [at - frames, at] };
  });
  return { cuts, rate };
}

const facts = {
  title: 'Adras & <ipak>',
  madeAtMs: Date.UTC(2026, 10, 22, 9),
  media: { name: 'suhbat 1.mp4', url: 'file:///a/suhbat%201.mp4' },
  nameSpeaker: (_: string, at: number) => `Soʻzlovchi ${String(at)}`,
};
const countedAt: Readonly<Record<FrameRateId, readonly [counted: number, perSecond: number]>> = {
  '23.976': [24, 24_000 / 1001],
  '24': [24, 24],
  '25': [25, 25],
  '29.97': [30, 30_000 / 1001],
  '29.97-drop': [30, 30_000 / 1001],
  '30': [30, 30],
  '50': [50, 50],
  '59.94': [60, 60_000 / 1001],
  '59.94-drop': [60, 60_000 / 1001],
  '60': [60, 60],
};
/** Some words struck, some redacted: what is between them is kept. */
const marked = fc
  .tuple(
    anyTranscript,
    fc.array(fc.constantFrom(null, null, null, 'cut' as const, 'redacted' as const), { minLength: 7 }),
  )
  .map(([transcript, marks]): Transcript => ({
    ...transcript,
    segments: transcript.segments.map((segment, at) => ({
      ...segment,
      words: segment.words.map((word, place) => {
        const mark = marks[(at + place) % marks.length] ?? null;
        return mark === null ? word : { ...word, mark };
      }),
    })),
  }));

it('EDL and OTIO have the kept parts with the right in and out points, one after another, at every frame rate and offset', () => {
  fc.assert(
    fc.property(
      marked,
      fc.constantFrom(...frameRates),
      fc.constantFrom(0, 3_600_000),
      (transcript, frameRate, offsetMs) => {
        const [counted, perSecond] = countedAt[frameRate];
        const frames = (ms: number) => Math.round((ms * perSecond) / 1000);
        // A run of redacted words is one silence.
        const given = prepareTranscript(transcript, { script: 'as-written', omitsFillers: false, followsCuts: false });
        const kept = keptSpans(given.durationMs, unheardSpans(given))
          .map(
            ({ startMs, endMs }) => [frames(startMs), Math.min(frames(endMs), frames(transcript.durationMs))] as const,
          )
          .filter(([from, to]) => to > from);
        let at = frames(offsetMs);
        const wanted = kept.map(([from, to]): Cut => {
          at += to - from;
          return { source: [from, to], record: [at - to + from, at] };
        });
        const written = (id: 'edl' | 'otio') => {
          const document = writeDocument(exporters[id], transcript, { frameRate, offsetMs }, facts);
          return document.kind === 'text' ? document.text : '';
        };
        const edl = readEdl(written('edl'), counted);
        expect(edl).toEqual({ cuts: wanted, isDrop: frameRate.endsWith('-drop') });
        const otio = readOtio(written('otio'));
        expect(otio.cuts).toEqual(wanted);
        if (wanted.length > 0) expect(otio.rate).toBeCloseTo(perSecond, 9);
      },
    ),
    { numRuns: process.env['OVOZ_LONG'] === undefined ? 300 : 5_000 },
  );
});
