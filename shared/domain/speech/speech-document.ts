import type { Failure } from '../../result/failure.ts';
import { requestOf, type SpeechBlock, type SpeechDefaults, type SpeechRequest } from './blocks.ts';
import { withoutMarks } from './split-text.ts';
import { applyReadings, findReadings, type Pronunciation } from './find-readings.ts';

/** The longest text of one request (contract 8). */
export const longestSpoken = 5000;

export interface SpeechDocument {
  readonly id: string;
  readonly title: string;
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

export interface SpeechTake {
  readonly id: string;
  /** `requestIdentity` of the request. */
  readonly identity: string;
  readonly text: string;
  readonly language: string;
  readonly voiceId: string;
  readonly speed: number;
  readonly state: TakeState;
  readonly createdAtMs: number;
  readonly durationMs: number | null;
  /** Twenty peaks a second, a byte each, in base64; empty until it is made. */
  readonly bars: string;
  readonly failure: Failure | null;
}

export type ShownTake = SpeechTake & { readonly mediaUrl: string | null };

export const titleOf = ({ title, text }: Pick<SpeechDocument, 'title' | 'text'>): string =>
  title.trim() || shortened(withoutMarks(text.trim().split(/\s*\n/u)[0] ?? '').trim());

const titleLength = 60;
const shortened = (line: string): string =>
  line.length <= titleLength ? line : `${line.slice(0, titleLength).replace(/\s+\S*$/u, '')}…`;

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

export const estimateMs = (characters: number, speed: number, perSecond = usualCharactersPerSecond): number =>
  Math.round((characters * 1000) / (perSecond * speed));

export const slotSlackMs = 80;
const leastSpeed = 0.5;
const mostSpeed = 2;

/** A cue is divided among its sentences by length; each gets the speed (steps of 0.05) at which it ends in time. */
export function withCues(
  blocks: readonly SpeechBlock[],
  cues: readonly { readonly startMs: number; readonly endMs: number; readonly text: string }[],
  { speed, lengthMs }: { readonly speed: number; readonly lengthMs: (text: string) => number },
): readonly SpeechBlock[] {
  const lettersIn = (text: string) => withoutMarks(text).replaceAll(/\s+/gu, '').length;
  const left = [...cues];
  let used = 0;
  return blocks.map((block) => {
    const [cue] = left;
    if (cue === undefined) return block;
    const whole = Math.max(1, lettersIn(cue.text));
    const from = used;
    used += lettersIn(block.text);
    const at = (letters: number) =>
      Math.round(cue.startMs + ((cue.endMs - cue.startMs) * Math.min(whole, letters)) / whole);
    const slot = { startMs: at(from), endMs: at(used) };
    if (used >= whole) {
      left.shift();
      used = 0;
    }
    return fitToSlot({ ...block, slot }, speed, lengthMs(block.text));
  });
}

function fitToSlot(block: SpeechBlock, usualSpeed: number, lengthMs: number): SpeechBlock {
  if (block.slot === null || block.slot === undefined || block.isLocked) return block;
  const room = Math.max(1, block.slot.endMs - block.slot.startMs);
  const needed = Math.ceil((lengthMs / room) * 20 - 1e-9) / 20;
  const speed = Math.max(leastSpeed, Math.min(mostSpeed, Math.max(usualSpeed, needed)));
  return { ...block, speed: speed === usualSpeed ? null : speed };
}

export const withFit = (
  blocks: readonly SpeechBlock[],
  usualSpeed: number,
  takeOf: (index: number) => { readonly durationMs: number | null; readonly speed: number } | null,
): readonly SpeechBlock[] =>
  blocks.map((block, index) => {
    const take = takeOf(index);
    if (take === null || take.durationMs === null) return block;
    const room = (block.slot?.endMs ?? Infinity) - (block.slot?.startMs ?? 0);
    return take.durationMs <= room + slotSlackMs ? block : fitToSlot(block, usualSpeed, take.durationMs * take.speed);
  });

/** Beyond half and twice its speed audio doesn't sound like the voice any more. */
const mostTempo = 2;

/** How much faster than it was spoken a take is heard; 1 where the sentence is locked. */
export function tempoOf(
  { isLocked, speed }: Pick<SpeechBlock, 'isLocked' | 'speed'>,
  defaults: Pick<SpeechDefaults, 'speed'>,
  take: { readonly speed: number },
): number {
  const tempo = (speed ?? defaults.speed) / take.speed;
  return isLocked ? 1 : Math.max(1 / mostTempo, Math.min(mostTempo, tempo));
}

const longestHeading = 80;

const isHeading = (blocks: readonly Pick<SpeechBlock, 'text' | 'endsParagraph'>[], at: number): boolean => {
  const block = blocks[at];
  const before = blocks[at - 1];
  return (
    block?.endsParagraph === true &&
    before?.endsParagraph !== false &&
    at < blocks.length - 1 &&
    block.text.length <= longestHeading &&
    !/[.!?…:;,]["'»”)]*$/u.test(block.text.trim())
  );
};

/** Text before the first heading has no name; consecutive headings begin one chapter. */
export function findChapters(blocks: readonly Pick<SpeechBlock, 'text' | 'endsParagraph'>[]) {
  const titles: string[] = [];
  let wasHeading = false;
  const chapterOf = blocks.map((block, at) => {
    const isNew = isHeading(blocks, at);
    if (isNew && !wasHeading) titles.push(block.text.trim());
    else if (titles.length === 0) titles.push('');
    wasHeading = isNew;
    return titles.length - 1;
  });
  return { chapterOf, titles };
}
