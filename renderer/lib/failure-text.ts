import { createContext, useCallback, useContext } from 'react';
import type { FailureAction } from '../../shared/domain/failures/actions.ts';
import { describeFailure } from '../../shared/domain/failures/describe-failure.ts';
import { textAfterTitle } from '../../shared/domain/failures/text-after-title.ts';
import type { Origin } from '../../shared/domain/modes.ts';
import type { Failure } from '../../shared/result/failure.ts';
import { plainText, useInterfaceLanguage, useText } from './text.ts';

/** Who does the work, because the words of a failure name it. */
export const OriginContext = createContext<Origin>('service');

/** `textAfterTitle`: without a first sentence that repeats the title. */
export function useFailureText() {
  const t = plainText(useText());
  const language = useInterfaceLanguage();
  const origin = useContext(OriginContext);
  return (failure: Failure) => {
    const { titleKey, textKey, params: written, actions } = describeFailure(failure, language, origin);
    const spoken = written['language'];
    const params = spoken === undefined ? written : { ...written, language: t(`common.languageNames.${spoken}`) };
    const title = t(titleKey, params);
    const text = t(textKey, params);
    return { title, text, textAfterTitle: textAfterTitle(title, text, language), actions };
  };
}

/** Their labels name a charge, which this computer does not make. */
const chargedActions: ReadonlySet<FailureAction> = new Set(['send-again', 'use-new-version', 'send-anyway']);

export function useFailureActionText(): (action: FailureAction) => string {
  const t = plainText(useText());
  const origin = useContext(OriginContext);
  return useCallback(
    (action) =>
      t(
        origin === 'local' && chargedActions.has(action) ? `errors.localActions.${action}` : `errors.actions.${action}`,
      ),
    [t, origin],
  );
}

export function useFailureFacts() {
  const t = useText();
  const code = (label: string, value: string | number | undefined) =>
    value === undefined ? [] : [{ label, value: String(value), isCode: true }];
  return (
    failure: Failure,
  ): readonly { readonly label: string; readonly value: string; readonly isCode?: boolean }[] => [
    ...code(t('common.failure.row'), failure.row),
    ...code(t('common.failure.code'), failure.code),
    ...code(t('common.failure.status'), failure.status),
    ...code(t('common.failure.requestId'), failure.requestId),
    ...(failure.details === undefined ? [] : [{ label: t('common.failure.answer'), value: failure.details }]),
  ];
}
