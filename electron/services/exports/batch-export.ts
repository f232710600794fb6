import {
  copyName,
  safeFileName,
  distinctFileName,
  foldedName,
  type BatchLayout,
  type CopyCollision,
} from '../../../shared/domain/exports/safe-file-name.ts';
import { exporters } from '../../../shared/domain/exports/exporters.ts';
import { isCutFormat, type CutFormat, type ExportFormat } from '../../../shared/domain/exports/formats.ts';
import type { SpeechLanguage } from '../../../shared/domain/languages.ts';
import type { Failure } from '../../../shared/result/failure.ts';
import { err, ok, type Result } from '../../../shared/result/result.ts';
import type { CutWatch } from './write-request.ts';
import type { GivenOptions } from '../../../shared/domain/exports/exporter.ts';

function createPlaces(ports: BatchPorts, collision: CopyCollision) {
  const takenIn = new Map<string, Set<string>>();
  const writtenPaths = new Set<string>();
  return {
    async take(folder: string, name: string, extension: string): Promise<Result<string | null>> {
      let taken = takenIn.get(folder);
      if (taken === undefined) {
        const made = await ports.makeFolder(folder);
        if (!made.ok) return err(made.error);
        const names = await ports.names(folder);
        if (!names.ok) return err(names.error);
        takenIn.set(folder, (taken = new Set(names.value.map(foldedName))));
      }
      let free = name;
      const path = ports.join(folder, name);
      // A file of this very run is never replaced, because two transcripts may have the same title.
      if (taken.has(foldedName(name)) && (collision !== 'overwrite' || writtenPaths.has(foldedName(path)))) {
        if (collision === 'skip' && !writtenPaths.has(foldedName(path))) return ok(null);
        free = distinctFileName(name.slice(0, -extension.length), extension, taken);
      }
      taken.add(foldedName(free));
      const place = ports.join(folder, free);
      writtenPaths.add(foldedName(place));
      return ok(place);
    },

    giveBack(place: string): void {
      writtenPaths.delete(foldedName(place));
      for (const [folder, taken] of takenIn) {
        const name = [...taken].find((candidate) => foldedName(ports.join(folder, candidate)) === foldedName(place));
        if (name !== undefined) taken.delete(name);
      }
    },

    inArchive(base: string, name: string, extension: string): string {
      const taken = takenIn.get(base) ?? new Set<string>();
      takenIn.set(base, taken);
      const free = taken.has(foldedName(name))
        ? distinctFileName(name.slice(0, -extension.length), extension, taken)
        : name;
      taken.add(foldedName(free));
      return base + free;
    },
  };
}

export interface BatchItem {
  readonly transcriptId: string;
  readonly formats: readonly ExportFormat[];
}

export interface BatchRequest {
  readonly items: readonly BatchItem[];
  readonly options: (format: ExportFormat) => GivenOptions;
  readonly template: string;
  readonly collision: CopyCollision;
  readonly layout: BatchLayout;
  readonly folder: string;
}

export interface BatchOutcome {
  readonly transcriptId: string;
  readonly title: string | null;
  readonly outputs: readonly string[];
  readonly failures: readonly { readonly format: ExportFormat; readonly failure: Failure }[];
}

export interface OpenedForExport {
  readonly title: string;
  readonly sourceName?: string;
  readonly createdAtMs: number;
  readonly language: SpeechLanguage;
  readonly speakerCount: number;
  render(format: ExportFormat, options: GivenOptions): Promise<Result<Uint8Array>>;
  saveCut(format: CutFormat, options: GivenOptions, path: string, watch: CutWatch): Promise<Result<unknown>>;
}

/** A file that contains others; it becomes visible only when it is finished. */
export interface Archive {
  add(name: string, bytes: Uint8Array): Promise<Result<null>>;
  move(name: string, path: string): Promise<Result<null>>;
  finish(): Promise<Result<null>>;
  cancel(): Promise<void>;
}

export interface BatchPorts {
  names(folder: string): Promise<Result<readonly string[]>>;
  makeFolder(folder: string): Promise<Result<null>>;
  join(folder: string, name: string): string;
  open(transcriptId: string): Promise<Result<OpenedForExport>>;
  writeWhole(path: string, bytes: Uint8Array): Promise<Result<null>>;
  openArchive(path: string): Promise<Result<Archive>>;
  now(): number;
}

export interface BatchWatch {
  readonly signal: AbortSignal;
  readonly onProgress: (doneCount: number, totalCount: number, title: string) => void;
}

/** The writer was stopped or the disk hiccuped: one more try often works, and costs nothing. */
const mayPass: ReadonlySet<string> = new Set(['export-unfinished', 'disk-error']);

export async function exportMany(
  request: BatchRequest,
  ports: BatchPorts,
  { signal, onProgress }: BatchWatch,
): Promise<readonly BatchOutcome[]> {
  const { items, template, layout, collision } = request;
  const places = createPlaces(ports, collision);
  const archive = layout === 'zip' ? createArchive(request.folder, ports, places) : null;
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

    const placed = async (name: string, extension: string): Promise<Result<string | null>> => {
      const folder = layout === 'folders' ? ports.join(request.folder, own) : request.folder;
      return places.take(folder, name, extension);
    };
    const writeOne = async (format: ExportFormat, name: string): Promise<Result<string | null>> => {
      const options = request.options(format);
      if (archive !== null) return archive.put(name, format, options, opened.value, watch);
      // The name is reserved first: a file that will be skipped need not be made.
      const path = await placed(name, exporters[format].extension);
      if (!path.ok || path.value === null) return path;
      const place = path.value;
      const saved = await (isCutFormat(format)
        ? opened.value.saveCut(format, options, place, watch)
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

async function twice<T>(attempt: () => Promise<Result<T>>, signal: AbortSignal): Promise<Result<T>> {
  const first = await attempt();
  return first.ok || signal.aborted || !mayPass.has(first.error.kind) ? first : attempt();
}

function createArchive(folder: string, ports: BatchPorts, places: ReturnType<typeof createPlaces>) {
  let opened: { readonly archive: Archive; readonly path: string } | null = null;

  const open = async (): Promise<Result<typeof opened>> => {
    if (opened !== null) return ok(opened);
    const day = new Date(ports.now()).toISOString().slice(0, 10);
    const path = await places.take(folder, `Ovoz Studio ${day}.zip`, '.zip');
    if (!path.ok) return path;
    if (path.value === null) return ok(null);
    const archive = await ports.openArchive(path.value);
    if (!archive.ok) return archive;
    return ok((opened = { archive: archive.value, path: path.value }));
  };

  return {
    async put(
      entry: string,
      format: ExportFormat,
      options: GivenOptions,
      transcript: OpenedForExport,
      watch: CutWatch,
    ): Promise<Result<string | null>> {
      const there = await open();
      if (!there.ok) return there;
      if (there.value === null) return ok(null);
      const { archive, path } = there.value;
      if (isCutFormat(format)) {
        const beside = `${path}.${exporters[format].extension.slice(1)}.part`;
        const cut = await transcript.saveCut(format, options, beside, watch);
        if (!cut.ok) return cut;
        const moved = await archive.move(entry, beside);
        return moved.ok ? ok(path) : moved;
      }
      const made = await transcript.render(format, options);
      if (!made.ok) return made;
      const added = await archive.add(entry, made.value);
      return added.ok ? ok(path) : added;
    },

    async close(
      outcomes: readonly BatchOutcome[],
      items: readonly BatchItem[],
      signal: AbortSignal,
    ): Promise<readonly BatchOutcome[]> {
      if (opened === null) return outcomes;
      const { archive, path } = opened;
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
    },
  };
}
