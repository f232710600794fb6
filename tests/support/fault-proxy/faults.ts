import { seededRandom } from '../../../shared/domain/random/seeded-random.ts';

/** What happens to the bytes of one direction of one exchange. Counts include the head of the message. */
export interface Flow {
  /** No larger pieces than this, each written on its own. */
  readonly pieceBytes?: number;
  /** Between two pieces, milliseconds. */
  readonly pieceMs?: number;
  /** After this many bytes `stop` happens. */
  readonly cutAt?: number;
  /** `reset` (RST), `end` (FIN) or `stall`: the connection stays open and nothing more comes. */
  readonly stop?: 'reset' | 'end' | 'stall';
}

/** One fault for one exchange; parts can be combined. */
export interface Fault {
  /** Shown in the log of the proxy. */
  readonly name: string;
  readonly request?: Flow;
  readonly answer?: Flow;
  /** The request is accepted and nothing ever follows: the service does not receive it. */
  readonly isHalfOpen?: boolean;
}

/** Where a fault applies. Absent conditions always hold. */
export interface FaultRule {
  readonly method?: string;
  /** The path with its query; a text has to be a prefix of it. */
  readonly path?: string | RegExp;
  /** Of the exchanges that match so far, this one alone, from 1. */
  readonly nth?: number;
  /** Of the exchanges that match, the first this many. */
  readonly first?: number;
  /** 0 to 1; drawn with the seed of the proxy. */
  readonly probability?: number;
  readonly fault: Fault;
}

/** The service has done its work; the answer is lost on the way. */
export const dropAnswer = (): Fault => ({ name: 'drop-answer', answer: { cutAt: 0, stop: 'reset' } });
export const cutAnswer = (cutAt: number, stop: Flow['stop'] = 'end'): Fault => ({
  name: `cut-answer-${cutAt}-${stop}`,
  answer: { cutAt, stop },
});
export const cutRequest = (cutAt: number, stop: Flow['stop'] = 'reset'): Fault => ({
  name: `cut-request-${cutAt}-${stop}`,
  request: { cutAt, stop },
});
export const halfOpen = (): Fault => ({ name: 'half-open', isHalfOpen: true });
/** In small pieces both ways; with `pieceMs` a slow drip. */
export const slice = (pieceBytes: number, pieceMs = 0): Fault => ({
  name: `slice-${pieceBytes}-${pieceMs}ms`,
  request: { pieceBytes, pieceMs },
  answer: { pieceBytes, pieceMs },
});

/** Selects by rules: the first that matches and whose random choice applies. */
export class FaultChooser {
  readonly #random: () => number;
  readonly #counts = new Map<FaultRule, number>();

  constructor(seed: number) {
    this.#random = seededRandom(seed);
  }

  choose(rules: readonly FaultRule[], method: string, path: string): Fault | null {
    for (const rule of rules) {
      if (rule.method !== undefined && rule.method !== method) continue;
      if (typeof rule.path === 'string' ? !path.startsWith(rule.path) : rule.path?.test(path) === false) continue;
      const number = (this.#counts.get(rule) ?? 0) + 1;
      this.#counts.set(rule, number);
      if (rule.nth !== undefined && rule.nth !== number) continue;
      if (rule.first !== undefined && number > rule.first) continue;
      if (rule.probability !== undefined && this.#random() >= rule.probability) continue;
      return rule.fault;
    }
    return null;
  }
}
