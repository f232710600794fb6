import { exporters } from '../../../shared/domain/exports/exporters.ts';
import { copyName, type BatchLayout, type CopyCollision } from '../../../shared/domain/exports/copy-name.ts';
import { isAudioFormat, type AudioFormat, type ExportFormat } from '../../../shared/domain/exports/formats.ts';
import type { GivenOptions } from '../../../shared/domain/exports/options.ts';
import { safeFileName } from '../../../shared/domain/exports/safe-file-name.ts';
import type { SpeechLanguage } from '../../../shared/domain/languages.ts';
import type { Failure } from '../../../shared/result/failure.ts';
import { ok, type Result } from '../../../shared/result/result.ts';
import type { AudioWatch } from './audio-cutter.ts';
import { Places, type PlacePorts } from './places.ts';

/** One transcript in some formats. */
export interface BatchItem {
  readonly transcriptId: string;
  readonly formats: readonly ExportFormat[];
}

/** Many transcripts in many formats. */
export interface BatchRequest {
  readonly items: readonly BatchItem[];
  readonly options: (format: ExportFormat) => GivenOptions;
  /** A pattern of names with variables in braces; `{name}` is the title of the transcript. */
  readonly template: string;
  /** What happens to an existing file of that name. */
  readonly collision: CopyCollision;
  /** All files in one folder, a folder for each transcript, or one archive. */
  readonly layout: BatchLayout;
  readonly folder: string;
}

/** The result for one transcript; one in neither list was skipped or not begun. */
export interface BatchOutcome {
  readonly transcriptId: string;
  readonly title: string | null;
  readonly outputs: readonly string[];
  readonly failures: readonly { readonly format: ExportFormat; readonly failure: Failure }[];
}

/** One transcript, read once for all its formats. */
export interface OpenedForExport {
  readonly title: string;
  /** The value of `{name}`, with an extension; by default the title. */
  readonly sourceName?: string;
  readonly createdAtMs: number;
  readonly language: SpeechLanguage;
  readonly speakerCount: number;
  render(format: ExportFormat, options: GivenOptions): Promise<Result<Uint8Array, Failure>>;
  /** Writes the recording in a format, completely or not at all. */
  saveAudio(
    format: AudioFormat,
    options: GivenOptions,
    path: string,
    watch: AudioWatch,
  ): Promise<Result<unknown, Failure>>;
}

/** A file that contains others; it becomes visible only when it is finished. */
export interface Archive {
  add(name: string, bytes: Uint8Array): Promise<Result<null, Failure>>;
  /** Adds the file at that path and deletes it. */
  move(name: string, path: string): Promise<Result<null, Failure>>;
  finish(): Promise<Result<null, Failure>>;
  cancel(): Promise<void>;
}

export interface BatchPorts extends PlacePorts {
  open(transcriptId: string): Promise<Result<OpenedForExport, Failure>>;
  /** Whole or not at all. */
  writeWhole(path: string, bytes: Uint8Array): Promise<Result<null, Failure>>;
  openArchive(path: string): Promise<Result<Archive, Failure>>;
  now(): number;
}

export interface BatchWatch {
  readonly signal: AbortSignal;
  /** Counts files; the one being written counts as the fraction of it that is done. */
  readonly onProgress: (doneCount: number, totalCount: number, title: string) => void;
}

/** The writer was stopped or the disk hiccuped: one more try often works, and costs nothing. */
const mayPass: ReadonlySet<string> = new Set(['E-214', 'E-181']);

/** Writes one file after another; a failure is retried once and then reported, and the rest goes on. */
export async function exportMany(
  request: BatchRequest,
  ports: BatchPorts,
  { signal, onProgress }: BatchWatch,
): Promise<readonly BatchOutcome[]> {
  const { items, template, layout, collision } = request;
  const places = new Places(ports, collision);
  const archive = layout === 'zip' ? new LazyArchive(request.folder, ports, places) : null;
  const total = items.reduce((sum, { formats }) => sum + formats.length, 0);
  const outcomes: BatchOutcome[] = [];
  let done = 0;

  const exportOne = async ({ transcriptId, formats }: BatchItem): Promise<BatchOutcome> => {
    const opened = await ports.open(transcriptId);
    if (!opened.ok) {
      done += formats.length;
      const failures = formats.map((format) => ({ format, failure: opened.error }));
      return { transcriptId, title: null, outputs: [], failures };
    }
    const { title, sourceName, createdAtMs, language, speakerCount } = opened.value;
    const outputs: string[] = [];
    const failures: { format: ExportFormat; failure: Failure }[] = [];
    // A dot in a title does not start a file extension.
    const facts = { sourceName: sourceName ?? `${title}.x`, finishedAtMs: createdAtMs, language, speakerCount };
    const own = layout === 'files' ? '' : safeFileName(title, '');
    const onShare = (share: number): void => {
      onProgress(done + share, total, title);
    };
    const watch = { signal, onShare };

    const placed = async (name: string, extension: string): Promise<Result<string | null, Failure>> => {
      const folder = layout === 'folders' ? ports.join(request.folder, own) : request.folder;
      return places.take(folder, name, extension);
    };
    /** `name`: of the file, or of the entry in the archive. */
    const writeOne = async (format: ExportFormat, name: string): Promise<Result<string | null, Failure>> => {
      const options = request.options(format);
      if (archive !== null) return archive.put(name, format, options, opened.value, watch);
      // The name is reserved first: a file that will be skipped need not be made.
      const path = await placed(name, exporters[format].extension);
      if (!path.ok || path.value === null) return path;
      const place = path.value;
      const saved = await (isAudioFormat(format)
        ? opened.value.saveAudio(format, options, place, watch)
        : opened.value.render(format, options).then((made) => (made.ok ? ports.writeWhole(place, made.value) : made)));
      if (!saved.ok) places.giveBack(place);
      return saved.ok ? ok(place) : saved;
    };

    for (const format of formats) {
      if (signal.aborted) break;
      onProgress(done, total, title);
      const { extension } = exporters[format];
      const name = copyName(template, facts, extension);
      const entry = archive === null ? name : places.inArchive(formats.length > 1 ? `${own}/` : '', name, extension);
      const written = await twice(() => writeOne(format, entry), signal);
      // What was stopped has not failed.
      if (!written.ok && signal.aborted) break;
      done += 1;
      if (!written.ok) failures.push({ format, failure: written.error });
      else if (written.value !== null) outputs.push(written.value);
    }
    return { transcriptId, title, outputs, failures };
  };

  for (const item of items) {
    if (signal.aborted) break;
    outcomes.push(await exportOne(item));
  }
  onProgress(done, total, '');
  return archive === null ? outcomes : archive.close(outcomes, items, signal);
}

async function twice<T>(attempt: () => Promise<Result<T, Failure>>, signal: AbortSignal): Promise<Result<T, Failure>> {
  const first = await attempt();
  return first.ok || signal.aborted || !mayPass.has(first.error.row) ? first : attempt();
}

/** The archive of a run, created with its first file; an interrupted run leaves none. */
class LazyArchive {
  #opened: { readonly archive: Archive; readonly path: string } | null = null;
  readonly #folder: string;
  readonly #ports: BatchPorts;
  readonly #places: Places;

  constructor(folder: string, ports: BatchPorts, places: Places) {
    this.#folder = folder;
    this.#ports = ports;
    this.#places = places;
  }

  async #open(): Promise<Result<{ readonly archive: Archive; readonly path: string } | null, Failure>> {
    if (this.#opened !== null) return ok(this.#opened);
    const day = new Date(this.#ports.now()).toISOString().slice(0, 10);
    const path = await this.#places.take(this.#folder, `Ovoz Studio ${day}.zip`, '.zip');
    if (!path.ok) return path;
    if (path.value === null) return ok(null);
    const archive = await this.#ports.openArchive(path.value);
    if (!archive.ok) return archive;
    return ok((this.#opened = { archive: archive.value, path: path.value }));
  }

  /** The path of the archive; null when one of that name exists and is to stay. */
  async put(
    entry: string,
    format: ExportFormat,
    options: GivenOptions,
    transcript: OpenedForExport,
    watch: AudioWatch,
  ): Promise<Result<string | null, Failure>> {
    const opened = await this.#open();
    if (!opened.ok) return opened;
    if (opened.value === null) return ok(null);
    const { archive, path } = opened.value;
    if (isAudioFormat(format)) {
      const beside = `${path}.${exporters[format].extension.slice(1)}.part`;
      const cut = await transcript.saveAudio(format, options, beside, watch);
      if (!cut.ok) return cut;
      const moved = await archive.move(entry, beside);
      return moved.ok ? ok(path) : moved;
    }
    const made = await transcript.render(format, options);
    if (!made.ok) return made;
    const added = await archive.add(entry, made.value);
    return added.ok ? ok(path) : added;
  }

  async close(
    outcomes: readonly BatchOutcome[],
    items: readonly BatchItem[],
    signal: AbortSignal,
  ): Promise<readonly BatchOutcome[]> {
    if (this.#opened === null) return outcomes;
    const { archive, path } = this.#opened;
    if (signal.aborted || outcomes.every(({ outputs }) => outputs.length === 0)) {
      await archive.cancel();
      return outcomes.map((outcome) => ({ ...outcome, outputs: [] }));
    }
    const finished = await archive.finish();
    return outcomes.map((outcome, at) => {
      if (finished.ok) return { ...outcome, outputs: outcome.outputs.length > 0 ? [path] : [] };
      const formats = items[at]?.formats ?? [];
      return { ...outcome, outputs: [], failures: formats.map((format) => ({ format, failure: finished.error })) };
    });
  }
}
