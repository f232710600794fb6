import { optionsOf, newJobRecord } from '../../../shared/domain/jobs/job-state.ts';
import { localFailure } from '../../../shared/domain/jobs/job-failures.ts';
import { baseName } from '../../../shared/domain/exports/safe-file-name.ts';
import { guessLanguage } from '../../../shared/domain/imports/guess-language.ts';
import { reportProblems, type ImportReport } from '../../../shared/domain/imports/import-problems.ts';
import { decodeText, isSubtitleName } from '../../../shared/domain/imports/read-subtitles.ts';
import { readTranscriptFile, type ReadTranscript } from '../../../shared/domain/imports/read-transcript-file.ts';
import type { SpeechLanguage } from '../../../shared/domain/languages.ts';
import { toTranscript } from '../../../shared/domain/transcript/from-received.ts';
import type { Transcript } from '../../../shared/domain/transcript/transcript.ts';
import { err, ok, type Result } from '../../../shared/result/result.ts';
import { writeText, type FilePort, type StoredJob, type StoredTranscript } from '../library/store.ts';
import { noRecording, type AudioExtractor } from '../media/audio-extractor.ts';
import type { LibraryStore } from '../../storage/sqlite-library-store.ts';

export interface ImportedFile {
  readonly path: string;
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly mediaPath: string | null;
  readonly language: SpeechLanguage;
  /** A file of this name and content that is in the library already is refused with already-in-queue. */
  readonly skipsRepeats?: boolean;
}

interface Ports {
  readonly store: LibraryStore;
  readonly files: Pick<FilePort, 'hash'>;
  readonly extractor: Pick<AudioExtractor, 'look'>;
  readonly now: () => number;
  readonly newId: () => string;
}

export interface ImportedTranscript {
  readonly transcriptId: string;
  readonly language: SpeechLanguage;
  readonly isLanguageOpen: boolean;
  readonly report?: ImportReport;
}

export type TranscriptImport = (file: ImportedFile) => Promise<Result<ImportedTranscript>>;

/** Imports transcripts of other programs into the library; nothing is sent and nothing is charged. */
export function createTranscriptImport({ store, files, extractor, now, newId }: Ports): TranscriptImport {
  return async ({ path, name, bytes, mediaPath, language, skipsRepeats = false }) => {
    const read = readTranscriptFile(decodeText(bytes));
    // What calls itself captions and has not a single one is something else: nobody said its words.
    const isOther = read?.kind === 'text' && isSubtitleName(name);
    if (read === null || isOther) return err(localFailure('not-a-recording', { code: 'empty_file', params: { name } }));
    const detected = read.language ?? guessLanguage(wordsOf(read));
    const transcript = withNames(
      toTranscript(read.received, { language: detected ?? language, keepsLines: true }),
      read.received.segments.map(({ speaker }) => speaker),
    );
    // Without a recording the hash of the text file identifies the transcript.
    const identity = await files.hash(mediaPath ?? path, new AbortController().signal);
    if (!identity.ok) return identity;
    const known = skipsRepeats ? store.listMedia() : ok([]);
    if (!known.ok) return known;
    if (known.value.some((media) => media.sha256 === identity.value.sha256 && media.name === name))
      return err(localFailure('already-in-queue'));
    const recording = mediaPath === null ? null : await extractor.look(mediaPath);
    const recordingMs = recording?.ok === true ? (recording.value.durationMs ?? 0) : 0;
    const transcriptId = newId();
    const added = addTranscript({ store, now, newId }, transcriptId, {
      mediaPath: mediaPath ?? `${noRecording}${transcriptId}`,
      mediaSha256: identity.value.sha256,
      sizeBytes: identity.value.sizeBytes,
      sourceName: name,
      title: read.title ?? baseName(name),
      transcript: { ...transcript, durationMs: Math.max(transcript.durationMs, Math.round(recordingMs)) },
    });
    if (!added.ok) return added;
    const report = reportProblems(read.problems, read.countedIn);
    return ok({
      transcriptId,
      language: transcript.language,
      isLanguageOpen: detected === null,
      ...(report === null ? {} : { report }),
    });
  };
}

type NewText = Pick<StoredTranscript, 'mediaPath' | 'mediaSha256' | 'sourceName' | 'title' | 'transcript'> & {
  readonly sizeBytes: number;
};

/** Adds a finished text to the library with a row of the queue, which is hidden: nothing is left to do for it. */
export function addTranscript(
  { store, now, newId }: Omit<Ports, 'files' | 'extractor'>,
  id: string,
  added: NewText,
): Result<null> {
  const { mediaPath, mediaSha256, sizeBytes, sourceName, title, transcript } = added;
  const [jobId, atMs] = [newId(), now()];
  const job: StoredJob = {
    id: jobId,
    seq: 0,
    path: mediaPath,
    name: sourceName,
    sizeBytes,
    durationMs: transcript.durationMs,
    ...optionsOf({
      kind: 'transcribe',
      language: transcript.language,
      includeSpeakers: transcript.speakers.length > 0,
    }),
    addedAtMs: atMs,
    rank: 0,
    memory: newJobRecord,
  };
  const queued = store.addJobs([job]);
  if (!queued.ok) return queued;
  const speakerCount = transcript.speakers.length;
  const state = { tag: 'done', finishedAtMs: atMs, transcriptId: id, speakerCount } as const;
  const stored = store.commit({ ...job, memory: { ...newJobRecord, state } }, { type: 'recovered' }, atMs, {
    transcript: {
      id,
      jobId,
      title,
      sourceName,
      createdAtMs: atMs,
      mediaPath,
      mediaSha256,
      remoteId: null,
      rawAnswerId: null,
      model: null,
      written: writeText(transcript),
    },
  });
  return stored.ok ? store.hideJobs([jobId]) : stored;
}

const wordsOf = ({ received }: ReadTranscript): string => received.segments.map(({ text }) => text).join(' ');

/** Labels from a service mean nothing; a label that reads like a name is one. */
function withNames(transcript: Transcript, labels: readonly (string | undefined)[]): Transcript {
  const names = [...new Set(labels.filter((label) => label !== undefined))];
  if (names.length !== transcript.speakers.length) return transcript;
  const isLabel = (name: string) =>
    /^(?:speaker|spk|soʻzlovchi|говорящий)?[\s_-]*\d*$|^\d+-soʻzlovchi$|^[a-z]$/iu.test(name);
  return {
    ...transcript,
    speakers: transcript.speakers.map((speaker, at) => {
      const name = names[at] ?? '';
      return isLabel(name) ? speaker : { ...speaker, name };
    }),
  };
}
