import { isTextName } from '../../../shared/domain/imports/read-subtitles.ts';
import type { Transcript } from '../../../shared/domain/transcript/transcript.ts';
import type { Step } from '../../../shared/domain/transcript/change.ts';
import { findViolations } from '../../../shared/domain/transcript/find-violations.ts';
import type { Origin } from '../../../shared/domain/modes.ts';
import type { SpeechLanguage } from '../../../shared/domain/languages.ts';
import { err, ok, type Result } from '../../../shared/result/result.ts';
import { localFailure } from '../../../shared/domain/jobs/job-failures.ts';
import type { Logger } from '../../../shared/domain/diagnostics/log-entry.ts';
import type { Failure } from '../../../shared/result/failure.ts';
import type { SttApi } from '../../api/stt-api.ts';
import type { Clock } from '../jobs/ports.ts';
import { isPrepared, markPrepared, noRecording, placeOfAudio, type AudioExtractor } from '../media/audio-extractor.ts';
import type { FilePort, LibraryStore, StoredEdit, StoredTranscript, TranscriptFacts } from '../library/store.ts';
import type { Version } from '../../../shared/domain/transcript/versions.ts';
import { isLong, type EarlierText, type TextsInParts } from './text-in-parts.ts';

/** A text without its words. */
export interface TranscriptRecord {
  readonly id: string;
  readonly title: string;
  readonly sourceName: string;
  readonly createdAtMs: number;
  readonly isPractice: boolean;
  /** False for a text that was imported from a file, or dictated. */
  readonly isAtService: boolean;
  /** Who recognised it; null for a text that was imported, dictated or made by the practice service. */
  readonly madeBy: { readonly origin: Origin; readonly model: string | null } | null;
  /** Path of the recording when it was sent, and its content. */
  readonly mediaPath: string;
  readonly mediaSha256: string;
  /** The user's own file, whose audio that may be; null where there is none, or only its audio is known. */
  readonly recordingPath: string | null;
}

/** The whole text with its times, in milliseconds from the beginning of the recording. */
export interface OpenedTranscript extends TranscriptRecord {
  /** Without segments when there are `parts`. */
  readonly transcript: Transcript;
  /** The segments of a long text: for `readSegments`, in UTF-8, in order. Empty for a text that is complete. */
  readonly parts: readonly Uint8Array[];
  /** The number of its edits; the next save names it as its base. */
  readonly revision: number;
}

export interface TranscriptService {
  /** E-040 when there is none; E-211 when it has more words than can be shown. */
  open(transcriptId: string): Promise<Result<OpenedTranscript, Failure>>;
  /** The same without reading a word of it. */
  find(transcriptId: string): Result<TranscriptRecord, Failure>;
  /** See `LibraryStore.edit`. A text that violates a rule of its model is refused like one that does not match. */
  edit(
    transcriptId: string,
    baseRevision: number,
    edits: readonly Omit<StoredEdit, 'atMs'>[],
  ): Result<number | null, Failure>;
  /** See `listVersions`. */
  versions(transcriptId: string): Promise<Result<readonly Version[], Failure>>;
  /** The text at a revision; E-040 when there is none. */
  version(transcriptId: string, revision: number): Promise<Result<EarlierText, Failure>>;
  /** Gives a revision a name, or removes it. E-040 when there is no such revision. */
  nameVersion(transcriptId: string, revision: number, name: string | null): Result<null, Failure>;
  /** Changes the title here and, when the service can be reached, there; the local title never waits for it. */
  rename(transcriptId: string, title: string): Promise<Result<{ readonly title: string }, Failure>>;
  /** Sets the language of the text, which decides about alphabet, spelling and exports. The words stay unchanged. */
  setLanguage(transcriptId: string, language: SpeechLanguage): Result<null, Failure>;
  /** Whether the audio extracted from this recording was removed, and can be extracted again. */
  canTakeSoundAgain(transcriptId: string): Promise<boolean>;
  /** Extracts it again. E-010 when the recording is gone, E-011 when it is another one, E-180 on a full disk. */
  takeSoundAgain(transcriptId: string): Promise<Result<null, Failure>>;
  /**
   * Updates the path of the recording, which the user chose. Refused when its content differs (E-011), except for an
   * imported text: nobody but the user knows which recording that belongs to.
   */
  relocateMedia(transcriptId: string, path: string): Promise<Result<null, Failure>>;
  /**
   * Measures the recording of an imported text in milliseconds, or takes what the player says where the file does not
   * state its length, and makes the text at least as long. Null when neither is known.
   */
  measureRecording(transcriptId: string, heardMs: number | null): Promise<Result<number | null, Failure>>;
}

interface Ports {
  readonly store: LibraryStore;
  readonly files: FilePort;
  readonly extractor: AudioExtractor;
  /** Where texts that are `isLong` are read. */
  readonly texts: TextsInParts;
  readonly api: SttApi;
  /** Called with a title that the service did not accept. */
  readonly onTitleLeft: (transcriptId: string, title: string) => void;
  readonly log: Logger;
  readonly clock: Pick<Clock, 'now'>;
  readonly isPractice: boolean;
  /** What is in the trash is not read, and renamed apart from what is not there. */
  readonly isTrashed: (transcriptId: string) => boolean;
}

/** Some thirty hours of speech. More would block the app for seconds; such a text can still be exported. */
export const mostWordsShown = 300_000;

/** Whether the segments that a step inserts satisfy the rules that can be checked segment by segment. */
function isSound(step: Step): boolean {
  if (step.type !== 'set' && step.type !== 'splice') return true;
  const segments = step.type === 'set' ? step.segments : step.inserted;
  const alone = { language: 'uz', speakers: [], durationMs: Number.MAX_SAFE_INTEGER } as const;
  return segments.every((segment) =>
    findViolations({ ...alone, segments: [{ ...segment, speakerId: null }] }).every(
      ({ rule }) => rule === 'id-not-unique',
    ),
  );
}

/** A stored transcript, or E-040 when there is none with this id. */
export function findTranscript(store: LibraryStore, id: string): Result<StoredTranscript> {
  const found = store.transcript(id);
  if (!found.ok) return found;
  return found.value === null ? err(localFailure('E-040', { code: 'unknown_transcript' })) : ok(found.value);
}

/** The same without its words. */
export function findFacts(store: Pick<LibraryStore, 'transcriptFacts'>, id: string): Result<TranscriptFacts> {
  const found = store.transcriptFacts(id);
  if (!found.ok) return found;
  return found.value === null ? err(localFailure('E-040', { code: 'unknown_transcript' })) : ok(found.value);
}

/** Whether nobody but the user knows which recording it belongs to. */
const isImported = ({ mediaPath, sourceName }: TranscriptFacts): boolean =>
  mediaPath.startsWith(noRecording) || isTextName(sourceName);

/** Transcripts of one library. */
export function createTranscriptService(ports: Ports): TranscriptService {
  const { store, files, extractor, texts, api, log, clock, isPractice, isTrashed, onTitleLeft } = ports;
  return {
    async open(transcriptId) {
      if (isTrashed(transcriptId)) return err(localFailure('E-040', { code: 'in_trash' }));
      const size = store.wordCount(transcriptId);
      if (!size.ok) return size;
      const facts = this.find(transcriptId);
      if (!facts.ok) return facts;
      if (size.value !== null && isLong(size.value)) {
        const text = await texts.inParts(transcriptId);
        if (!text.ok) return text;
        const { head, parts, wordCount, revision } = text.value;
        if (wordCount > mostWordsShown) return err(localFailure('E-211', { code: 'transcript_too_long' }));
        return ok({ ...facts.value, transcript: { ...head, segments: [] }, parts, revision });
      }
      const found = findTranscript(store, transcriptId);
      if (!found.ok) return found;
      const { transcript, revision } = found.value;
      return ok({ ...facts.value, transcript, parts: [], revision });
    },

    find(transcriptId) {
      const found = findFacts(store, transcriptId);
      if (!found.ok) return found;
      const { id, title, sourceName, createdAtMs, remoteId, mediaPath, mediaSha256, origin, model } = found.value;
      const isAtService = remoteId !== null;
      const place = placeOfAudio(extractor, mediaPath);
      const recording = isPrepared(mediaPath) ? store.recordingOf(transcriptId) : ok(mediaPath);
      if (!recording.ok) return recording;
      const recordingPath = recording.value?.startsWith(noRecording) === true ? null : recording.value;
      const madeBy = origin === null || isPractice ? null : { origin, model };
      const of = { id, title, sourceName, createdAtMs, isPractice, isAtService, madeBy };
      return ok({ ...of, mediaPath: place, mediaSha256, recordingPath });
    },

    edit(transcriptId, baseRevision, edits) {
      if (!edits.every(({ change }) => change.every(isSound))) return ok(null);
      const atMs = clock.now();
      return store.edit(
        transcriptId,
        baseRevision,
        edits.map((edit) => ({ ...edit, atMs })),
      );
    },

    async versions(transcriptId) {
      const facts = this.find(transcriptId);
      return facts.ok ? texts.versions(transcriptId) : facts;
    },

    async version(transcriptId, revision) {
      const facts = this.find(transcriptId);
      return facts.ok ? texts.version(transcriptId, revision) : facts;
    },

    nameVersion(transcriptId, revision, name) {
      const facts = this.find(transcriptId);
      if (!facts.ok) return facts;
      const named = store.nameRevision(transcriptId, revision, name);
      if (!named.ok) return named;
      return named.value ? ok(null) : err(localFailure('E-040', { code: 'unknown_version' }));
    },

    async rename(transcriptId, title) {
      const found = findFacts(store, transcriptId);
      if (!found.ok) return found;
      const renamed = store.renameTranscript(transcriptId, title);
      if (!renamed.ok) return renamed;
      const { remoteId } = found.value;
      if (remoteId !== null) void tellService(transcriptId, remoteId, title);
      return ok({ title });
    },

    setLanguage(transcriptId, language) {
      const found = findFacts(store, transcriptId);
      return found.ok ? store.setTranscriptLanguage(transcriptId, language) : found;
    },

    async canTakeSoundAgain(transcriptId) {
      const found = findFacts(store, transcriptId);
      if (!found.ok || !isPrepared(found.value.mediaPath)) return false;
      if ((await files.peek(placeOfAudio(extractor, found.value.mediaPath))).ok) return false;
      const recording = store.recordingOf(transcriptId);
      return recording.ok && recording.value !== null && (await files.peek(recording.value)).ok;
    },

    async takeSoundAgain(transcriptId) {
      const recording = store.recordingOf(transcriptId);
      if (!recording.ok) return recording;
      if (recording.value === null) return err(localFailure('E-040', { code: 'unknown_transcript' }));
      return setRecording(transcriptId, recording.value, 'known');
    },

    relocateMedia: (transcriptId, path) => setRecording(transcriptId, path, 'chosen'),

    async measureRecording(transcriptId, heardMs) {
      const found = findFacts(store, transcriptId);
      if (!found.ok || !isImported(found.value)) return found.ok ? ok(null) : found;
      const looked = await extractor.look(found.value.mediaPath);
      const recordingMs = (looked.ok ? looked.value.durationMs : null) ?? heardMs;
      const set = recordingMs === null ? ok(null) : store.setRecordingLength(transcriptId, recordingMs);
      return set.ok ? ok(recordingMs) : set;
    },
  };

  /** Sets where the recording is; one that is known to be there has to have the same content. */
  async function setRecording(
    transcriptId: string,
    path: string,
    by: 'chosen' | 'known',
  ): Promise<Result<null, Failure>> {
    const found = findFacts(store, transcriptId);
    if (!found.ok) return found;
    const { signal } = new AbortController();
    const audio = await extractor.prepare(path, null, signal, () => undefined);
    if (!audio.ok) return audio;
    const { preparedName } = audio.value;
    const content = await files.hash(audio.value.path, signal);
    if (!content.ok) return content;
    const stored = preparedName === null ? path : markPrepared(preparedName);
    if (by === 'chosen' && isImported(found.value)) {
      const moved = store.movePath(found.value.jobId, path);
      if (!moved.ok) return moved;
      const attached = store.attachMedia(transcriptId, stored, content.value);
      const looked = await extractor.look(audio.value.path);
      if (!attached.ok || !looked.ok || looked.value.durationMs === null) return attached;
      return store.setRecordingLength(transcriptId, looked.value.durationMs);
    }
    if (content.value.sha256 !== found.value.mediaSha256)
      return err(localFailure('E-011', { code: 'other_recording' }));
    return store.relocateMedia(transcriptId, stored);
  }

  /** The local title is authoritative; the service gets it now, or when it can be reached. */
  async function tellService(transcriptId: string, remoteId: string, title: string): Promise<void> {
    const renamed: Result<null, Failure> = await api.rename(remoteId, title);
    if (renamed.ok) return;
    log.write({ event: 'title-not-sent', level: 'warn', row: renamed.error.row, code: renamed.error.code });
    onTitleLeft(transcriptId, title);
  }
}
