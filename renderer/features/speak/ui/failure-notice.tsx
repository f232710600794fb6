import { CircleAlert } from 'lucide-react';
import { useLocation } from 'wouter';
import type { FailureAction } from '../../../../shared/domain/failures/actions.ts';
import { isUnsentForNow } from '../../../../shared/domain/failures/network-fault.ts';
import { modeOf } from '../../../../shared/domain/modes.ts';
import type { Failure } from '../../../../shared/result/failure.ts';
import { useConnection } from '../../../bridge/live-state.tsx';
import { useFailureActionText, useFailureFacts, useFailureText } from '../../../lib/failure-text.ts';
import { useText } from '../../../lib/text.ts';
import { Banner } from '../../../ui/banner.tsx';
import { Button } from '../../../ui/button.tsx';
import { useCopy } from '../../../ui/notices.ts';

const again: ReadonlySet<FailureAction> = new Set(['retry', 'try-now', 'go-on', 'check-again', 'send-again']);
const inSettings: ReadonlySet<FailureAction> = new Set(['enter-key', 'change-key', 'recheck-key', 'change-address']);

export function FailureNotice(props: {
  readonly failure: Failure;
  readonly tone?: 'warn' | 'bad';
  /** What did not work; by default the failure's own title. */
  readonly title?: string;
  readonly about?: string;
  /** Tries again; without it the place has a button of its own for that. */
  readonly onRetry?: () => void;
}) {
  const { failure, tone = 'bad', title, about, onRetry } = props;
  const t = useText();
  const copy = useCopy();
  const words = useFailureText()(failure);
  const actionText = useFailureActionText();
  const factsOf = useFailureFacts();
  const [, navigate] = useLocation();
  const { mode } = useConnection();
  const retry = words.actions.find((action) => again.has(action)) ?? 'retry';
  const setting = words.actions.find((action) => inSettings.has(action));
  const facts = factsOf(failure).map(({ label, value }) => `${label}: ${value}`);
  // Each screen says itself that there is no key, for as long as there is none.
  if (failure.kind === 'key-missing' && mode === 'service') return null;
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
            <Button size="sm" onPress={() => navigate('/settings/connection')}>
              {actionText(setting)}
            </Button>
          )}
          {onRetry !== undefined && (
            <Button size="sm" onPress={onRetry}>
              {failure.kind === 'job-not-found' ? t('speak.blocks.sendAgain') : actionText(retry)}
            </Button>
          )}
        </>
      }
    >
      {onRetry !== undefined && isUnsentForNow(failure) && modeOf(mode).origin !== 'local'
        ? t('speak.unsent', { again: actionText(retry) })
        : title === undefined
          ? words.textAfterTitle
          : words.text}
      {about !== undefined && ` ${about}`}
    </Banner>
  );
}
