import { useQuery, useQueryClient } from '@tanstack/react-query';
import { CircleAlert, Copy, Eye, FileAudio, Mic, MoreHorizontal, Pause, Pencil, Play } from 'lucide-react';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { pageOf, textOfPage } from '../../../shared/domain/dictation/rewriting.ts';
import { failureOf, valueOrThrow } from '../../bridge/request-error.ts';
import { useStudio } from '../../bridge/studio-context.tsx';
import { useFailureText } from '../../lib/failure-text.ts';
import { useFormats, useText } from '../../lib/text.ts';
import { SaveText } from '../../parts/exports/save-text.tsx';
import { NameDialog } from '../../parts/transcripts/name-dialog.tsx';
import { transcriptListKey } from '../../parts/transcripts/transcripts-query.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { command, Menu } from '../../ui/menu.tsx';
import { useCopy } from '../../ui/notices.ts';
import { Panel, PanelActions, PanelContent, PanelTitle } from '../../ui/panel.tsx';
import { useToast } from '../../ui/toast.tsx';
import css from './dictate.module.css';
import { useDictation, useDictationState } from './dictation-context.tsx';
import { RewriteBar } from './ui/rewrite-bar.tsx';
import { TextPage, useSelectedStretch } from './ui/text-page.tsx';
import { useTakePlayer } from './ui/use-take-player.ts';

interface DocumentScreenProps {
  readonly takeId: string;
  readonly onContinue: () => void;
}

/** A dictation of the library as a page of text. */
export function DocumentScreen({ takeId, onContinue }: DocumentScreenProps) {
  const t = useText();
  const copy = useCopy();
  const formats = useFormats();
  const studio = useStudio();
  const queries = useQueryClient();
  const showToast = useToast();
  const failureWords = useFailureText();
  const [, navigate] = useLocation();
  const dictation = useDictation();
  const changes = useDictationState((state) => state.changes);
  const isIdle = useDictationState((state) => state.phase === 'idle');
  const player = useTakePlayer();
  const selection = useSelectedStretch(takeId);
  const [isNaming, setIsNaming] = useState(false);
  const [showsDiscarded, setShowsDiscarded] = useState(false);
  const { data, error, refetch } = useQuery({
    queryKey: ['take', takeId, changes],
    queryFn: () => valueOrThrow(studio.request('dictation.read', { takeId })),
    placeholderData: (before) => before,
    retry: false,
  });
  const failure = error === null ? null : failureOf(error);
  const { summary, phrases = [], rewritings = [] } = data ?? {};
  const hasSound = summary?.hasSound === true && !summary.isRecording;
  const startedAtMs = summary?.startedAtMs ?? 0;
  const title =
    summary?.title ?? t('dictation.documentName', { date: formats.date(startedAtMs), time: formats.time(startedAtMs) });
  const text = textOfPage(pageOf(phrases, rewritings));
  const rename = async (name: string) => {
    setIsNaming(false);
    await studio.request('library.rename', { item: { kind: 'dictation', id: takeId }, title: name });
    await queries.invalidateQueries({ queryKey: transcriptListKey });
    await refetch();
  };
  const edit = async () => {
    const saved = await studio.request('dictation.saveDocument', { takeId, name: title });
    if (saved.ok) navigate(`/transcripts/${saved.value.transcriptId}`);
    else showToast({ text: failureWords(saved.error).title, icon: CircleAlert });
  };
  const goOn = async () => {
    await dictation.continueWith(takeId);
    onContinue();
  };
  const isPlaying = player.isPlaying(takeId);
  return (
    <Panel
      header={
        <>
          <PanelTitle>{summary === undefined ? t('dictation.title') : title}</PanelTitle>
          {summary !== undefined && (
            <PanelActions>
              <Menu
                label={t('common.more')}
                entries={[
                  command(
                    'play',
                    isPlaying ? Pause : Play,
                    t(isPlaying ? 'dictation.history.pause' : 'dictation.history.play'),
                    () => player.toggle(takeId),
                    { isDisabled: !hasSound },
                  ),
                  command('name', Pencil, t('library.rename'), () => setIsNaming(true)),
                  command(
                    'discarded',
                    Eye,
                    t(showsDiscarded ? 'dictation.hideDiscarded' : 'dictation.showDiscarded'),
                    () => setShowsDiscarded(!showsDiscarded),
                    { isDisabled: !phrases.some(({ state }) => state === 'discarded') },
                  ),
                  command('continue', Mic, t('dictation.history.continue'), () => void goOn(), {
                    isDisabled: !isIdle || !hasSound,
                  }),
                  command('edit', FileAudio, t('dictation.openInEditor'), () => void edit(), {
                    isDisabled: text === '' || !hasSound,
                  }),
                ]}
                trigger={<IconButton icon={MoreHorizontal} label={t('common.more')} />}
              />
              {text !== '' && <IconButton icon={Copy} label={t('dictation.copyAll')} onPress={() => void copy(text)} />}
              <SaveText title={title} text={() => text} variant="primary" isDisabled={text === ''} />
            </PanelActions>
          )}
        </>
      }
    >
      <PanelContent label={t('dictation.document')}>
        <TextPage
          takeId={takeId}
          phrases={phrases}
          rewritings={rewritings}
          player={hasSound ? player : null}
          showsDiscarded={showsDiscarded}
          empty={failure === null ? '' : failureWords(failure).title}
          field={selection.field}
        />
        <div className={css['bar']}>
          <span />
          <RewriteBar takeId={takeId} phrases={phrases} rewritings={rewritings} selected={selection.stretch} />
        </div>
      </PanelContent>
      {isNaming && (
        <NameDialog
          title={t('library.rename')}
          name={title}
          onName={(name) => void rename(name)}
          onClose={() => setIsNaming(false)}
        />
      )}
    </Panel>
  );
}
