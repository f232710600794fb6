import { Copy, FilePlus, SquarePen } from 'lucide-react';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { speechLanguages } from '../../../shared/domain/languages.ts';
import { textOfPhrases } from '../../../shared/domain/dictation/written-phrases.ts';
import { useSettings } from '../../bridge/live-state.tsx';
import { useStudio } from '../../bridge/studio-context.tsx';
import { useSettingsChange } from '../../bridge/use-settings-change.ts';
import { useFailureWords } from '../../lib/failure-words.ts';
import { useFormats, useText } from '../../lib/text.ts';
import type { SectionScreenProps } from '../../lib/section.ts';
import { MissingModel } from '../../parts/models/missing-model.tsx';
import { useMissingModels } from '../../parts/models/use-local-models.ts';
import { Button } from '../../ui/button.tsx';
import { PaneGuard } from '../../ui/pane-guard.tsx';
import { Panel, PanelActions, PanelContent, PanelTitle } from '../../ui/panel.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import { useToast } from '../../ui/toast.tsx';
import { useCopy, useUndoNotice } from '../../ui/notices.ts';
import css from './dictate-screen.module.css';
import { useDictation, useDictationState } from './dictation-context.tsx';
import { DictationOptions } from './ui/dictation-options.tsx';
import { History } from './ui/history.tsx';
import { MicrophoneTroubles } from './ui/microphone-device.tsx';
import { MicrophonePane } from './ui/microphone-pane.tsx';
import { PhraseList } from './ui/phrase-list.tsx';

/** Speak, and the text is there. */
export function DictateScreen({ subpath, onSubpath }: SectionScreenProps) {
  const t = useText();
  const { dictationLanguage } = useSettings();
  const change = useSettingsChange();
  const dictation = useDictation();
  const missing = useMissingModels();
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
          <MicrophoneTroubles />
        </div>
        <PaneGuard name={t(view === 'now' ? 'dictation.phrases' : 'dictation.history.title')}>
          {view === 'now' ? <PhraseList /> : <History askedId={askedId} />}
        </PaneGuard>
      </PanelContent>
      <PaneGuard name={t('dictation.options')}>
        <DictationOptions />
      </PaneGuard>
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
  const failureWords = useFailureWords();
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
