import { DatabaseBackup, FolderOpen, RotateCw } from 'lucide-react';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { makeFailure } from '../../../shared/domain/failures/make-failure.ts';
import { modeIds, modes } from '../../../shared/domain/modes.ts';
import type { Failure } from '../../../shared/result/failure.ts';
import { useConnection } from '../../bridge/live-state.tsx';
import { useStudio } from '../../bridge/studio-context.tsx';
import type { RecoveryState } from '../../bridge/types.ts';
import { useChooseMode } from '../../parts/connection/use-connection-form.ts';
import { useFailureFacts, useFailureWords } from '../../lib/failure-words.ts';
import { useFormats, useText } from '../../lib/text.ts';
import { Button } from '../../ui/button.tsx';
import { FactList } from '../../ui/fact-list.tsx';
import { RecoveryFrame } from './recovery-frame.tsx';
import css from './recovery-screen.module.css';

export interface RecoveryScreenProps {
  readonly state: RecoveryState;
  readonly windowControls: ReactNode;
  readonly onState: (state: RecoveryState) => void;
}

/** What happened to the app's files, what was recovered, where the damaged file is, and what to do now. */
export function RecoveryScreen({ state, windowControls, onState }: RecoveryScreenProps) {
  const t = useText();
  const studio = useStudio();
  const [refusal, setRefusal] = useState<Failure | null>(null);
  const [isWorking, setIsWorking] = useState(false);
  const { areSettingsReset, library, failure } = state;

  const ask = async (method: 'recovery.retry' | 'recovery.acknowledge') => {
    setIsWorking(true);
    setRefusal(null);
    const answer = await studio.request(method, {});
    setIsWorking(false);
    if (answer.ok) onState(answer.value);
    else setRefusal(answer.error);
  };
  const reveal = async (what: 'damaged-file' | 'folder') => {
    const answer = await studio.request('recovery.reveal', { what });
    setRefusal(answer.ok ? null : answer.error);
  };

  return (
    <RecoveryFrame label={t('recovery.label')} windowControls={windowControls}>
      <Heading state={state} />
      {failure && <Closed failure={failure} />}
      {library && <Restored library={library} />}
      {areSettingsReset && (library !== null || failure !== null) && <SettingsReset />}
      <Refusal failure={refusal} />
      <div className={css['actions']}>
        {failure ? (
          <Button variant="primary" icon={RotateCw} isLoading={isWorking} onPress={() => void ask('recovery.retry')}>
            {t('recovery.retry')}
          </Button>
        ) : (
          <Button variant="primary" isLoading={isWorking} onPress={() => void ask('recovery.acknowledge')}>
            {t('recovery.goOn')}
          </Button>
        )}
        {library?.isDamagedFileKept === true && (
          <Button icon={FolderOpen} onPress={() => void reveal('damaged-file')}>
            {t('recovery.showDamaged')}
          </Button>
        )}
        {library?.isDamagedFileKept !== true && (
          <Button icon={FolderOpen} onPress={() => void reveal('folder')}>
            {t('recovery.showFolder')}
          </Button>
        )}
        {failure && <OtherModes onRefusal={setRefusal} />}
      </div>
    </RecoveryFrame>
  );
}

/** Names the worst problem, and takes the focus, so that a screen reader starts here. */
function Heading({ state: { library, failure } }: { readonly state: RecoveryState }) {
  const words = useFailureWords();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  const { title, textAfterTitle } = words(failure ?? makeFailure(library ? 'E-182' : 'E-186'));
  return (
    <div className={css['heading']}>
      <span aria-hidden className={css['glyph']}>
        <DatabaseBackup size={24} strokeWidth={1.75} />
      </span>
      <div>
        <h1 ref={heading} tabIndex={-1} className={css['title']}>
          {title}
        </h1>
        <p className={css['text']}>{textAfterTitle}</p>
      </div>
    </div>
  );
}

function Closed({ failure }: { readonly failure: Failure }) {
  const t = useText();
  const facts = useFailureFacts();
  return (
    <>
      <p className={css['text']}>{t('recovery.untouched')}</p>
      <Section title={t('recovery.details')}>
        <FactList facts={facts(failure)} />
      </Section>
    </>
  );
}

function Restored({ library }: { readonly library: NonNullable<RecoveryState['library']> }) {
  const t = useText();
  const formats = useFormats();
  const { atMs, restoredFromMs, jobCount, transcriptCount, damagedTranscriptCount, isDamagedFileKept } = library;
  const { salvaged } = library;
  const isMore = damagedTranscriptCount !== null && damagedTranscriptCount > transcriptCount;
  const isEmpty = restoredFromMs === null && jobCount === 0;
  const facts = [
    { label: t('recovery.when'), value: `${formats.date(atMs)}, ${formats.time(atMs)}` },
    {
      label: t('recovery.from'),
      value:
        restoredFromMs === null
          ? t(isEmpty ? 'recovery.noCopy' : 'recovery.noCopyYet')
          : t('recovery.copyOf', { date: formats.date(restoredFromMs), time: formats.time(restoredFromMs) }),
    },
    { label: t('recovery.salvaged'), value: salvagedWords(salvaged, t) },
    {
      label: t('recovery.transcripts'),
      value: isMore
        ? t('recovery.countOf', { count: transcriptCount, total: damagedTranscriptCount })
        : formats.number(transcriptCount),
    },
    { label: t('recovery.rows'), value: formats.number(jobCount) },
    ...(salvaged !== null && salvaged.lostJobCount > 0
      ? [{ label: t('recovery.lost'), value: t('recovery.lostRows', { count: salvaged.lostJobCount }) }]
      : []),
    { label: t('recovery.damaged'), value: t(isDamagedFileKept ? 'recovery.kept' : 'recovery.notThere') },
  ];
  const isAllBack = salvaged !== null && salvaged.readCount > 0 && salvaged.lostJobCount === 0 && !isMore;
  return (
    <>
      <Section title={t('recovery.cameBack')}>
        <FactList facts={facts} />
      </Section>
      <Section title={t('recovery.next.title')}>
        <ul className={css['steps']}>
          {salvaged !== null && salvaged.refetchCount > 0 && (
            <li>{t('recovery.next.refetch', { count: salvaged.refetchCount })}</li>
          )}
          {salvaged !== null && salvaged.unsureCount > 0 && (
            <li>{t('recovery.next.unsure', { count: salvaged.unsureCount })}</li>
          )}
          <li>{t(isEmpty ? 'recovery.next.empty' : isAllBack ? 'recovery.next.check' : 'recovery.next.look')}</li>
          {!isAllBack && <li>{t('recovery.next.again')}</li>}
          {isDamagedFileKept && <li>{t('recovery.next.keep')}</li>}
        </ul>
      </Section>
    </>
  );
}

/** The recovered content of the damaged file, as text. */
function salvagedWords(
  salvaged: NonNullable<RecoveryState['library']>['salvaged'],
  t: ReturnType<typeof useText>,
): string {
  if (salvaged === null || salvaged.readCount === 0) return t('recovery.unreadable');
  const { jobCount, transcriptCount } = salvaged;
  if (jobCount === 0 && transcriptCount === 0) return t('recovery.nothingNewer');
  return t('recovery.newer', {
    transcripts: t('recovery.newerTexts', { count: transcriptCount }),
    rows: t('recovery.newerRows', { count: jobCount }),
  });
}

function SettingsReset() {
  const words = useFailureWords();
  const { title, textAfterTitle } = words(makeFailure('E-186'));
  return (
    <Section title={title}>
      <p className={css['text']}>{textAfterTitle}</p>
    </Section>
  );
}

function Section({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <section className={css['section']} aria-label={title}>
      <h2 className={css['subtitle']}>{title}</h2>
      {children}
    </section>
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

function Refusal({ failure }: { readonly failure: Failure | null }) {
  const words = useFailureWords();
  return (
    <div role="alert" className={css['refusal']}>
      {failure && words(failure).text}
    </div>
  );
}
