import { cutSpans } from '../transcript/edit-marks.ts';
import { scriptOf, writtenLanguage } from '../transcript/in-script.ts';
import type { InterfaceLanguage } from '../languages.ts';
import type { Transcript } from '../transcript/transcript.ts';
import type { ExportFacts } from './export-facts.ts';
import type { ExportDocument, Exporter } from './exporter.ts';
import { readOptions, type GivenOptions, type OptionFacts } from './options.ts';
import type { OutlineBlock } from './outline.ts';
import { prepareTranscript } from './prepare.ts';

/** What an export needs besides the transcript: how a speaker without a name is called in its language. */
export interface WritingFacts extends Omit<ExportFacts, 'speakerName'> {
  readonly nameSpeaker: (language: InterfaceLanguage, number: number) => string;
}

/** What initial values of options depend on: the letters the text will be in. */
export function optionFacts(transcript: Transcript, given: GivenOptions): OptionFacts {
  const script = transcript.language === 'uz' && given['script'] !== 'as-written' ? given['script'] : undefined;
  const isCyrillic = transcript.language === 'ru' || (script ?? scriptOf(transcript)) === 'cyrillic';
  return { language: transcript.language, isCyrillic };
}

function factsOf(transcript: Transcript, { nameSpeaker, ...facts }: WritingFacts): ExportFacts {
  const language = writtenLanguage(transcript);
  const places = new Map(transcript.speakers.map(({ id }, at) => [id, at]));
  return {
    ...facts,
    speakerName: (speakerId) => {
      const at = places.get(speakerId) ?? -1;
      return transcript.speakers[at]?.name ?? nameSpeaker(language, at + 1);
    },
  };
}

/** The whole document, with the options that were given and the initial values of the others. */
export function writeDocument(
  exporter: Exporter,
  transcript: Transcript,
  given: GivenOptions,
  facts: WritingFacts,
): ExportDocument {
  const options = readOptions(exporter.options, given, optionFacts(transcript, given));
  const { script, omitsFillers, followsCuts } = options;
  const shown = prepareTranscript(transcript, {
    script: script === 'latin' || script === 'cyrillic' ? script : 'as-written',
    omitsFillers: omitsFillers === true,
    followsCuts: followsCuts === true,
  });
  const written = exporter.write(shown, factsOf(shown, facts), options);
  if (written.kind !== 'text') return written;
  const { byteOrderMark, lineEnds } = options;
  const lines = lineEnds === 'crlf' ? written.text.replaceAll('\n', '\r\n') : written.text;
  return { kind: 'text', text: byteOrderMark === true ? `\ufeff${lines}` : lines };
}

/** What of a document can be read by people or shown: the text of the file, or of the page or the paragraphs. */
const sizeOf = (document: ExportDocument): number =>
  document.kind === 'text'
    ? document.text.length
    : document.kind === 'page'
      ? document.html.length
      : document.kind === 'audio'
        ? 0
        : document.outline.blocks.reduce((sum, block) => sum + block.text.length, 0);

function cutTo(document: ExportDocument, characters: number): ExportDocument {
  if (document.kind === 'text') return { kind: 'text', text: document.text.slice(0, characters) };
  if (document.kind === 'page' || document.kind === 'audio') return document;
  const blocks: OutlineBlock[] = [];
  let left = characters;
  for (const block of document.outline.blocks) {
    if (left <= 0) break;
    blocks.push(block.kind === 'paragraph' ? { ...block, words: [], text: block.text.slice(0, left) } : block);
    left -= block.text.length;
  }
  return { kind: 'outline', outline: { ...document.outline, blocks } };
}

/** A list of clips tells of all that is kept before it tells of what is said in it. */
const needsAll = ({ group }: Exporter): boolean => group === 'editing' || group === 'audio';

/** The alphabet of a text is told by so many of its segments; speakers without a name are called by it. */
const leastSegments = 200;

/**
 * The first `characters` of that document, and whether there is more of it. Only as many segments are written as that
 * takes: segments stand in the order of their times, and no format writes of later ones before it has written the
 * earlier ones.
 */
export function writeBeginning(
  exporter: Exporter,
  transcript: Transcript,
  given: GivenOptions,
  facts: WritingFacts,
  characters: number,
): { readonly document: ExportDocument; readonly isCut: boolean } {
  const all = transcript.segments.length;
  const cuts = cutSpans(transcript);
  const least = needsAll(exporter) ? all : leastSegments;
  for (let count = Math.min(all, least), until = characters * 2; ; until *= 2) {
    for (let letters = 0; count < all && letters < until; count += 1)
      letters += transcript.segments[count]?.text.length ?? 0;
    const part = { ...transcript, cuts, segments: transcript.segments.slice(0, count) };
    const document = writeDocument(exporter, part, given, facts);
    const isWhole = count >= all;
    const size = sizeOf(document);
    // Ends of the last one depend on what follows it, so it must not be among what is shown.
    if (isWhole || size > characters + leastMargin) {
      return { document: cutTo(document, characters), isCut: !isWhole || size > characters };
    }
  }
}

/** Cues are weighed in runs of some words; what is shown must end before the last run, which may still grow. */
const leastMargin = 6_000;

/** The document: all of it, or only its first `characters` where they are given; and whether there is more. */
export const writeUpTo = (
  exporter: Exporter,
  transcript: Transcript,
  given: GivenOptions,
  facts: WritingFacts,
  characters: number | null,
): { readonly document: ExportDocument; readonly isCut: boolean } =>
  characters === null
    ? { document: writeDocument(exporter, transcript, given, facts), isCut: false }
    : writeBeginning(exporter, transcript, given, facts, characters);

/**
 * What `writeBeginning` shows of a whole transcript, from its first segments alone; null when that takes more of them, or
 * all.
 */
export function writeFromStart(
  exporter: Exporter,
  start: Transcript,
  given: GivenOptions,
  facts: WritingFacts,
  characters: number,
): ExportDocument | null {
  if (needsAll(exporter)) return null;
  const { document, isCut } = writeBeginning(exporter, start, given, facts, characters + leastMargin);
  return isCut ? cutTo(document, characters) : null;
}
