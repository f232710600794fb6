import type { SpeechLanguage } from '../languages.ts';
import { detectLanguage } from './detect-language.ts';
import { splitSentences } from './split-text.ts';

/** One sentence of a speech document: what one generation is made of, with its own settings. */
export interface SpeechBlock {
  readonly id: string;
  readonly text: string;
  readonly endsParagraph: boolean;
  /** Null: as the document says. */
  readonly language: SpeechLanguage | null;
  /** Null: as the document says. */
  readonly voiceId: string | null;
  /** 0.5 to 2; null: as the document says. */
  readonly speed: number | null;
  /** Silence after the block in milliseconds; null: as the document says. */
  readonly pauseMs: number | null;
  /** A locked block keeps its audio until it is unlocked, also when voice or speed of the document change. */
  readonly isLocked: boolean;
  /** The text as read aloud where the person changed it; null: as the rules say. */
  readonly readAs: string | null;
  /** The generation that is heard; null until one was made or chosen. */
  readonly takeId: string | null;
  /** What was generated for this block lately, the oldest first, also of earlier words. */
  readonly takeIds: readonly string[];
  /** The time it has in subtitles that it came from, milliseconds. */
  readonly slot?: { readonly startMs: number; readonly endMs: number } | null | undefined;
  /** What the person notes of it; never spoken. */
  readonly comment?: string | null | undefined;
}

/** How many takes of a block can be gone back to. */
export const keptTakes = 10;

/** A block that is heard as this take from now on. */
export const withTake = (block: SpeechBlock, takeId: string): SpeechBlock => ({
  ...block,
  takeId,
  takeIds: block.takeIds.includes(takeId) ? block.takeIds : [...block.takeIds, takeId].slice(-keptTakes),
});

/** Settings of a document that blocks without their own take. */
export interface SpeechDefaults {
  readonly language: SpeechLanguage;
  readonly voiceId: string;
  /** Voices for blocks in another language than the document's. Sentences of such a language get it by themselves. */
  readonly otherVoices: Readonly<Partial<Record<SpeechLanguage, string>>>;
  /** 0.5 to 2. */
  readonly speed: number;
}

/** What a generation is known by: the same four are never paid for twice. `text` is the text as read aloud. */
export interface SpeechRequest {
  readonly text: string;
  readonly language: SpeechLanguage;
  readonly voiceId: string;
  readonly speed: number;
}

/** The text that `requestOf` compares generations by; equal requests give equal strings. */
export const requestIdentity = ({ text, language, voiceId, speed }: SpeechRequest): string =>
  JSON.stringify([text.normalize('NFC'), language, voiceId, Number(speed.toFixed(2))]);

/** What has to be generated for a block. `asRead` turns the written text into the text as read aloud. */
export function requestOf(
  block: Pick<SpeechBlock, 'text' | 'language' | 'voiceId' | 'speed' | 'readAs'>,
  defaults: SpeechDefaults,
  asRead: (text: string, language: SpeechLanguage) => string = (text) => text,
): SpeechRequest {
  const language = block.language ?? defaults.language;
  const usualVoice = language === defaults.language ? defaults.voiceId : (defaults.otherVoices[language] ?? '');
  return {
    text: block.readAs ?? asRead(block.text, language),
    language,
    voiceId: block.voiceId ?? usualVoice,
    speed: block.speed ?? defaults.speed,
  };
}

/**
 * The blocks of a changed text. Sentences that did not change keep their block whole, in order; a sentence that was
 * edited in place keeps id and settings but not its take; the rest are new. `limit` is in characters per generation.
 * `otherVoices`: languages that new and edited sentences take when their words show them.
 */
export function updateBlocks(
  blocks: readonly SpeechBlock[],
  text: string,
  options: {
    readonly language: SpeechLanguage;
    readonly limit: number;
    readonly newId: () => string;
    readonly otherVoices?: SpeechDefaults['otherVoices'];
  },
): readonly SpeechBlock[] {
  const { language, otherVoices = {} } = options;
  const sentences = splitSentences(text, language, options.limit);
  const kept = longestCommon(
    blocks.map((block) => block.text),
    sentences.map((sentence) => sentence.text),
  );
  const next: SpeechBlock[] = [];
  let oldAt = 0;
  let newAt = 0;
  for (const [oldIndex, newIndex] of [...kept, [blocks.length, sentences.length] as const]) {
    const gone = blocks.slice(oldAt, oldIndex);
    sentences.slice(newAt, newIndex).forEach((sentence, index, added) => {
      // Between two unchanged sentences, as many new as old ones were edited in place.
      const edited = gone.length === added.length ? gone[index] : undefined;
      const block = edited ?? emptyBlock(options.newId());
      const detected = Object.keys(otherVoices).length === 0 ? null : detectLanguage(sentence.text);
      next.push({
        ...block,
        ...(detected === language && block.language !== null
          ? { language: null, voiceId: null }
          : detected !== null && detected !== block.language && otherVoices[detected] !== undefined
            ? { language: detected, voiceId: null }
            : {}),
        text: sentence.text,
        endsParagraph: sentence.endsParagraph,
        takeId: null,
        readAs: null,
        isLocked: false,
      });
    });
    const unchanged = blocks[oldIndex];
    const sentence = sentences[newIndex];
    if (unchanged !== undefined && sentence !== undefined) {
      next.push(
        unchanged.endsParagraph === sentence.endsParagraph
          ? unchanged
          : { ...unchanged, endsParagraph: sentence.endsParagraph },
      );
    }
    oldAt = oldIndex + 1;
    newAt = newIndex + 1;
  }
  return next;
}

const emptyBlock = (id: string): SpeechBlock => ({
  id,
  text: '',
  endsParagraph: false,
  language: null,
  voiceId: null,
  speed: null,
  pauseMs: null,
  isLocked: false,
  readAs: null,
  takeId: null,
  takeIds: [],
});

/** Pairs of places with equal texts in both lists, in order: equal beginnings and ends, then the longest common rest. */
function longestCommon(before: readonly string[], after: readonly string[]): readonly (readonly [number, number])[] {
  let start = 0;
  while (start < before.length && start < after.length && before[start] === after[start]) start += 1;
  let end = 0;
  while (
    end < before.length - start &&
    end < after.length - start &&
    before[before.length - 1 - end] === after[after.length - 1 - end]
  ) {
    end += 1;
  }
  const pairs = Array.from({ length: start }, (_, at) => [at, at] as const);
  const middle = commonSubsequence(before.slice(start, before.length - end), after.slice(start, after.length - end));
  return [
    ...pairs,
    ...middle.map(([a, b]) => [a + start, b + start] as const),
    ...Array.from({ length: end }, (_, at) => [before.length - end + at, after.length - end + at] as const),
  ];
}

/** The middle is what one edit touched; of a text pasted over another only the first sentences are compared. */
const mostCompared = 400;

function commonSubsequence(
  before: readonly string[],
  after: readonly string[],
): readonly (readonly [number, number])[] {
  const rows = Math.min(before.length, mostCompared);
  const columns = Math.min(after.length, mostCompared);
  const lengths = Array.from({ length: rows + 1 }, () => new Uint16Array(columns + 1));
  for (let row = rows - 1; row >= 0; row -= 1) {
    for (let column = columns - 1; column >= 0; column -= 1) {
      const value =
        before[row] === after[column]
          ? (lengths[row + 1]?.[column + 1] ?? 0) + 1
          : Math.max(lengths[row + 1]?.[column] ?? 0, lengths[row]?.[column + 1] ?? 0);
      const line = lengths[row];
      if (line !== undefined) line[column] = value;
    }
  }
  const pairs: (readonly [number, number])[] = [];
  for (let row = 0, column = 0; row < rows && column < columns;) {
    if (before[row] === after[column]) {
      pairs.push([row, column]);
      row += 1;
      column += 1;
    } else if ((lengths[row + 1]?.[column] ?? 0) >= (lengths[row]?.[column + 1] ?? 0)) row += 1;
    else column += 1;
  }
  return pairs;
}

/** Nobody notices that a sentence ends so much after its time. */
export const slotSlackMs = 80;
const leastSpeed = 0.5;
const mostSpeed = 2;

/**
 * Blocks with the times of the cues they came from. A cue of several sentences is shared among them by their length, and
 * each gets the speed at which it ends in its time: by `lengthMs` at speed 1, in steps of 0.05, and never slower than
 * the text.
 */
export function withCues(
  blocks: readonly SpeechBlock[],
  cues: readonly { readonly startMs: number; readonly endMs: number; readonly text: string }[],
  { speed, lengthMs }: { readonly speed: number; readonly lengthMs: (text: string) => number },
): readonly SpeechBlock[] {
  const lettersIn = (text: string) => text.replaceAll(/\s+/gu, '').length;
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

/** The block with the speed at which it ends in its time; `lengthMs` is how long it lasts at speed 1. */
export function fitToSlot(block: SpeechBlock, usualSpeed: number, lengthMs: number): SpeechBlock {
  if (block.slot === null || block.slot === undefined || block.isLocked) return block;
  const room = Math.max(1, block.slot.endMs - block.slot.startMs);
  const needed = Math.ceil((lengthMs / room) * 20 - 1e-9) / 20;
  const speed = Math.max(leastSpeed, Math.min(mostSpeed, Math.max(usualSpeed, needed)));
  return { ...block, speed: speed === usualSpeed ? null : speed };
}

/** What the words of blocks show; a block that did not change is not read anew. */
const shownLanguages = new WeakMap<SpeechBlock, SpeechLanguage | null>();
const shownLanguage = (block: SpeechBlock): SpeechLanguage | null => {
  const known = shownLanguages.get(block);
  if (known !== undefined) return known;
  const detected = detectLanguage(block.text);
  shownLanguages.set(block, detected);
  return detected;
};

/**
 * Sentences whose words show another language than the one they are to be read in, by that language: for each the ids of
 * its blocks, and whether nothing in the text shows the text's own.
 */
export function foreignBlocks(
  blocks: readonly SpeechBlock[],
  language: SpeechLanguage,
): readonly { readonly language: SpeechLanguage; readonly ids: readonly string[]; readonly isWhole: boolean }[] {
  const open = blocks.filter((block) => block.language === null && block.readAs === null && !block.isLocked);
  const found = open.map((block) => ({ id: block.id, language: shownLanguage(block) }));
  const own = found.some((one) => one.language === language) || open.length < blocks.length;
  const others = new Set(found.flatMap((one) => (one.language === null ? [] : [one.language])));
  others.delete(language);
  return [...others].map((other) => ({
    language: other,
    ids: found.flatMap((one) => (one.language === other ? [one.id] : [])),
    isWhole: !own && others.size === 1,
  }));
}

/** Blocks that are read in a language from now on; null: in the text's own. */
export const withLanguage = (
  blocks: readonly SpeechBlock[],
  ids: ReadonlySet<string>,
  language: SpeechLanguage | null,
): readonly SpeechBlock[] => blocks.map((block) => (ids.has(block.id) ? { ...block, language, voiceId: null } : block));

/** The text of blocks as it stands in the text pane: sentences of a paragraph in one line, paragraphs apart. */
export const textOfBlocks = (blocks: readonly SpeechBlock[]): string =>
  blocks
    .map(({ text, endsParagraph }) => text + (endsParagraph ? '\n\n' : ' '))
    .join('')
    .trimEnd();
