import type { CopyCollision } from '../../../shared/domain/exports/copy-name.ts';
import { distinctFileName, foldedName } from '../../../shared/domain/exports/safe-file-name.ts';
import type { Failure } from '../../../shared/result/failure.ts';
import { err, ok, type Result } from '../../../shared/result/result.ts';

export interface PlacePorts {
  /** Names in a folder; none for a missing one. */
  names(folder: string): Promise<Result<readonly string[], Failure>>;
  makeFolder(folder: string): Promise<Result<null, Failure>>;
  join(folder: string, name: string): string;
}

/** Names that are taken in each folder, by other files and by this run. */
export class Places {
  readonly #taken = new Map<string, Set<string>>();
  readonly #written = new Set<string>();
  readonly #ports: PlacePorts;
  readonly #collision: CopyCollision;

  constructor(ports: PlacePorts, collision: CopyCollision) {
    this.#ports = ports;
    this.#collision = collision;
  }

  /** The path for a file of this name; null when it is to be skipped. */
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
    // A file of this very run is never replaced, because two transcripts may have the same title.
    if (taken.has(foldedName(name)) && (this.#collision !== 'overwrite' || this.#written.has(foldedName(path)))) {
      if (this.#collision === 'skip' && !this.#written.has(foldedName(path))) return ok(null);
      free = distinctFileName(name.slice(0, -extension.length), extension, taken);
    }
    taken.add(foldedName(free));
    const place = this.#ports.join(folder, free);
    this.#written.add(foldedName(place));
    return ok(place);
  }

  /** Nothing was written there after all: the folder is listed again. */
  giveBack(place: string): void {
    this.#written.delete(foldedName(place));
    for (const [folder, taken] of this.#taken) {
      const name = [...taken].find(
        (candidate) => foldedName(this.#ports.join(folder, candidate)) === foldedName(place),
      );
      if (name !== undefined) taken.delete(name);
    }
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
