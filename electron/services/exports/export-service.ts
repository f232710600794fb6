import { exporters } from '../../../shared/domain/exports/exporters.ts';
import { isAudioFormat, type AudioFormat, type ExportFormat } from '../../../shared/domain/exports/formats.ts';
import type { Outline } from '../../../shared/domain/exports/outline.ts';
import type { TimeSpan } from '../../../shared/domain/transcript/transcript.ts';
import { safeFileName, typedFileName } from '../../../shared/domain/exports/safe-file-name.ts';
import type { SubtitleCheck } from '../../../shared/domain/exports/check-subtitles.ts';
import type { WritingFacts } from '../../../shared/domain/exports/write-export.ts';
import { localFailure } from '../../../shared/domain/jobs/job-failures.ts';
import type { Failure } from '../../../shared/result/failure.ts';
import { err, ok, type Result } from '../../../shared/result/result.ts';
import { recordingOf, type AudioExtractor } from '../media/audio-extractor.ts';
import { serviceExportFormats, type ServiceExportFormat, type SttApi } from '../../api/stt-api.ts';
import type { FilePort, LibraryStore } from '../library/store.ts';
import { isLong } from '../transcripts/text-in-parts.ts';
import { findFacts, findTranscript } from '../transcripts/transcript-service.ts';
import type { AudioCutter, AudioWatch } from './audio-cutter.ts';
import type { OpenedForExport } from './batch-export.ts';
import {
  secondIdOf,
  type ExportRequest,
  type LongWriter,
  type PdfRenderer,
  type WritingRequest,
  type WrittenExport,
} from './long-writer.ts';
import { writeRequest, writeStart } from './write-request.ts';

/** What a preview shows: the text of the file, a page, the paragraphs of a document, or the audible parts. */
export type ShownExport =
  | { readonly kind: 'text'; readonly text: string; readonly isShortened: boolean }
  | { readonly kind: 'page'; readonly html: string; readonly isShortened: boolean }
  | { readonly kind: 'outline'; readonly outline: Outline; readonly isShortened: boolean }
  | {
      readonly kind: 'audio';
      readonly spans: readonly TimeSpan[];
      readonly durationMs: number;
      readonly isShortened: false;
    };

export interface ExportedFile {
  readonly bytes: Uint8Array;
  /** Legal everywhere. */
  readonly suggestedName: string;
}

export interface ExportService {
  /** The bytes of the file, for a text format. */
  render(request: ExportRequest): Promise<Result<ExportedFile, Failure>>;
  /** The preview: everything, or the part made from the first `characters` only. */
  show(request: ExportRequest, characters: number | null): Promise<Result<ShownExport, Failure>>;
  /** What a format's caption rules report; E-214 for a format without captions. */
  check(request: ExportRequest): Promise<Result<SubtitleCheck, Failure>>;
  /** As written by the service; E-028 when it does not have this transcript. Free. */
  original(transcriptId: string, format: ServiceExportFormat): Promise<Result<string, Failure>>;
  saveOriginal(
    transcriptId: string,
    format: ServiceExportFormat,
    path: string,
  ): Promise<Result<{ readonly path: string }, Failure>>;
  /** The name for a file of it, without making the file: the one that was typed, or else its title. */
  nameFor(transcriptId: string, format: ExportFormat, typed?: string): Result<string, Failure>;
  /** A transcript with several files, each rendered or saved when its turn comes. */
  open(transcriptId: string): Result<OpenedForExport, Failure>;
  /** Writes atomically; an existing file is replaced only as a whole. `watch` is for audio, which takes time. */
  save(
    request: ExportRequest,
    path: string,
    watch?: AudioWatch,
  ): Promise<Result<{ readonly path: string; readonly sizeBytes: number }, Failure>>;
}

interface Ports {
  readonly store: LibraryStore;
  readonly files: FilePort;
  /** Reads and writes the texts that are `isLong`. */
  readonly writer: LongWriter;
  readonly api: Pick<SttApi, 'export'>;
  readonly printPdf: PdfRenderer;
  readonly extractor: Pick<AudioExtractor, 'pathOf'>;
  readonly cutAudio: AudioCutter;
  /** "Speaker 2" in the language and alphabet of the transcript. */
  readonly nameSpeaker: WritingFacts['nameSpeaker'];
}

/** The formats that the service offers too. */
export const isServiceFormat = (format: string): format is ServiceExportFormat =>
  (serviceExportFormats as readonly string[]).includes(format);

/** Checking subtitles looks somewhat further ahead than what is shown. */
const lettersForCharacter = 3;

const unwatched: AudioWatch = { signal: new AbortController().signal, onShare: () => undefined };

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** Turns saved transcripts into files. */
export function createExportService(ports: Ports): ExportService {
  const { store, files, writer, api, printPdf, extractor, cutAudio, nameSpeaker } = ports;
  /** Reading and writing the beginning of a long text takes less time than starting a thread. */
  const writeBeginning = (request: WritingRequest): Result<WrittenExport> | null => {
    if (request.characters === null || secondIdOf(request.options) !== null) return null;
    const start = store.transcriptStart(request.transcriptId, request.characters * lettersForCharacter);
    if (!start.ok) return start;
    const written = start.value && writeStart(start.value, request, request.characters, nameSpeaker);
    return written === null ? null : ok(written);
  };
  const write = async (request: WritingRequest): Promise<Result<WrittenExport>> => {
    const size = store.wordCount(request.transcriptId);
    if (!size.ok) return size;
    if (size.value !== null && isLong(size.value)) return writeBeginning(request) ?? writer.write(request);
    const found = findTranscript(store, request.transcriptId);
    if (!found.ok) return found;
    const secondId = secondIdOf(request.options);
    // A missing second text is left out; the first one is what was asked for.
    const second = secondId === null ? ok(null) : store.transcript(secondId);
    return second.ok ? ok(await writeRequest(found.value, request, nameSpeaker, second.value)) : second;
  };

  const render: ExportService['render'] = async (request) => {
    const written = await write({ ...request, characters: null });
    if (!written.ok) return written;
    const { title, document } = written.value;
    if (!('bytes' in document)) return err(localFailure('E-214'));
    const bytes = document.kind === 'page' ? await printPdf(decoder.decode(document.bytes)) : ok(document.bytes);
    if (!bytes.ok) return bytes;
    return ok({ bytes: bytes.value, suggestedName: safeFileName(title, exporters[request.format].extension) });
  };

  const save: ExportService['save'] = async (request, path, watch = unwatched) => {
    if (isAudioFormat(request.format)) return saveAudio({ ...request, format: request.format }, path, watch);
    const made = await render(request);
    if (!made.ok) return made;
    const saved = await files.writeWhole(path, made.value.bytes);
    return saved.ok ? ok({ path, sizeBytes: made.value.bytes.byteLength }) : saved;
  };

  async function saveAudio(request: ExportRequest & { readonly format: AudioFormat }, path: string, watch: AudioWatch) {
    const facts = findFacts(store, request.transcriptId);
    if (!facts.ok) return facts;
    const written = await write({ ...request, characters: null });
    if (!written.ok) return written;
    const { document } = written.value;
    if (document.kind !== 'audio') return err(localFailure('E-214'));
    const { spans, durationMs, encoding } = document;
    const from = recordingOf(extractor, facts.value);
    if (!from.ok) return from;
    const { format } = request;
    const cut = await cutAudio({ from: from.value, to: path, format, spans, durationMs, ...encoding }, watch);
    return cut.ok ? ok({ path, sizeBytes: cut.value.sizeBytes }) : cut;
  }

  const original: ExportService['original'] = async (transcriptId, format) => {
    const found = store.transcriptFacts(transcriptId);
    if (!found.ok) return found;
    const remoteId = found.value?.remoteId ?? null;
    return remoteId === null ? err(localFailure('E-028')) : api.export(remoteId, format);
  };

  return {
    render,
    async show(request, characters) {
      // A preview needs the paragraphs; the bytes of a Word document show nothing.
      const written = await write({ ...request, characters: characters ?? Number.MAX_SAFE_INTEGER });
      if (!written.ok) return written;
      const { document, isShortened } = written.value;
      if (document.kind === 'outline') return ok({ ...document, isShortened });
      if (document.kind === 'audio') return ok({ ...document, isShortened: false });
      if (document.kind === 'check') return err(localFailure('E-214'));
      const text = decoder.decode(document.bytes);
      return ok(
        document.kind === 'page' ? { kind: 'page', html: text, isShortened } : { kind: 'text', text, isShortened },
      );
    },
    async check(request) {
      const written = await write({ ...request, characters: null, isCheck: true });
      if (!written.ok) return written;
      const { document } = written.value;
      return document.kind === 'check' ? ok(document.check) : err(localFailure('E-214'));
    },
    original,
    async saveOriginal(transcriptId, format, path) {
      const text = await original(transcriptId, format);
      if (!text.ok) return text;
      const saved = await files.writeWhole(path, text.value);
      return saved.ok ? ok({ path }) : saved;
    },
    nameFor(transcriptId, format, typed) {
      const listed = store.listTranscripts();
      if (!listed.ok) return listed;
      const title = listed.value.find(({ id }) => id === transcriptId)?.title;
      return title === undefined
        ? err(localFailure('E-040', { code: 'unknown_transcript' }))
        : ok(
            typed === undefined
              ? safeFileName(title, exporters[format].extension)
              : typedFileName(typed, exporters[format].extension),
          );
    },
    open(transcriptId) {
      const facts = findFacts(store, transcriptId);
      if (!facts.ok) return facts;
      const { title, createdAtMs } = facts.value;
      const listed = store.transcriptStart(transcriptId, 1);
      const start = listed.ok ? listed.value : null;
      return ok({
        title,
        createdAtMs,
        language: start?.transcript.language ?? 'uz',
        speakerCount: start?.transcript.speakers.length ?? 0,
        async render(format, options) {
          const made = await render({ transcriptId, format, options });
          return made.ok ? ok(made.value.bytes) : made;
        },
        saveAudio: (format, options, path, watch) => saveAudio({ transcriptId, format, options }, path, watch),
      });
    },
    save,
  };
}
