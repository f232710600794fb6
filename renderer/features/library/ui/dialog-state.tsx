import type { Failure } from '../../../../shared/result/failure.ts';
import { useFailureWords } from '../../../lib/failure-words.ts';
import { useText } from '../../../lib/text.ts';
import { Button } from '../../../ui/button.tsx';
import { Spinner } from '../../../ui/spinner.tsx';
import css from './dialogs.module.css';

/** What a dialog is waiting for, or why it has nothing to show. */
export function DialogState({
  failure,
  waiting,
  onRetry,
}: {
  readonly failure: Failure | null;
  /** Null when nothing is loading. */
  readonly waiting: string | null;
  /** Null when the request can't be retried. */
  readonly onRetry: (() => void) | null;
}) {
  const t = useText();
  const words = useFailureWords();
  return (
    <>
      {failure && (
        <p role="alert" className={css['failure']}>
          {words(failure).text}{' '}
          {onRetry !== null && (
            <Button size="sm" variant="ghost" onPress={onRetry}>
              {t('common.tryAgain')}
            </Button>
          )}
        </p>
      )}
      {waiting !== null && (
        <output className={css['waiting']}>
          <Spinner /> {waiting}
        </output>
      )}
    </>
  );
}
