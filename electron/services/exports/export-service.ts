import { dirname } from 'node:path';
import { changeChoices, exporters } from '../../../shared/domain/exports/exporters.ts';
import { isCutFormat, type CutFormat, type ExportFormat } from '../../../shared/domain/exports/formats.ts';
import type { GivenOptions, HeardSpan, Outline } from '../../../shared/domain/exports/exporter.ts';
import { safeFileName, typedFileName } from '../../../shared/domain/exports/safe-file-name.ts';
import type { SubtitleCheck } from '../../../shared/domain/exports/subtitles.ts';
import type { WritingFacts } from '../../../shared/domain/exports/write-export.ts';
import { localFailure } from '../../../shared/domain/jobs/job-failures.ts';
import type { TimeSpan } from '../../../shared/domain/transcript/transcript.ts';
import { mostRecentExports } from '../../../shared/domain/settings/settings.ts';
import { err, ok, type Result } from '../../../shared/result/result.ts';
import { serviceExportFormats, type ServiceExportFormat, type SttApi } from '../../service/stt.ts';
import type { OpenedForExport } from './batch-export.ts';
import { cutRecording, findVideo } from './cut-recording.ts';
import {
  secondIdOf,
  writeRequest,
  writeStart,
  type AudioCutter,
  type CutWatch,
  type ExportRequest,
  type LongWriter,
  type PdfRenderer,
  type WritingRequest,
  type WrittenExport,
} from './write-request.ts';
import type { FilePort } from '../library/store.ts';
import type { AudioExtractor, VideoSource } from '../media/audio-extractor.ts';
import type { SettingsStore } from '../settings/stored-settings.ts';
import { isLong } from '../transcripts/text-in-parts.ts';
import { findFacts, findTranscript } from '../transcripts/transcript-service.ts';
import type { LibraryStore } from '../../storage/sqlite-library-store.ts';

export type ShownExport =
  | { readonly kind: 'text'; readonly text: string; readonly isShortened: boolean }
  | { readonly kind: 'page'; readonly html: string; readonly isShortened: boolean }
  | { readonly kind: 'outline'; readonly outline: Outline; readonly isShortened: boolean }
  | {
      readonly kind: 'audio';
      readonly spans: readonly HeardSpan[];
      readonly durationMs: number;
      readonly isShortened: false;
    }
  /** `spans` begin at key frames, so together they may be longer than what is kept. */
  | {
      readonly kind: 'video';
      readonly spans: readonly TimeSpan[];
      readonly durationMs: number;
      readonly longerMs: number;
      readonly isShortened: false;
    };

interface Ports {
  readonly store: LibraryStore;
  readonly files: FilePort;
  readonly writer: LongWriter;
  readonly api: Pick<SttApi, 'export'>;
  readonly printPdf: PdfRenderer;
  readonly extractor: Pick<AudioExtractor, 'pathOf' | 'look' | 'planVideo' | 'cutVideo'>;
  readonly cutAudio: AudioCutter;
  readonly nameSpeaker: WritingFacts['nameSpeaker'];
}

export const isServiceFormat = (format: string): format is ServiceExportFormat =>
  (serviceExportFormats as readonly string[]).includes(format);

const lettersForCharacter = 3;

const unwatched: CutWatch = { signal: new AbortController().signal, onShare: () => undefined };

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

export function createExportService(ports: Ports) {
  const { store, files, writer, api, printPdf, extractor, nameSpeaker } = ports;
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

  const render = async (
    request: ExportRequest,
  ): Promise<Result<{ readonly bytes: Uint8Array; readonly suggestedName: string }>> => {
    const written = await write({ ...request, characters: null });
    if (!written.ok) return written;
    const { title, document } = written.value;
    if (!('bytes' in document)) return err(localFailure('export-unfinished'));
    const bytes = document.kind === 'page' ? await printPdf(decoder.decode(document.bytes)) : ok(document.bytes);
    if (!bytes.ok) return bytes;
    return ok({ bytes: bytes.value, suggestedName: safeFileName(title, exporters[request.format].extension) });
  };

  const save = async (
    request: ExportRequest,
    path: string,
    watch: CutWatch = unwatched,
  ): Promise<Result<{ readonly path: string; readonly sizeBytes: number }>> => {
    if (isCutFormat(request.format)) return saveCut({ ...request, format: request.format }, path, watch);
    const made = await render(request);
    if (!made.ok) return made;
    const saved = await files.writeWhole(path, made.value.bytes);
    return saved.ok ? ok({ path, sizeBytes: made.value.bytes.byteLength }) : saved;
  };

  async function saveCut(request: ExportRequest & { readonly format: CutFormat }, path: string, watch: CutWatch) {
    const facts = findFacts(store, request.transcriptId);
    if (!facts.ok) return facts;
    const written = await write({ ...request, characters: null });
    if (!written.ok) return written;
    const cut = await cutRecording(ports, facts.value, request.format, written.value.document, path, watch);
    return cut.ok ? ok({ path, sizeBytes: cut.value.sizeBytes }) : cut;
  }

  async function videoOf(transcriptId: string): Promise<Result<VideoSource>> {
    const facts = findFacts(store, transcriptId);
    return facts.ok ? findVideo(ports, facts.value) : facts;
  }

  const original = async (transcriptId: string, format: ServiceExportFormat): Promise<Result<string>> => {
    const found = store.transcriptFacts(transcriptId);
    if (!found.ok) return found;
    const remoteId = found.value?.remoteId ?? null;
    return remoteId === null ? err(localFailure('result-missing')) : api.export(remoteId, format);
  };

  return {
    render,
    /** The containers that a video can be cut into, its own first; null for audio. */
    async video(transcriptId: string) {
      const video = await videoOf(transcriptId);
      if (!video.ok) return null;
      const { containers, hasSubtitles, hasSecondAudio } = video.value;
      return { containers, losesTracks: hasSubtitles || hasSecondAudio };
    },
    async show(request: ExportRequest, characters: number | null): Promise<Result<ShownExport>> {
      // A preview needs the paragraphs; the bytes of a Word document show nothing.
      const written = await write({ ...request, characters: characters ?? Number.MAX_SAFE_INTEGER });
      if (!written.ok) return written;
      const { document, isShortened } = written.value;
      if (document.kind === 'outline') return ok({ ...document, isShortened });
      if (document.kind === 'audio') return ok({ ...document, isShortened: false });
      if (document.kind === 'video') {
        const video = await videoOf(request.transcriptId);
        if (!video.ok) return video;
        const planned = await extractor.planVideo({ ...document, video: video.value });
        if (!planned.ok) return planned;
        const { pieces, longerMs } = planned.value;
        const spans = pieces.map(({ startMs, endMs }) => ({ startMs: Math.max(0, startMs), endMs }));
        return ok({ kind: 'video', spans, durationMs: document.durationMs, longerMs, isShortened: false });
      }
      if (document.kind === 'check') return err(localFailure('export-unfinished'));
      const text = decoder.decode(document.bytes);
      return ok(
        document.kind === 'page' ? { kind: 'page', html: text, isShortened } : { kind: 'text', text, isShortened },
      );
    },
    async check(request: ExportRequest): Promise<Result<SubtitleCheck>> {
      const written = await write({ ...request, characters: null, isCheck: true });
      if (!written.ok) return written;
      const { document } = written.value;
      return document.kind === 'check' ? ok(document.check) : err(localFailure('export-unfinished'));
    },
    /** As written by the service; result-missing when it does not have this transcript. Free. */
    original,
    async saveOriginal(
      transcriptId: string,
      format: ServiceExportFormat,
      path: string,
    ): Promise<Result<{ readonly path: string }>> {
      const text = await original(transcriptId, format);
      if (!text.ok) return text;
      const saved = await files.writeWhole(path, text.value);
      return saved.ok ? ok({ path }) : saved;
    },
    nameFor(transcriptId: string, format: ExportFormat, typed?: string): Result<string> {
      const listed = store.listTranscripts();
      if (!listed.ok) return listed;
      const title = listed.value.find(({ id }) => id === transcriptId)?.title;
      return title === undefined
        ? err(localFailure('deleted-at-service', { code: 'unknown_transcript' }))
        : ok(
            typed === undefined
              ? safeFileName(title, exporters[format].extension)
              : typedFileName(typed, exporters[format].extension),
          );
    },
    open(transcriptId: string): Result<OpenedForExport> {
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
        saveCut: (format, options, path, watch) => saveCut({ transcriptId, format, options }, path, watch),
      });
    },
    /** Writes atomically; an existing file is replaced only as a whole. `watch` is for audio and video, which take time. */
    save,
  };
}

export type ExportService = ReturnType<typeof createExportService>;

/** Remembers format, options and place, so that the next export starts from them. */
export function rememberExport(
  settings: Pick<SettingsStore, 'get' | 'update'>,
  path: string,
  { format, options }: { readonly format: ExportFormat; readonly options: GivenOptions },
): void {
  // The chosen part and the second text belong to one recording, so they are not remembered.
  const { second, fromMs: _from, toMs: _to, ...lasting } = options;
  const kept = second === 'letters' ? { ...lasting, second } : lasting;
  const { exportChoices, recentExports } = settings.get();
  const folder = dirname(path);
  const others = recentExports.filter((made) => made.format !== format || made.folder !== folder);
  settings.update({
    exportFolder: folder,
    lastExportFormat: format,
    exportChoices: changeChoices({ ...exportChoices, [format]: {} }, format, kept),
    recentExports: [{ format, options: kept, folder }, ...others].slice(0, mostRecentExports),
  });
}
