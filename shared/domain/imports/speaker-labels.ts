import { err, ok, type Result } from '../../result/result.ts';
import type { Change, EditRefusal } from '../transcript/change.ts';
import type { Segment, Transcript } from '../transcript/transcript.ts';
import type { PlacedSegment } from './import-problems.ts';

/** A short name without the punctuation of a sentence, as our own captions begin with. */
const label = /^([\p{Lu}\p{N}][\p{L}\p{M}\p{N}ʻʼ’'.… -]{0,40}):\s+(?=\S)/u;

/**
 * Captions that name their speakers in front of the words, as those of our own SRT: the first one does, there are two
 * names or more, and one returns. The others belong to whoever was named last. All other captions stay as they are.
 */
export function takeLabels(captions: readonly PlacedSegment[]): readonly PlacedSegment[] {
  const found = captions.map(({ segment }) => label.exec(segment.text));
  const named = found.flatMap((one) => one?.[1] ?? []);
  const nameCount = new Set(named).size;
  const hasVoices = captions.some(({ segment }) => segment.speaker !== undefined);
  if (hasVoices || found[0] === null || nameCount < 2 || named.length === nameCount) return captions;
  let speaker = '';
  return captions.map(({ place, segment }, at) => {
    const [prefix = '', name = speaker] = found[at] ?? [];
    speaker = name;
    return { place, segment: { ...segment, text: segment.text.slice(prefix.length), speaker } };
  });
}

/** One to three words with capital letters, as other programs write the speaker before the words: `ANNA:`, `Usta Karim:`. */
const nameBefore = /^(\p{Lu}[\p{L}\p{M}\p{N}ʻʼ’'.-]*(?: \p{Lu}[\p{L}\p{M}\p{N}ʻʼ’'.-]*){0,2}):[ \n]+(?=\S)/u;

/** The names before the words of at least two captions, in the order in which they first speak; empty where there are none. */
export function namesBefore(segments: readonly Segment[]): readonly string[] {
  const names = segments.flatMap(({ text }) => nameBefore.exec(text)?.[1] ?? []);
  return names.length < 2 ? [] : [...new Set(names)];
}

/** Makes speakers of these names: who is named before the words of a caption speaks in it. Other captions keep nobody. */
export function takeNames(transcript: Transcript, newId: () => string): Result<Change, EditRefusal> {
  const names = namesBefore(transcript.segments);
  if (names.length === 0) return err('nothing-to-change');
  const speakers = names.map((name) => ({ id: newId(), name }));
  const segments = transcript.segments.flatMap((segment) => {
    const [prefix = '', name] = nameBefore.exec(segment.text) ?? [];
    const speaker = speakers.find((one) => one.name === name);
    if (speaker === undefined) return [];
    const ofName = prefix.trim().split(/\s/u).length;
    return [
      {
        ...segment,
        speakerId: speaker.id,
        text: segment.text.slice(prefix.length),
        words: segment.words.slice(segment.words.length === 0 ? 0 : ofName),
      },
    ];
  });
  return ok([
    { type: 'speakers', speakers: [...transcript.speakers, ...speakers] },
    { type: 'set', segments },
  ]);
}
