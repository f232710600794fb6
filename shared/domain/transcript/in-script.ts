import { err, ok, type Result } from '../../result/result.ts';
import type { InterfaceLanguage } from '../languages.ts';
import { toUzbekCyrillic, toUzbekLatin } from '../text/transliterate-uzbek.ts';
import { closingQuotes, spellUzbek } from '../text/uzbek-letters.ts';
import type { Change, EditRefusal, Step } from './change.ts';
import type { Segment, Speaker, Transcript, WholeWord, Word } from './transcript.ts';

export const transcriptScripts = ['as-written', 'latin', 'cyrillic'] as const;
export type TranscriptScript = (typeof transcriptScripts)[number];
export type UzbekScript = Exclude<TranscriptScript, 'as-written'>;

/** How many segments determine the alphabet of a transcript, so that single foreign words don't. */
const segmentsAsked = 200;

export function scriptOf({
  language,
  segments,
}: Pick<Transcript, 'language'> & { readonly segments: readonly Pick<Segment, 'text'>[] }): UzbekScript | null {
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

export const otherScript = (script: UzbekScript): UzbekScript => (script === 'latin' ? 'cyrillic' : 'latin');

/** The language tag (BCP 47) of the words of a transcript; labels of speakers depend on it too. */
export const writtenLanguage = (transcript: Transcript): InterfaceLanguage =>
  scriptOf(transcript) === 'cyrillic' ? 'uz-Cyrl' : transcript.language;

export const spellAsTyped = (transcript: Transcript, pasted: string): string =>
  scriptOf(transcript) === 'latin' ? spellUzbek(pasted) : pasted;

/** Same segments, ids and times, and the same object for what is written alike; others than Uzbek stay. */
export function inScript(transcript: Transcript, script: TranscriptScript): Transcript {
  if (script === 'as-written' || transcript.language !== 'uz') return transcript;
  const change = respellerTo(script);
  const changeWord = wordRespeller(change);
  return {
    ...transcript,
    speakers: transcript.speakers.map((speaker) => namedIn(speaker, change)),
    segments: transcript.segments.map((segment) => segmentIn(segment, change, changeWord)),
  };
}

export function convertScript(transcript: Transcript): Result<Change, EditRefusal> {
  const script = scriptOf(transcript);
  if (script === null) return err('nothing-to-change');
  const { segments, speakers } = inScript(transcript, otherScript(script));
  const changed = segments.filter((segment, at) => segment !== transcript.segments[at]);
  const areNamesChanged = speakers.some((speaker, at) => speaker !== transcript.speakers[at]);
  const change: Step[] = [
    ...(changed.length === 0 ? [] : [{ type: 'set' as const, segments: changed }]),
    ...(areNamesChanged ? [{ type: 'speakers' as const, speakers }] : []),
  ];
  return change.length === 0 ? err('nothing-to-change') : ok(change);
}

/** What was heard in a transcript, in the alphabet of its text, where most of it is in the other. */
export function heardInScript({ language, segments }: Transcript, heard: readonly Word[]): readonly Word[] {
  const script = scriptOf({ language, segments });
  if (script === null || scriptOf({ language, segments: heard }) === script) return heard;
  const change = respellerTo(script);
  return heard.map((word) => ({ ...word, text: change(word.text) }));
}

function namedIn(speaker: Speaker, change: (text: string) => string): Speaker {
  const name = speaker.name === null ? null : change(speaker.name);
  return name === speaker.name ? speaker : { ...speaker, name };
}

/** Writes Uzbek words in an alphabet, each of them once: hours of speech consist of a few thousand different words. */
export function respellerTo(script: UzbekScript): (text: string) => string {
  const change = script === 'cyrillic' ? toUzbekCyrillic : toUzbekLatin;
  const known = new Map<string, string>();
  return (text) => {
    // A ь that stands alone has no Latin letter, but a word has to have one.
    const made = known.get(text) ?? (change(text) || text);
    known.set(text, made);
    return made;
  };
}

/** Writes words in another way. Both halves of a word that was cut in two keep one object for the whole of it. */
function wordRespeller(change: (text: string) => string): (word: Word, text: string) => Word {
  const wholes = new Map<WholeWord, WholeWord>();
  const respellWord = (word: Word, text: string): Word => {
    const wholeWord = word.wholeWord && respellWhole(word.wholeWord);
    if (text === word.text && wholeWord === word.wholeWord) return word;
    return { ...word, text, ...(wholeWord && { wholeWord }) };
  };
  const respellWhole = (whole: WholeWord): WholeWord => {
    const known = wholes.get(whole);
    if (known !== undefined) return known;
    const word = respellWord(whole.word, change(whole.word.text));
    const halves = [change(whole.halves[0]), change(whole.halves[1])] as const;
    const isSame = word === whole.word && halves.every((half, at) => half === whole.halves[at]);
    const made = isSame ? whole : { word, halves };
    wholes.set(whole, made);
    return made;
  };
  return respellWord;
}

/** Word by word, so that changed words can be located; a closing quote belongs to no word. */
function segmentIn(
  segment: Segment,
  change: (text: string) => string,
  changeWord: (word: Word, text: string) => Word,
): Segment {
  const { text } = segment;
  const quotes = [...closingQuotes(text)];
  const words: Word[] = [];
  let written: string | null = '';
  let end = 0;
  for (const word of segment.words) {
    const start = text.indexOf(word.text, end);
    const quote = start < 0 ? undefined : quotes.find((at) => at >= start && at < start + word.text.length);
    const made =
      quote === undefined
        ? change(word.text)
        : change(text.slice(start, quote)) +
          text.charAt(quote) +
          change(text.slice(quote + 1, start + word.text.length));
    words.push(changeWord(word, made));
    // A text that does not consist of its words: the words are what is timed and shown.
    if (start < 0) written = null;
    else {
      if (written !== null) written += change(text.slice(end, start)) + made;
      end = start + word.text.length;
    }
  }
  const all = written === null ? change(text) : written + change(text.slice(end));
  const isSame = all === text && words.every((word, at) => word === segment.words[at]);
  return isSame ? segment : { ...segment, text: all, words };
}
