import type { Failure } from '../../result/failure.ts';
import { requestOf, type SpeechBlock, type SpeechDefaults, type SpeechRequest } from './blocks.ts';
import { withoutMarks } from './split-text.ts';
import { applyReadings, findReadings, type Pronunciation } from './find-readings.ts';

/** The longest text of one request (contract 8). */
export const longestSpoken = 5000;

/** A text to speak, with all its settings. */
export interface SpeechDocument {
  readonly id: string;
  /** Empty: named by its first words. */
  readonly title: string;
  /** As typed; the blocks are its sentences, in order. */
  readonly text: string;
  readonly blocks: readonly SpeechBlock[];
  readonly defaults: SpeechDefaults;
  /** Silence after a sentence and after a paragraph, milliseconds. */
  readonly sentencePauseMs: number;
  readonly paragraphPauseMs: number;
  readonly pronunciations: readonly Pronunciation[];
}

export const emptyDocument = (id: string, defaults: SpeechDefaults): SpeechDocument => ({
  id,
  title: '',
  text: '',
  blocks: [],
  defaults,
  sentencePauseMs: 150,
  paragraphPauseMs: 600,
  pronunciations: [],
});

export type TakeState = 'asked' | 'made' | 'failed';

/** One generation as the page knows it. */
export interface SpeechTake {
  readonly id: string;
  /** `requestIdentity` of the request. */
  readonly identity: string;
  readonly text: string;
  readonly language: string;
  readonly voiceId: string;
  readonly speed: number;
  readonly state: TakeState;
  /** Unix milliseconds. */
  readonly createdAtMs: number;
  readonly durationMs: number | null;
  /** Twenty peaks a second, a byte each, in base64; empty until it is made. */
  readonly bars: string;
  readonly failure: Failure | null;
}

/** The first words of a text, for lists and file names. */
export const titleOf = ({ title, text }: Pick<SpeechDocument, 'title' | 'text'>): string =>
  title.trim() || shortened(withoutMarks(text.trim().split(/\s*\n/u)[0] ?? '').trim());

const titleLength = 60;
const shortened = (line: string): string =>
  line.length <= titleLength ? line : `${line.slice(0, titleLength).replace(/\s+\S*$/u, '')}…`;

/** The requests of the blocks, in their order. */
export function requestsOf(
  { blocks, defaults, pronunciations }: Pick<SpeechDocument, 'blocks' | 'defaults' | 'pronunciations'>,
  everywhere: readonly Pronunciation[] = [],
): readonly SpeechRequest[] {
  const list = [...pronunciations, ...everywhere];
  return blocks.map((block) =>
    requestOf(block, defaults, (text, language) => applyReadings(text, findReadings(text, language, list))),
  );
}

/** Silence after a block, milliseconds; a following block with its own time is placed by that instead. */
export const pauseAfter = (
  { pauseMs, breakMs, endsParagraph, slot }: Pick<SpeechBlock, 'pauseMs' | 'breakMs' | 'endsParagraph' | 'slot'>,
  { sentencePauseMs, paragraphPauseMs }: Pick<SpeechDocument, 'sentencePauseMs' | 'paragraphPauseMs'>,
): number =>
  pauseMs ?? breakMs ?? (slot !== null && slot !== undefined ? 0 : endsParagraph ? paragraphPauseMs : sentencePauseMs);

/** The average reading speed at speed 1; existing takes give a better value. */
const usualCharactersPerSecond = 14.6;

/** The expected length of a spoken text, milliseconds. */
export const estimateMs = (characters: number, speed: number, perSecond = usualCharactersPerSecond): number =>
  Math.round((characters * 1000) / (perSecond * speed));
