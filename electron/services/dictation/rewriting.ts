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
  /** On disk when it returns true; shown in either case. */
  readonly save: (takeId: string, rewritings: readonly Rewriting[]) => boolean;
  readonly write: CleanUpByModel;
}

/** Rewrites stretches of takes, one at a time for each take. What was paid for is not asked for again. */
export function createRewriting({ phrases, stored, save, write }: RewritingPorts) {
  /** By the ids of their takes. */
  const arriving = new Map<string, string>();
  /** What came and the disk did not take: it is paid for, and goes with whatever is saved next. */
  const unsaved = new Map<string, Partial<Rewriting>>();
  const closed = new AbortController();

  const knownOf = (takeId: string): readonly Rewriting[] | null =>
    stored(takeId)?.map((one) => ({ ...one, ...unsaved.get(one.id) })) ?? null;

  const saveAll = (takeId: string, rewritings: readonly Rewriting[]): boolean => {
    if (!save(takeId, rewritings)) return false;
    for (const { id } of rewritings) unsaved.delete(id);
    return true;
  };

  const change = (takeId: string, id: string, part: Partial<Rewriting>): void => {
    unsaved.set(id, { ...unsaved.get(id), ...part });
    const known = knownOf(takeId);
    if (known === null || closed.signal.aborted) return;
    saveAll(takeId, part.isShown === true ? showing(known, id) : known);
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
      return (knownOf(takeId) ?? []).map((one) => {
        const isArriving = arriving.get(takeId) === one.id;
        // The app quit while it was on its way.
        const isLost = one.written === null && one.fault === null && !isArriving;
        return { ...one, isArriving, ...(isLost ? { fault: 'failed' as const } : {}) };
      });
    },

    /** 0: nothing is sent, because this text has been written in that style. Null: it can't be rewritten. */
    charactersToSend(takeId: string, style: ModelStyle, stretch: Stretch): number | null {
      const known = knownOf(takeId);
      const said = saidIn(phrases(takeId), stretch);
      if (known === null || said === '' || said.length > longestRewritten || arriving.has(takeId)) return null;
      return samePaid(known, style, stretch, said) === undefined ? said.length : 0;
    },

    /** `sendsAgain`: even if an earlier try may have been charged. */
    start(takeId: string, style: ModelStyle, stretch: Stretch, sendsAgain: boolean): boolean {
      const characters = this.charactersToSend(takeId, style, stretch);
      const known = knownOf(takeId);
      if (characters === null || known === null) return false;
      const said = saidIn(phrases(takeId), stretch);
      const same = samePaid(known, style, stretch, said);
      if (same !== undefined) return saveAll(takeId, showing(known, same.id));
      const { from, to } = stretch;
      const id = randomUUID();
      const nothing = { written: null, edited: null, fault: null, credits: null, isShown: false };
      const one: Rewriting = { id, style, from, to, said, ...nothing };
      arriving.set(takeId, id);
      // A try without a text says nothing any more.
      if (!saveAll(takeId, [...known.filter(({ written }) => written !== null), one])) {
        arriving.delete(takeId);
        return false;
      }
      void ask(takeId, one, sendsAgain).finally(() => arriving.get(takeId) === id && arriving.delete(takeId));
      return true;
    },

    show(takeId: string, id: string | null): boolean {
      const known = knownOf(takeId);
      return known !== null && saveAll(takeId, showing(known, id));
    },

    /** Null: as the model wrote it. */
    edit(takeId: string, id: string, text: string | null): boolean {
      const known = knownOf(takeId);
      if (known?.some((one) => one.id === id && one.written !== null) !== true) return false;
      return saveAll(
        takeId,
        known.map((one) => (one.id === id ? { ...one, edited: text } : one)),
      );
    },

    close: (): void => closed.abort(),
  };
}
