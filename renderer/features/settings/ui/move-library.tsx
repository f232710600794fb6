import { useQueryClient } from '@tanstack/react-query';
import { Check, CircleAlert, FolderOutput } from 'lucide-react';
import { createContext, useContext, useEffect, useEffectEvent, useMemo, useState, type ReactNode } from 'react';
import { useLocation } from 'wouter';
import type { Failure } from '../../../../shared/result/failure.ts';
import { useStudio } from '../../../bridge/studio-context.tsx';
import { useFailureText } from '../../../lib/failure-text.ts';
import { useFormats, useText } from '../../../lib/text.ts';
import { Button } from '../../../ui/button.tsx';
import { ProgressBar } from '../../../ui/progress-bar.tsx';
import { failureShownForMs, useToast } from '../../../ui/toast.tsx';
import css from './settings-pages.module.css';
import { SettingFailure, SettingRow } from './settings-group.tsx';

const storagePath = '/settings/storage';

type State =
  | { readonly tag: 'idle' | 'asking' }
  /** `leftBytes`: old files that could not be deleted. */
  | { readonly tag: 'done'; readonly leftBytes: number }
  | {
      readonly tag: 'moving';
      readonly step: 'copying' | 'checking';
      readonly copiedBytes: number;
      readonly totalBytes: number;
    }
  | { readonly tag: 'failed'; readonly failure: Failure };

const MoveContext = createContext<readonly [State, (state: State) => void]>([{ tag: 'idle' }, () => undefined]);

/** Follows a move whatever screen is shown, so that its end reaches the user, and its state is kept for the page. */
export function LibraryMove({ children }: { readonly children: ReactNode }) {
  const t = useText();
  const studio = useStudio();
  const queries = useQueryClient();
  const words = useFailureText();
  const showToast = useToast();
  const [location, navigate] = useLocation();
  const [state, setState] = useState<State>({ tag: 'idle' });
  const announce = useEffectEvent((failure: Failure | null) => {
    if (location.startsWith(storagePath)) return;
    const action = { text: t('settings.pages.storage'), onPress: () => navigate(storagePath) };
    showToast(
      failure === null
        ? { text: t('settings.storage.move.done'), action }
        : { text: words(failure).title, icon: CircleAlert, action, shownForMs: failureShownForMs },
    );
  });
  useEffect(
    () =>
      studio.subscribe('storage.moving', ({ step, copiedBytes, totalBytes, failure, leftBytes }) => {
        if (step !== 'ended') setState({ tag: 'moving', step, copiedBytes, totalBytes });
        else {
          setState(failure === null ? { tag: 'done', leftBytes } : { tag: 'failed', failure });
          announce(failure);
          void queries.invalidateQueries({ queryKey: ['storage'] });
        }
      }),
    [studio, queries],
  );
  const value = useMemo(() => [state, setState] as const, [state]);
  return <MoveContext value={value}>{children}</MoveContext>;
}

export function MoveLibrary() {
  const t = useText();
  const formats = useFormats();
  const studio = useStudio();
  const [state, setState] = useContext(MoveContext);
  const move = async () => {
    setState({ tag: 'asking' });
    const answer = await studio.request('storage.move', {});
    if (!answer.ok) setState({ tag: 'failed', failure: answer.error });
    // Progress may have come already.
    else if (!answer.value.isBegun) setState({ tag: 'idle' });
  };
  const fraction = state.tag === 'moving' ? state.copiedBytes / Math.max(1, state.totalBytes) : 0;
  return (
    <>
      <SettingRow label={t('settings.storage.move.title')} hint={t('settings.storage.move.hint')}>
        {state.tag === 'moving' ? (
          <Button onPress={() => void studio.request('storage.cancelMove', {})}>
            {t('settings.storage.move.cancel')}
          </Button>
        ) : (
          <Button icon={FolderOutput} isLoading={state.tag === 'asking'} onPress={() => void move()}>
            {t('settings.storage.move.button')}
          </Button>
        )}
      </SettingRow>
      <div aria-live="polite" className={css['moved']}>
        {state.tag === 'moving' && (
          <>
            <p>
              {t(`settings.storage.move.${state.step}`)} {state.step === 'copying' && formats.percent(fraction)}
            </p>
            <ProgressBar
              label={t(`settings.storage.move.${state.step}`)}
              progress={state.step === 'copying' ? { tag: 'determinate', fraction } : { tag: 'indeterminate' }}
            />
          </>
        )}
        {state.tag === 'done' && (
          <p className={css['movedDone']}>
            <Check aria-hidden size={16} strokeWidth={1.75} /> {t('settings.storage.move.done')}
          </p>
        )}
        {state.tag === 'done' && state.leftBytes > 0 && (
          <p>{t('settings.storage.move.left', { size: formats.bytes(state.leftBytes) })}</p>
        )}
      </div>
      <SettingFailure failure={state.tag === 'failed' ? state.failure : null} />
    </>
  );
}
