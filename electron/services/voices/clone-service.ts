import { parseStored } from '../../../shared/result/failure-kinds.ts';
import type { UploadSource } from '../../service/upload.ts';
import { makeFailure } from '../../../shared/domain/failures/make-failure.ts';
import { localFailure } from '../../../shared/domain/jobs/job-failures.ts';
import type { SpeechLanguage } from '../../../shared/domain/languages.ts';
import { wavHeader, wavHeaderBytes } from '../../../shared/domain/media/wav-header.ts';
import {
  followEnrollment,
  newDraft,
  withReference,
  withUsedChallenge,
  type CloneChange,
  type CloneDraft,
  type CloneRecording,
  type CloneSending,
} from '../../../shared/domain/voices/clone-draft.ts';
import {
  cloneRules,
  detailsFrom,
  findDetailTroubles,
  findRecordingTrouble,
  isTranscriptFit,
  labelsOf,
  type VoiceDetails,
} from '../../../shared/domain/voices/clone-rules.ts';
import type { Failure } from '../../../shared/result/failure.ts';
import { err, ok, type Result } from '../../../shared/result/result.ts';
import type { AccountApi } from '../../service/account.ts';

import type { AudioFolder } from '../media/audio-extractor.ts';
import type { SpeechStore } from '../../storage/sqlite-speech-store.ts';
import { uploadRoute } from '../../service/client.ts';
import type { CloneApi, CloneCapabilities, Enrollment } from '../../service/speak.ts';

export interface NewRecording {
  readonly what: 'reference' | 'reading';
  readonly parts: readonly Int16Array[];
  readonly sampleRate: number;
  readonly language: SpeechLanguage;
  readonly removesNoise: boolean;
  readonly name: string | null;
}

export interface CloneServicePorts {
  readonly store: Pick<SpeechStore, 'note' | 'saveNote'>;
  readonly api: CloneApi;
  readonly folder: AudioFolder;
  readonly writeFile: (path: string, bytes: Uint8Array) => Promise<Result<null>>;
  readonly describeFile: (path: string) => Promise<{ readonly sizeBytes: number; readonly mtimeMs: number } | null>;
  readonly readFile: (path: string) => Promise<Uint8Array | null>;
  readonly now: () => number;
  readonly newId: () => string;
  /** Whether the account's log shows an upload of about this size since then; null: it can't be read. */
  readonly findUpload: (sinceMs: number, sizeBytes: number) => Promise<boolean | null>;
  readonly after: (ms: number, callback: () => void) => () => void;
}

/** The service answers, or gives up, in this time (contract 8); its log shows a request when it has ended. */
const uploadEndsMs = 185_000;
const lookEveryMs = 5000;
const formBytes = 4096;
/** The clock of the service may be behind ours. */
const clockSlackMs = 60_000;

export const findUploadIn =
  ({ requestLogs }: Pick<AccountApi, 'requestLogs'>, isKnown: () => boolean): CloneServicePorts['findUpload'] =>
  async (sinceMs, sizeBytes) => {
    if (!isKnown()) return null;
    const dateOf = (ms: number) => new Date(ms).toISOString().slice(0, 10);
    const days = { from: dateOf(sinceMs - dayMs), to: dateOf(sinceMs + 2 * dayMs) };
    const found = await requestLogs({ ...days, method: 'POST', route: uploadRoute }, { limit: 100 });
    if (!found.ok) return null;
    return found.value.items.some(
      ({ at, status, requestBytes }) =>
        Date.parse(at ?? '') >= sinceMs - clockSlackMs &&
        Math.floor((status ?? 0) / 100) === 2 &&
        (requestBytes ?? 0) >= sizeBytes &&
        (requestBytes ?? 0) < sizeBytes + formBytes,
    );
  };
const dayMs = 86_400_000;

const spoolNote = 'voice-clone-recording';
const spoolName = 'recording-now.wav';

const note = 'voice-clone-draft';

export function createCloneService(ports: CloneServicePorts) {
  const { store, api, folder, now, newId } = ports;
  let running: AbortController | null = null;
  let isRecording = false;

  const stored = (): Result<CloneDraft | null> => {
    const kept = store.note(note);
    if (!kept.ok) return kept;
    return ok(kept.value === null || kept.value === '' ? null : (parseStored(kept.value) as CloneDraft));
  };
  const save = (draft: CloneDraft): Result<CloneDraft> => {
    const dated = { ...draft, updatedAtMs: now() };
    const saved = store.saveNote(note, JSON.stringify(dated));
    return saved.ok ? ok(dated) : saved;
  };
  const current = (): Result<CloneDraft> => {
    const kept = stored();
    if (!kept.ok) return kept;
    return kept.value === null ? err(localFailure('deleted-at-service')) : ok(kept.value);
  };

  /** Adopts the current state at the service; null when it gives none. */
  const follow = async (draft: CloneDraft): Promise<CloneDraft | null> => {
    if (draft.enrollmentId === null) return null;
    const answer = await api.read(draft.enrollmentId);
    return answer.ok ? followEnrollment(draft, asReported(answer.value), { nowMs: now(), isNewText: false }) : null;
  };

  const pause = (signal: AbortSignal): Promise<void> =>
    new Promise((resolve) => {
      const cancel = ports.after(lookEveryMs, resolve);
      signal.addEventListener('abort', () => (cancel(), resolve()), { once: true });
    });
  /** Without a key or a list (contract 4.12) only the log can tell whether the upload arrived. */
  const lookForUpload = async ({ reference, updatedAtMs }: CloneDraft, signal: AbortSignal): Promise<Failure> => {
    const look = () => ports.findUpload(updatedAtMs, reference?.sizeBytes ?? 0);
    let found = await look();
    const endsAtMs = updatedAtMs + uploadEndsMs;
    while (found === false && now() < endsAtMs && !signal.aborted) {
      await pause(signal);
      found = await look();
    }
    const isOpen = found === null || (!found && now() < endsAtMs);
    const code = isOpen ? 'upload_unsure' : found ? 'upload_arrived' : 'upload_absent';
    return makeFailure('answer-lost', { code, outcome: 'unknown' });
  };

  const settle = async (
    sending: CloneSending,
    answer: Result<Enrollment>,
    begun: CloneDraft,
    signal: AbortSignal,
  ): Promise<Result<CloneDraft>> => {
    const kept = current();
    if (!kept.ok) return kept;
    // What was typed meanwhile stays.
    const draft: CloneDraft = { ...kept.value, sending: null, failure: null, waitsUntilMs: null };
    if (answer.ok) {
      const followed = followEnrollment(draft, asReported(answer.value), {
        nowMs: now(),
        isNewText: sending === 'challenge',
      });
      return save({ ...followed, reading: null });
    }
    const isLostUpload = sending === 'upload' && ['unknown', 'accepted'].includes(answer.error.outcome);
    const failure = isLostUpload ? await lookForUpload(begun, signal) : answer.error;
    const failed = { ...draft, failure };
    if (failure.kind === 'clone-rate-limited')
      return save({ ...failed, waitsUntilMs: now() + (failure.retryAfterMs ?? 0) });
    if (failure.kind === 'reading-expired') return save({ ...failed, challenge: null });
    // A submission uses up the text, whatever its result; the service counts the tries.
    if (sending === 'verify' && failure.outcome !== 'not_sent') {
      const isCounted = failure.kind === 'reading-mismatch' || failure.kind === 'speaker-unclear';
      return save((await follow(failed)) ?? withUsedChallenge(failed, isCounted));
    }
    const isUnknown = failure.outcome === 'unknown' || failure.kind === 'clone-step-passed';
    return save((isUnknown ? await follow(failed) : null) ?? failed);
  };

  const ask = async (draft: CloneDraft, sending: CloneSending, signal: AbortSignal) => {
    const { enrollmentId, language, details } = draft;
    const refused = refusalOf(draft, sending, now());
    if (refused !== null) return err(refused);
    if (sending === 'upload') {
      const source = await sourceOf(draft.reference, 'reference.wav');
      return source.ok
        ? api.upload({ source: source.value, language, removeNoise: draft.removesNoise }, signal)
        : source;
    }
    if (enrollmentId === null) return err(localFailure('deleted-at-service'));
    if (sending === 'approve') return api.approve(enrollmentId, draft.transcript.trim(), signal);
    if (sending === 'challenge') {
      const { palette, ...words } = details;
      const consent = {
        name: words.name.trim(),
        description: words.description.trim(),
        labels: labelsOf(details, language),
        orbPalette: palette,
        consentAccepted: true,
      } as const;
      return draft.hasConsent
        ? api.challenge(enrollmentId, consent, signal)
        : err(makeFailure('clone-fields-invalid', { layer: 'local' }));
    }
    const source = await sourceOf(draft.reading, 'reading.wav');
    return source.ok ? api.verify(enrollmentId, source.value, signal) : source;
  };
  const sourceOf = async (recording: CloneRecording | null, name: string): Promise<Result<UploadSource>> => {
    const path = recording === null ? null : folder.pathOf(recording.fileName);
    const facts = path === null ? null : await ports.describeFile(path);
    return path === null || facts === null
      ? err(makeFailure('file-unreadable', { code: 'file_missing', params: { name } }))
      : ok({ path, name, ...facts });
  };

  const keepRecording = async ({
    what,
    parts,
    sampleRate,
    language,
    removesNoise,
    name,
  }: NewRecording): Promise<Result<CloneDraft>> => {
    const kept = stored();
    if (!kept.ok) return kept;
    const wav = wavOf(parts, sampleRate);
    const durationMs = Math.round(((wav.length - wavHeaderBytes) * 500) / sampleRate);
    if (wav.length > cloneRules.mostBytes)
      return err(
        makeFailure('clone-recording-too-large', { code: 'audio_too_large', outcome: 'not_sent', layer: 'local' }),
      );
    const draft =
      what === 'reading' && kept.value !== null
        ? kept.value
        : { ...(kept.value ?? newDraft(newId(), language, now())), language, removesNoise };
    const fileName = `${draft.id}-${what}-${newId()}.wav`;
    // The folder is created with its first file.
    const prepared = await folder.prepare(fileName);
    if (!prepared.ok) return prepared;
    const written = await ports.writeFile(prepared.value, wav);
    if (!written.ok) return written;
    const recording: CloneRecording = { fileName, durationMs, sizeBytes: wav.length, name };
    const replaced = what === 'reference' ? draft.reference : draft.reading;
    const saved = save(what === 'reference' ? withReference(draft, recording) : { ...draft, reading: recording });
    if (saved.ok) await forgetSpool();
    if (saved.ok && replaced !== null) await folder.removeAll(replaced.fileName.replace(/\.wav$/u, ''));
    return saved;
  };

  const forgetSpool = async (): Promise<void> => {
    isRecording = false;
    store.saveNote(spoolNote, '');
    await folder.removeAll(spoolName.replace(/\.wav$/u, ''));
  };
  const recover = async (): Promise<void> => {
    const left = store.note(spoolNote);
    if (isRecording || !left.ok || left.value === null || left.value === '') return;
    const wav = await ports.readFile(folder.pathOf(spoolName));
    const facts = JSON.parse(left.value) as Omit<NewRecording, 'parts'>;
    if (wav === null || wav.length <= wavHeaderBytes) {
      await forgetSpool();
      return;
    }
    const pcm = Uint8Array.from(wav.subarray(wavHeaderBytes, wav.length - (wav.length % 2)));
    await keepRecording({ ...facts, parts: [new Int16Array(pcm.buffer)] });
  };

  return {
    /** The draft as the service sees it: what a crash or a lost answer left open is looked up, and never sent again. */
    async read(): Promise<Result<CloneDraft | null>> {
      await recover();
      const kept = stored();
      if (!kept.ok || kept.value === null) return kept;
      const draft = kept.value;
      // The app quit before the answer to the upload came.
      if (running === null && draft.sending === 'upload' && draft.enrollmentId === null)
        return save({ ...draft, sending: null, failure: await lookForUpload(draft, AbortSignal.abort()) });
      if (running !== null || draft.enrollmentId === null || draft.step === 'ready' || draft.isOver)
        return ok(running === null && draft.sending !== null ? { ...draft, sending: null } : draft);
      const followed = (await follow(draft)) ?? draft;
      // A reading whose answer was lost is not sent again: its text is used up either way.
      const isLost = draft.sending === 'verify' && followed.step === 'read' && followed.attempts === draft.attempts;
      return save({
        ...followed,
        sending: null,
        failure: isLost
          ? makeFailure('reading-unsettled', { outcome: 'unknown' })
          : followed.step === draft.step
            ? draft.failure
            : null,
      });
    },
    async capabilities(): Promise<CloneCapabilities | null> {
      const answer = await api.capabilities();
      return answer.ok ? answer.value : null;
    },
    /** Stores a recording. A reference starts over at the service. clone-recording-too-large when it is too large. */
    keepRecording,
    /** Stores what was recorded so far, so that a crash loses no more. Null: the recording was cancelled. */
    async spool(recording: NewRecording | null): Promise<void> {
      if (recording === null) {
        await forgetSpool();
        return;
      }
      isRecording = true;
      const { parts, ...facts } = recording;
      // Creates the folder; the file itself is replaced only by a complete one.
      const prepared = await folder.prepare('recording-next');
      if (!prepared.ok) return;
      const written = await ports.writeFile(folder.pathOf(spoolName), wavOf(parts, recording.sampleRate));
      if (written.ok) store.saveNote(spoolNote, JSON.stringify(facts));
    },
    change(change: CloneChange): Result<CloneDraft> {
      const draft = current();
      if (!draft.ok) return draft;
      // The language is fixed at the upload (contract 4.12).
      const { language = draft.value.language, ...rest } = change;
      const isFixed = draft.value.enrollmentId !== null;
      return save({ ...draft.value, ...rest, language: isFixed ? draft.value.language : language });
    },
    async send(sending: CloneSending): Promise<Result<CloneDraft>> {
      const draft = current();
      if (!draft.ok) return draft;
      if (running !== null) return err(makeFailure('clone-step-passed', { layer: 'local' }));
      const own = new AbortController();
      running = own;
      try {
        const begun = save({ ...draft.value, sending, failure: null });
        if (!begun.ok) return begun;
        return await settle(sending, await ask(begun.value, sending, own.signal), begun.value, own.signal);
      } finally {
        running = null;
      }
    },
    cancel: (): void => running?.abort(),
    async discard(): Promise<Result<null>> {
      running?.abort();
      const draft = stored();
      if (!draft.ok) return draft;
      const cleared = store.saveNote(note, '');
      if (cleared.ok && draft.value !== null) await folder.removeAll(draft.value.id);
      return cleared;
    },
    pathOf: ({ fileName }: CloneRecording): string => folder.pathOf(fileName),
    close: (): void => running?.abort(),
  };
}

export type CloneService = ReturnType<typeof createCloneService>;

function asReported(enrollment: Enrollment) {
  const { status } = enrollment;
  const msOf = (moment: string | null): number | null => {
    const ms = Date.parse(moment ?? '');
    return Number.isNaN(ms) ? null : ms;
  };
  return {
    ...enrollment,
    status: status === null ? null : status.known ? status.state : status.raw.toLowerCase(),
    challengeExpiresAtMs: msOf(enrollment.challengeExpiresAt),
    dates: {
      begunAtMs: msOf(enrollment.createdAt),
      approvedAtMs: msOf(enrollment.transcriptApprovedAt),
      consentedAtMs: msOf(enrollment.consentAcceptedAt),
      verifiedAtMs: msOf(enrollment.verifiedAt),
    },
  };
}

function wavOf(parts: readonly Int16Array[], sampleRate: number): Buffer {
  const pcm = parts.map((part) => Buffer.from(part.buffer, part.byteOffset, part.byteLength));
  const bytes = pcm.reduce((sum, { length }) => sum + length, 0);
  return Buffer.concat([wavHeader(bytes, sampleRate), ...pcm]);
}

/** What the service would refuse in a step (contract 4.12, 8), before anything is sent; null: nothing. */
function refusalOf(draft: CloneDraft, sending: CloneSending, nowMs: number): Failure | null {
  const { reference, reading, transcript, details, attempts, challenge } = draft;
  const refuse = (
    kind: 'clone-recording-too-large' | 'clone-fields-invalid' | 'reading-expired' | 'reading-mismatch',
    code: string,
  ) => makeFailure(kind, { code, outcome: 'not_sent', layer: 'local' });
  switch (sending) {
    case 'upload': {
      const trouble = reference === null ? null : findRecordingTrouble('reference', reference);
      return trouble === null ? null : refuse('clone-recording-too-large', `audio_too_${trouble}`);
    }
    case 'approve':
      return isTranscriptFit(transcript) ? null : refuse('clone-fields-invalid', 'transcript_length');
    case 'challenge': {
      const [trouble] = findDetailTroubles(details);
      if (trouble !== undefined) return refuse('clone-fields-invalid', trouble);
      return attempts < cloneRules.attempts ? null : refuse('reading-mismatch', 'no_attempts_left');
    }
    case 'verify': {
      const trouble = reading === null ? null : findRecordingTrouble('reading', reading);
      if (trouble !== null) return refuse('clone-recording-too-large', `audio_too_${trouble}`);
      if (challenge === null) return refuse('reading-expired', 'challenge_missing');
      const { expiresAtMs } = challenge;
      return expiresAtMs !== null && expiresAtMs <= nowMs ? refuse('reading-expired', 'challenge_expired') : null;
    }
  }
}

const removalsNote = 'voice-removals';

interface OwnVoicesPorts {
  readonly store: Pick<SpeechStore, 'note' | 'saveNote'>;
  readonly api: CloneApi;
}

export function createOwnVoices({ store, api }: OwnVoicesPorts) {
  const listed = (): readonly string[] => {
    const kept = store.note(removalsNote);
    return kept.ok && kept.value !== null ? (JSON.parse(kept.value) as readonly string[]) : [];
  };
  const keep = (ids: readonly string[]) => store.saveNote(removalsNote, JSON.stringify([...new Set(ids)]));

  /** Recorded before it is requested, so that a crash leaves no half-finished deletion behind. */
  const remove = async (voiceId: string): Promise<Result<{ readonly isCleaningUp: boolean }>> => {
    const before = listed();
    const noted = keep([...before, voiceId]);
    if (!noted.ok) return noted;
    const removed = await api.remove(voiceId);
    const isCleaningUp = !removed.ok && removed.error.kind === 'voice-being-deleted';
    // Whatever stops a repeat, or takes the answer of the first request: recordings may still be at the service.
    const mayBeHalfDone = before.includes(voiceId) || (!removed.ok && removed.error.outcome === 'unknown');
    if (removed.ok || !(isCleaningUp || mayBeHalfDone)) keep(listed().filter((id) => id !== voiceId));
    return removed.ok || isCleaningUp ? ok({ isCleaningUp }) : removed;
  };

  return {
    async details(
      voiceId: string,
    ): Promise<Result<{ readonly details: VoiceDetails; readonly language: string | null }>> {
      const answer = await api.metadata(voiceId);
      return answer.ok
        ? ok({ details: detailsFrom(answer.value), language: answer.value.labels['language'] ?? null })
        : answer;
    },
    /** Always sends all details; the language of the recording can't be changed. */
    async saveDetails(voiceId: string, details: VoiceDetails, language: string): Promise<Result<null>> {
      const saved = await api.replaceMetadata(voiceId, {
        name: details.name.trim(),
        description: details.description.trim(),
        labels: labelsOf(details, language),
        orbPalette: details.palette,
      });
      return saved;
    },
    /** `isCleaningUp`: the voice is disabled and its recordings are still being deleted; `goOn` repeats the request. */
    remove,
    beingRemoved: listed,
    /** Repeats the deletions that are not finished or not answered (voice-being-deleted). */
    async goOn(): Promise<void> {
      for (const voiceId of listed()) await remove(voiceId);
    },
  };
}

export type OwnVoices = ReturnType<typeof createOwnVoices>;
