import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Copy, FilePlus, MoreHorizontal, Pause, Pin, Play, RotateCw, Search, Trash2 } from 'lucide-react';
import { useEffect, useMemo, useState } from 'react';
import { useLocation } from 'wouter';
import type { TakeSummary } from '../../../../shared/domain/dictation/take-view.ts';
import { foldText } from '../../../../shared/domain/text/fold-text.ts';
import { createPlayer } from '../../../audio/player.ts';
import { valueOrThrow } from '../../../bridge/request-error.ts';
import { useSettings } from '../../../bridge/live-state.tsx';
import { useStudio } from '../../../bridge/studio-context.tsx';
import { useFormats, useText } from '../../../lib/text.ts';
import { Chip } from '../../../ui/chip.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { Field } from '../../../ui/field.tsx';
import { IconButton } from '../../../ui/icon-button.tsx';
import { Menu } from '../../../ui/menu.tsx';
import { useToast } from '../../../ui/toast.tsx';
import css from '../dictate-screen.module.css';
import { useDictationState } from '../dictation-context.tsx';

/** All takes of this library by day, to hear, copy, send again, pin and delete. */
export function History({ askedId }: { readonly askedId: string | null }) {
  const t = useText();
  const formats = useFormats();
  const studio = useStudio();
  const changes = useDictationState((state) => state.changes);
  const phase = useDictationState((state) => state.phase);
  const { takeSoundDays } = useSettings();
  const [sought, setSought] = useState('');
  const queries = useQueryClient();
  const { data } = useQuery({
    queryKey: ['takes'],
    queryFn: () => valueOrThrow(studio.request('dictation.list', {})),
  });
  useEffect(() => {
    void queries.invalidateQueries({ queryKey: ['takes'] });
  }, [queries, changes, phase]);
  const wanted = foldText(sought).text;
  const takes = (data?.takes ?? []).filter(({ text }) => foldText(text).text.includes(wanted));
  const days = Map.groupBy(takes, ({ startedAtMs }) => formats.date(startedAtMs));
  const { playing, toggle } = usePlaying();
  return (
    <div className={css['history']}>
      <Field label={t('dictation.history.search')} icon={Search} type="search" value={sought} onChange={setSought} />
      {takes.length === 0 && (
        <EmptyState icon={Search} title={t('dictation.history.none')}>
          {t('dictation.history.noneText')}
        </EmptyState>
      )}
      {[...days].map(([day, ofDay]) => (
        <section key={day} aria-label={day}>
          <h2 className={css['day']}>
            {day}{' '}
            <span className={css['hint']}>
              {t('dictation.history.takes', {
                count: ofDay.length,
                time: formats.duration(ofDay.reduce((sum, { durationMs }) => sum + durationMs, 0)),
              })}
            </span>
          </h2>
          <ul>
            {ofDay.map((take) => (
              <TakeRow
                key={take.id}
                take={take}
                isAsked={take.id === askedId}
                isPlaying={playing === take.id}
                onPlay={() => void toggle(take.id)}
              />
            ))}
          </ul>
        </section>
      ))}
      <p className={css['hint']}>{t('dictation.history.kept', { count: takeSoundDays })}</p>
    </div>
  );
}

function TakeRow({
  take,
  isAsked,
  isPlaying,
  onPlay,
}: {
  readonly take: TakeSummary;
  /** Brought into view, its words whole. */
  readonly isAsked: boolean;
  readonly isPlaying: boolean;
  readonly onPlay: () => void;
}) {
  const t = useText();
  const formats = useFormats();
  const studio = useStudio();
  const queries = useQueryClient();
  const showToast = useToast();
  const [, navigate] = useLocation();
  const again = () => void queries.invalidateQueries({ queryKey: ['takes'] });
  const save = async () => {
    const name = t('dictation.documentName', {
      date: formats.date(take.startedAtMs),
      time: formats.time(take.startedAtMs),
    });
    const saved = await studio.request('dictation.saveDocument', { takeId: take.id, name });
    if (saved.ok) navigate(`/transcripts/${saved.value.transcriptId}`);
  };
  const facts = [
    formats.duration(take.durationMs),
    t(`dictation.modes.${take.mode}`),
    t('dictation.history.phrases', { count: take.phraseCount }),
    ...(take.lostMs > 0 ? [t('dictation.history.gap', { time: formats.number(Math.round(take.lostMs)) })] : []),
  ];
  return (
    <li ref={isAsked ? bringIntoView : null} className={css['phrase']} data-asked={isAsked ? '' : undefined}>
      <time className={css['at']}>{formats.time(take.startedAtMs)}</time>
      <div className={css['said']}>
        {take.text === '' ? (
          <p className={css['none']}>{t('dictation.noSpeech')}</p>
        ) : (
          <p className={css[isAsked ? 'words' : 'clipped']} lang={take.language}>
            {take.text}
          </p>
        )}
        <p className={css['hint']}>{facts.join(', ')}</p>
      </div>
      <div className={css['actions']}>
        {take.isRecording && <Chip tone="bad">{t('dictation.history.now')}</Chip>}
        {take.waitingCount > 0 && !take.isRecording && (
          <Chip tone="warn">{t('dictation.history.waiting', { count: take.waitingCount })}</Chip>
        )}
        <IconButton
          size="sm"
          icon={Pin}
          isPressed={take.isPinned}
          label={t('dictation.history.pin')}
          onPress={() =>
            void studio.request('dictation.pin', { takeId: take.id, isPinned: !take.isPinned }).then(again)
          }
        />
        {take.hasSound && !take.isRecording && (
          <IconButton
            size="sm"
            icon={isPlaying ? Pause : Play}
            label={t(isPlaying ? 'dictation.history.pause' : 'dictation.history.play')}
            onPress={onPlay}
          />
        )}
        <Menu
          label={t('common.more')}
          placement="bottom end"
          entries={[
            {
              id: 'copy',
              text: t('common.copy'),
              icon: Copy,
              isDisabled: take.text === '',
              onAction: () => {
                void navigator.clipboard.writeText(take.text);
                showToast({ text: t('common.copied') });
              },
            },
            {
              id: 'send',
              text: t('dictation.history.send'),
              icon: RotateCw,
              isDisabled: take.waitingCount === 0 || !take.hasSound,
              onAction: () => void studio.request('dictation.sendAgain', { takeId: take.id, phrase: null }).then(again),
            },
            {
              id: 'save',
              text: t('dictation.saveDocument'),
              icon: FilePlus,
              isDisabled: take.text === '' || !take.hasSound,
              onAction: () => void save(),
            },
            'separator',
            {
              id: 'delete',
              text: t('dictation.history.delete'),
              icon: Trash2,
              isDanger: true,
              isDisabled: take.isRecording,
              onAction: () => void studio.request('dictation.delete', { takeId: take.id }).then(again),
            },
          ]}
          trigger={<IconButton size="sm" icon={MoreHorizontal} label={t('common.more')} />}
        />
      </div>
    </li>
  );
}

const bringIntoView = (row: HTMLElement | null) => {
  row?.scrollIntoView({ block: 'center' });
};

/** One take sounds at a time. */
function usePlaying() {
  const studio = useStudio();
  const player = useMemo(() => createPlayer(), []);
  const [playing, setPlaying] = useState<string | null>(null);
  useEffect(() => {
    const stop = player.subscribe(() => {
      if (!player.getState().isPlaying && player.timeMs() > 0) setPlaying(null);
    });
    return () => {
      stop();
      player.close();
    };
  }, [player]);
  const toggle = async (takeId: string) => {
    if (playing === takeId) {
      player.pause();
      setPlaying(null);
      return;
    }
    const found = await studio.request('dictation.read', { takeId });
    if (!found.ok || found.value.mediaToken === null) return;
    player.open(`/media/${found.value.mediaToken}`);
    player.play();
    setPlaying(takeId);
  };
  return { playing, toggle };
}
