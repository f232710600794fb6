import type { SpeechLanguage } from '../languages.ts';
import { foreignBlocks, updateBlocks, withCues, withLanguage, type SpeechDefaults } from './blocks.ts';
import type { TimedWords } from './import-text.ts';
import { estimateMs, longestSpoken, type SpeechDocument } from './speech-document.ts';
import { countCharacters, splitSentences } from './split-text.ts';

type NewId = () => string;

/** The content of a file; `cues` where their times are to be kept. */
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

/** Replaces the words of one sentence; empty words remove it. The sentences around it keep their audio. */
export function withWords(document: SpeechDocument, blockId: string, words: string, newId: NewId): SpeechDocument {
  const { text, blocks, defaults } = document;
  const at = blocks.findIndex((block) => block.id === blockId);
  const span = splitSentences(text, defaults.language, longestSpoken)[at];
  if (span === undefined || span.text !== blocks[at]?.text) return document;
  const [before, after] = [text.slice(0, span.start), text.slice(span.end)];
  const said = words.trim();
  return withText(document, said === '' ? before + after.replace(/^ /u, '') : before + said + after, newId);
}

/**
 * Replaces the text by a file, or inserts the file. Sentences of cues get the speed that fits their times before
 * anything is paid for; `pace` is the known speed of the voice, characters per second.
 */
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

/** Sets voice, speed or language of the whole text. */
export function withDefaults(document: SpeechDocument, patch: Partial<SpeechDefaults>, newId: NewId): SpeechDocument {
  const { language } = patch;
  const defaults = { ...document.defaults, ...patch };
  if (language === undefined || language === document.defaults.language) return { ...document, defaults };
  const { [language]: _own, ...otherVoices } = document.defaults.otherVoices;
  const changed = {
    ...document,
    defaults: { ...defaults, otherVoices },
    blocks: document.blocks.map((block) =>
      block.language === language ? { ...block, language: null, voiceId: null } : block,
    ),
  };
  return { ...changed, blocks: blocksOf(changed, document.text, newId) };
}

/** Gives sentences of another language its voice, now and when they are written; null: they are read like the rest. */
export function withOtherVoice(
  document: SpeechDocument,
  language: SpeechLanguage,
  voiceId: string | null,
): SpeechDocument {
  const { blocks, defaults } = document;
  const { [language]: _before, ...rest } = defaults.otherVoices;
  const ids =
    voiceId === null
      ? blocks.filter((block) => block.language === language).map(({ id }) => id)
      : foreignBlocks(blocks, defaults.language).flatMap((one) => (one.language === language ? one.ids : []));
  return {
    ...document,
    defaults: { ...defaults, otherVoices: voiceId === null ? rest : { ...rest, [language]: voiceId } },
    blocks: withLanguage(blocks, new Set(ids), voiceId === null ? null : language),
  };
}
