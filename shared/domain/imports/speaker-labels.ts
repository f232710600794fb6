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
