import { exporters } from '../../../shared/domain/exports/exporters.ts';
import { copyName, type CopyCollision } from '../../../shared/domain/exports/copy-name.ts';
import type { ExportFormat } from '../../../shared/domain/exports/formats.ts';
import type { GivenOptions } from '../../../shared/domain/exports/options.ts';
import { distinctFileName, foldedName, safeFileName } from '../../../shared/domain/exports/safe-file-name.ts';
import type { SpeechLanguage } from '../../../shared/domain/languages.ts';
import type { Failure } from '../../../shared/result/failure.ts';
import { err, ok, type Result } from '../../../shared/result/result.ts';

/** Many transcripts in many formats. */
export interface BatchRequest {
  readonly transcriptIds: readonly string[];
  readonly formats: readonly { readonly format: ExportFormat; readonly options: GivenOptions }[];
  /** Of names, with parts in braces; `{name}` is the title of the transcript. */
  readonly template: string;
  /** What happens to a file of that name that is there already. */
  readonly collision: CopyCollision;
  /** All files beside each other, a folder for each transcript, or one archive. */
  readonly layout: 'files' | 'folders' | 'zip';
  readonly folder: string;
}

/** What became of one transcript; with a failure, some of its files may have been written. */
export interface BatchOutcome {
  readonly transcriptId: string;
  readonly title: string | null;
  readonly outputs: readonly string[];
  readonly failure: Failure | null;
}

/** One transcript, read once for all its formats. */
export interface OpenedForExport {
  readonly title: string;
  readonly createdAtMs: number;
  readonly language: SpeechLanguage;
  readonly speakerCount: number;
  render(format: ExportFormat, options: GivenOptions): Promise<Result<Uint8Array, Failure>>;
}

export interface BatchPorts {
  open(transcriptId: string): Promise<Result<OpenedForExport, Failure>>;
  /** Names in a folder; none of one that is not there. */
  names(folder: string): Promise<Result<readonly string[], Failure>>;
  makeFolder(folder: string): Promise<Result<null, Failure>>;
  join(folder: string, name: string): string;
  /** Whole or not at all. */
  writeWhole(path: string, bytes: Uint8Array): Promise<Result<null, Failure>>;
  zip(files: Readonly<Record<string, Uint8Array>>): Promise<Uint8Array>;
  now(): number;
}

export interface BatchWatch {
  readonly signal: AbortSignal;
  readonly onProgress: (doneCount: number, totalCount: number, title: string) => void;
}

/** The writer was stopped or the disk hiccuped: the same once more often works, and costs nothing. */
const mayPass: ReadonlySet<string> = new Set(['E-214', 'E-181']);

/** Writes one file after another; what fails is tried once more and then told, and the rest goes on. */
export async function exportMany(
  request: BatchRequest,
  ports: BatchPorts,
  { signal, onProgress }: BatchWatch,
): Promise<readonly BatchOutcome[]> {
  const { transcriptIds, formats, template, layout, collision } = request;
  const places = new Places(ports, collision);
  const archive: Record<string, Uint8Array> = {};
  const outcomes: BatchOutcome[] = [];
  const total = transcriptIds.length * formats.length;
  let done = 0;

  const exportOne = async (transcriptId: string): Promise<BatchOutcome> => {
    const opened = await ports.open(transcriptId);
    if (!opened.ok) return { transcriptId, title: null, outputs: [], failure: opened.error };
    const { title, createdAtMs, language, speakerCount } = opened.value;
    const outputs: string[] = [];
    let failure: Failure | null = null;
    // A dot in a title begins no file extension.
    const facts = { sourceName: `${title}.x`, finishedAtMs: createdAtMs, language, speakerCount };
    const own = layout === 'files' ? '' : safeFileName(title, '');
    for (const { format, options } of formats) {
      if (signal.aborted) break;
      onProgress(done, total, title);
      const made = await twice(() => opened.value.render(format, options));
      done += 1;
      if (!made.ok) {
        failure = made.error;
        continue;
      }
      const { extension } = exporters[format];
      const name = copyName(template, facts, extension);
      if (layout === 'zip') {
        const base = formats.length > 1 ? `${own}/` : '';
        archive[places.inArchive(base, name, extension)] = made.value;
        continue;
      }
      const folder = layout === 'folders' ? ports.join(request.folder, own) : request.folder;
      const path = await places.take(folder, name, extension);
      if (!path.ok) failure = path.error;
      else if (path.value !== null) {
        const saved = await twice(() => ports.writeWhole(path.value ?? '', made.value));
        if (saved.ok) outputs.push(path.value);
        else failure = saved.error;
      }
    }
    return { transcriptId, title, outputs, failure };
  };

  for (const transcriptId of transcriptIds) {
    if (signal.aborted) break;
    outcomes.push(await exportOne(transcriptId));
  }
  onProgress(done, total, '');
  if (layout !== 'zip' || Object.keys(archive).length === 0 || signal.aborted) return outcomes;
  const written = await writeArchive(request.folder, archive, ports, places);
  return outcomes.map((outcome) =>
    written.ok
      ? { ...outcome, outputs: outcome.failure === null && written.value !== null ? [written.value] : [] }
      : { ...outcome, failure: outcome.failure ?? written.error },
  );
}

async function writeArchive(
  folder: string,
  files: Readonly<Record<string, Uint8Array>>,
  ports: BatchPorts,
  places: Places,
): Promise<Result<string | null, Failure>> {
  const day = new Date(ports.now()).toISOString().slice(0, 10);
  const path = await places.take(folder, `Ovoz Studio ${day}.zip`, '.zip');
  if (!path.ok || path.value === null) return path;
  const saved = await ports.writeWhole(path.value, await ports.zip(files));
  return saved.ok ? path : saved;
}

async function twice<T>(attempt: () => Promise<Result<T, Failure>>): Promise<Result<T, Failure>> {
  const first = await attempt();
  return first.ok || !mayPass.has(first.error.row) ? first : attempt();
}

/** Names that are taken in each folder, by others and by this run. */
class Places {
  readonly #taken = new Map<string, Set<string>>();
  readonly #written = new Set<string>();
  readonly #ports: BatchPorts;
  readonly #collision: CopyCollision;

  constructor(ports: BatchPorts, collision: CopyCollision) {
    this.#ports = ports;
    this.#collision = collision;
  }

  /** Where a file of this name goes; null when it is to be left out. */
  async take(folder: string, name: string, extension: string): Promise<Result<string | null, Failure>> {
    let taken = this.#taken.get(folder);
    if (taken === undefined) {
      const made = await this.#ports.makeFolder(folder);
      if (!made.ok) return err(made.error);
      const names = await this.#ports.names(folder);
      if (!names.ok) return err(names.error);
      this.#taken.set(folder, (taken = new Set(names.value.map(foldedName))));
    }
    let free = name;
    const path = this.#ports.join(folder, name);
    // What this very run wrote is never replaced: two transcripts may have one title.
    if (taken.has(foldedName(name)) && (this.#collision !== 'overwrite' || this.#written.has(foldedName(path)))) {
      if (this.#collision === 'skip' && !this.#written.has(foldedName(path))) return ok(null);
      free = distinctFileName(name.slice(0, -extension.length), extension, taken);
    }
    taken.add(foldedName(free));
    const place = this.#ports.join(folder, free);
    this.#written.add(foldedName(place));
    return ok(place);
  }

  inArchive(base: string, name: string, extension: string): string {
    const taken = this.#taken.get(base) ?? new Set<string>();
    this.#taken.set(base, taken);
    const free = taken.has(foldedName(name))
      ? distinctFileName(name.slice(0, -extension.length), extension, taken)
      : name;
    taken.add(foldedName(free));
    return base + free;
  }
}
