import { newJobRecord } from '../../../shared/domain/jobs/job-state.ts';
import { dictationRate } from '../../../shared/domain/dictation/phrase-cutter.ts';
import { writeSpoken } from '../../../shared/domain/dictation/spoken-commands.ts';
import { textOf, type Phrase } from '../../../shared/domain/dictation/take.ts';
import {
  msOfSamples,
  writePhrases,
  type WritingRules,
  type WrittenPhrase,
} from '../../../shared/domain/dictation/written-phrases.ts';
import type { ReceivedSegment } from '../../../shared/domain/transcript/received.ts';
import { ok, type Result } from '../../../shared/result/result.ts';
import { writeReceived, type FileIdentity } from '../library/store.ts';
import type { LibraryStore } from '../../storage/sqlite-library-store.ts';
import { markPrepared } from '../media/audio-extractor.ts';
import type { StoredTake } from './take-engine.ts';

export interface TakePart {
  readonly from: number;
  readonly to: number;
}

export interface SaveTakePorts {
  readonly store: Pick<LibraryStore, 'addJobs' | 'commit' | 'hideJobs'>;
  readonly keepAudio: (parts: readonly TakePart[]) => Promise<Result<FileIdentity & { readonly preparedName: string }>>;
  readonly rules: WritingRules;
  readonly newId: () => string;
  readonly now: () => number;
}

/** What was discarded or taken back is in neither text nor audio, because a document is passed on. */
export async function saveTake(
  ports: SaveTakePorts,
  take: StoredTake,
  name: string,
): Promise<Result<{ readonly transcriptId: string }>> {
  const written = writePhrases(take.phrases, ports.rules);
  const removed = removedFrom(take, written, ports.rules);
  const parts = partsBetween(removed, take.facts.captured);
  const kept = await ports.keepAudio(parts);
  if (!kept.ok) return kept;
  const { sha256, sizeBytes, mtimeMs, preparedName } = kept.value;
  const { language } = take.facts;
  const durationMs = msOfSamples(parts.reduce((sum, { from, to }) => sum + to - from, 0));
  const segments = segmentsOf(take, written, removed);
  const received = { text: segments.map(({ text }) => text).join(' '), segments };
  const [jobId, transcriptId, atMs] = [ports.newId(), ports.newId(), ports.now()];
  const intent = {
    idempotencyKey: ports.newId(),
    sha256,
    sizeBytes,
    mtimeMs,
    preparedName,
    firstSentAtMs: null,
    isUnsettled: false,
    boundTo: null,
    remoteId: null,
    acceptedAtMs: null,
  };
  const job = {
    kind: 'transcribe',
    id: jobId,
    seq: 0,
    path: markPrepared(preparedName),
    name,
    sizeBytes,
    durationMs,
    language,
    includeSpeakers: false,
    addedAtMs: take.facts.startedAtMs,
    rank: 0,
    memory: { ...newJobRecord, intent, state: { tag: 'done', transcriptId, speakerCount: 0, finishedAtMs: atMs } },
  } as const;
  const text = {
    id: transcriptId,
    jobId,
    title: name,
    sourceName: name,
    createdAtMs: take.facts.startedAtMs,
    mediaPath: markPrepared(preparedName),
    mediaSha256: sha256,
    remoteId: null,
    rawAnswerId: null,
    model: null,
    written: writeReceived(received, { language, durationMs }),
  };
  const added = ports.store.addJobs([job]);
  if (!added.ok) return added;
  const committed = ports.store.commit(job, { type: 'recovered' }, atMs, { transcript: text });
  if (!committed.ok) return committed;
  // It was never in the queue, so its row is hidden from every list.
  const hidden = ports.store.hideJobs([jobId]);
  return hidden.ok ? ok({ transcriptId }) : hidden;
}

/** The audio of what the user discarded, or took back by a spoken command. */
function removedFrom(
  { phrases }: StoredTake,
  written: readonly WrittenPhrase[],
  rules: WritingRules,
): readonly TakePart[] {
  return written.flatMap(({ id, state, isTakenBack, isEdited }) => {
    const phrase = phrases[id - 1];
    if (phrase === undefined || phrase.to === null) return [];
    const { from, to } = phrase;
    if (state === 'discarded' || isTakenBack) return [{ from, to }];
    const scratchedMs = isEdited ? 0 : scratchedOf(phrase, rules);
    return scratchedMs === 0
      ? []
      : [{ from, to: Math.min(to, from + Math.round((scratchedMs * dictationRate) / 1000)) }];
  });
}

/** Until when a phrase took back its own words, milliseconds from its beginning; 0 where its words have no times. */
function scratchedOf(phrase: Phrase, { hasCommands }: WritingRules): number {
  const text = textOf(phrase);
  const language = phrase.texts.at(-1)?.language ?? phrase.language;
  const { scratchedWords } = writeSpoken(text, { language, replacements: [], hasCommands });
  const words = receivedSegments(phrase).flatMap((segment) => segment.words);
  const isEachTimed = words.length === text.split(/\s+/u).length;
  return isEachTimed ? (words[scratchedWords - 1]?.endMs ?? 0) : 0;
}

const receivedSegments = (phrase: Phrase): readonly ReceivedSegment[] => phrase.texts.at(-1)?.received.segments ?? [];

function partsBetween(removed: readonly TakePart[], captured: number): readonly TakePart[] {
  const borders = [0, ...removed.flatMap(({ from, to }) => [from, to]), captured];
  return Array.from({ length: borders.length / 2 }, (_, at) => ({
    from: borders[at * 2] ?? 0,
    to: borders[at * 2 + 1] ?? 0,
  })).filter(({ from, to }) => from < to);
}

function segmentsOf(
  { phrases }: StoredTake,
  written: readonly WrittenPhrase[],
  removed: readonly TakePart[],
): readonly ReceivedSegment[] {
  return written.flatMap(({ id, state, text, isTakenBack }) => {
    const phrase = phrases[id - 1];
    if (phrase === undefined || state !== 'text' || isTakenBack || text.trim() === '') return [];
    const begin = removed.find(({ from }) => from === phrase.from)?.to ?? phrase.from;
    const before = removed.reduce((sum, { from, to }) => (to <= begin ? sum + to - from : sum), 0);
    const startMs = msOfSamples(begin - before);
    const endMs = msOfSamples((phrase.to ?? phrase.from) - before);
    const zeroMs = msOfSamples(phrase.from - before);
    const words = receivedSegments(phrase).flatMap((segment) =>
      segment.words
        .map((word) => ({
          ...word,
          ...(word.startMs === undefined ? {} : { startMs: word.startMs + zeroMs }),
          ...(word.endMs === undefined ? {} : { endMs: word.endMs + zeroMs }),
        }))
        .filter(({ endMs: end }) => end === undefined || end > startMs),
    );
    return [{ text, startMs, endMs, words }];
  });
}
