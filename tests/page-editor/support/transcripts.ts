import type { TranscriptDetail } from '../../../renderer/bridge/types.ts';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { cutIntoParts } from '../../../electron/services/transcripts/text-in-parts.ts';
import type { SpeechLanguage } from '../../../shared/domain/languages.ts';
import { packSegment } from '../../../shared/domain/transcript/packed.ts';
import type { Segment, Transcript } from '../../../shared/domain/transcript/transcript.ts';

export const fixture = (name: string) => fileURLToPath(new URL(`../../fixtures/audio/${name}`, import.meta.url));
export const sample = (name: string) => fileURLToPath(new URL(`../../../assets/samples/${name}`, import.meta.url));

interface SampleWords {
  readonly language: SpeechLanguage;
  readonly durationMs: number;
  readonly segments: readonly {
    readonly startMs: number;
    readonly endMs: number;
    readonly speaker: string;
    readonly text: string;
    readonly words: readonly { readonly text: string; readonly startMs: number; readonly endMs: number }[];
  }[];
}

/**
 * The transcript of a bundled sample, as the app would store it. The first speaker has a name, the others have none.
 */
export function sampleTranscript(name: string): Transcript {
  const read = JSON.parse(readFileSync(sample(`${name}.json`), 'utf8')) as SampleWords;
  const labels = [...new Set(read.segments.map((segment) => segment.speaker))];
  return {
    language: read.language,
    durationMs: read.durationMs,
    speakers: labels.map((id, index) => ({ id, name: index === 0 ? 'Dilnoza Karimova' : null })),
    segments: read.segments.map(({ speaker, ...segment }, index): Segment => ({
      ...segment,
      id: `s${String(index)}`,
      speakerId: speaker,
    })),
  };
}

/** A long conversation of three people: `segments` of 20 words, 6 s each. */
export function longTranscript(segments: number): Transcript {
  const stock = 'adras naqsh boʻyoq qoʻlda ipak dastgoh usta gul rang toʻqiydi bogʻlanadi pilla'.split(' ');
  return {
    language: 'uz',
    durationMs: segments * 6000,
    speakers: [0, 1, 2].map((n) => ({
      id: `p${String(n)}`,
      name: n === 2 ? null : (['Dilnoza', 'Usta Rahmatillo'][n] ?? null),
    })),
    segments: Array.from({ length: segments }, (_, index): Segment => {
      const words = Array.from({ length: 20 }, (_word, at) => ({
        text: stock[(index * 7 + at * 5) % stock.length] ?? 'usta',
        startMs: index * 6000 + at * 280,
        endMs: index * 6000 + at * 280 + 260,
      }));
      return {
        id: `s${String(index)}`,
        speakerId: `p${String(index % 3)}`,
        startMs: index * 6000,
        endMs: index * 6000 + 5700,
        text: words.map((word) => word.text).join(' '),
        words,
      };
    }),
  };
}

/** What main answers to `transcripts.open`. */
export const detailOf = (
  transcript: Transcript,
  mediaToken: string | null,
  patch: Partial<TranscriptDetail> = {},
): TranscriptDetail => ({
  id: 't1',
  title: 'Margʻilon: adras ustasi bilan suhbat',
  sourceName: 'suhbat.mp3',
  createdAtMs: 1_795_000_000_000,
  isPractice: false,
  madeBy: null,
  transcript,
  revision: 0,
  rest: null,
  mediaUrl: mediaToken === null ? null : `/media/${mediaToken}`,
  mediaToken,
  pictureUrl: null,
  recordingName: null,
  mediaFailure: null,
  isAtService: true,
  playsIsolated: false,
  ...patch,
});

/** The same for a long transcript, with the parts of its segments. */
export function longDetailOf(transcript: Transcript, mediaToken: string | null, patch: Partial<TranscriptDetail> = {}) {
  const parts = cutIntoParts(transcript.segments.map(packSegment)).map((part) => new TextDecoder().decode(part));
  const rest = { token: 'text-parts-0000000001', partCount: parts.length };
  return { detail: detailOf({ ...transcript, segments: [] }, mediaToken, { rest, ...patch }), textParts: parts };
}
