import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { valueOrThrow } from '../../bridge/request-error.ts';
import { useSettings } from '../../bridge/live-state.tsx';
import type { StudioClient } from '../../bridge/client.ts';
import { useStudio } from '../../bridge/studio-context.tsx';
import type { RecoveryState } from '../../bridge/types.ts';
import { RecoveryScreen } from './recovery-screen.tsx';
import { DatabaseBackup } from 'lucide-react';
import { useFormats, useText } from '../../lib/text.ts';
import { ProgressBar } from '../../ui/progress-bar.tsx';
import { RecoveryFrame } from './recovery-frame.tsx';
import css from './recovery-screen.module.css';

const recoveryQuery = (studio: StudioClient, mode: string) =>
  queryOptions({
    queryKey: ['recovery', mode],
    queryFn: () => valueOrThrow(studio.request('recovery.describe', {})),
    staleTime: Infinity,
    retry: false,
  });

const needsTelling = ({ areSettingsReset, library, failure }: RecoveryState): boolean =>
  areSettingsReset || library !== null || failure !== null;

export interface RecoveryGateProps {
  readonly windowControls: ReactNode;
  readonly children: ReactNode;
}

/** The app, or first the report about library and settings, until it was read or the problem solved. */
export function RecoveryGate({ windowControls, children }: RecoveryGateProps) {
  const studio = useStudio();
  const queries = useQueryClient();
  const { mode } = useSettings();
  const query = recoveryQuery(studio, mode);
  const { data } = useQuery(query);
  // A library that was closed for cleaning or moving may have failed to reopen.
  useEffect(
    () =>
      studio.subscribe('connection.changed', () => {
        void queries.invalidateQueries({ queryKey: ['recovery'] });
      }),
    [studio, queries],
  );
  const restoredShare = useRestoredShare();
  if (data === undefined && restoredShare !== null)
    return <RestoringScreen share={restoredShare} windowControls={windowControls} />;
  if (data === undefined || !needsTelling(data)) return children;
  return (
    <RecoveryScreen
      state={data}
      windowControls={windowControls}
      onState={(state) => {
        queries.setQueryData(query.queryKey, state);
        // Rows that could not be listed while there was no library.
        void queries.invalidateQueries({ queryKey: ['jobs'] });
      }}
    />
  );
}

/** The progress of restoring a damaged library; null when there was none. */
function useRestoredShare(): number | null {
  const studio = useStudio();
  const [share, setShare] = useState<number | null>(null);
  useEffect(
    () =>
      studio.subscribe('library.restoring', ({ share: restored }) => {
        setShare(restored);
      }),
    [studio],
  );
  return share;
}

export interface RestoringScreenProps {
  /** Of the work, 0 to 1. */
  readonly share: number;
  readonly windowControls: ReactNode;
}

/** Shown while everything readable is extracted from a damaged library. */
function RestoringScreen({ share, windowControls }: RestoringScreenProps) {
  const t = useText();
  const formats = useFormats();
  // A screen reader begins here.
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <RecoveryFrame label={t('recovery.restoring.title')} windowControls={windowControls}>
      <div className={css['heading']}>
        <span aria-hidden className={css['glyph']}>
          <DatabaseBackup size={24} strokeWidth={1.75} />
        </span>
        <div className={css['restoring']}>
          <h1 ref={heading} tabIndex={-1} className={css['title']}>
            {t('recovery.restoring.title')}
          </h1>
          <p className={css['text']}>{t('recovery.restoring.text')}</p>
          <ProgressBar
            label={t('recovery.restoring.title')}
            progress={share > 0 ? { tag: 'determinate', fraction: share } : { tag: 'indeterminate' }}
            {...(share > 0 ? { valueText: formats.percent(share) } : {})}
          />
        </div>
      </div>
    </RecoveryFrame>
  );
}
