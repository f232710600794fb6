import { Copy, FilePlus } from 'lucide-react';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { pageOf, textOfPage } from '../../../shared/domain/dictation/rewriting.ts';
import { speechLanguages } from '../../../shared/domain/languages.ts';
import { useSettings } from '../../bridge/live-state.tsx';
import { useStudio } from '../../bridge/studio-context.tsx';
import { useSettingsChange } from '../../bridge/use-settings-change.ts';
import { useFailureText } from '../../lib/failure-text.ts';
import type { SectionScreenProps } from '../../lib/section.ts';
import { useFormats, useText } from '../../lib/text.ts';
import { NoKeyNotice, useLacksKey } from '../../parts/connection/key-help.tsx';
import { MissingModel, useMissingModels } from '../../parts/models/model-steps.tsx';
import { Button } from '../../ui/button.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { useCopy } from '../../ui/notices.ts';
import { PaneErrorBoundary } from '../../ui/pane-error-boundary.tsx';
import { Panel, PanelActions, PanelContent, PanelTitle } from '../../ui/panel.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import { useToast } from '../../ui/toast.tsx';
import css from './dictate.module.css';
import { useDictation, useDictationState } from './dictation-context.tsx';
import { DocumentScreen } from './document-screen.tsx';
import { History } from './ui/history.tsx';
import { MicrophoneTroubles, SendingNotices } from './ui/dictation-notices.tsx';
import { MicrophoneFoot } from './ui/microphone-foot.tsx';
import { RewriteBar } from './ui/rewrite-bar.tsx';
import { StylePopover } from './ui/style-popover.tsx';
import { TextPage, useSelectedStretch } from './ui/text-page.tsx';
import { useTakePlayer } from './ui/use-take-player.ts';

/** Speak, and the text is there; `document/<take>` is one that was saved, as the library opens it. */
export function DictateScreen({ subpath, onSubpath }: SectionScreenProps) {
  const [place = '', takeId = ''] = subpath.split('/');
  return place === 'document' ? (
    <DocumentScreen key={takeId} takeId={takeId} onContinue={() => onSubpath('')} />
  ) : (
    <SessionScreen isHistoryAsked={place === 'history'} />
  );
}

function SessionScreen({ isHistoryAsked }: { readonly isHistoryAsked: boolean }) {
  const t = useText();
  const { dictationLanguage, storesNoTakes } = useSettings();
  const change = useSettingsChange();
  const dictation = useDictation();
  const missing = useMissingModels();
  const lacksKey = useLacksKey();
  const takeId = useDictationState((state) => state.takeId);
  const isIdle = useDictationState((state) => state.phase === 'idle');
  const phrases = useDictationState((state) => state.phrases);
  const rewritings = useDictationState((state) => state.rewritings);
  const player = useTakePlayer();
  const selection = useSelectedStretch(takeId);
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
          <TakeActions isHistoryAsked={isHistoryAsked} />
        </>
      }
    >
      <PanelContent label={t('dictation.title')}>
        <div className={css['notices']}>
          {missing && <MissingModel models={missing} text={t('models.needForDictation')} />}
          {lacksKey && <NoKeyNotice text={t('dictation.noKey')} />}
          <MicrophoneTroubles />
        </div>
        <PaneErrorBoundary name={t('dictation.phrases')}>
          <SendingNotices />
          <TextPage
            isGrowing
            takeId={takeId}
            phrases={phrases}
            rewritings={rewritings}
            player={isIdle && !storesNoTakes ? player : null}
            empty={missing || lacksKey ? '' : t('dictation.pressAndSpeak')}
            field={selection.field}
          />
          <div className={css['bar']}>
            <StylePopover />
            <RewriteBar takeId={takeId} phrases={phrases} rewritings={rewritings} selected={selection.stretch} />
          </div>
        </PaneErrorBoundary>
        <MicrophoneFoot />
      </PanelContent>
    </Panel>
  );
}

function TakeActions({ isHistoryAsked }: { readonly isHistoryAsked: boolean }) {
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
  const { storesNoTakes } = useSettings();
  const phrases = useDictationState((state) => state.phrases);
  const rewritings = useDictationState((state) => state.rewritings);
  const text = textOfPage(pageOf(phrases, rewritings));
  const save = async () => {
    if (takeId === null) return;
    setIsSaving(true);
    await dictation.settled();
    const title = t('dictation.documentName', { date: formats.date(startedAtMs), time: formats.time(startedAtMs) });
    const saved = await studio.request('dictation.keep', { takeId, title });
    setIsSaving(false);
    if (saved.ok) {
      dictation.startNew();
      navigate(`/dictate/document/${takeId}`);
    } else showToast({ text: failureWords(saved.error).title });
  };
  return (
    <PanelActions>
      <History isAsked={isHistoryAsked} />
      {text !== '' && <IconButton icon={Copy} label={t('dictation.copyAll')} onPress={() => void copy(text)} />}
      <Button
        variant={text === '' ? 'default' : 'primary'}
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
