import { createContext, useCallback, useContext } from 'react';
import type { FailureAction } from '../../shared/domain/failures/actions.ts';
import { describeFailure } from '../../shared/domain/failures/describe-failure.ts';
import { textAfterTitle } from '../../shared/domain/failures/text-after-title.ts';
import type { Origin } from '../../shared/domain/modes.ts';
import type { Failure } from '../../shared/result/failure.ts';
import { useInterfaceLanguage, useText } from './text.ts';

/** A failure as texts of the interface. */
export interface FailureWords {
  readonly title: string;
  readonly text: string;
  /** The text without a first sentence that repeats the title, for places that show the title above it. */
  readonly textAfterTitle: string;
  readonly actions: readonly FailureAction[];
}

/** The keys of a failure's texts are built from its row at run time, so the checked key type can't name them. */
type PlainText = (key: string, values?: Readonly<Record<string, string>>) => string;

/** Who does the work, because the words of a failure name it. */
export const OriginContext = createContext<Origin>('service');

export function useFailureWords(): (failure: Failure) => FailureWords {
  const t = useText() as unknown as PlainText;
  const language = useInterfaceLanguage();
  const origin = useContext(OriginContext);
  return (failure) => {
    const { titleKey, textKey, params, actions } = describeFailure(failure, language, origin);
    const title = t(titleKey, params);
    const text = t(textKey, params);
    return { title, text, textAfterTitle: textAfterTitle(title, text, language), actions };
  };
}

/** Their labels name a charge, which this computer does not make. */
const chargedActions: ReadonlySet<FailureAction> = new Set(['send-again', 'use-new-version', 'send-anyway']);

/** The button label for an action of a failure. */
export function useFailureActionText(): (action: FailureAction) => string {
  const t = useText() as unknown as PlainText;
  const origin = useContext(OriginContext);
  return useCallback(
    (action) =>
      t(
        origin === 'local' && chargedActions.has(action) ? `errors.localActions.${action}` : `errors.actions.${action}`,
      ),
    [t, origin],
  );
}

/** The facts that support needs: row, code, status, request id and the service's own text, as labelled lines. */
export function useFailureFacts(): (failure: Failure) => readonly {
  readonly label: string;
  readonly value: string;
  readonly isCode?: boolean;
}[] {
  const t = useText();
  return (failure) => [
    { label: t('common.failure.row'), value: failure.row, isCode: true },
    { label: t('common.failure.code'), value: failure.code, isCode: true },
    ...(failure.status === undefined
      ? []
      : [{ label: t('common.failure.status'), value: String(failure.status), isCode: true }]),
    ...(failure.requestId === undefined
      ? []
      : [{ label: t('common.failure.requestId'), value: failure.requestId, isCode: true }]),
    ...(failure.details === undefined ? [] : [{ label: t('common.failure.answer'), value: failure.details }]),
  ];
}
