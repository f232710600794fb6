import { CircleAlert } from 'lucide-react';
import type { FailureAction } from '../../../../shared/domain/failures/actions.ts';
import type { Failure } from '../../../../shared/result/failure.ts';
import { useConnection } from '../../../bridge/live-state.tsx';
import { useRunCommand } from '../../../lib/commands.tsx';
import { useFailureActionText, useFailureFacts, useFailureWords } from '../../../lib/failure-words.ts';
import { useText } from '../../../lib/text.ts';
import { Banner } from '../../../ui/banner.tsx';
import { Button } from '../../../ui/button.tsx';
import { useCopy } from '../../../ui/notices.ts';

const again: ReadonlySet<FailureAction> = new Set(['retry', 'try-now', 'go-on', 'check-again', 'send-again']);
const inSettings: ReadonlySet<FailureAction> = new Set(['enter-key', 'change-key', 'recheck-key', 'change-address']);

export interface FailureNoticeProps {
  readonly failure: Failure;
  readonly tone?: 'warn' | 'bad';
  /** What did not work; by default the failure's own title. */
  readonly title?: string;
  /** What the failure is about, after its text. */
  readonly about?: string;
  /** Tries again; without it the place has a button of its own for that. */
  readonly onRetry?: () => void;
}

/** What was refused, what is kept, and the steps that lead on from here. */
export function FailureNotice({ failure, tone = 'bad', title, about, onRetry }: FailureNoticeProps) {
  const t = useText();
  const copy = useCopy();
  const words = useFailureWords()(failure);
  const actionText = useFailureActionText();
  const factsOf = useFailureFacts();
  const run = useRunCommand();
  const { mode } = useConnection();
  const retry = words.actions.find((action) => again.has(action)) ?? 'retry';
  const setting = words.actions.find((action) => inSettings.has(action));
  const facts = factsOf(failure).map(({ label, value }) => `${label}: ${value}`);
  // Each screen says itself that there is no key, for as long as there is none.
  if (failure.row === 'E-235' && mode === 'service') return null;
  return (
    <Banner
      role="alert"
      tone={tone}
      icon={CircleAlert}
      title={title ?? words.title}
      actions={
        <>
          <Button size="sm" variant="ghost" onPress={() => void copy(facts.join('\n'))}>
            {actionText('copy-details')}
          </Button>
          {setting !== undefined && (
            <Button size="sm" onPress={() => run('settings.open')}>
              {actionText(setting)}
            </Button>
          )}
          {onRetry !== undefined && (
            <Button size="sm" onPress={onRetry}>
              {failure.row === 'E-041' ? t('speak.blocks.sendAgain') : actionText(retry)}
            </Button>
          )}
        </>
      }
    >
      {title === undefined ? words.textAfterTitle : words.text}
      {about !== undefined && ` ${about}`}
    </Banner>
  );
}
