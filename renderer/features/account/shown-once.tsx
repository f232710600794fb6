import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Check, CircleCheck, Copy } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import type { Failure } from '../../../shared/result/failure.ts';
import type { Result } from '../../../shared/result/result.ts';
import { useConnection } from '../../bridge/live-state.tsx';
import { useText } from '../../lib/text.ts';
import { Button } from '../../ui/button.tsx';
import { Question } from '../../ui/dialog.tsx';
import css from './account.module.css';
import { AccountFailure } from './token.tsx';

interface ShownOnceProps {
  readonly title: string;
  readonly maskedSuffix: string;
  readonly copy: () => Promise<Result<unknown, Failure>>;
  readonly onDone: () => void;
  readonly actions?: ReactNode;
}

/** Stays until the user has it, whatever is opened or made meanwhile. `owner`: last characters of token or key. */
export function useShownOnce<T extends { readonly id: string }>(of: 'key' | 'webhook', owner: string) {
  const { mode, serviceAddress } = useConnection();
  const queries = useQueryClient();
  const queryKey = ['shown-once', of, mode, serviceAddress, owner];
  const { data = [] } = useQuery<readonly T[]>({ queryKey, queryFn: () => [], enabled: false, gcTime: Infinity });
  const change = (next: (before: readonly T[]) => readonly T[]): void =>
    void queries.setQueryData<readonly T[]>(queryKey, (before = []) => next(before));
  const remove = (id: string): void => change((before) => before.filter((one) => one.id !== id));
  const add = (shown: T): void => change((before) => [shown, ...before.filter(({ id }) => id !== shown.id)]);
  return { shown: data, add, remove };
}

export function ShownOnce({ title, maskedSuffix, copy, onDone, actions }: ShownOnceProps) {
  const t = useText();
  const [failure, setFailure] = useState<Failure | null>(null);
  const [wasCopied, setWasCopied] = useState(false);
  const [isLeaving, setIsLeaving] = useState(false);
  return (
    <section className={css['once']} aria-label={title}>
      <output className={css['onceTitle']}>
        <CircleCheck aria-hidden size={16} strokeWidth={1.75} />
        <b>{title}</b>
      </output>
      <div className="row gap-8 wrap">
        <span className={css['masked']}>{`••••••••••••••••${maskedSuffix}`}</span>
        <Button
          variant="primary"
          icon={wasCopied ? Check : Copy}
          onPress={() =>
            void copy().then((copied) => {
              setFailure(copied.ok ? null : copied.error);
              setWasCopied(copied.ok);
            })
          }
        >
          {wasCopied ? t('account.once.copied') : t('account.once.copy')}
        </Button>
        {actions}
        <Button
          variant="ghost"
          onPress={() => {
            if (wasCopied || maskedSuffix === '') onDone();
            else setIsLeaving(true);
          }}
        >
          {t('account.once.done')}
        </Button>
      </div>
      <p className="fine subtle">{t('account.once.hint')}</p>
      {failure && <AccountFailure failure={failure} />}
      <Question
        isDanger
        title={t('account.once.leave')}
        confirm={t('account.once.leaveIt')}
        isOpen={isLeaving}
        onClose={() => setIsLeaving(false)}
        onConfirm={onDone}
      >
        {t('account.once.leaveText')}
      </Question>
    </section>
  );
}
