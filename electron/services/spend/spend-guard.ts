import { failureNumbers } from '../../../shared/result/failure-kinds.ts';
import type { Logger } from '../../../shared/domain/diagnostics/log-entry.ts';
import { makeFailure } from '../../../shared/domain/failures/make-failure.ts';
import {
  addEstimates,
  estimateAudio,
  judgeSpend,
  lengthBySize,
  withSpent,
  type AudioWork,
  type SpendEstimate,
  type SpendJudgement,
} from '../../../shared/domain/spend/spend-limit.ts';
import { err, ok, type Result } from '../../../shared/result/result.ts';
import type { AdmitFiles, FileSize } from '../../queue/rows.ts';
import type { SettingsStore, StoredSettings } from '../settings/stored-settings.ts';

export type SpendQuestion = Extract<SpendJudgement, { readonly tag: 'ask' }> & {
  /** The user may leave it waiting in the queue. */
  readonly waits?: boolean | undefined;
  /** Of the service that is to have what was ordered for another account, which is always asked about. */
  readonly newAddress?: string | undefined;
  /** The queue is paused, so it is not sent at once. */
  readonly isHeld?: boolean;
  /** The service then does not tell the app what things cost. */
  readonly lacksToken?: boolean;
};

export interface SpendRequest extends Pick<SpendQuestion, 'waits' | 'newAddress'> {
  readonly windowId: number;
  /** There was a click or key press that has not been used yet, or the user has just chosen files. */
  readonly isByPerson: boolean;
  readonly estimate: SpendEstimate;
}

interface SpendGuardOptions {
  readonly settings: SettingsStore;
  readonly now: () => number;
  readonly identity?: () => string | null;
  /** Whether the account has reported what this work costs. */
  readonly isPriced?: (work: AudioWork) => boolean;
  /** Asks the user in a system dialog, which no page can answer. */
  readonly confirm: (windowId: number, question: SpendQuestion) => Promise<boolean | 'waits'>;
  /** Meanwhile nothing is sent, which the page says. */
  readonly publishAsking?: (isOpen: boolean) => void;
  readonly log: Logger;
}

/** While a price is unknown, each addition is asked about, until the user wants no more questions for the account. */
export function isPriceUnknown(
  { spendLimitMinutes, agreedConnections }: Pick<StoredSettings, 'spendLimitMinutes' | 'agreedConnections'>,
  account: string | null,
  isPriced: (work: AudioWork) => boolean,
  { recordings, price }: SpendEstimate,
): boolean {
  if (spendLimitMinutes === null || spendLimitMinutes === 0 || agreedConnections.includes(account ?? '')) return false;
  if (recordings === undefined) return price?.usual == null && price?.most == null;
  return !recordings.every(({ work }) => isPriced(work));
}

/** The only gate for what costs (S-15); practice costs nothing, but needs user activation too. */
export function createSpendGuard(options: SpendGuardOptions) {
  const { settings, now, identity = () => null, isPriced = () => true, publishAsking, log } = options;
  let last: Promise<unknown> = Promise.resolve();

  const confirm = (windowId: number, question: SpendQuestion): Promise<boolean | 'waits'> => {
    publishAsking?.(true);
    return options.confirm(windowId, question).finally(() => publishAsking?.(false));
  };

  const isUnpriced = (estimate: SpendEstimate): boolean =>
    settings.get().mode === 'service' && isPriceUnknown(settings.get(), identity(), isPriced, estimate);

  const admit = async (
    { windowId, isByPerson, estimate, waits, newAddress }: SpendRequest,
    mayAsk: boolean,
  ): Promise<Result<boolean | 'waits'>> => {
    if (!isByPerson) {
      log.write({ event: 'spend-refused', level: 'warn', row: failureNumbers['not-asked-for'] });
      return err(makeFailure('not-asked-for', { code: 'no_user_activation' }));
    }
    const { mode, spendLimitMinutes, spentLately } = settings.get();
    if (mode !== 'service') return ok(true);
    const isKnown = !isUnpriced(estimate);
    const isAlwaysAsked = newAddress !== undefined && isKnown && spendLimitMinutes !== null;
    const limit = isAlwaysAsked ? 0 : spendLimitMinutes;
    const judged = judgeSpend(limit, spentLately, estimate, now(), isKnown);
    if (judged.tag === 'ask' && !mayAsk) return ok(false);
    if (judged.tag === 'ask') {
      const answer = await confirm(windowId, { ...judged, waits, newAddress });
      if (answer !== true) {
        log.write({ event: 'spend-declined' });
        return ok(answer);
      }
    }
    settings.update({ spentLately: withSpent(settings.get().spentLately, estimate, now()) });
    return ok(true);
  };

  const inTurn = (ask: () => Promise<Result<boolean | 'waits'>>): Promise<Result<boolean | 'waits'>> => {
    const admitted = last.then(ask);
    last = admitted.catch(() => undefined);
    return admitted;
  };

  return {
    isUnpriced,
    mayAsk: (): boolean => settings.get().mode === 'service' && settings.get().spendLimitMinutes !== null,
    /** One request at a time, so that a hundred at once can't all be judged by the same hour. */
    admit: (request: SpendRequest) => inTurn(() => admit(request, true)),
    /** The same without asking: false where the user would have to be asked, and nothing is counted then. */
    admitWithin: (request: SpendRequest) => inTurn(() => admit(request, false)),
  };
}

/** For a model that writes during dictation, when the user can't be asked. */
export function admitUnasked(
  settings: SettingsStore,
  account: string | null,
  estimate: SpendEstimate,
  nowMs: number,
): boolean {
  const { mode, spendLimitMinutes, spentLately } = settings.get();
  if (mode !== 'service') return true;
  const isPriced = !isPriceUnknown(settings.get(), account, () => false, estimate);
  if (judgeSpend(spendLimitMinutes, spentLately, estimate, nowMs, isPriced).tag === 'ask') return false;
  settings.update({ spentLately: withSpent(spentLately, estimate, nowMs) });
  return true;
}

export type SpendGuard = ReturnType<typeof createSpendGuard>;

export interface Asker {
  readonly windowId: number;
  readonly activation: number | null;
}

export const notByPerson = makeFailure('not-asked-for', { code: 'no_user_activation' });

export function audioOf({ sizeBytes, durationMs, language }: FileSize, work: AudioWork): SpendEstimate {
  return estimateAudio(work, [durationMs ?? lengthBySize(sizeBytes)], durationMs === null, language);
}

/** Resolves with false when the user declined. */
export function createPaidActions(parts: { readonly guard: SpendGuard; readonly activations: UserActivations }) {
  const { guard, activations } = parts;
  const order = async (
    { windowId, activation }: Asker,
    estimate: SpendEstimate | Promise<SpendEstimate>,
    how: Pick<SpendRequest, 'waits' | 'newAddress'> = {},
  ) => {
    // The press counts when it is made, however long the estimate takes.
    const isByPerson = activations.take(windowId, activation);
    return guard.admit({ windowId, isByPerson, estimate: await estimate, ...how });
  };
  return {
    /** Sending files: called before each batch. not-asked-for without a user activation. */
    sendFiles(
      { windowId, isByPerson }: Pick<SpendRequest, 'windowId' | 'isByPerson'>,
      work: AudioWork,
    ): Result<AdmitFiles> {
      if (!isByPerson) return err(notByPerson);
      return ok(async (files, isLastBatch, isResting = false) => {
        // Paused until the user has seen what it costs; going on is an order of its own.
        if (isResting) return true;
        // The whole of a folder is judged before anything of it is sent.
        if (!isLastBatch && guard.mayAsk()) return false;
        const estimate = addEstimates(files.map((file) => audioOf(file, work)));
        const waits = guard.isUnpriced(estimate);
        const request = { windowId, isByPerson: true, estimate, waits };
        const admitted = await guard.admit(request);
        return admitted.ok && admitted.value;
      });
    },
    /** A recording that came into a watched folder: nobody is there to be asked, so at an unknown price it waits. */
    async sendWatched(file: FileSize, work: AudioWork): Promise<boolean | 'waits'> {
      const estimate = audioOf(file, work);
      if (guard.isUnpriced(estimate)) return 'waits';
      const admitted = await guard.admitWithin({ windowId: 0, isByPerson: true, estimate });
      return admitted.ok && admitted.value;
    },
    start: async (asker: Asker, estimate: SpendEstimate | Promise<SpendEstimate>): Promise<Result<boolean>> => {
      const admitted = await order(asker, estimate);
      return admitted.ok ? ok(admitted.value === true) : admitted;
    },
    /** Of what is in the queue already, where it may stay. */
    startQueued: (asker: Asker, estimate: SpendEstimate, newAddress: string | undefined) =>
      order(asker, estimate, { waits: true, newAddress }),
  };
}

export type PaidActions = ReturnType<typeof createPaidActions>;

const freshMs = 5_000;
/** Page and main read the same clock, in two processes. */
const skewMs = 250;

/** The preload adds the time of the last real press, which no script can create or read (S-15). */
export function createUserActivations(now: () => number) {
  const lastUsed = new Map<number, number>();
  return {
    take(windowId: number, activation: number | null): boolean {
      if (activation === null || activation > now() + skewMs || activation < now() - freshMs) return false;
      if (activation <= (lastUsed.get(windowId) ?? 0)) return false;
      lastUsed.set(windowId, activation);
      return true;
    },
    forget: (windowId: number): void => void lastUsed.delete(windowId),
  };
}

export type UserActivations = ReturnType<typeof createUserActivations>;
