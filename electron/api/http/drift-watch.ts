import type { Logger } from '../../../shared/domain/diagnostics/log-entry.ts';
import type { Endpoint } from '../../../shared/wire/endpoint.ts';

/** The first of a kind is logged, then only when it has become ten times as many. */
const isWorthALine = (count: number): boolean => /^10*$/u.test(String(count));

/**
 * Counts where answers differ from what the document says (`shape_drift`): a field that lacks or
 * is of another type, a code that comes with another status. Nothing fails by it; the log shows it to support.
 */
export class DriftWatch {
  readonly #log: Logger;
  readonly #counts = new Map<string, number>();

  constructor(log: Logger) {
    this.#log = log;
  }

  /** `what` is a word of ours or of the document: the place of a field, or a code. */
  note({ method, path }: Pick<Endpoint, 'method' | 'path'>, what: readonly string[], status?: number): void {
    for (const code of what) {
      const name = `${method} ${path} ${code} ${status ?? ''}`;
      const count = (this.#counts.get(name) ?? 0) + 1;
      this.#counts.set(name, count);
      if (!isWorthALine(count)) continue;
      this.#log.write({
        event: 'shape-drift',
        level: 'warn',
        route: path,
        method,
        code,
        count,
        ...(status === undefined ? {} : { status }),
      });
    }
  }
}
