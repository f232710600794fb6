import type { Segment, Transcript } from './transcript.ts';

/** `at` names the segment, a word as `segment:index`, or is empty for the whole. */
export interface TranscriptViolation {
  readonly rule:
    | 'id-not-unique'
    | 'time-not-whole'
    | 'ends-before-start'
    | 'out-of-order'
    | 'overlap-of-one-speaker'
    | 'beyond-duration'
    | 'word-outside-segment'
    | 'words-out-of-order'
    | 'text-differs-from-words'
    | 'unknown-speaker'
    | 'cuts-out-of-order';
  readonly at: string;
}

export function findViolations(transcript: Transcript): readonly TranscriptViolation[] {
  const found: TranscriptViolation[] = [];
  const ids = new Set<string>();
  const speakerIds = new Set(transcript.speakers.map(({ id }) => id));
  const lastEnd = new Map<string | null, number>();
  const report = (rule: TranscriptViolation['rule'], at: string): void => void found.push({ rule, at });
  const noteId = (id: string): void => {
    if (ids.has(id)) report('id-not-unique', id);
    ids.add(id);
  };

  for (const { id } of transcript.speakers) noteId(id);
  if (!isTime(transcript.durationMs)) report('time-not-whole', '');
  let lastStart = 0;
  for (const segment of transcript.segments) {
    const { id, speakerId, startMs, endMs } = segment;
    noteId(id);
    if (!isTime(startMs) || !isTime(endMs)) report('time-not-whole', id);
    if (endMs < startMs) report('ends-before-start', id);
    if (startMs < lastStart) report('out-of-order', id);
    if (startMs < (lastEnd.get(speakerId) ?? 0)) report('overlap-of-one-speaker', id);
    if (endMs > transcript.durationMs) report('beyond-duration', id);
    if (speakerId !== null && !speakerIds.has(speakerId)) report('unknown-speaker', id);
    lastStart = startMs;
    lastEnd.set(speakerId, endMs);
    checkWords(segment, report);
  }
  let lastCut = -1;
  for (const { startMs, endMs } of transcript.cuts ?? []) {
    if (!isTime(startMs) || !isTime(endMs) || startMs <= lastCut || endMs <= startMs) report('cuts-out-of-order', '');
    if (endMs > transcript.durationMs) report('beyond-duration', '');
    lastCut = endMs;
  }
  return found;
}

function checkWords(segment: Segment, report: (rule: TranscriptViolation['rule'], at: string) => void): void {
  let clock = segment.startMs;
  for (const [index, word] of segment.words.entries()) {
    const at = `${segment.id}:${index}`;
    if (!isTime(word.startMs) || !isTime(word.endMs)) report('time-not-whole', at);
    if (word.endMs < word.startMs) report('ends-before-start', at);
    if (word.startMs < segment.startMs || word.endMs > segment.endMs) report('word-outside-segment', at);
    if (word.startMs < clock) report('words-out-of-order', at);
    clock = word.endMs;
  }
  if (segment.words.map(({ text }) => text).join(' ') !== segment.text.replaceAll('\n', ' '))
    report('text-differs-from-words', segment.id);
}

const isTime = (value: number): boolean => Number.isSafeInteger(value) && value >= 0;
