import type { InterfaceLanguage } from '../languages.ts';
import { toUzbekCyrillic, toUzbekLatin } from '../text/transliterate-uzbek.ts';
import { closingQuotes, spellUzbek } from '../text/uzbek-letters.ts';
import type { Segment, Speaker, Transcript, WholeWord, Word } from './transcript.ts';

/** The alphabet in which a transcript is shown or exported; only Uzbek has two. */
export const transcriptScripts = ['as-written', 'latin', 'cyrillic'] as const;
export type TranscriptScript = (typeof transcriptScripts)[number];

/** How many segments determine the alphabet of a transcript, so that single foreign words don't. */
const segmentsAsked = 200;

/** The predominant alphabet of an Uzbek transcript; null for other languages, which have one. */
export function scriptOf({
  language,
  segments,
}: Pick<Transcript, 'language' | 'segments'>): 'latin' | 'cyrillic' | null {
  if (language !== 'uz') return null;
  let more = 0;
  for (const { text } of segments.slice(0, segmentsAsked)) {
    for (let at = 0; at < text.length; at += 1) {
      const code = text.charCodeAt(at);
      more += alphabets[code] ??= alphabetOf(String.fromCharCode(code));
    }
  }
  return more > 0 ? 'cyrillic' : 'latin';
}

/** Of each letter that was met: 1 is Cyrillic, -1 is Latin, 0 is neither. */
const alphabets: (1 | 0 | -1)[] = [];
const alphabetOf = (letter: string) =>
  /\p{Script=Cyrillic}/u.test(letter) ? 1 : /\p{Script=Latin}/u.test(letter) ? -1 : 0;

/** The language tag (BCP 47) of the words of a transcript; labels of speakers depend on it too. */
export const writtenLanguage = (transcript: Transcript): InterfaceLanguage =>
  scriptOf(transcript) === 'cyrillic' ? 'uz-Cyrl' : transcript.language;

/** Letters that are pasted into a text, as they are when they are typed into it. */
export const spellAsTyped = (transcript: Transcript, pasted: string): string =>
  scriptOf(transcript) === 'latin' ? spellUzbek(pasted) : pasted;

/**
 * The transcript in another alphabet: same segments, words, ids and times. The original is not changed, and is returned
 * when it is not Uzbek. Names of people are in the same letters.
 */
export function inScript(transcript: Transcript, script: TranscriptScript): Transcript {
  if (script === 'as-written' || transcript.language !== 'uz') return transcript;
  const change = respellerTo(script);
  return {
    ...transcript,
    speakers: transcript.speakers.map((speaker) => namedIn(speaker, change)),
    segments: transcript.segments.map((segment) => segmentIn(segment, change)),
  };
}

/** A speaker whose name is written in other letters. */
export const namedIn = (speaker: Speaker, change: (text: string) => string): Speaker =>
  speaker.name === null ? speaker : { ...speaker, name: change(speaker.name) };

/** Writes Uzbek words in an alphabet, each of them once: hours of speech consist of a few thousand different words. */
export function respellerTo(script: 'latin' | 'cyrillic'): (text: string) => string {
  const change = script === 'cyrillic' ? toUzbekCyrillic : toUzbekLatin;
  const known = new Map<string, string>();
  return (text) => {
    const made = known.get(text) ?? change(text);
    known.set(text, made);
    return made;
  };
}

/** Writes the whole of a word that was cut in two in other letters: both halves get the same object. */
type ChangeWhole = (whole: WholeWord) => WholeWord;

/** What comes from the disk has no halves of words. */
const keepWhole: ChangeWhole = (whole) => whole;

/** A word that is written in another way. */
export const respellWord = (word: Word, text: string, changeWhole: ChangeWhole): Word =>
  word.wholeWord === undefined ? { ...word, text } : { ...word, text, wholeWord: changeWhole(word.wholeWord) };

/** A segment in other letters. */
export const segmentIn = (segment: Segment, change: (text: string) => string, changeWhole = keepWhole): Segment =>
  respell(segment, wordsIn(segment, change), change, changeWhole);

/** The words of a segment in other letters. A quote that closes a quotation belongs to no word. */
export function wordsIn({ text, words }: Segment, change: (text: string) => string): string[] {
  const quotes = [...closingQuotes(text)];
  let end = 0;
  return words.map(({ text: word }) => {
    const start = text.indexOf(word, end);
    if (start >= 0) end = start + word.length;
    const quote = start < 0 ? undefined : quotes.find((at) => at >= start && at < end);
    if (quote === undefined) return change(word);
    return change(text.slice(start, quote)) + text.charAt(quote) + change(text.slice(quote + 1, end));
  });
}

/**
 * A segment with its words written in another way. Word by word, with the text between them separately, so that every
 * changed word can be located in the changed text.
 */
export function respell(
  segment: Segment,
  texts: readonly string[],
  change: (text: string) => string,
  changeWhole: ChangeWhole,
): Segment {
  const words = segment.words.map((word, at) => respellWord(word, texts[at] ?? '', changeWhole));
  let text = '';
  let end = 0;
  for (const [at, word] of segment.words.entries()) {
    const start = segment.text.indexOf(word.text, end);
    // The text does not consist of the words: the words are what is timed and shown.
    if (start < 0) return { ...segment, words, text: change(segment.text) };
    text += change(segment.text.slice(end, start)) + (texts[at] ?? '');
    end = start + word.text.length;
  }
  return { ...segment, words, text: text + change(segment.text.slice(end)) };
}
