import { MissingModel, useMissingModels } from '../../parts/models/model-steps.tsx';
import { Copy, FilePlus, SquarePen, Settings2, CircleDollarSign, CloudOff, HardDrive, Mic } from 'lucide-react';
import { useState, useEffect, useRef } from 'react';
import { useLocation } from 'wouter';
import { literalWords, spokenCommands } from '../../../shared/domain/dictation/spoken-commands.ts';
import { textOfPhrases, withoutSilentRests } from '../../../shared/domain/dictation/written-phrases.ts';
import { isUnreached } from '../../../shared/domain/failures/network-fault.ts';
import { speechLanguages } from '../../../shared/domain/languages.ts';
import { modeOf } from '../../../shared/domain/modes.ts';
import { useHasMicrophone } from '../../audio/capture/use-has-microphone.ts';
import { useSettings } from '../../bridge/live-state.tsx';
import { useStudio } from '../../bridge/studio-context.tsx';
import { useSettingsChange } from '../../bridge/use-settings-change.ts';
import { useFailureText } from '../../lib/failure-text.ts';
import type { SectionScreenProps } from '../../lib/section.ts';
import { useFormats, useText } from '../../lib/text.ts';
import { NoKeyNotice, useLacksKey, KeyHelp } from '../../parts/connection/key-help.tsx';
import {
  CueChoice,
  GlobalKey,
  ReadyChoice,
  StartChoice,
  StyleChoice,
  TargetChoice,
} from '../../parts/dictation-choices.tsx';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { useCopy, useUndoNotice } from '../../ui/notices.ts';
import { PaneErrorBoundary } from '../../ui/pane-error-boundary.tsx';
import { Panel, PanelActions, PanelContent, PanelTitle, Inspector, InspectorSection } from '../../ui/panel.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import { Switch } from '../../ui/switch.tsx';
import { useToast } from '../../ui/toast.tsx';
import css from './dictate-screen.module.css';
import { useDictation, useDictationState } from './dictation-context.tsx';
import { History } from './ui/history.tsx';
import { MicrophoneTroubles } from './ui/microphone-device.tsx';
import { MicrophonePane } from './ui/microphone-pane.tsx';
import { PhraseRow } from './ui/phrase-row.tsx';
import { Replacements } from './ui/replacements.tsx';
import { useTakePlayer } from './ui/use-take-player.ts';

const shownCommands = 5;

/** Speak, and the text is there. */
export function DictateScreen({ subpath, onSubpath }: SectionScreenProps) {
  const t = useText();
  const { dictationLanguage } = useSettings();
  const change = useSettingsChange();
  const dictation = useDictation();
  const missing = useMissingModels();
  const lacksKey = useLacksKey();
  // `history/<take>` is linked from the library.
  const [place = '', askedId = null] = subpath.split('/');
  const view = place === 'history' ? 'history' : 'now';
  return (
    <Panel
      header={
        <>
          <PanelTitle>{t('dictation.title')}</PanelTitle>
          <Segmented
            size="sm"
            label={t('dictation.language')}
            value={dictationLanguage}
            options={speechLanguages.map((value) => ({ value, text: t(`common.languages.${value}`), lang: value }))}
            onChange={(language) => {
              void change({ dictationLanguage: language });
              dictation.setLanguage(language);
            }}
          />
          <TakeActions />
        </>
      }
    >
      <MicrophonePane />
      <PanelContent label={t('dictation.phrases')}>
        <div className={css['views']}>
          <Segmented
            size="sm"
            label={t('dictation.show')}
            value={view}
            options={[
              { value: 'now', text: t('dictation.thisSession') },
              { value: 'history', text: t('dictation.history.title') },
            ]}
            onChange={(next) => {
              onSubpath(next === 'history' ? 'history' : '');
            }}
          />
          <NewSession />
        </div>
        <div className={css['notices']}>
          {missing && <MissingModel models={missing} text={t('models.needForDictation')} />}
          {lacksKey && <NoKeyNotice text={t('dictation.noKey')} />}
          <MicrophoneTroubles />
        </div>
        <PaneErrorBoundary name={t(view === 'now' ? 'dictation.phrases' : 'dictation.history.title')}>
          {view === 'now' ? <PhraseList /> : <History askedId={askedId} />}
        </PaneErrorBoundary>
      </PanelContent>
      <PaneErrorBoundary name={t('dictation.options')}>
        <DictationOptions />
      </PaneErrorBoundary>
    </Panel>
  );
}

/** The text stays until a new session begins; then it is in the history. */
function NewSession() {
  const t = useText();
  const showUndo = useUndoNotice();
  const dictation = useDictation();
  const takeId = useDictationState((state) => state.takeId);
  const begin = async () => {
    await dictation.stopped();
    dictation.startNew();
    if (takeId === null) return;
    const undo = () => void dictation.continueWith(takeId);
    showUndo({ text: t('dictation.sessionKept'), undo });
  };
  return (
    <Button size="sm" variant="ghost" icon={SquarePen} isDisabled={takeId === null} onPress={() => void begin()}>
      {t('dictation.newSession')}
    </Button>
  );
}

function TakeActions() {
  const t = useText();
  const copy = useCopy();
  const formats = useFormats();
  const studio = useStudio();
  const showToast = useToast();
  const failureWords = useFailureText();
  const [, navigate] = useLocation();
  const dictation = useDictation();
  const [isSaving, setIsSaving] = useState(false);
  const takeId = useDictationState((state) => state.takeId);
  const startedAtMs = useDictationState((state) => state.startedAtMs);
  const phrases = useDictationState((state) => state.phrases);
  const { storesNoTakes } = useSettings();
  const text = textOfPhrases(phrases);
  const save = async () => {
    if (takeId === null) return;
    setIsSaving(true);
    await dictation.settled();
    const name = t('dictation.documentName', { date: formats.date(startedAtMs), time: formats.time(startedAtMs) });
    const saved = await studio.request('dictation.saveDocument', { takeId, name });
    setIsSaving(false);
    if (saved.ok) {
      dictation.startNew();
      navigate(`/transcripts/${saved.value.transcriptId}`);
    } else showToast({ text: failureWords(saved.error).title });
  };
  return (
    <PanelActions>
      <Button variant="ghost" icon={Copy} isDisabled={text === ''} onPress={() => void copy(text)}>
        {t('dictation.copyAll')}
      </Button>
      <Button
        variant="primary"
        icon={FilePlus}
        isLoading={isSaving}
        isDisabled={text === '' || storesNoTakes}
        onPress={() => void save()}
      >
        {t('dictation.saveDocument')}
      </Button>
    </PanelActions>
  );
}

/** What people change while they dictate; the rest is in the settings. */
function DictationOptions() {
  const t = useText();
  const settings = useSettings();
  const change = useSettingsChange();
  const [, navigate] = useLocation();
  return (
    <Inspector label={t('dictation.options')}>
      <Replacements />
      <InspectorSection title={t('dictation.cleanUp.title')}>
        <StyleChoice />
      </InspectorSection>
      <InspectorSection title={t('dictation.modes.title')}>
        <StartChoice />
        <ReadyChoice />
        <CueChoice />
      </InspectorSection>
      <InspectorSection title={t('dictation.target.title')}>
        <TargetChoice />
        <GlobalKey />
      </InspectorSection>
      <InspectorSection
        title={t('dictation.commands.titleIn', { language: t(`common.languages.${settings.dictationLanguage}`) })}
      >
        <Switch
          label={t('dictation.commands.obey')}
          hint={t('dictation.commands.literal', { word: literalWords[settings.dictationLanguage][0] })}
          isOn={settings.obeysSpokenSigns}
          onChange={(obeysSpokenSigns) => void change({ obeysSpokenSigns })}
        />
        {settings.obeysSpokenSigns && (
          <dl className={css['commands']}>
            <div>
              <dt lang={settings.dictationLanguage}>{literalWords[settings.dictationLanguage][0]} …</dt>
              <dd>{t('dictation.commands.asWord')}</dd>
            </div>
            {spokenCommands[settings.dictationLanguage]
              .filter(({ means }, at) => at < shownCommands || means === 'scratch' || means.stands === 'line')
              .map(({ say, means }) => (
                <div key={say[0]}>
                  <dt lang={settings.dictationLanguage}>{say[0]}</dt>
                  <dd>
                    {means === 'scratch'
                      ? t('dictation.commands.lastPhrase')
                      : means.stands === 'line'
                        ? means.text.replaceAll('\n', '↵')
                        : means.text}
                  </dd>
                </div>
              ))}
          </dl>
        )}
      </InspectorSection>
      <div className={css['footnote']}>
        <p>{t('dictation.onePhrase')}</p>
        <Button size="sm" variant="ghost" icon={Settings2} onPress={() => navigate('/settings/dictation')}>
          {t('dictation.allOptions')}
        </Button>
      </div>
    </Inspector>
  );
}

/** The phrases of the current take, in order, and the reason why they wait. */
function PhraseList() {
  const t = useText();
  const takeId = useDictationState((state) => state.takeId);
  const phrases = useDictationState((state) => state.phrases);
  const { dictationMode, storesNoTakes } = useSettings();
  const player = useTakePlayer();
  const hasMicrophone = useHasMicrophone();
  const isIdle = useDictationState((state) => state.phase === 'idle');
  const end = useRef<HTMLLIElement>(null);
  // What was discarded is gone from here; a notice takes it back, and the history has it.
  const shown = withoutSilentRests(phrases).filter(({ state }) => state !== 'discarded');
  const count = shown.length;
  useEffect(() => {
    end.current?.scrollIntoView({ block: 'nearest' });
  }, [count]);
  return (
    <>
      <Notices />
      {takeId === null || count === 0 ? (
        <EmptyState icon={Mic} title={t('dictation.empty.title')}>
          {hasMicrophone &&
            t(
              dictationMode === 'hold'
                ? 'dictation.empty.text'
                : `dictation.empty.${dictationMode === 'toggle' ? 'press' : dictationMode}Text`,
            )}
        </EmptyState>
      ) : (
        <ul className={css['phrases']} aria-live="polite" aria-label={t('dictation.phrases')}>
          {shown.map((phrase) => (
            <PhraseRow
              key={phrase.id}
              takeId={takeId}
              phrase={phrase}
              player={isIdle && !storesNoTakes ? player : null}
            />
          ))}
          <li ref={end} aria-hidden className={css['end']} />
        </ul>
      )}
    </>
  );
}

function Notices() {
  const t = useText();
  const formats = useFormats();
  const studio = useStudio();
  const failureWords = useFailureText();
  const takeId = useDictationState((state) => state.takeId);
  const sending = useDictationState((state) => state.sending);
  const failure = useDictationState((state) => state.failure);
  const hasDiskTrouble = useDictationState((state) => state.hasDiskTrouble);
  const phrases = useDictationState((state) => state.phrases);
  const waiting = phrases.filter(({ state }) => state === 'waiting');
  const keptMs = waiting.reduce((sum, { startMs, endMs }) => sum + (endMs ?? startMs) - startMs, 0);
  const kept = t('dictation.kept', { count: waiting.length, time: formats.duration(keptMs) });
  // While the audio is safe, money may not be: what was sent without an answer may be charged again.
  const { isFree } = modeOf(useSettings().mode);
  const unanswered = isFree ? 0 : waiting.filter((phrase) => phrase.unanswered > 0).length;
  const lacksKey = useLacksKey();
  const tryNow = takeId !== null && (
    <Button size="sm" onPress={() => void studio.request('dictation.sendAgain', { takeId, phrase: null })}>
      {t('common.tryNow')}
    </Button>
  );
  return (
    <div className={css['notices']}>
      {failure !== null && (
        <Banner role="alert" tone="bad" icon={CloudOff} title={failureWords(failure).title}>
          {failureWords(failure).textAfterTitle}
        </Banner>
      )}
      {hasDiskTrouble && (
        <Banner role="alert" tone="bad" icon={HardDrive} title={t('dictation.disk.title')}>
          {t('dictation.disk.text')}
        </Banner>
      )}
      {sending !== null && (sending.kind === 'reconnecting' || (sending.kind === 'connecting' && sending.failure)) && (
        <Banner
          tone="warn"
          icon={CloudOff}
          title={
            sending.failure !== undefined && isUnreached(sending.failure)
              ? failureWords(sending.failure).title
              : t('dictation.reconnecting')
          }
          actions={tryNow}
        >
          {waiting.length > 0 && kept}{' '}
          {unanswered > 0 ? t('dictation.unanswered', { count: unanswered }) : t('dictation.keepTalking')}
        </Banner>
      )}
      {sending?.kind === 'stopped' && !(lacksKey && sending.failure.kind === 'key-missing') && (
        <Banner
          role="alert"
          tone="warn"
          icon={CloudOff}
          title={failureWords(sending.failure).title}
          actions={
            <>
              {sending.failure.kind === 'key-refused' && <KeyHelp />}
              {tryNow}
            </>
          }
        >
          {waiting.length > 0 && kept} {unanswered > 0 && t('dictation.unansweredStopped', { count: unanswered })}{' '}
          {sending.triesAgainMs !== null && t('dictation.triesAgain')}
        </Banner>
      )}
      {sending?.kind === 'held' && (
        <Banner
          role="alert"
          tone="warn"
          icon={CircleDollarSign}
          title={t('dictation.noCredits.title')}
          actions={tryNow}
        >
          {t('dictation.noCredits.text')}
        </Banner>
      )}
    </div>
  );
}
