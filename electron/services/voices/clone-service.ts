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
import { cloneRules, labelsOf } from '../../../shared/domain/voices/clone-rules.ts';
import { refusalOf } from './clone-refusal.ts';
import { localFailure } from '../../../shared/domain/jobs/job-failures.ts';
import { makeFailure } from '../../../shared/domain/failures/make-failure.ts';
import type { SpeechLanguage } from '../../../shared/domain/languages.ts';
import type { Failure } from '../../../shared/result/failure.ts';
import { err, ok, type Result } from '../../../shared/result/result.ts';
import type { CloneApi, CloneCapabilities, Enrollment } from '../../api/resources/clone.ts';
import { wavHeader, wavHeaderBytes } from '../../../shared/domain/media/wav-header.ts';
import type { UploadSource } from '../../api/stt-api.ts';
import type { AudioFolder } from '../media/audio-folder.ts';
import type { SpeechStore } from '../speech/speech-store.ts';

/** A recording from the page: mono samples of 16 bits. */
export interface NewRecording {
  readonly what: 'reference' | 'reading';
  readonly parts: readonly Int16Array[];
  readonly sampleRate: number;
  readonly language: SpeechLanguage;
  readonly removesNoise: boolean;
  /** The file it came from; null: the microphone. */
  readonly name: string | null;
}

/** Creates one voice at the service, step by step (contract 4.12), with every step on disk. */
export interface CloneService {
  /** The draft as the service sees it: what a crash or a lost answer left open is looked up, and never sent again. */
  read(): Promise<Result<CloneDraft | null, Failure>>;
  /** What the account may clone; null while the service has not reported it. */
  capabilities(): Promise<CloneCapabilities | null>;
  /** Stores a recording. A reference starts over at the service. E-087 when it is too large. */
  keepRecording(recording: NewRecording): Promise<Result<CloneDraft, Failure>>;
  /** Stores what was recorded so far, so that a crash loses no more. Null: the recording was cancelled. */
  spool(recording: NewRecording | null): Promise<void>;
  change(change: CloneChange): Result<CloneDraft, Failure>;
  /** Takes the next step at the service; a failure is recorded in the draft. */
  send(sending: CloneSending): Promise<Result<CloneDraft, Failure>>;
  /** Stops waiting for the answer of a step. Its result is looked up later. */
  cancel(): void;
  /** Deletes the draft and its recordings from this computer. */
  discard(): Promise<Result<null, Failure>>;
  pathOf(recording: CloneRecording): string;
  close(): void;
}

export interface CloneServicePorts {
  readonly store: Pick<SpeechStore, 'note' | 'saveNote'>;
  readonly api: CloneApi;
  readonly folder: AudioFolder;
  readonly writeFile: (path: string, bytes: Uint8Array) => Promise<Result<null, Failure>>;
  readonly describeFile: (path: string) => Promise<{ readonly sizeBytes: number; readonly mtimeMs: number } | null>;
  readonly readFile: (path: string) => Promise<Uint8Array | null>;
  readonly now: () => number;
  readonly newId: () => string;
}

/** A recording in progress, or one that a crash ended. */
const spoolNote = 'voice-clone-recording';
const spoolName = 'recording-now.wav';

const note = 'voice-clone-draft';

export function createCloneService(ports: CloneServicePorts): CloneService {
  const { store, api, folder, now, newId } = ports;
  let running: AbortController | null = null;
  let isRecording = false;

  const stored = (): Result<CloneDraft | null, Failure> => {
    const kept = store.note(note);
    if (!kept.ok) return kept;
    return ok(kept.value === null || kept.value === '' ? null : (JSON.parse(kept.value) as CloneDraft));
  };
  const save = (draft: CloneDraft): Result<CloneDraft, Failure> => {
    const dated = { ...draft, updatedAtMs: now() };
    const saved = store.saveNote(note, JSON.stringify(dated));
    return saved.ok ? ok(dated) : saved;
  };
  const current = (): Result<CloneDraft, Failure> => {
    const kept = stored();
    if (!kept.ok) return kept;
    return kept.value === null ? err(localFailure('E-040')) : ok(kept.value);
  };

  /** Adopts the current state at the service; null when it gives none. */
  const follow = async (draft: CloneDraft): Promise<CloneDraft | null> => {
    if (draft.enrollmentId === null) return null;
    const answer = await api.read(draft.enrollmentId);
    return answer.ok ? followEnrollment(draft, asReported(answer.value), { nowMs: now(), isNewText: false }) : null;
  };

  const settle = async (
    sending: CloneSending,
    answer: Result<Enrollment, Failure>,
  ): Promise<Result<CloneDraft, Failure>> => {
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
    const failure = answer.error;
    const failed = { ...draft, failure };
    if (failure.row === 'E-096') return save({ ...failed, waitsUntilMs: now() + (failure.retryAfterMs ?? 0) });
    if (failure.row === 'E-093') return save({ ...failed, challenge: null });
    // A submission uses up the text, whatever its result; the service counts the tries.
    if (sending === 'verify' && failure.outcome !== 'not_sent') {
      const isCounted = failure.row === 'E-094' || failure.row === 'E-092';
      return save((await follow(failed)) ?? withUsedChallenge(failed, isCounted));
    }
    const isUnknown = failure.outcome === 'unknown' || failure.row === 'E-089';
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
    if (enrollmentId === null) return err(localFailure('E-040'));
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
        : err(makeFailure('E-091', { layer: 'local' }));
    }
    const source = await sourceOf(draft.reading, 'reading.wav');
    return source.ok ? api.verify(enrollmentId, source.value, signal) : source;
  };
  const sourceOf = async (recording: CloneRecording | null, name: string): Promise<Result<UploadSource, Failure>> => {
    const path = recording === null ? null : folder.pathOf(recording.fileName);
    const facts = path === null ? null : await ports.describeFile(path);
    return path === null || facts === null
      ? err(makeFailure('E-010', { code: 'file_missing', params: { name } }))
      : ok({ path, name, ...facts });
  };

  const keepRecording: CloneService['keepRecording'] = async ({
    what,
    parts,
    sampleRate,
    language,
    removesNoise,
    name,
  }) => {
    const kept = stored();
    if (!kept.ok) return kept;
    const wav = wavOf(parts, sampleRate);
    const durationMs = Math.round(((wav.length - wavHeaderBytes) * 500) / sampleRate);
    if (wav.length > cloneRules.mostBytes)
      return err(makeFailure('E-087', { code: 'audio_too_large', outcome: 'not_sent', layer: 'local' }));
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
  /** The leftover of a crashed recording becomes the recording of the draft. */
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
    async read() {
      await recover();
      const kept = stored();
      if (!kept.ok || kept.value === null) return kept;
      const draft = kept.value;
      if (running !== null || draft.enrollmentId === null || draft.step === 'ready' || draft.isOver)
        return ok(running === null && draft.sending !== null ? { ...draft, sending: null } : draft);
      const followed = (await follow(draft)) ?? draft;
      // A reading whose answer was lost is not sent again: its text is used up either way.
      const isLost = draft.sending === 'verify' && followed.step === 'read' && followed.attempts === draft.attempts;
      return save({
        ...followed,
        sending: null,
        failure: isLost
          ? makeFailure('E-095', { outcome: 'unknown' })
          : followed.step === draft.step
            ? draft.failure
            : null,
      });
    },
    async capabilities() {
      const answer = await api.capabilities();
      return answer.ok ? answer.value : null;
    },
    keepRecording,
    async spool(recording) {
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
    change(change) {
      const draft = current();
      if (!draft.ok) return draft;
      // The language is fixed at the upload (contract 4.12).
      const { language = draft.value.language, ...rest } = change;
      const isFixed = draft.value.enrollmentId !== null;
      return save({ ...draft.value, ...rest, language: isFixed ? draft.value.language : language });
    },
    async send(sending) {
      const draft = current();
      if (!draft.ok) return draft;
      if (running !== null) return err(makeFailure('E-089', { layer: 'local' }));
      const own = new AbortController();
      running = own;
      try {
        const begun = save({ ...draft.value, sending, failure: null });
        if (!begun.ok) return begun;
        return await settle(sending, await ask(begun.value, sending, own.signal));
      } finally {
        running = null;
      }
    },
    cancel: () => running?.abort(),
    async discard() {
      running?.abort();
      const draft = stored();
      if (!draft.ok) return draft;
      const cleared = store.saveNote(note, '');
      if (cleared.ok && draft.value !== null) await folder.removeAll(draft.value.id);
      return cleared;
    },
    pathOf: ({ fileName }) => folder.pathOf(fileName),
    close: () => running?.abort(),
  };
}

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
