import { randomUUID } from 'node:crypto';
import type { ModelStyle } from '../../../shared/domain/dictation/clean-up.ts';
import {
  longestRewritten,
  mostRewritingTokens,
  rewritingWaitsMs,
  saidIn,
  showing,
  type Rewriting,
  type Stretch,
  type WrittenRewriting,
} from '../../../shared/domain/dictation/rewriting.ts';
import type { WrittenPhrase } from '../../../shared/domain/dictation/written-phrases.ts';
import type { CleanUpByModel } from './clean-up-phrase.ts';

interface RewritingPorts {
  readonly phrases: (takeId: string) => readonly WrittenPhrase[];
  /** As stored; null: there is no such take. */
  readonly stored: (takeId: string) => readonly Rewriting[] | null;
  /** On disk when it returns. */
  readonly save: (takeId: string, rewritings: readonly Rewriting[]) => boolean;
  readonly write: CleanUpByModel;
}

/** Rewrites stretches of takes, one at a time for each take. What was paid for is not asked for again. */
export function createRewriting({ phrases, stored, save, write }: RewritingPorts) {
  /** What is on its way for each take. */
  const arriving = new Map<string, string>();
  const closed = new AbortController();

  const change = (takeId: string, id: string, part: Partial<Rewriting>): void => {
    const known = stored(takeId);
    if (known === null || closed.signal.aborted) return;
    const changed = known.map((one) => (one.id === id ? { ...one, ...part } : one));
    save(takeId, part.isShown === true ? showing(changed, id) : changed);
  };

  const ask = async (takeId: string, { id, style, said }: Rewriting, sendsAgain: boolean): Promise<void> => {
    const signal = AbortSignal.any([AbortSignal.timeout(rewritingWaitsMs), closed.signal]);
    const maxTokens = mostRewritingTokens(said.length);
    const { written, fault, credits } = await write({
      style,
      text: said,
      maxTokens,
      sendsAgain,
      isAdmitted: true,
      signal,
    });
    arriving.delete(takeId);
    change(takeId, id, { written, fault, isShown: fault === null });
    const cost = await credits;
    if (cost !== null) change(takeId, id, { credits: cost });
  };

  const samePaid = (known: readonly Rewriting[], style: ModelStyle, stretch: Stretch, said: string) =>
    known.find(
      (one) =>
        one.style === style &&
        one.from === stretch.from &&
        one.to === stretch.to &&
        one.said === said &&
        one.written !== null,
    );

  return {
    view(takeId: string): readonly WrittenRewriting[] {
      return (stored(takeId) ?? []).map((one) => {
        const isArriving = arriving.get(takeId) === one.id;
        // The app quit while it was on its way.
        const isLost = one.written === null && one.fault === null && !isArriving;
        return { ...one, isArriving, ...(isLost ? { fault: 'failed' as const } : {}) };
      });
    },

    /** 0: nothing is sent, because this text has been written in that style. Null: it can't be rewritten. */
    charactersToSend(takeId: string, style: ModelStyle, stretch: Stretch): number | null {
      const known = stored(takeId);
      const said = saidIn(phrases(takeId), stretch);
      if (known === null || said === '' || said.length > longestRewritten || arriving.has(takeId)) return null;
      return samePaid(known, style, stretch, said) === undefined ? said.length : 0;
    },

    /** `sendsAgain`: even if an earlier try may have been charged. */
    start(takeId: string, style: ModelStyle, stretch: Stretch, sendsAgain: boolean): boolean {
      const characters = this.charactersToSend(takeId, style, stretch);
      const known = stored(takeId);
      if (characters === null || known === null) return false;
      const said = saidIn(phrases(takeId), stretch);
      const same = samePaid(known, style, stretch, said);
      if (same !== undefined) return save(takeId, showing(known, same.id));
      const { from, to } = stretch;
      const id = randomUUID();
      const one: Rewriting = { id, style, from, to, said, written: null, fault: null, credits: null, isShown: false };
      arriving.set(takeId, id);
      // A try without a text says nothing any more.
      const isKept = save(takeId, [...known.filter(({ written }) => written !== null), one]);
      const end = () => {
        if (arriving.get(takeId) === id) arriving.delete(takeId);
      };
      // Without a place for the answer it would be paid for and lost.
      if (isKept) void ask(takeId, one, sendsAgain).finally(end);
      else end();
      return isKept;
    },

    show(takeId: string, id: string | null): boolean {
      const known = stored(takeId);
      return known !== null && save(takeId, showing(known, id));
    },

    close: (): void => closed.abort(),
  };
}
