import interviewUz from '../../assets/samples/interview-uz.json' with { type: 'json' };
import lectureRu from '../../assets/samples/lecture-ru.json' with { type: 'json' };
import podcastEn from '../../assets/samples/podcast-en.json' with { type: 'json' };
import prints from '../../assets/samples/sound-prints.json' with { type: 'json' };
import type { SpeechLanguage } from '../../shared/domain/languages.ts';
import type { Span } from '../recogniser/find-speech.ts';
import type { Measured } from './sound-worker.ts';
import type { StoredSegment } from './transcriptions.ts';

/** A word, relative to the beginning of the audio in question, in whole milliseconds. */
export interface KnownWord {
  readonly text: string;
  readonly startMs: number;
  readonly endMs: number;
}

/** A bundled recording. `audioSha256` is of its file; `print` is its `soundPrint`, in base64. */
interface Sample {
  readonly language: SpeechLanguage;
  readonly file: string;
  readonly audioSha256: string;
  readonly print: string;
  readonly segments: readonly (KnownWord & { readonly speaker: string; readonly words: readonly KnownWord[] })[];
}

/** Their words and times are known because we wrote and recorded them. */
export const samples: readonly Sample[] = [
  { ...interviewUz, language: 'uz', file: 'interview-uz.mp3', print: prints['interview-uz'] },
  { ...lectureRu, language: 'ru', file: 'lecture-ru.ogg', print: prints['lecture-ru'] },
  { ...podcastEn, language: 'en', file: 'podcast-en.flac', print: prints['podcast-en'] },
];

/** The bundled recording with exactly these bytes. */
export const findSample = (audioSha256: string): Sample | undefined =>
  samples.find((sample) => sample.audioSha256 === audioSha256);

const notes: Readonly<Record<SpeechLanguage, (seconds: number) => string>> = {
  en: (seconds) => `(speech, ${seconds} s)`,
  ru: (seconds) => `(речь, ${seconds} с)`,
  uz: (seconds) => `(nutq, ${seconds} s)`,
};

/** The text in place of recognised words: practice mode heard something, for how long, and no invented words. */
export const practiceNote = (language: SpeechLanguage, startMs: number, endMs: number): string =>
  notes[language](Math.max(1, Math.round((endMs - startMs) / 1000)));

/** Pauses as long as a breath don't end a turn: a recording of two hours then has hundreds of notes, not thousands. */
const longestPauseMs = 1500;
const longestNoteMs = 60_000;

/** Merges stretches of speech with only short pauses between them. */
function joinSpeech(spans: readonly Span[]): readonly Span[] {
  const joined: Span[] = [];
  for (const { startMs, endMs } of spans) {
    const last = joined.at(-1);
    const isNear =
      last !== undefined && startMs - last.endMs <= longestPauseMs && endMs - last.startMs <= longestNoteMs;
    if (isNear) joined[joined.length - 1] = { startMs: last.startMs, endMs };
    else joined.push({ startMs, endMs });
  }
  return joined;
}

export interface Transcribed {
  readonly language: SpeechLanguage;
  readonly durationMs: number;
  readonly segments: readonly StoredSegment[];
}

/**
 * The known words of a bundled sample, or for any other recording one note per stretch of speech, which says that
 * nothing was recognised. A transcript of practice mode never contains anything else.
 */
export function transcribe(
  { durationMs, speech }: Measured,
  order: { readonly language: SpeechLanguage; readonly includeSpeakers: boolean; readonly audioSha256: string },
): Transcribed {
  const sample = findSample(order.audioSha256);
  if (sample !== undefined) {
    const segments = sample.segments.map(({ speaker, ...segment }) =>
      order.includeSpeakers ? { ...segment, speaker } : segment,
    );
    return { language: sample.language, durationMs, segments };
  }
  const segments = joinSpeech(speech).map(({ startMs, endMs }) => ({
    startMs,
    endMs,
    text: practiceNote(order.language, startMs, endMs),
    words: [],
  }));
  return { language: order.language, durationMs, segments };
}

const rate = 16_000;
const frameSamples = 320;
const frameMs = 20;
/** Frequencies whose loudness makes up the fingerprint of a recording, in hertz. */
const bands = [180, 300, 450, 650, 900, 1200, 1600, 2100, 2700, 3400, 4300, 5600] as const;
const floorDb = -90;
/** Below this similarity, two stretches of audio count as different. */
const leastLikeness = 0.8;
const leastFrames = 10;

/**
 * A fingerprint of audio: for each 20 ms the loudness at some frequencies, in decibels. It survives a change of volume
 * or sampling rate.
 */
export function soundPrint(samples: Float32Array): Int8Array {
  const frames = Math.floor(samples.length / frameSamples);
  const print = new Int8Array(frames * bands.length);
  for (let frame = 0; frame < frames; frame += 1) {
    const part = samples.subarray(frame * frameSamples, (frame + 1) * frameSamples);
    for (const [band, hertz] of bands.entries()) print[frame * bands.length + band] = loudnessAt(part, hertz);
  }
  return print;
}

/** Goertzel's filter: the loudness of one frequency. */
function loudnessAt(samples: Float32Array, hertz: number): number {
  const turn = 2 * Math.cos((2 * Math.PI * hertz) / rate);
  let last = 0;
  let before = 0;
  for (const sample of samples) {
    const now = sample + turn * last - before;
    before = last;
    last = now;
  }
  const power = (last * last + before * before - turn * last * before) / (samples.length * samples.length);
  return Math.round(Math.max(floorDb, 10 * Math.log10(power + 1e-12)));
}

const known = samples.map(({ language, print, segments }) => ({
  language,
  print: new Int8Array(Buffer.from(print, 'base64')),
  words: segments.flatMap(({ words }) => words),
}));

/**
 * The words of a stretch of speech, when it is part of a bundled sample in its own language, however it was played and
 * recorded; null when it is not. A word belongs to the stretch that contains its middle, so none occurs twice.
 */
export function knownWords(
  samples: Float32Array,
  { startMs, endMs }: Span,
  language: SpeechLanguage,
): readonly KnownWord[] | null {
  const asked = soundPrint(samples.subarray((startMs * rate) / 1000, (endMs * rate) / 1000));
  if (asked.length < leastFrames * bands.length) return null;
  let best = { likeness: leastLikeness, offsetMs: 0, words: [] as readonly KnownWord[] };
  for (const { language: spoken, print, words } of known) {
    if (spoken !== language) continue;
    const last = (print.length - asked.length) / bands.length;
    for (let frame = 0; frame <= last; frame += 1) {
      const likeness = likenessOf(asked, print.subarray(frame * bands.length, frame * bands.length + asked.length));
      if (likeness > best.likeness) best = { likeness, offsetMs: frame * frameMs, words };
    }
  }
  if (best.words.length === 0) return null;
  const shift = startMs - best.offsetMs;
  return best.words
    .filter((word) => {
      const middle = (word.startMs + word.endMs) / 2 + shift;
      return middle >= startMs && middle < endMs;
    })
    .map(({ text, startMs: from, endMs: to }) => ({
      text,
      startMs: Math.max(0, Math.round(from + shift)),
      endMs: Math.max(0, Math.round(to + shift)),
    }));
}

/** Correlation of two fingerprints of the same length: 1 for the same audio at any volume. */
function likenessOf(first: Int8Array, second: Int8Array): number {
  let [sumA, sumB, sumAA, sumBB, sumAB] = [0, 0, 0, 0, 0];
  for (let at = 0; at < first.length; at += 1) {
    const a = first[at] ?? 0;
    const b = second[at] ?? 0;
    sumA += a;
    sumB += b;
    sumAA += a * a;
    sumBB += b * b;
    sumAB += a * b;
  }
  const spread = Math.sqrt((sumAA - (sumA * sumA) / first.length) * (sumBB - (sumB * sumB) / first.length));
  return spread === 0 ? 0 : (sumAB - (sumA * sumB) / first.length) / spread;
}
