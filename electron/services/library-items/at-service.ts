import { createHash } from 'node:crypto';
import { z } from 'zod';
import { localFailure } from '../../../shared/domain/jobs/job-failures.ts';
import { newJobRecord, optionsOf } from '../../../shared/domain/jobs/job-state.ts';
import { speechLanguages, type SpeechLanguage } from '../../../shared/domain/languages.ts';
import type { RemoteTranscript } from '../../../shared/domain/library/library-item.ts';
import type { Failure } from '../../../shared/result/failure.ts';
import { err, ok, type Result } from '../../../shared/result/result.ts';
import type { RemoteTranscriptionItem } from '../../service/stt.ts';
import { transcription } from '../../queue/kinds.ts';
import type { QueueDeps } from '../../queue/effects.ts';
import { readNote } from '../library/store.ts';
import { noRecording } from '../media/audio-extractor.ts';
import type { LibraryStore } from '../../storage/sqlite-library-store.ts';

const pageSize = 100;
const mostPages = 100;
/** A transcript missing from the list is requested individually before it is called deleted. */
const mostAsked = 50;

export const readDeletedAtService = (store: Pick<LibraryStore, 'note'>): ReadonlySet<string> =>
  new Set(readNote(store, 'deleted-at-service', z.array(z.string()), []));

/** Transcripts of the account at the service, compared with those of the library (contract 4.6); free. */
export function createAtService(ports: QueueDeps) {
  const { api, store, clock, newId } = ports;
  let listed = new Map<string, RemoteTranscriptionItem>();

  const readAll = async (signal: AbortSignal) => {
    const found = new Map<string, RemoteTranscriptionItem>();
    let cursor: string | undefined;
    for (let page = 0; page < mostPages; page += 1) {
      const answer = await api.list({ limit: pageSize, ...(cursor === undefined ? {} : { cursor }) }, signal);
      if (!answer.ok) return answer;
      for (const item of answer.value.items) found.set(item.remoteId, item);
      if (answer.value.nextCursor === null) return ok({ found, isWhole: true });
      cursor = answer.value.nextCursor;
    }
    return ok({ found, isWhole: false });
  };

  return {
    /** Reads the service's whole list, and records which of ours are gone there. */
    async compare(signal: AbortSignal) {
      const ours = store.listTranscripts();
      if (!ours.ok) return ours;
      const all = await readAll(signal);
      if (!all.ok) return all;
      listed = all.value.found;
      const known = new Set(ours.value.flatMap(({ remoteId }) => remoteId ?? []));
      const before = readDeletedAtService(store);
      const removals = store.items.removals();
      const leaving = new Set(removals.ok ? removals.value.map(({ remoteId }) => remoteId) : []);
      const deleted = new Set<string>();
      let asked = 0;
      for (const remoteId of known) {
        if (listed.has(remoteId)) continue;
        if (before.has(remoteId)) deleted.add(remoteId);
        else if (all.value.isWhole && asked < mostAsked) {
          asked += 1;
          const read = await api.read(remoteId, signal);
          if (!read.ok && isGone(read.error)) deleted.add(remoteId);
        }
      }
      const saved = store.saveNote('deleted-at-service', JSON.stringify([...deleted]));
      if (!saved.ok) return saved;
      const items = [...listed.values()]
        .filter(({ remoteId, status }) => !known.has(remoteId) && !leaving.has(remoteId) && status !== 'failed')
        .filter(({ remoteId }) => !store.isRemoteIdTaken(remoteId, ''))
        .map((item): RemoteTranscript => ({
          remoteId: item.remoteId,
          title: item.title ?? '',
          createdAtMs: timeOf(item.createdAt),
          durationMs: item.durationMs,
          language: languageOf(item.language),
          isReady: item.status === 'completed' || item.status === 'unknown',
        }))
        .toSorted((one, other) => (other.createdAtMs ?? 0) - (one.createdAtMs ?? 0));
      return ok({ items, deletedCount: deleted.size, isWhole: all.value.isWhole });
    },

    async bringIn(remoteId: string, signal: AbortSignal): Promise<Result<{ readonly transcriptId: string }>> {
      const item = listed.get(remoteId);
      const language: SpeechLanguage = languageOf(item?.language ?? null) ?? 'uz';
      const name = item?.title?.trim() || remoteId;
      const createdAtMs = timeOf(item?.createdAt ?? null) ?? clock.now();
      // A hash of the service's id stands for the recording, so that two are never taken for one.
      const sha256 = createHash('sha256').update(`${noRecording}${remoteId}`).digest('hex');
      const intent = {
        idempotencyKey: newId(),
        sha256,
        sizeBytes: 0,
        mtimeMs: 0,
        firstSentAtMs: null,
        isUnsettled: false,
        boundTo: null,
        remoteId,
        acceptedAtMs: null,
      };
      const job = {
        id: newId(),
        seq: 0,
        path: `${noRecording}${remoteId}`,
        name,
        sizeBytes: 0,
        durationMs: item?.durationMs ?? null,
        ...optionsOf({ kind: 'transcribe', language, includeSpeakers: false }),
        kind: 'transcribe' as const,
        language,
        includeSpeakers: false,
        addedAtMs: createdAtMs,
        rank: 0,
        memory: { ...newJobRecord, intent },
      };
      if (store.isRemoteIdTaken(remoteId, '')) return err(localFailure('deleted-at-service', { code: 'already_here' }));
      // Read before anything is stored, so that a failed import leaves nothing behind.
      const read = await api.read(remoteId, signal);
      if (!read.ok)
        return isGone(read.error) ? err(localFailure('deleted-at-service', { code: 'gone_at_service' })) : read;
      if (read.value.status === 'queued' || read.value.status === 'processing')
        return err(localFailure('result-missing', { code: 'not_ready' }));
      const added = store.addJobs([
        { ...job, memory: { ...newJobRecord, state: { tag: 'cancelled', isAcceptedByService: true } } },
      ]);
      if (!added.ok) return added;
      const hidden = store.hideJobs([job.id]);
      if (!hidden.ok) return hidden;
      const whole = await transcription.poll(ports, job, remoteId, signal);
      if (!whole.ok) return whole;
      const exported =
        whole.value.facts.result === null ? await transcription.fetchResult(ports, job, remoteId, signal) : whole;
      const found = exported.ok ? exported.value.output : undefined;
      if (found?.transcript === undefined) return err(localFailure('answer-unreadable', { code: 'no_words' }));
      const transcript = { ...found.transcript, title: name, createdAtMs };
      const state = {
        tag: 'done',
        finishedAtMs: clock.now(),
        transcriptId: transcript.id,
        speakerCount: transcript.written.speakers.length,
      } as const;
      const stored = store.commit(
        { ...job, memory: { ...newJobRecord, intent, state } },
        { type: 'recovered' },
        clock.now(),
        { ...found, transcript },
      );
      const done = stored.ok ? store.hideJobs([job.id]) : stored;
      return done.ok ? ok({ transcriptId: transcript.id }) : done;
    },
  };
}

/** 404 or 410 at a transcript's own address. */
const isGone = ({ kind }: Failure): boolean =>
  kind === 'deleted-at-service' || kind === 'job-not-found' || kind === 'gone-at-service';

const timeOf = (written: string | null): number | null => {
  const atMs = Date.parse(written ?? '');
  return Number.isNaN(atMs) ? null : atMs;
};
const languageOf = (written: string | null): SpeechLanguage | null =>
  speechLanguages.find((known) => known === written) ?? null;
