import type { Logger } from '../../../shared/domain/diagnostics/log-entry.ts';
import type { Endpoint } from '../../../shared/wire/endpoint.ts';

/** The first occurrence is logged, then only each tenfold increase. */
const isWorthALine = (count: number): boolean => /^10*$/u.test(String(count));

/**
 * Counts where answers differ from the documented contract (`shape_drift`): a missing field, another type, a code with
 * another status. Nothing fails because of it; the log shows it to support.
 */
export class DriftWatch {
  readonly #log: Logger;
  readonly #counts = new Map<string, number>();

  constructor(log: Logger) {
    this.#log = log;
  }

  /** `what` is our own word or the document's: the path of a field, or a code. */
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
