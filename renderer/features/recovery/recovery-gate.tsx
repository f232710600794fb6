import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { DatabaseBackup, FolderOpen, RotateCw } from 'lucide-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { makeFailure } from '../../../shared/domain/failures/make-failure.ts';
import { modeIds, modes } from '../../../shared/domain/modes.ts';
import type { Failure } from '../../../shared/result/failure.ts';
import { useConnection, useSettings } from '../../bridge/live-state.tsx';
import { valueOrThrow } from '../../bridge/request-error.ts';
import { useStudio } from '../../bridge/studio-context.tsx';
import type { RecoveryState } from '../../bridge/types.ts';
import { useFailureFacts, useFailureText } from '../../lib/failure-text.ts';
import { useText } from '../../lib/text.ts';
import { useChooseMode } from '../../parts/connection/connection-form.tsx';
import { Button } from '../../ui/button.tsx';
import { FactList } from '../../ui/fact-list.tsx';
import { Mark } from '../../ui/mark.tsx';
import css from './recovery-screen.module.css';

const needsTelling = ({ areSettingsReset, library, failure }: RecoveryState): boolean =>
  areSettingsReset || library !== null || failure !== null;

interface RecoveryGateProps {
  readonly windowControls: ReactNode;
  readonly children: ReactNode;
}

export function RecoveryGate({ windowControls, children }: RecoveryGateProps) {
  const studio = useStudio();
  const queries = useQueryClient();
  const { mode } = useSettings();
  const query = queryOptions({
    queryKey: ['recovery', mode],
    queryFn: () => valueOrThrow(studio.request('recovery.describe', {})),
    staleTime: Infinity,
    retry: false,
  });
  const { data } = useQuery(query);
  // A library that was closed for cleaning or moving may have failed to reopen.
  useEffect(
    () => studio.subscribe('connection.changed', () => void queries.invalidateQueries({ queryKey: ['recovery'] })),
    [studio, queries],
  );
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

interface RecoveryScreenProps {
  readonly state: RecoveryState;
  readonly windowControls: ReactNode;
  readonly onState: (state: RecoveryState) => void;
}

function RecoveryScreen({ state, windowControls, onState }: RecoveryScreenProps) {
  const t = useText();
  const studio = useStudio();
  const words = useFailureText();
  const facts = useFailureFacts();
  const [refusal, setRefusal] = useState<Failure | null>(null);
  const [isWorking, setIsWorking] = useState(false);
  const { areSettingsReset, library, failure } = state;
  const ofLibrary = failure ?? library?.notice;
  const ask = async (method: 'recovery.retry' | 'recovery.acknowledge') => {
    setIsWorking(true);
    setRefusal(null);
    const answer = await studio.request(method, {});
    setIsWorking(false);
    if (answer.ok) onState(answer.value);
    else setRefusal(answer.error);
  };
  const what = library?.isDamagedFileKept === true ? 'damaged-file' : 'folder';
  const reveal = async () => {
    const answer = await studio.request('recovery.reveal', { what });
    setRefusal(answer.ok ? null : answer.error);
  };
  return (
    <RecoveryFrame label={t('recovery.label')} windowControls={windowControls}>
      {ofLibrary && <Happened failure={ofLibrary} />}
      {failure && (
        <>
          <p className={css['text']}>{t('recovery.untouched')}</p>
          <section className={css['section']} aria-label={t('recovery.details')}>
            <h2 className="text-sm strong">{t('recovery.details')}</h2>
            <FactList facts={facts(failure)} />
          </section>
        </>
      )}
      {areSettingsReset && <Happened failure={makeFailure('settings-reset')} isBelow={ofLibrary !== undefined} />}
      <div role="alert" className={css['refusal']}>
        {refusal && words(refusal).text}
      </div>
      <div className="flow gap-8">
        {failure ? (
          <Button variant="primary" icon={RotateCw} isLoading={isWorking} onPress={() => void ask('recovery.retry')}>
            {t('recovery.retry')}
          </Button>
        ) : (
          <Button variant="primary" isLoading={isWorking} onPress={() => void ask('recovery.acknowledge')}>
            {t('recovery.goOn')}
          </Button>
        )}
        <Button icon={FolderOpen} onPress={() => void reveal()}>
          {t(what === 'folder' ? 'recovery.showFolder' : 'recovery.showDamaged')}
        </Button>
        {failure && <OtherModes onRefusal={setRefusal} />}
      </div>
    </RecoveryFrame>
  );
}

/** The first one takes the focus, so that a screen reader starts here. */
function Happened({ failure, isBelow = false }: { readonly failure: Failure; readonly isBelow?: boolean }) {
  const words = useFailureText();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (!isBelow) heading.current?.focus();
  }, [isBelow]);
  const { title, textAfterTitle } = words(failure);
  const Title = isBelow ? 'h2' : 'h1';
  return (
    <div className="flex gap-16">
      <span aria-hidden className={css['glyph']}>
        <DatabaseBackup size={24} strokeWidth={1.75} />
      </span>
      <div>
        <Title ref={heading} tabIndex={-1} className={css['title']}>
          {title}
        </Title>
        <p className={css['text']}>{textAfterTitle}</p>
      </div>
    </div>
  );
}

/** While one library can't be opened, the modes that have another may still be usable. */
function OtherModes({ onRefusal }: { readonly onRefusal: (failure: Failure | null) => void }) {
  const t = useText();
  const { mode } = useConnection();
  const { choose, isChoosing, failure } = useChooseMode();
  useEffect(() => {
    if (failure) onRefusal(failure);
  }, [failure, onRefusal]);
  const others = modeIds.filter((id) => mode === 'unset' || modes[id].libraryFolder !== modes[mode].libraryFolder);
  return others.map((other) => (
    <Button key={other} variant="ghost" isDisabled={isChoosing} onPress={() => void choose(other)}>
      {t(`recovery.use.${other}`)}
    </Button>
  ));
}

interface RecoveryFrameProps {
  readonly label: string;
  readonly windowControls: ReactNode;
  readonly children: ReactNode;
}

export function RecoveryFrame({ label, windowControls, children }: RecoveryFrameProps) {
  const t = useText();
  return (
    <div className={css['screen']}>
      <header className={css['top']}>
        <div className={css['brand']}>
          <Mark />
          <b>{t('common.appName')}</b>
        </div>
        {windowControls}
      </header>
      <main className={css['main']} aria-label={label}>
        <div className={css['inner']}>{children}</div>
      </main>
    </div>
  );
}
