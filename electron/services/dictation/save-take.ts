import { newJobMemory } from '../../../shared/domain/jobs/job-state.ts';
import { msOfSamples, writePhrases, type WritingRules } from '../../../shared/domain/dictation/written-phrases.ts';
import type { ReceivedSegment } from '../../../shared/domain/transcript/received.ts';
import { ok, type Result } from '../../../shared/result/result.ts';
import type { FileIdentity, LibraryStore } from '../library/store.ts';
import { writeReceived } from '../library/write-text.ts';
import { markPrepared } from '../media/audio-extractor.ts';
import type { StoredTake } from './takes-store.ts';

export interface SaveTakePorts {
  readonly store: Pick<LibraryStore, 'addJobs' | 'commit' | 'hideJobs'>;
  /** Copies the audio of a take into the library's audio folder; returns its name there. */
  readonly keepAudio: () => Promise<Result<FileIdentity & { readonly preparedName: string }>>;
  readonly rules: WritingRules;
  readonly newId: () => string;
  readonly now: () => number;
}

/** Turns a take into a transcript of the library: text, audio, and times of words. Nothing is sent. */
export async function saveTake(
  ports: SaveTakePorts,
  take: StoredTake,
  name: string,
): Promise<Result<{ readonly transcriptId: string }>> {
  const kept = await ports.keepAudio();
  if (!kept.ok) return kept;
  const { sha256, sizeBytes, mtimeMs, preparedName } = kept.value;
  const { language, captured } = take.facts;
  const durationMs = msOfSamples(captured);
  const segments = segmentsOf(take, ports.rules);
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
    memory: { ...newJobMemory, intent, state: { tag: 'done', transcriptId, speakerCount: 0, finishedAtMs: atMs } },
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

/** A segment for each phrase with a text, with the times of its words in the take. */
function segmentsOf({ phrases }: StoredTake, rules: WritingRules): readonly ReceivedSegment[] {
  return writePhrases(phrases, rules).flatMap((written) => {
    const phrase = phrases[written.id - 1];
    if (phrase === undefined || written.state !== 'text' || written.isTakenBack || written.text.trim() === '')
      return [];
    const words = (phrase.texts.at(-1)?.received.segments ?? []).flatMap((segment) =>
      segment.words.map((word) => ({
        ...word,
        ...(word.startMs === undefined ? {} : { startMs: word.startMs + written.startMs }),
        ...(word.endMs === undefined ? {} : { endMs: word.endMs + written.startMs }),
      })),
    );
    return [{ text: written.text, startMs: written.startMs, endMs: written.endMs ?? written.startMs, words }];
  });
}
