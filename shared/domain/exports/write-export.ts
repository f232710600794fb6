import { withoutStruckWords } from '../transcript/edit-marks.ts';
import { inScript, writtenLanguage, type TranscriptScript } from '../transcript/in-script.ts';
import type { InterfaceLanguage } from '../languages.ts';
import type { Transcript } from '../transcript/transcript.ts';
import type { ExportFacts, Exporter } from './exporter.ts';

/** What an export needs besides the transcript: how a speaker without a name is called in its language. */
export interface WritingFacts {
  readonly title: string;
  readonly nameSpeaker: (language: InterfaceLanguage, number: number) => string;
}

function factsOf(transcript: Transcript, { title, nameSpeaker }: WritingFacts): ExportFacts {
  const language = writtenLanguage(transcript);
  const places = new Map(transcript.speakers.map(({ id }, at) => [id, at]));
  return {
    title,
    speakerName: (speakerId) => {
      const at = places.get(speakerId) ?? -1;
      return transcript.speakers[at]?.name ?? nameSpeaker(language, at + 1);
    },
  };
}

/** The whole file as text, in the letters asked for. */
export function writeWhole(
  exporter: Exporter<string>,
  transcript: Transcript,
  script: TranscriptScript,
  facts: WritingFacts,
): string {
  const shown = inScript(withoutStruckWords(transcript), script);
  return exporter.write(shown, factsOf(shown, facts));
}

/** The alphabet of a text is told by so many of its segments; speakers without a name are called by it. */
const leastSegments = 200;

/**
 * The first `characters` of that file, and whether there is more of it. Only as many segments are written as that takes:
 * segments stand in the order of their times, and no format writes of later ones before it has written the earlier ones.
 */
export function writeBeginning(
  exporter: Exporter<string>,
  transcript: Transcript,
  script: TranscriptScript,
  facts: WritingFacts,
  characters: number,
): { readonly text: string; readonly isCut: boolean } {
  const all = transcript.segments.length;
  for (let count = Math.min(all, leastSegments), until = characters * 2; ; until *= 2) {
    for (let letters = 0; count < all && letters < until; count += 1)
      letters += transcript.segments[count]?.text.length ?? 0;
    const text = writeWhole(exporter, { ...transcript, segments: transcript.segments.slice(0, count) }, script, facts);
    const isWhole = count >= all;
    // Ends of the last one depend on what follows it, so it must not be among what is shown.
    if (isWhole || text.length > characters * 1.5) {
      return { text: text.slice(0, characters), isCut: !isWhole || text.length > characters };
    }
  }
}

/** The file as text: all of it, or only its first `characters` where they are given; and whether there is more. */
export function writeUpTo(
  exporter: Exporter<string>,
  transcript: Transcript,
  script: TranscriptScript,
  facts: WritingFacts,
  characters: number | null,
): { readonly text: string; readonly isCut: boolean } {
  return characters === null
    ? { text: writeWhole(exporter, transcript, script, facts), isCut: false }
    : writeBeginning(exporter, transcript, script, facts, characters);
}
