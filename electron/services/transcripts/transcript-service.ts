import type { Logger } from '../../../shared/domain/diagnostics/log-entry.ts';
import { isTextName } from '../../../shared/domain/imports/read-subtitles.ts';
import { localFailure } from '../../../shared/domain/jobs/job-failures.ts';
import type { SpeechLanguage } from '../../../shared/domain/languages.ts';
import type { Origin } from '../../../shared/domain/modes.ts';
import type { Transcript } from '../../../shared/domain/transcript/transcript.ts';
import type { Version } from '../../../shared/domain/transcript/versions.ts';
import { err, ok, type Result } from '../../../shared/result/result.ts';
import type { SttApi } from '../../service/stt.ts';
import type { FilePort, StoredTranscript, TranscriptFacts } from '../library/store.ts';
import {
  isPrepared,
  markPrepared,
  noRecording,
  ownRecording,
  placeOfAudio,
  type AudioExtractor,
} from '../media/audio-extractor.ts';
import { isLong, type EarlierText, type StepsBack, type TextsInParts } from './text-in-parts.ts';
import type { LibraryStore } from '../../storage/sqlite-library-store.ts';

export interface TranscriptRecord {
  readonly id: string;
  readonly title: string;
  readonly sourceName: string;
  readonly createdAtMs: number;
  readonly isPractice: boolean;
  /** False for a text that was imported, dictated, or sent to another service or with another key. */
  readonly isAtService: boolean;
  readonly madeBy: { readonly origin: Origin; readonly model: string | null } | null;
  readonly mediaPath: string;
  readonly mediaSha256: string;
  /** The user's own file, whose audio that may be; null where there is none, or only its audio is known. */
  readonly recordingPath: string | null;
}

export interface OpenedTranscript extends TranscriptRecord {
  readonly transcript: Transcript;
  readonly parts: readonly Uint8Array[];
  readonly revision: number;
}

interface Ports {
  readonly store: LibraryStore;
  readonly files: FilePort;
  readonly extractor: AudioExtractor;
  readonly texts: TextsInParts;
  readonly api: SttApi;
  readonly onTitleLeft: (transcriptId: string, title: string) => void;
  readonly log: Logger;
  readonly isPractice: boolean;
  /** What is in the trash is not read, and renamed apart from what is not there. */
  readonly isTrashed: (transcriptId: string) => boolean;
  readonly account: () => string | null;
}

/** Some thirty hours of speech. More would block the app for seconds; such a text can still be exported. */
export const mostWordsShown = 300_000;

export function findTranscript(store: LibraryStore, id: string): Result<StoredTranscript> {
  const found = store.transcript(id);
  if (!found.ok) return found;
  return found.value === null
    ? err(localFailure('deleted-at-service', { code: 'unknown_transcript' }))
    : ok(found.value);
}

export function findFacts(store: Pick<LibraryStore, 'transcriptFacts'>, id: string): Result<TranscriptFacts> {
  const found = store.transcriptFacts(id);
  if (!found.ok) return found;
  return found.value === null
    ? err(localFailure('deleted-at-service', { code: 'unknown_transcript' }))
    : ok(found.value);
}

/** Whether nobody but the user knows which recording it belongs to. */
const isImported = ({ mediaPath, sourceName }: TranscriptFacts): boolean =>
  mediaPath.startsWith(noRecording) || isTextName(sourceName);

export function createTranscriptService(ports: Ports) {
  const { store, files, extractor, texts, api, log, isPractice, isTrashed, account, onTitleLeft } = ports;
  return {
    /** deleted-at-service when there is none; not-a-recording when it has more words than can be shown. */
    async open(transcriptId: string): Promise<Result<OpenedTranscript>> {
      if (isTrashed(transcriptId)) return err(localFailure('deleted-at-service', { code: 'in_trash' }));
      const size = store.wordCount(transcriptId);
      if (!size.ok) return size;
      const facts = this.find(transcriptId);
      if (!facts.ok) return facts;
      if (size.value !== null && isLong(size.value)) {
        const text = await texts.inParts(transcriptId);
        if (!text.ok) return text;
        const { head, parts, wordCount, revision } = text.value;
        if (wordCount > mostWordsShown) return err(localFailure('not-a-recording', { code: 'transcript_too_long' }));
        return ok({ ...facts.value, transcript: { ...head, segments: [] }, parts, revision });
      }
      const found = findTranscript(store, transcriptId);
      if (!found.ok) return found;
      const { transcript, revision } = found.value;
      return ok({ ...facts.value, transcript, parts: [], revision });
    },

    find(transcriptId: string): Result<TranscriptRecord> {
      const found = findFacts(store, transcriptId);
      if (!found.ok) return found;
      const { id, title, sourceName, createdAtMs, remoteId, mediaPath, mediaSha256, origin, model } = found.value;
      const isAtService = remoteId !== null && !store.items.elsewhere(account()).has(id);
      const place = placeOfAudio(extractor, mediaPath);
      const recording = ownRecording(store, found.value);
      if (!recording.ok) return recording;
      const recordingPath = recording.value;
      const madeBy = origin === null || isPractice ? null : { origin, model };
      const of = { id, title, sourceName, createdAtMs, isPractice, isAtService, madeBy };
      return ok({ ...of, mediaPath: place, mediaSha256, recordingPath });
    },

    edit: store.edit,

    async steps(transcriptId: string): Promise<Result<StepsBack>> {
      const facts = this.find(transcriptId);
      return facts.ok ? texts.steps(transcriptId) : facts;
    },

    async versions(transcriptId: string): Promise<Result<readonly Version[]>> {
      const facts = this.find(transcriptId);
      return facts.ok ? texts.versions(transcriptId) : facts;
    },

    async version(transcriptId: string, revision: number): Promise<Result<EarlierText>> {
      const facts = this.find(transcriptId);
      return facts.ok ? texts.version(transcriptId, revision) : facts;
    },

    nameVersion(transcriptId: string, revision: number, name: string | null): Result<null> {
      const facts = this.find(transcriptId);
      if (!facts.ok) return facts;
      const named = store.nameRevision(transcriptId, revision, name);
      if (!named.ok) return named;
      return named.value ? ok(null) : err(localFailure('deleted-at-service', { code: 'unknown_version' }));
    },

    /** Changes the title here and, when the service can be reached, there; the local title never waits for it. */
    async rename(transcriptId: string, title: string): Promise<Result<{ readonly title: string }>> {
      const found = findFacts(store, transcriptId);
      if (!found.ok) return found;
      const renamed = store.items.rename({ kind: 'transcript', id: transcriptId }, title);
      if (!renamed.ok) return renamed;
      const { remoteId } = found.value;
      if (remoteId !== null) void tellService(transcriptId, remoteId, title);
      return ok({ title });
    },

    /** Sets the language of the text, which decides about alphabet, spelling and exports. The words stay unchanged. */
    setLanguage(transcriptId: string, language: SpeechLanguage): Result<null> {
      const found = findFacts(store, transcriptId);
      return found.ok ? store.setTranscriptLanguage(transcriptId, language) : found;
    },

    /** Whether the audio extracted from this recording was removed, and can be extracted again. */
    async canReextractAudio(transcriptId: string): Promise<boolean> {
      const found = findFacts(store, transcriptId);
      if (!found.ok || !isPrepared(found.value.mediaPath)) return false;
      if ((await files.peek(placeOfAudio(extractor, found.value.mediaPath))).ok) return false;
      const recording = store.recordingOf(transcriptId);
      return recording.ok && recording.value !== null && (await files.peek(recording.value)).ok;
    },

    /** Extracts it again. file-unreadable when the recording is gone, file-changed when it is another one. */
    async takeSoundAgain(transcriptId: string): Promise<Result<null>> {
      const recording = store.recordingOf(transcriptId);
      if (!recording.ok) return recording;
      if (recording.value === null) return err(localFailure('deleted-at-service', { code: 'unknown_transcript' }));
      return setRecording(transcriptId, recording.value, 'known');
    },

    /** file-changed when its content differs, except for an imported text: only the user knows its recording. */
    relocateMedia: (transcriptId: string, path: string): Promise<Result<null>> =>
      setRecording(transcriptId, path, 'chosen'),

    /** `heardMs`: what the player says. Null when the length of the recording is not known. */
    async measureRecording(transcriptId: string, heardMs: number | null): Promise<Result<number | null>> {
      const found = findFacts(store, transcriptId);
      if (!found.ok || !isImported(found.value)) return found.ok ? ok(null) : found;
      const looked = await extractor.look(found.value.mediaPath);
      const recordingMs = (looked.ok ? looked.value.durationMs : null) ?? heardMs;
      const set = recordingMs === null ? ok(null) : store.setRecordingLength(transcriptId, recordingMs);
      return set.ok ? ok(recordingMs) : set;
    },
  };

  async function setRecording(transcriptId: string, path: string, by: 'chosen' | 'known'): Promise<Result<null>> {
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
      return err(localFailure('file-changed', { code: 'other_recording' }));
    return store.relocateMedia(transcriptId, stored);
  }

  /** The local title is authoritative; the service gets it now, or when it can be reached. */
  async function tellService(transcriptId: string, remoteId: string, title: string): Promise<void> {
    const renamed: Result<null> = await api.rename(remoteId, title);
    if (renamed.ok) return;
    log.write({ event: 'title-not-sent', level: 'warn', row: renamed.error.row, code: renamed.error.code });
    onTitleLeft(transcriptId, title);
  }
}

export type TranscriptService = ReturnType<typeof createTranscriptService>;
