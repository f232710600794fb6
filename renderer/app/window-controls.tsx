import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Copy, Minus, Square, X } from 'lucide-react';
import { useEffect } from 'react';
import { appQuery, useApp } from '../bridge/live-state.tsx';
import { useStudio } from '../bridge/studio-context.tsx';
import { useText } from '../lib/text.ts';
import { PressButton } from '../ui/press-button.tsx';
import css from './window-controls.module.css';

/** Only where the shell gives the window no frame of its own. */
export function WindowControls() {
  const { capabilities, isMaximized } = useApp();
  return capabilities.windowControls && <Controls isMaximized={isMaximized} />;
}

/** The same without live state: a window whose app crashed can still be moved and closed. */
export function WindowControlsOfLast() {
  const studio = useStudio();
  const queries = useQueryClient();
  const { data } = useQuery(appQuery(studio));
  useEffect(
    () =>
      studio.subscribe('window.changed', ({ isMaximized }) =>
        queries.setQueryData(appQuery(studio).queryKey, (app) => app && { ...app, isMaximized }),
      ),
    [studio, queries],
  );
  return data?.capabilities.windowControls === true && <Controls isMaximized={data.isMaximized} />;
}

function Controls({ isMaximized }: { readonly isMaximized: boolean }) {
  const t = useText();
  const studio = useStudio();
  const actions = [
    { action: 'minimize', label: t('shell.window.minimize'), Icon: Minus },
    {
      action: 'toggle-maximize',
      label: isMaximized ? t('shell.window.restore') : t('shell.window.maximize'),
      Icon: isMaximized ? Copy : Square,
    },
    { action: 'close', label: t('shell.window.close'), Icon: X },
  ] as const;
  return (
    <div className={css['controls']}>
      {actions.map(({ action, label, Icon }) => (
        <PressButton
          key={action}
          className={css['control']}
          label={label}
          onPress={() => void studio.request('window.control', { action })}
        >
          <Icon aria-hidden size={14} strokeWidth={1.5} />
        </PressButton>
      ))}
    </div>
  );
}
