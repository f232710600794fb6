import { localFailure } from '../../../shared/domain/jobs/job-failures.ts';
import type { SpeechLanguage } from '../../../shared/domain/languages.ts';
import { requestIdentity, type SpeechRequest } from '../../../shared/domain/speech/blocks.ts';
import type { Failure } from '../../../shared/result/failure.ts';
import { err, ok, type Result } from '../../../shared/result/result.ts';
import type { Downloader } from '../../service/download.ts';
import type { SpeakApi } from '../../service/speak.ts';
import type { AudioFolder } from '../media/audio-extractor.ts';
import type { StoredTake } from './speech-file.ts';
import type { SpeechService } from './speech-service.ts';
import type { SpeechStore } from '../../storage/sqlite-speech-store.ts';

const spokenRate = 24_000;
const mostHeaderBytes = 4096;

export interface GenerateOptions {
  /** Makes another take although there is one with the same content; it is charged. */
  readonly isNewTake?: boolean;
  /** Repeats a request that may have been charged already (job-not-found). */
  readonly sendsAgain?: boolean;
  /** Sends under this idempotency key or not at all (job-not-found). */
  readonly onlyKey?: string | null;
  readonly onAudio?: (pcm: Int16Array<ArrayBuffer>) => void;
}

export interface RemoteTake {
  readonly id: string;
  readonly text: string;
  readonly voiceId: string | null;
  readonly language: string | null;
  readonly createdAtMs: number | null;
  readonly durationMs: number | null;
}

export interface SpeechHistory {
  readonly takes: readonly StoredTake[];
  readonly remote: readonly RemoteTake[];
  readonly hasMore: boolean;
  readonly failure: Failure | null;
}

export interface SpeechTakesPorts {
  readonly store: SpeechStore;
  readonly speech: SpeechService;
  readonly api: SpeakApi;
  readonly downloader: Downloader;
  readonly folder: AudioFolder;
  readonly measure: (path: string) => Promise<{
    readonly sizeBytes: number;
    readonly durationMs: number | null;
    readonly bars: string;
  } | null>;
  readonly isThere: (path: string) => Promise<boolean>;
  readonly now: () => number;
  readonly newId: () => string;
}

const waitMs = 10 * 60_000;

export function createSpeechTakes(ports: SpeechTakesPorts) {
  const { store, speech, api, downloader, folder, measure, isThere, now, newId } = ports;
  const ending = new AbortController();
  const running = new Map<string, Promise<Result<StoredTake>>>();
  const pathOf = ({ fileName }: Pick<StoredTake, 'fileName'>): string => folder.pathOf(fileName ?? '');

  const newTake = (request: SpeechRequest): StoredTake => ({
    ...request,
    id: newId(),
    identity: requestIdentity(request),
    state: 'asked',
    idempotencyKey: null,
    generationId: null,
    requestId: null,
    createdAtMs: now(),
    durationMs: null,
    sizeBytes: null,
    fileName: null,
    bars: '',
    failure: null,
  });

  /** A complete file gets its final name; only then the take counts as made. */
  const keep = async (take: StoredTake, name: string): Promise<Result<StoredTake>> => {
    const kept = await folder.keep(name, 'wav');
    if (!kept.ok) return kept;
    const measures = await measure(folder.pathOf(kept.value));
    if (measures === null) return err(localFailure('disk-space-short'));
    const made: StoredTake = { ...take, ...measures, fileName: kept.value, state: 'made', failure: null };
    const written = store.updateTake(made);
    return written.ok ? ok(made) : written;
  };

  const send = async (request: SpeechRequest, options: GenerateOptions): Promise<Result<StoredTake>> => {
    let take = newTake(request);
    const name = take.id;
    const prepared = await folder.prepare(name);
    if (!prepared.ok) return prepared;
    const { onAudio } = options;
    const spoken = await speech.speak({
      ...request,
      target: prepared.value,
      sendsAgain: options.sendsAgain === true,
      waitMs,
      signal: ending.signal,
      noteKey: (idempotencyKey) => {
        if (options.onlyKey !== undefined && options.onlyKey !== idempotencyKey)
          return err(localFailure('job-not-found', { code: 'old_request' }));
        const asked = store.askTake({ ...take, idempotencyKey });
        if (!asked.ok) return asked;
        // It may be the take of an earlier attempt.
        take = asked.value;
        return ok(null);
      },
      ...(onAudio === undefined ? {} : { listen: listenToPcm(onAudio) }),
    });
    if (!spoken.ok) {
      const { outcome } = spoken.error;
      const isOpen = outcome === 'unknown' || outcome === 'accepted';
      // What may have been accepted stays requested: the next attempt is the same action.
      if (take.idempotencyKey !== null)
        store.updateTake({ ...take, state: isOpen ? 'asked' : 'failed', failure: spoken.error });
      return spoken;
    }
    const made = await keep({ ...take, requestId: spoken.value.requestId }, name);
    if (made.ok) spoken.value.settle();
    return made;
  };

  const asHeard = async (found: Result<readonly StoredTake[]>): Promise<typeof found> =>
    found.ok
      ? ok(
          await Promise.all(
            found.value.map(async (take): Promise<StoredTake> =>
              take.state !== 'made' || (await isThere(pathOf(take)))
                ? take
                : { ...take, state: 'failed', failure: localFailure('file-unreadable', { code: 'speech_gone' }) },
            ),
          ),
        )
      : found;
  const findByRequests = (requests: readonly SpeechRequest[]): Promise<Result<readonly StoredTake[]>> =>
    asHeard(store.takesByIdentity(requests.map(requestIdentity)));

  const generate = async (request: SpeechRequest, options: GenerateOptions = {}): Promise<Result<StoredTake>> => {
    const identity = requestIdentity(request);
    if (options.isNewTake !== true) {
      const found = await findByRequests([request]);
      if (!found.ok) return found;
      const [take] = found.value;
      if (take?.state === 'made') return ok(take);
    }
    // Two blocks with the same words are one generation.
    const same = running.get(identity);
    if (same !== undefined) return same;
    const sent = send(request, options).finally(() => running.delete(identity));
    running.set(identity, sent);
    return sent;
  };

  return {
    /** Existing audio costs nothing; an earlier attempt is repeated under its own key. */
    generate,
    /** Each under its own key; one that would be a new request fails with job-not-found. */
    async resume(onChanged: (take: StoredTake) => void): Promise<void> {
      const open = store.openTakes();
      if (!open.ok) return;
      for (const take of open.value) {
        if (ending.signal.aborted) return;
        const { text, voiceId, speed } = take;
        const asked = await generate(
          { text, language: take.language as SpeechLanguage, voiceId, speed },
          { isNewTake: true, onlyKey: take.idempotencyKey },
        );
        if (asked.ok) onChanged(asked.value);
        else {
          const found = store.take(take.id);
          if (!found.ok || found.value === null) continue;
          const unanswered = { ...found.value, failure: asked.error };
          store.updateTake(unanswered);
          onChanged(unanswered);
        }
      }
    },
    findByIds: (ids: readonly string[]): Promise<Result<readonly StoredTake[]>> => asHeard(store.takes(ids)),
    findByRequests,
    pathOf,
    async history(
      search: string,
      beforeMs: number | null,
      limit: number,
      withRemote: boolean,
    ): Promise<Result<SpeechHistory>> {
      const local = store.history(search, beforeMs, limit + 1);
      if (!local.ok) return local;
      const takes = local.value.slice(0, limit);
      const hasMore = local.value.length > limit;
      if (!withRemote) return ok({ takes, remote: [], hasMore, failure: null });
      const listed = await api.list({ limit: 100 }, ending.signal);
      if (!listed.ok) return ok({ takes, remote: [], hasMore, failure: listed.error });
      const everything = store.history('', null, Number.MAX_SAFE_INTEGER);
      const contentOf = (text: string, voiceId: string | null) => `${voiceId ?? ''}\n${text}`;
      const known = new Set((everything.ok ? everything.value : []).map((take) => contentOf(take.text, take.voiceId)));
      const wanted = search.trim().toLocaleLowerCase();
      const remote = listed.value.items
        .filter(({ status }) => status === null || status === 'completed')
        .map(({ id, text, voiceId, language, createdAt, durationMs }): RemoteTake => {
          const atMs = Date.parse(createdAt ?? '');
          return {
            id,
            text: text ?? '',
            voiceId,
            language,
            createdAtMs: Number.isNaN(atMs) ? null : atMs,
            durationMs,
          };
        })
        .filter(({ text, voiceId }) => !known.has(contentOf(text, voiceId)))
        .filter(({ text }) => text.toLocaleLowerCase().includes(wanted));
      return ok({ takes, remote, hasMore, failure: null });
    },
    async download(remoteId: string): Promise<Result<StoredTake>> {
      const read = await api.read(remoteId, ending.signal);
      if (!read.ok) return read;
      const { text, voiceId, language, createdAt } = read.value;
      const atMs = Date.parse(createdAt ?? '');
      const take: StoredTake = {
        ...newTake({
          text: text ?? '',
          language: (language ?? 'uz') as SpeechLanguage,
          voiceId: voiceId ?? '',
          speed: 1,
        }),
        // Its speed is unknown, so it can't match any request.
        identity: `remote:${remoteId}`,
        generationId: remoteId,
        ...(Number.isNaN(atMs) ? {} : { createdAtMs: atMs }),
      };
      const target = await folder.prepare(take.id);
      if (!target.ok) return target;
      const received = await downloader.download({
        target: target.value,
        signal: ending.signal,
        freshUrl: async (signal) => {
          const fresh = await api.read(remoteId, signal);
          if (!fresh.ok) return fresh;
          return fresh.value.audio === null ? err(localFailure('result-missing')) : ok(fresh.value.audio);
        },
      });
      if (!received.ok) return received;
      const asked = store.askTake(take);
      return asked.ok ? keep(asked.value, take.id) : asked;
    },
    hide: (takeIds: readonly string[], isHidden: boolean): Result<null> => store.hide(takeIds, isHidden),
    hideRemote: (remoteId: string): Promise<Result<null>> => api.remove(remoteId, ending.signal),
    async close(): Promise<void> {
      ending.abort();
      await Promise.allSettled(running.values());
    },
  };
}

export type SpeechTakes = ReturnType<typeof createSpeechTakes>;

/** A second attempt brings the same file from its start: samples already emitted are skipped. */
function listenToPcm(onAudio: (pcm: Int16Array<ArrayBuffer>) => void) {
  let given = 0;
  return () => {
    let head: Buffer | null = Buffer.alloc(0);
    let isPlain = true;
    let seen = 0;
    let odd: Buffer = Buffer.alloc(0);
    const take = (bytes: Uint8Array) => {
      const whole = Buffer.concat([odd, bytes]);
      const length = whole.length - (whole.length % 2);
      odd = whole.subarray(length);
      const samples = new Int16Array(length / 2);
      for (let at = 0; at < samples.length; at += 1) samples[at] = whole.readInt16LE(at * 2);
      const fresh = samples.slice(Math.max(0, given - seen));
      seen += samples.length;
      if (fresh.length === 0) return;
      given = seen;
      onAudio(fresh);
    };
    return (chunk: Uint8Array): void => {
      if (!isPlain) return;
      if (head === null) {
        take(chunk);
        return;
      }
      head = Buffer.concat([head, chunk]);
      const dataAt = head.indexOf('data', 12, 'latin1');
      if (dataAt === -1 || head.length < dataAt + 8) {
        isPlain = head.length < mostHeaderBytes;
        return;
      }
      const format = head.indexOf('fmt ', 12, 'latin1');
      isPlain =
        format !== -1 &&
        format < dataAt &&
        head.readUInt16LE(format + 10) === 1 &&
        head.readUInt32LE(format + 12) === spokenRate &&
        head.readUInt16LE(format + 22) === 16;
      const first = head.subarray(dataAt + 8);
      head = null;
      if (isPlain) take(first);
    };
  };
}
