import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { Logger } from '../../../shared/domain/diagnostics/log-entry.ts';
import { localFailure } from '../../../shared/domain/jobs/job-failures.ts';
import { lazySchema } from '../../../shared/domain/lazy-schema.ts';
import { applyChange } from '../../../shared/domain/transcript/change.ts';
import { withCommentsOf } from '../../../shared/domain/transcript/comments.ts';
import { differenceOf } from '../../../shared/domain/transcript/compare.ts';
import { withoutStruckWords } from '../../../shared/domain/transcript/edit-marks.ts';
import { toTranscript } from '../../../shared/domain/transcript/from-received.ts';
import { packChange, unpackChange, type PackedChange } from '../../../shared/domain/transcript/packed.ts';
import type { Transcript } from '../../../shared/domain/transcript/transcript.ts';
import type { Failure } from '../../../shared/result/failure.ts';
import { err, ok, type Result } from '../../../shared/result/result.ts';
import type { SttApi } from '../../service/stt.ts';
import type { ClientClock } from '../../service/transport.ts';
import { readNote } from '../library/store.ts';
import type { EarlierText, TextsInParts } from './text-in-parts.ts';
import { findTranscript } from './transcript-service.ts';
import type { LibraryStore } from '../../storage/sqlite-library-store.ts';

/** `not-offered`: without a revision nothing could be replaced safely; `conflict`: the user decides. */
type SyncState = 'off' | 'not-there' | 'not-offered' | 'same' | 'waiting' | 'conflict';

interface SyncView {
  readonly state: SyncState;
  readonly sentAtMs: number | null;
  readonly failure: Failure | null;
}

const known = lazySchema(() =>
  z.record(
    z.string(),
    z.object({
      localRevision: z.number().nullable(),
      remoteRevision: z.number().nullable(),
      sentAtMs: z.number().nullable(),
      /** Hash of the text sent last, recorded before sending: a lost answer must not look like a conflict. */
      sentSha256: z.string().nullable(),
      isWaiting: z.boolean(),
      isConflict: z.boolean(),
      isOffered: z.boolean(),
      title: z.string().nullable(),
    }),
  ),
);
type Known = z.output<ReturnType<typeof known>>;
type One = Known[string];
const nothing: One = {
  localRevision: null,
  remoteRevision: null,
  sentAtMs: null,
  sentSha256: null,
  isWaiting: false,
  isConflict: false,
  isOffered: true,
  title: null,
};

const restMs = 15_000;
const againMs = 60_000;

interface Ports {
  readonly store: LibraryStore;
  readonly texts: Pick<TextsInParts, 'version'>;
  readonly api: Pick<SttApi, 'readText' | 'saveText' | 'rename'>;
  readonly clock: ClientClock;
  readonly log: Logger;
  readonly isOn: () => boolean;
}

/** Two texts are compared by their words in order, whatever their segments are. */
const wordsOf = (segments: readonly { readonly text: string }[]): string =>
  segments
    .map(({ text }) => text)
    .join(' ')
    .replaceAll(/\s+/gu, ' ')
    .trim();
const hashOf = (segments: readonly { readonly text: string }[]): string =>
  createHash('sha256').update(wordsOf(segments)).digest('hex');

export function createTextSync({ store, texts, api, clock, log, isOn }: Ports) {
  let facts: Known = readNote(store, 'synced', known(), {});
  const failures = new Map<string, Failure>();
  let cancelTimer: (() => void) | null = null;
  let running: Promise<void> = Promise.resolve();
  let isClosed = false;

  const of = (id: string): One => facts[id] ?? nothing;
  const note = (id: string, change: Partial<One>): void => {
    const listed = store.listTranscripts();
    const there = new Set(listed.ok ? listed.value.map((line) => line.id) : Object.keys(facts));
    const next = { ...facts, [id]: { ...of(id), ...change } };
    // Nothing is kept about a deleted text.
    facts = Object.fromEntries(Object.entries(next).filter(([one]) => there.has(one)));
    store.saveNote('synced', JSON.stringify(facts));
  };
  const remoteIdOf = (id: string): string | null => {
    const found = store.transcriptFacts(id);
    return found.ok ? (found.value?.remoteId ?? null) : null;
  };
  const arm = (ms: number): void => {
    cancelTimer?.();
    cancelTimer = null;
    const isNeeded = Object.values(facts).some(({ isWaiting, title }) => isWaiting || title !== null);
    if (!isClosed && isNeeded) cancelTimer = clock.after(ms, () => void sendWaiting());
  };

  const firstResult = async (id: string, present: Transcript): Promise<Transcript | null> => {
    const first = await texts.version(id, 0);
    const applied = first.ok ? applyChange(present, unpackChange(first.value.change)) : null;
    return applied?.ok === true ? applied.value.transcript : null;
  };

  async function send(id: string, remoteId: string, allowed: number | null): Promise<Result<null>> {
    const found = findTranscript(store, id);
    if (!found.ok) return found;
    const { transcript, revision } = found.value;
    const before = of(id);
    const sent = withoutStruckWords(transcript);
    const isKnownThere = before.localRevision === revision || (revision === 0 && before.localRevision === null);
    if (allowed === null && isKnownThere) {
      note(id, { isWaiting: false, isConflict: false });
      return ok(null);
    }
    const there = await api.readText(remoteId);
    if (!there.ok) return there;
    // The library may have been closed meanwhile; what was recorded is enough to continue next time.
    if (isClosed) return ok(null);
    const { revision: remoteRevision, transcript: received, isEditable } = there.value;
    if (remoteRevision === null || received === null || !isEditable) {
      note(id, { isWaiting: false, isOffered: false });
      return ok(null);
    }
    const sha256 = hashOf(sent.segments);
    const remoteHash = hashOf(received.segments);
    const first = before.remoteRevision === null ? await firstResult(id, transcript) : null;
    if (isClosed) return ok(null);
    const isOurs =
      remoteRevision === before.remoteRevision ||
      remoteRevision === allowed ||
      remoteHash === before.sentSha256 ||
      (first !== null && remoteHash === hashOf(first.segments));
    if (remoteHash === sha256 || !isOurs) {
      const isSame = remoteHash === sha256;
      note(id, {
        isWaiting: false,
        isConflict: !isSame,
        isOffered: true,
        ...(isSame ? { localRevision: revision, remoteRevision } : {}),
      });
      return ok(null);
    }
    note(id, { sentSha256: sha256 });
    const saved = await api.saveText(remoteId, remoteRevision, sent);
    if (!saved.ok || isClosed) return saved.ok ? ok(null) : saved;
    if (saved.value.kind === 'stale') {
      note(id, { isWaiting: false, isConflict: true });
      return ok(null);
    }
    const sentAtMs = clock.now();
    note(id, {
      localRevision: revision,
      remoteRevision: saved.value.revision,
      sentAtMs,
      isWaiting: false,
      isConflict: false,
      isOffered: true,
    });
    return ok(null);
  }

  async function sendOne(id: string, allowed: number | null): Promise<void> {
    const remoteId = remoteIdOf(id);
    const { title, isWaiting } = of(id);
    if (remoteId === null) {
      if (isWaiting || title !== null) note(id, { isWaiting: false, title: null });
      return;
    }
    if (title !== null) {
      const renamed = await api.rename(remoteId, title);
      if (isClosed) return;
      if (renamed.ok && of(id).title === title) note(id, { title: null });
      else if (!renamed.ok) failures.set(id, renamed.error);
    }
    if (allowed === null && (!isWaiting || !isOn())) return;
    const done = await send(id, remoteId, allowed);
    if (done.ok) failures.delete(id);
    else {
      failures.set(id, done.error);
      log.write({ event: 'text-not-sent', level: 'warn', row: done.error.row, code: done.error.code });
    }
  }

  function sendWaiting(): Promise<void> {
    running = running.then(async () => {
      const ids = Object.entries(facts).flatMap(([id, { isWaiting, title }]) =>
        isWaiting || title !== null ? [id] : [],
      );
      for (const id of ids) if (!isClosed) await sendOne(id, null);
      arm(againMs);
    });
    return running;
  }

  const describe = (id: string): SyncView => {
    const { sentAtMs, isWaiting, isConflict, isOffered, localRevision } = of(id);
    const state = (): SyncState => {
      if (remoteIdOf(id) === null) return 'not-there';
      if (!isOn()) return 'off';
      if (!isOffered) return 'not-offered';
      if (isConflict) return 'conflict';
      const found = store.transcriptFacts(id);
      const isSent = found.ok && (found.value?.revision ?? 0) === (localRevision ?? 0);
      return isWaiting || !isSent ? 'waiting' : 'same';
    };
    return { state: state(), sentAtMs, failure: failures.get(id) ?? null };
  };

  return {
    describe,
    edited(id: string): void {
      if (!isOn() || remoteIdOf(id) === null) return;
      if (!of(id).isWaiting) note(id, { isWaiting: true });
      arm(restMs);
    },
    renamed(id: string, title: string): void {
      note(id, { title });
      arm(againMs);
    },
    /** The account's text and the last one that both had (null: not known), as changes that turn the local text into it. */
    async atService(
      id: string,
    ): Promise<Result<EarlierText & { readonly remoteRevision: number; readonly base: PackedChange | null }>> {
      const found = findTranscript(store, id);
      if (!found.ok) return found;
      const remoteId = remoteIdOf(id);
      const there = remoteId === null ? null : await api.readText(remoteId);
      if (there?.ok === false) return there;
      const { revision, transcript: received } = there?.value ?? { revision: null, transcript: null };
      if (received === null || revision === null)
        return err(localFailure('deleted-at-service', { code: 'unknown_transcript' }));
      const { transcript, revision: ofRevision } = found.value;
      const theirs = toTranscript(received, { language: transcript.language, durationMs: transcript.durationMs });
      const changeTo = (other: Transcript) => packChange(differenceOf(transcript, withCommentsOf(transcript, other)));
      const version = await texts.version(id, of(id).localRevision ?? 0);
      const isOfNow = version.ok && version.value.ofRevision === ofRevision;
      const base = isOfNow ? applyChange(transcript, unpackChange(version.value.change)) : null;
      return ok({
        ofRevision,
        change: changeTo(theirs),
        remoteRevision: revision,
        base: base?.ok === true ? changeTo(base.value.transcript) : null,
      });
    },
    /** The user has compared: the local text replaces that revision. */
    async replace(id: string, remoteRevision: number): Promise<Result<SyncView>> {
      note(id, { isConflict: false, isWaiting: true });
      running = running.then(() => sendOne(id, remoteRevision));
      await running;
      arm(againMs);
      return ok(describe(id));
    },
    start: (): void => {
      arm(restMs);
    },
    close(): void {
      isClosed = true;
      cancelTimer?.();
    },
  };
}
