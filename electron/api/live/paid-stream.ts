import { randomUUID } from 'node:crypto';
import type { PaidAsked, PaidLedger, PaidReport } from '../../../shared/domain/ledger/paid-action.ts';
import type { Failure } from '../../../shared/result/failure.ts';
import type { EndpointName } from '../../../shared/wire/endpoints.ts';
import { failedEnding } from '../http/record-paid.ts';

interface Named {
  readonly id: string;
  readonly route: EndpointName;
  readonly product: string;
}

/** One paid thing on a stream, as the ledger records it: begun once before it is requested, ended once. */
export class PaidStream {
  readonly #ledger: PaidLedger | undefined;
  #named: Named;
  #isOpen = false;

  constructor(ledger: PaidLedger | undefined, named: Named) {
    this.#ledger = ledger;
    this.#named = named;
  }

  /**
   * Called before the paid request; on a failure it must not be sent. Calling it again for the same thing changes
   * nothing.
   */
  begin(asked: PaidAsked): Failure | null {
    if (this.#ledger === undefined || this.#isOpen) return null;
    const begun = this.#ledger.begin({ ...this.#named, asked, estimate: null });
    if (!begun.ok) return { ...begun.error, outcome: 'not_sent' };
    this.#isOpen = true;
    return null;
  }

  /** It was done. */
  accept(used: Partial<Pick<PaidReport, 'characters' | 'durationMs'>>, remoteId: string | null = null): void {
    this.#end({
      outcome: 'accepted',
      status: null,
      row: null,
      code: null,
      requestId: null,
      llmRequestId: null,
      remoteId,
      report: {
        credits: null,
        characters: used.characters ?? null,
        durationMs: used.durationMs ?? null,
        inputTokens: null,
        outputTokens: null,
      },
    });
  }

  /** Its answer never came. To request it again may be charged again, so that is an action of its own. */
  renew(failure: Failure): void {
    this.fail(failure);
    this.#named = { ...this.#named, id: randomUUID() };
  }

  /** It was not, or nobody knows. */
  fail(failure: Failure): void {
    this.#end(failedEnding(failure));
  }

  #end(ending: Parameters<PaidLedger['end']>[1]): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#ledger?.end(this.#named.id, ending);
  }
}
