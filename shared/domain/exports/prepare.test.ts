import { expect, it } from 'vitest';
import { seededRandom } from '../random/seeded-random.ts';
import type { Transcript, Word } from '../transcript/transcript.ts';
import type { ExportDocument, GivenOptions } from './exporter.ts';
import { changeChoices, exporters } from './exporters.ts';
import { toClips } from './editing-formats.ts';
import { prepareTranscript } from './prepare.ts';
import { writeBeginning, writeDocument } from './write-export.ts';

const facts = {
  title: 'Suhbat',
  madeAtMs: Date.UTC(2026, 10, 22, 9),
  media: null,
  nameSpeaker: (language: string, at: number) => `${language} ${String(at)}`,
};

/** Sentences of a word to twelve, with pauses between words and between sentences. */
function spoken(): Transcript {
  const random = seededRandom(11);
  const upTo = (most: number) => Math.floor(random() * most);
  let atMs = 0;
  const segments = Array.from({ length: 60 }, (_, at) => {
    const words = Array.from({ length: 1 + upTo(12) }, (): Word => {
      const startMs = atMs + upTo(80);
      atMs = startMs + 40 + upTo(500);
      return { text: 'soʻz', startMs, endMs: atMs };
    });
    const segment = { id: `s${String(at)}`, speakerId: null, startMs: words[0]?.startMs ?? 0, endMs: atMs };
    atMs += upTo(1500);
    return { ...segment, text: words.map((word) => word.text).join(' '), words };
  });
  return { language: 'uz', durationMs: atMs, speakers: [], segments };
}

const textOf = (document: ExportDocument): string => {
  if (document.kind !== 'text') throw new Error('captions are text');
  return document.text;
};

it('captions without the cuts have the times of the exported audio, which has no redacted words either', () => {
  const marks = [undefined, 'redacted', undefined, 'redacted', 'cut', 'redacted', 'cut-redacted'] as const;
  const secret = (words: readonly Word[]): readonly Word[] =>
    words.map((word, at) => {
      const mark = marks[at % marks.length];
      return mark === undefined ? word : { ...word, mark };
    });
  const base = spoken();
  const marked = { ...base, segments: base.segments.map((one) => ({ ...one, words: secret(one.words) })) };
  const audio = writeDocument(exporters.wav, marked, {}, facts);
  if (audio.kind !== 'audio') throw new Error('audio is exported as parts of the recording');
  const heard = audio.spans.map(({ startMs, endMs }) => [startMs, Math.min(endMs, marked.durationMs)] as const);
  /** When a moment of the recording is heard in the exported audio. */
  const inAudio = (ms: number) =>
    heard.reduce((sum, [startMs, endMs]) => sum + Math.max(0, Math.min(ms, endMs) - startMs), 0);
  const preparing = { script: 'as-written', omitsFillers: false, followsCuts: true } as const;
  const shown = prepareTranscript(marked, preparing);
  expect(shown.durationMs).toBe(inAudio(marked.durationMs));
  const times = new Map(marked.segments.map(({ id, startMs, endMs }) => [id, [inAudio(startMs), inAudio(endMs)]]));
  for (const { id, startMs, endMs } of shown.segments) expect([startMs, endMs], id).toEqual(times.get(id));
  const whole = textOf(writeDocument(exporters.srt, marked, { followsCuts: true }, facts));
  const { document } = writeBeginning(exporters.srt, marked, { followsCuts: true }, facts, 6_000);
  expect(textOf(document)).toBe(whole.slice(0, 6_000));
});

it('of a video all that is redacted is silent, also what is cut as well and may come back with a key frame', () => {
  const marks = [undefined, 'redacted', 'cut-redacted', 'cut', undefined] as const;
  const words = marks.map((mark, at) => ({
    text: 'soʻz',
    startMs: at * 1000,
    endMs: at * 1000 + 900,
    ...(mark && { mark }),
  }));
  const segment = { id: 's1', speakerId: null, startMs: 0, endMs: 4900, text: 'soʻz soʻz soʻz soʻz soʻz', words };
  const marked: Transcript = { language: 'uz', durationMs: 5000, speakers: [], segments: [segment] };
  const video = (given: GivenOptions) => {
    const document = writeDocument(exporters.mp4, marked, given, facts);
    if (document.kind !== 'video') throw new Error('a video is exported as parts of the recording');
    return [document.spans.map(({ startMs, endMs }) => [startMs, endMs]), document.covered];
  };
  const secret = { startMs: 1000, endMs: 2900 };
  expect(video({})).toEqual([
    [
      [0, 1000],
      [3900, Number.MAX_SAFE_INTEGER],
    ],
    [{ ...secret, cover: 'silence' }],
  ]);
  expect(video({ redactedAudio: 'bleep' })[1]).toEqual([{ ...secret, cover: 'bleep' }]);
});

it('captions match the exported audio where some of it is left out, unless the times of the recording are chosen', () => {
  const segments = ['Salom.', 'Maxfiy', 'Xayr.'].map((text, at) => {
    const span = { startMs: at * 2000, endMs: (at + 1) * 2000 };
    const words = [{ text, ...span, ...(at === 1 && { mark: 'redacted' as const }) }];
    return { id: `s${String(at)}`, speakerId: null, ...span, text, words };
  });
  const marked: Transcript = { language: 'uz', durationMs: 6000, speakers: [], segments };
  const written = (given: GivenOptions) =>
    textOf(writeDocument(exporters.srt, marked, { cuesFrom: 'segments', ...given }, facts));
  // A segment of which nothing is heard has no caption.
  const beside = '1\n00:00:00,000 --> 00:00:02,000\nSalom.\n\n2\n00:00:02,000 --> 00:00:04,000\nXayr.\n';
  expect([written({}), written({ followsCuts: true })]).toEqual([beside, beside]);
  expect(textOf(writeBeginning(exporters.srt, marked, { cuesFrom: 'segments' }, facts, 6_000).document)).toBe(beside);
  expect(written({ followsCuts: false })).toContain('00:00:04,000 --> 00:00:06,000\nXayr.');
});

it('captions keep the time of redacted words that the exported audio covers, and both have one choice', () => {
  const segments = ['Salom.', 'Maxfiy', 'Xayr.', 'Boʻldi.'].map((text, at) => {
    const span = { startMs: at * 2000, endMs: (at + 1) * 2000 };
    const mark = ([undefined, 'redacted', 'cut'] as const)[at];
    return { id: `s${String(at)}`, speakerId: null, ...span, text, words: [{ text, ...span, ...(mark && { mark }) }] };
  });
  const marked: Transcript = { language: 'uz', durationMs: 8000, speakers: [], segments };
  for (const [redactedAudio, last] of [
    ['cut', '00:00:02,000 --> 00:00:04,000'],
    ['silence', '00:00:04,000 --> 00:00:06,000'],
    ['bleep', '00:00:04,000 --> 00:00:06,000'],
  ] as const) {
    const { srt: chosen = {} } = changeChoices({}, 'mp3', { redactedAudio });
    const given = { cuesFrom: 'segments', ...chosen };
    const beginning = writeBeginning(exporters.srt, marked, given, facts, 6_000).document;
    for (const document of [writeDocument(exporters.srt, marked, given, facts), beginning])
      expect(textOf(document), redactedAudio).toContain(`${last}\nBoʻldi.`);
  }
});

it('a list of clips leaves out what is cut or redacted, also where it has a clip for each segment', () => {
  const marks = [undefined, 'redacted', undefined, 'cut', undefined] as const;
  const words = marks.map((mark, at): Word => ({
    text: 'soʻz',
    startMs: at * 1000,
    endMs: (at + 1) * 1000,
    ...(mark !== undefined && { mark }),
  }));
  const text = words.map((word) => word.text).join(' ');
  const segments = [0, 6000].map((fromMs) => ({
    id: String(fromMs),
    speakerId: null,
    startMs: fromMs,
    endMs: fromMs + 5000,
    text,
    words: words.map((word) => ({ ...word, startMs: fromMs + word.startMs, endMs: fromMs + word.endMs })),
  }));
  const marked: Transcript = { language: 'uz', durationMs: 11_000, speakers: [], segments };
  const preparing = { script: 'as-written', omitsFillers: false, followsCuts: false } as const;
  const known = { ...facts, speakerName: () => '', redacted: [], second: null };
  const inSeconds = (clips: 'kept' | 'turns') =>
    toClips(prepareTranscript(marked, preparing), known, { clips, frameRate: '25', offsetMs: 0 }).clips.map(
      ({ source, length }) => [source / 25, (source + length) / 25],
    );
  expect(inSeconds('kept').join(' ')).toBe('0,1 2,3 4,7 8,9 10,11');
  expect(inSeconds('turns').join(' ')).toBe('0,1 2,3 4,5 6,7 8,9 10,11');
});
