import type { SpeechLanguage } from '../languages.ts';
import { foreignBlocks, updateBlocks, withLanguage, type SpeechDefaults } from './blocks.ts';
import { withCues, estimateMs, longestSpoken, type SpeechDocument } from './speech-document.ts';
import type { TimedWords } from './import-text.ts';
import { countCharacters, divider, joiner, splitSentences, type SpeechSentence } from './split-text.ts';

type NewId = () => string;

export interface ImportedText {
  readonly name: string;
  readonly text: string;
  readonly cues: readonly TimedWords[] | null;
}

const blocksOf = ({ blocks, defaults }: SpeechDocument, text: string, newId: NewId) =>
  updateBlocks(blocks, text, {
    language: defaults.language,
    otherVoices: defaults.otherVoices,
    limit: longestSpoken,
    newId,
  });

export const withText = (document: SpeechDocument, text: string, newId: NewId): SpeechDocument =>
  text === document.text ? document : { ...document, text, blocks: blocksOf(document, text, newId) };

export function withWords(document: SpeechDocument, blockId: string, words: string, newId: NewId): SpeechDocument {
  const { text, blocks } = document;
  const at = blocks.findIndex((block) => block.id === blockId);
  const span = sentencesIn(document)[at];
  if (span === undefined || span.text !== blocks[at]?.text) return document;
  const [before, after] = [text.slice(0, span.start), text.slice(span.end)];
  const said = words.trim();
  return withText(document, said === '' ? before + after.replace(/^ /u, '') : before + said + after, newId);
}

export const sentencesIn = ({ text, defaults }: SpeechDocument): readonly SpeechSentence[] =>
  splitSentences(text, defaults.language, longestSpoken);

function middleOf({ start, text }: SpeechSentence): number | null {
  const nearest = (ends: RegExp) =>
    [...text.matchAll(ends)]
      .map(({ index }) => index + 1)
      .toSorted((a, b) => Math.abs(a - text.length / 2) - Math.abs(b - text.length / 2))[0];
  const clause = nearest(/[,;:—–)](?=\s)/gu);
  const isNear = clause !== undefined && Math.abs(clause - text.length / 2) < text.length / 3;
  const at = isNear ? clause : nearest(/\S(?=\s)/gu);
  return at === undefined ? null : start + at;
}

/** At an offset, moved out of a word, or about the middle; the same document where nothing can be divided. */
export function withSplit(
  document: SpeechDocument,
  where: { readonly blockId: string } | { readonly at: number },
  newId: NewId,
): SpeechDocument {
  const { text, blocks } = document;
  const spans = sentencesIn(document);
  const span =
    'at' in where
      ? spans.find(({ start, end }) => start < where.at && where.at < end)
      : spans[blocks.findIndex(({ id }) => id === where.blockId)];
  if (span === undefined) return document;
  let at = 'at' in where ? where.at : (middleOf(span) ?? span.start);
  if (/\S/u.test(text.charAt(at)) && /\S/u.test(text.charAt(at - 1))) {
    at = span.start + text.slice(span.start, at).search(/\S*$/u);
    if (at <= span.start) at = span.start + Math.max(0, text.slice(span.start, span.end).search(/\s/u));
  }
  const head = text.slice(0, at).trimEnd();
  const tail = text.slice(at).trimStart();
  if (head.length <= span.start || tail.length <= text.length - span.end) return document;
  // Where two sentences had been joined, they are again what they were.
  const plain = withText(document, `${head.replace(/\s*\u2060$/u, '')} ${tail.replace(/^\u2060/u, '')}`, newId);
  return plain.blocks.length > blocks.length ? plain : withText(document, `${head}${divider} ${tail}`, newId);
}

/** Joins a sentence with the next one. The same document where there is none, or both are too long for one request. */
export function withMerge(document: SpeechDocument, blockId: string, newId: NewId): SpeechDocument {
  const { text, blocks } = document;
  const at = blocks.findIndex(({ id }) => id === blockId);
  const spans = sentencesIn(document);
  const [own, next] = [spans[at], spans[at + 1]];
  if (own === undefined || next === undefined) return document;
  const joined = (mark: string) =>
    withText(document, `${text.slice(0, own.end)} ${mark}${text.slice(next.start)}`, newId);
  // Where one sentence had been divided, it is again what it was.
  const plain = joined('');
  const merged = plain.blocks.length < blocks.length ? plain : joined(joiner);
  return merged.blocks.length < blocks.length ? merged : document;
}

/** Sentences of cues get the speed that fits their times; `pace`: characters per second of the voice. */
export function withImport(
  document: SpeechDocument,
  { name, text, cues }: ImportedText,
  where: 'whole' | { readonly at: number },
  { newId, pace }: { readonly newId: NewId; readonly pace: number | undefined },
): SpeechDocument {
  const inside = (at: number) =>
    [document.text.slice(0, at).trimEnd(), text, document.text.slice(at).trimStart()].filter(Boolean).join('\n\n');
  const whole = where !== 'whole' ? inside(where.at) : cues === null ? text : cues.map((cue) => cue.text).join('\n');
  const blocks = blocksOf(document, whole, newId);
  const lengthMs = (words: string) => estimateMs(countCharacters(words), 1, pace);
  const isNamed = where === 'whole' && document.title === '';
  return {
    ...document,
    text: whole,
    ...(isNamed && { title: name.replace(/\.[^.]+$/u, '').slice(0, 300) }),
    blocks: cues === null ? blocks : withCues(blocks, cues, { speed: document.defaults.speed, lengthMs }),
  };
}

export function withDefaults(document: SpeechDocument, patch: Partial<SpeechDefaults>, newId: NewId): SpeechDocument {
  const { language } = patch;
  const defaults = { ...document.defaults, ...patch };
  if (language === undefined || language === document.defaults.language) return { ...document, defaults };
  // Which languages are read like the rest was chosen for the voice of the former language.
  const otherVoices = Object.fromEntries(
    Object.entries(document.defaults.otherVoices).filter(([other, voice]) => other !== language && voice !== ''),
  );
  const changed = {
    ...document,
    defaults: { ...defaults, otherVoices },
    blocks: document.blocks.map((block) =>
      block.language === language ? { ...block, language: null, voiceId: null } : block,
    ),
  };
  return { ...changed, blocks: blocksOf(changed, document.text, newId) };
}

export function withOtherVoice(document: SpeechDocument, language: SpeechLanguage, voiceId: string): SpeechDocument {
  const { blocks, defaults } = document;
  const { [language]: _before, ...others } = defaults.otherVoices;
  const ids =
    voiceId === ''
      ? blocks.filter((block) => block.language === language).map(({ id }) => id)
      : foreignBlocks(blocks, { ...defaults, otherVoices: others }).flatMap((one) =>
          one.language === language ? one.ids : [],
        );
  return {
    ...document,
    defaults: { ...defaults, otherVoices: { ...others, [language]: voiceId } },
    blocks: withLanguage(blocks, new Set(ids), voiceId === '' ? null : language),
  };
}
