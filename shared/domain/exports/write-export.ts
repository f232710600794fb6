import { isSubtitleName } from '../imports/read-subtitles.ts';
import { cutSpans, isPartlyUnheard, redactedSpans } from '../transcript/edit-marks.ts';
import { respellerTo, scriptOf, writtenLanguage } from '../transcript/in-script.ts';
import type { InterfaceLanguage } from '../languages.ts';
import type { Transcript } from '../transcript/transcript.ts';
import {
  hasSeveralSpeakers,
  readOptions,
  type ExportFacts,
  type ExportDocument,
  type Exporter,
  type OutlineBlock,
  type GivenOptions,
  type OptionFacts,
} from './exporter.ts';
import { arePartedByPauses } from './outline.ts';
import { prepareTranscript, type PreparingOptions, leftOut } from './prepare.ts';
import { toUzbekCyrillic, toUzbekLatin } from '../text/transliterate-uzbek.ts';

export interface WritingFacts extends Omit<ExportFacts, 'speakerName' | 'redacted' | 'second'> {
  readonly nameSpeaker: (language: InterfaceLanguage, number: number) => string;
  readonly second?: Transcript | null;
}

/** What initial values of options depend on. */
export function optionFacts(transcript: Transcript, given: GivenOptions, sourceName: string): OptionFacts {
  const script = transcript.language === 'uz' && given['script'] !== 'as-written' ? given['script'] : undefined;
  const isCyrillic = transcript.language === 'ru' || (script ?? scriptOf(transcript)) === 'cyrillic';
  const isFromSubtitles = isSubtitleName(sourceName);
  // Subtitles rarely have silences between them, because each stays on the screen until the next.
  const hasNoPauses = isFromSubtitles && !arePartedByPauses(transcript.segments.slice(0, leastSegments));
  const dividedBy = hasSeveralSpeakers(transcript) ? 'speaker' : hasNoPauses ? 'segment' : 'pause';
  const hasCuts = isPartlyUnheard(transcript);
  return { language: transcript.language, isCyrillic, isFromSubtitles, hasCuts, dividedBy };
}

function factsOf(
  transcript: Transcript,
  { nameSpeaker, ...facts }: WritingFacts,
  known: Pick<ExportFacts, 'redacted' | 'second'>,
): ExportFacts {
  const language = writtenLanguage(transcript);
  const places = new Map(transcript.speakers.map(({ id }, at) => [id, at]));
  return {
    ...facts,
    ...known,
    speakerName: (speakerId) => {
      const at = places.get(speakerId) ?? -1;
      return transcript.speakers[at]?.name ?? nameSpeaker(language, at + 1);
    },
  };
}

function secondOf(
  transcript: Transcript,
  shown: Transcript,
  { second: other = null }: WritingFacts,
  preparing: PreparingOptions,
  wanted: unknown,
): ExportFacts['second'] {
  if (wanted === 'letters') {
    const script = scriptOf(shown);
    return script === null ? null : { kind: 'letters', change: script === 'cyrillic' ? toUzbekLatin : toUzbekCyrillic };
  }
  if (wanted === '' || wanted === undefined || other === null) return null;
  // What is heard is decided by the marks of the first text alone.
  const cuts = leftOut(transcript, preparing.redactedAudio);
  return { kind: 'text', transcript: prepareTranscript(other, { ...preparing, script: 'as-written' }, cuts) };
}

export const closesCuts = ({ options }: Exporter, transcript: Transcript, { followsCuts }: GivenOptions): boolean =>
  'followsCuts' in options && (typeof followsCuts === 'boolean' ? followsCuts : isPartlyUnheard(transcript));

export function prepareFor(exporter: Exporter, transcript: Transcript, given: GivenOptions, facts: WritingFacts) {
  const options = readOptions(exporter.options, given, optionFacts(transcript, given, facts.sourceName ?? ''));
  const { script, omitsFillers, followsCuts } = options;
  const preparing = {
    script: script === 'latin' || script === 'cyrillic' ? script : 'as-written',
    omitsFillers: omitsFillers === true,
    followsCuts: followsCuts === true,
    redactedAudio: options['redactedAudio'],
  } as const;
  const shown = prepareTranscript(transcript, preparing);
  const second = secondOf(transcript, shown, facts, preparing, options['second']);
  const isSpelt = transcript.language === 'uz' && preparing.script !== 'as-written';
  const title = isSpelt ? respellerTo(preparing.script)(facts.title) : facts.title;
  const known = { second, redacted: redactedSpans(transcript) };
  return { shown, options, facts: factsOf(shown, { ...facts, title }, known) };
}

export function writeDocument(
  exporter: Exporter,
  transcript: Transcript,
  given: GivenOptions,
  facts: WritingFacts,
): ExportDocument {
  const { shown, options, facts: known } = prepareFor(exporter, transcript, given, facts);
  const written = exporter.write(shown, known, options);
  if (written.kind !== 'text') return written;
  const { byteOrderMark, lineEnds } = options;
  const lines = lineEnds === 'crlf' ? written.text.replaceAll('\n', '\r\n') : written.text;
  return { kind: 'text', text: byteOrderMark === true ? `\ufeff${lines}` : lines };
}

const sizeOf = (document: ExportDocument): number =>
  document.kind === 'text'
    ? document.text.length
    : document.kind === 'page'
      ? document.html.length
      : document.kind === 'audio' || document.kind === 'video'
        ? 0
        : document.outline.blocks.reduce((sum, block) => sum + block.text.length, 0);

function cutTo(document: ExportDocument, characters: number): ExportDocument {
  if (document.kind === 'text') return { kind: 'text', text: document.text.slice(0, characters) };
  if (document.kind !== 'outline') return document;
  const blocks: OutlineBlock[] = [];
  let left = characters;
  for (const block of document.outline.blocks) {
    if (left <= 0) break;
    blocks.push(block.kind === 'paragraph' ? { ...block, words: [], text: block.text.slice(0, left) } : block);
    left -= block.text.length;
  }
  return { kind: 'outline', outline: { ...document.outline, blocks } };
}

/** A list of clips needs everything that is kept before it can write the first part. */
const needsAll = ({ group }: Exporter): boolean => group === 'editing' || group === 'audio' || group === 'video';

/** The alphabet and what divides a text are derived from so many segments: labels and paragraphs depend on them. */
const leastSegments = 200;

/** The first `characters`, made of the necessary segments only: every format writes earlier ones first. */
export function writeBeginning(
  exporter: Exporter,
  transcript: Transcript,
  given: GivenOptions,
  facts: WritingFacts,
  characters: number,
): { readonly document: ExportDocument; readonly isShortened: boolean } {
  const all = transcript.segments.length;
  const isClosed = closesCuts(exporter, transcript, given);
  const cuts = isClosed ? leftOut(transcript, given['redactedAudio']) : cutSpans(transcript);
  const least = needsAll(exporter) ? all : leastSegments;
  for (let count = Math.min(all, least), until = characters * 2; ; until *= 2) {
    for (let letters = 0; count < all && letters < until; count += 1)
      letters += transcript.segments[count]?.text.length ?? 0;
    const part = { ...transcript, cuts, segments: transcript.segments.slice(0, count) };
    const isWhole = count >= all;
    const document = writeDocument(
      exporter,
      part,
      given,
      isWhole ? facts : { ...facts, second: meanwhile(facts, part) },
    );
    const size = sizeOf(document);
    // The end of the last cue depends on what follows it, so it must not be part of the preview.
    if (isWhole || size > characters + leastMargin) {
      return { document: cutTo(document, characters), isShortened: !isWhole || size > characters };
    }
  }
}

/** The second text during these segments; without a limit the last caption would get all that follows. */
function meanwhile({ second = null }: WritingFacts, { segments }: Transcript): Transcript | null {
  const endMs = segments.at(-1)?.endMs ?? 0;
  return second === null
    ? null
    : { ...second, segments: second.segments.filter((segment) => segment.startMs <= endMs) };
}

/** Cues are laid out in runs of some words; the preview must end before the last run, which may still grow. */
const leastMargin = 6_000;

export const writeUpTo = (
  exporter: Exporter,
  transcript: Transcript,
  given: GivenOptions,
  facts: WritingFacts,
  characters: number | null,
): { readonly document: ExportDocument; readonly isShortened: boolean } =>
  characters === null
    ? { document: writeDocument(exporter, transcript, given, facts), isShortened: false }
    : writeBeginning(exporter, transcript, given, facts, characters);

/** The result of `writeBeginning` from the first segments alone; null when it needs more of them, or all. */
export function writeFromStart(
  exporter: Exporter,
  start: Transcript,
  given: GivenOptions,
  facts: WritingFacts,
  characters: number,
): ExportDocument | null {
  if (needsAll(exporter)) return null;
  const { document, isShortened } = writeBeginning(exporter, start, given, facts, characters + leastMargin);
  return isShortened ? cutTo(document, characters) : null;
}
