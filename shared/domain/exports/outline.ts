import { writeDate } from '../text/write-locale.ts';
import { writtenLanguage } from '../transcript/in-script.ts';
import type { Segment, Transcript } from '../transcript/transcript.ts';
import { cleanLine, colourNumber, clockTime } from './format-text.ts';
import {
  hasSeveralSpeakers,
  choice,
  toggle,
  type ExportFacts,
  type OptionsOf,
  type Outline,
  type OutlineBlock,
  type OutlineParagraph,
} from './exporter.ts';
import { lengthClock } from '../time/time-code.ts';

export const outlineOptions = {
  speakers: choice(['none', 'first', 'change', 'every'], 'change'),
  timestamps: choice(['none', 'paragraph', 'segment']),
  paragraphs: choice(['speaker', 'segment', 'pause'], ({ dividedBy }) => dividedBy),
  header: toggle(),
  sections: choice(['none', '5', '10', '30']),
};

/** A title and a paragraph for each line; `# ` begins a heading, and `**` around bold words goes. */
export const plainOutline = (title: string, text: string, language: string): Outline => ({
  title,
  header: [],
  language,
  blocks: text
    .replaceAll('**', '')
    .split(/\n+/u)
    .filter((line) => line.trim() !== '')
    .map((line) =>
      /^#{1,6}\s/u.test(line)
        ? { kind: 'heading', text: line.replace(/^#+\s+/u, ''), startMs: 0 }
        : { kind: 'paragraph', startMs: 0, time: null, speaker: null, words: [], text: line },
    ),
  hasHeader: true,
  hasColours: false,
});

const paragraphPauseMs = 2000;
/** A paragraph of more captions than these on average is too long to read. */
const mostCaptions = 20;

export function arePartedByPauses(captions: readonly Segment[]): boolean {
  const pauses = captions.filter(
    ({ startMs }, at) => startMs - (captions[at - 1]?.endMs ?? startMs) >= paragraphPauseMs,
  );
  return captions.length <= (pauses.length + 1) * mostCaptions;
}

export function toOutline(
  transcript: Transcript,
  facts: ExportFacts,
  options: OptionsOf<typeof outlineOptions> & { readonly coloursSpeakers?: boolean; readonly linksAudio?: boolean },
): Outline {
  const isNamed = options.speakers !== 'none' && hasSeveralSpeakers(transcript);
  const places = new Map(transcript.speakers.map(({ id }, place) => [id, place]));
  const colours = transcript.speakers.map(colourNumber);
  const named = new Set<string>();
  const sectionMs = options.sections === 'none' ? Number.POSITIVE_INFINITY : Number(options.sections) * 60_000;
  let section = -1;
  let before: string | null = null;
  const blocks: OutlineBlock[] = [];
  for (const group of toParagraphs(transcript, options, sectionMs)) {
    const [first] = group;
    if (first === undefined) continue;
    const at = Math.floor(first.startMs / sectionMs);
    if (Number.isFinite(sectionMs) && at > section) {
      section = at;
      blocks.push({ kind: 'heading', text: clockTime(at * sectionMs), startMs: at * sectionMs });
    }
    const { speakerId } = first;
    const place = (speakerId === null ? undefined : places.get(speakerId)) ?? 0;
    const isSaid =
      isNamed &&
      speakerId !== null &&
      (options.speakers === 'every' ||
        (options.speakers === 'first'
          ? !named.has(speakerId)
          : speakerId !== before || options.paragraphs === 'speaker'));
    if (speakerId !== null) named.add(speakerId);
    before = speakerId;
    blocks.push({
      kind: 'paragraph',
      startMs: first.startMs,
      time: options.timestamps === 'none' ? null : clockTime(first.startMs),
      speaker:
        isSaid && speakerId !== null
          ? { name: cleanLine(facts.speakerName(speakerId)), place, colour: colours[place] ?? 1 }
          : null,
      words: options.linksAudio === true ? wordsOf(group) : [],
      text: group.map(({ text }) => cleanLine(text)).join(' '),
    });
  }
  return {
    title: cleanLine(facts.title),
    header: options.header ? headerOf(transcript, facts) : [],
    language: writtenLanguage(transcript),
    blocks,
    hasHeader: options.header,
    hasColours: options.coloursSpeakers ?? false,
  };
}

const wordsOf = (group: readonly Segment[]): OutlineParagraph['words'] =>
  group.flatMap(({ words }) =>
    words.map(({ text, startMs }) => ({ text: cleanLine(text), startMs })).filter(({ text }) => text !== ''),
  );

function* toParagraphs(
  { segments, speakers }: Transcript,
  { paragraphs, timestamps }: OptionsOf<typeof outlineOptions>,
  sectionMs: number,
): Generator<readonly Segment[]> {
  let group: Segment[] = [];
  for (const segment of segments) {
    if (cleanLine(segment.text) === '') continue;
    const last = group.at(-1);
    const [first] = group;
    const isJoined =
      last !== undefined &&
      first !== undefined &&
      paragraphs !== 'segment' &&
      timestamps !== 'segment' &&
      last.speakerId === segment.speakerId &&
      // Where speakers are not distinguished, pauses are all that divides the text.
      ((paragraphs === 'speaker' && speakers.length > 1) || segment.startMs - last.endMs < paragraphPauseMs) &&
      Math.floor(first.startMs / sectionMs) === Math.floor(segment.startMs / sectionMs);
    if (last !== undefined && !isJoined) {
      yield group;
      group = [];
    }
    group.push(segment);
  }
  if (group.length > 0) yield group;
}

function headerOf(transcript: Transcript, { madeAtMs, media, speakerName }: ExportFacts): readonly string[] {
  const day = writeDate(madeAtMs, writtenLanguage(transcript), 'long');
  const names = transcript.speakers.map(({ id }) => cleanLine(speakerName(id)));
  return [
    [day, lengthClock(transcript.durationMs), ...(media === null ? [] : [cleanLine(media.name)])]
      .filter((part) => part !== '')
      .join(' · '),
    ...(names.length > 1 ? [names.join(', ')] : []),
  ];
}
