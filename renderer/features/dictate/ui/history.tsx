import { useQuery, useQueryClient } from '@tanstack/react-query';
import {
  ChevronRight,
  Copy,
  FilePlus,
  Mic,
  MoreHorizontal,
  Pause,
  Pin,
  Play,
  RotateCw,
  Search,
  Trash2,
} from 'lucide-react';
import { useEffect, useId, useState } from 'react';
import { useLocation } from 'wouter';
import type { TakeSummary } from '../../../../shared/domain/dictation/take-view.ts';
import { withoutSilentRests } from '../../../../shared/domain/dictation/written-phrases.ts';
import { foldText } from '../../../../shared/domain/text/fold-text.ts';
import { valueOrThrow } from '../../../bridge/request-error.ts';
import { useSettings } from '../../../bridge/live-state.tsx';
import { useStudio } from '../../../bridge/studio-context.tsx';
import { useFormats, useText } from '../../../lib/text.ts';
import { Button } from '../../../ui/button.tsx';
import { Chip } from '../../../ui/chip.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { Field } from '../../../ui/field.tsx';
import { IconButton } from '../../../ui/icon-button.tsx';
import { Menu } from '../../../ui/menu.tsx';
import { Segmented } from '../../../ui/segmented.tsx';
import { useCopy, useUndoNotice } from '../../../ui/notices.ts';
import css from '../dictate-screen.module.css';
import { useDictation, useDictationState } from '../dictation-context.tsx';
import { PhraseRow } from './phrase-row.tsx';
import { useTakePlayer, type TakePlayer } from './use-take-player.ts';

const filters = {
  all: () => true,
  unsent: ({ waitingCount }) => waitingCount > 0,
  pinned: ({ isPinned }) => isPinned,
} satisfies Record<string, (take: TakeSummary) => boolean>;

/** All takes of this library by day, to play, copy, send again, pin and delete. */
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
  const [filter, setFilter] = useState<keyof typeof filters>('all');
  const all = data?.takes ?? [];
  const takes = all.filter((take) => filters[filter](take) && foldText(take.text).text.includes(wanted));
  const days = Map.groupBy(takes, ({ startedAtMs }) => formats.date(startedAtMs));
  const player = useTakePlayer();
  const showAll = () => {
    setSought('');
    setFilter('all');
  };
  return (
    <div className={css['history']}>
      <Field label={t('dictation.history.search')} icon={Search} type="search" value={sought} onChange={setSought} />
      <Segmented
        size="sm"
        label={t('dictation.history.filter')}
        value={filter}
        options={(['all', 'unsent', 'pinned'] as const).map((value) => ({
          value,
          text: t(`dictation.history.filters.${value}`, { count: all.filter(filters[value]).length }),
        }))}
        onChange={setFilter}
      />
      {takes.length === 0 && all.length === 0 && (
        <EmptyState icon={Mic} title={t('dictation.history.none')}>
          {t('dictation.history.noneText')}
        </EmptyState>
      )}
      {takes.length === 0 && all.length > 0 && (
        <EmptyState
          icon={Search}
          title={sought === '' ? t('dictation.history.noneOfKind') : t('dictation.history.noMatch', { sought })}
          action={<Button onPress={showAll}>{t('dictation.history.showAll')}</Button>}
        >
          {t('dictation.history.noMatchText')}
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
              <TakeRow key={take.id} take={take} isAsked={take.id === askedId} player={player} />
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
  player,
}: {
  readonly take: TakeSummary;
  /** Brought into view, its words whole. */
  readonly isAsked: boolean;
  readonly player: TakePlayer;
}) {
  const t = useText();
  const copy = useCopy();
  const formats = useFormats();
  const studio = useStudio();
  const queries = useQueryClient();
  const showUndo = useUndoNotice();
  const [, navigate] = useLocation();
  const dictation = useDictation();
  const phrases = useId();
  const [isOpen, setIsOpen] = useState(isAsked);
  const isIdle = useDictationState((state) => state.phase === 'idle');
  const isPlaying = player.isPlaying(take.id);
  const again = () => void queries.invalidateQueries({ queryKey: ['takes'] });
  const save = async () => {
    const name = t('dictation.documentName', {
      date: formats.date(take.startedAtMs),
      time: formats.time(take.startedAtMs),
    });
    const saved = await studio.request('dictation.saveDocument', { takeId: take.id, name });
    if (saved.ok) navigate(`/transcripts/${saved.value.transcriptId}`);
  };
  const remove = async () => {
    const removed = await studio.request('dictation.delete', { takeId: take.id });
    if (!removed.ok) return;
    if (dictation.store.getState().takeId === take.id) dictation.startNew();
    again();
    const undo = () =>
      void studio.request('library.restore', { items: [{ kind: 'dictation', id: take.id }] }).then(again);
    showUndo({ text: t('dictation.history.deleted'), undo });
  };
  const nothingSaid =
    take.discardedMs > 0
      ? t('dictation.discarded', { seconds: formats.number(Math.round(take.discardedMs / 100) / 10) })
      : t(take.waitingCount > 0 ? 'dictation.history.noText' : 'dictation.noSpeech');
  const facts = [formats.duration(take.durationMs), t('dictation.history.phrases', { count: take.phraseCount })];
  return (
    <li ref={isAsked ? bringIntoView : null} className={css['phrase']} data-asked={isAsked ? '' : undefined}>
      <time className={css['at']}>{formats.time(take.startedAtMs)}</time>
      <div className={css['said']}>
        <button
          type="button"
          className={css['unfold']}
          aria-expanded={isOpen}
          aria-controls={phrases}
          onClick={() => {
            setIsOpen(!isOpen);
          }}
        >
          <ChevronRight aria-hidden size={16} />
          <span
            className={css[take.text !== '' ? (isOpen ? 'words' : 'clipped') : take.waitingCount > 0 ? 'hint' : 'none']}
            lang={take.text === '' ? undefined : take.language}
          >
            {take.text === '' ? nothingSaid : take.text}
          </span>
        </button>
        <p className={css['hint']}>
          {facts.join(', ')} {take.isRecording && <Chip tone="bad">{t('dictation.history.now')}</Chip>}
          {take.waitingCount > 0 && !take.isRecording && (
            <Chip tone="warn">{t('dictation.history.waiting', { count: take.waitingCount })}</Chip>
          )}
        </p>
      </div>
      <div className={css['actions']}>
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
            onPress={() => player.toggle(take.id)}
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
              onAction: () => void copy(take.text),
            },
            {
              id: 'continue',
              text: t('dictation.history.continue'),
              icon: Mic,
              isDisabled: !isIdle || !take.hasSound,
              onAction: () => {
                void dictation.continueWith(take.id);
                navigate('/dictate');
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
              onAction: () => void remove(),
            },
          ]}
          trigger={<IconButton size="sm" icon={MoreHorizontal} label={t('common.more')} />}
        />
      </div>
      {isOpen && <TakePhrases id={phrases} take={take} player={player} />}
    </li>
  );
}

/** The phrases of a take, each to play, correct and send again. */
function TakePhrases({
  id,
  take,
  player,
}: {
  readonly id: string;
  readonly take: TakeSummary;
  readonly player: TakePlayer;
}) {
  const t = useText();
  const studio = useStudio();
  const changes = useDictationState((state) => state.changes);
  const { data } = useQuery({
    queryKey: ['take', take.id, changes],
    queryFn: () => valueOrThrow(studio.request('dictation.read', { takeId: take.id })),
    placeholderData: (before) => before,
  });
  return (
    <ul id={id} className={css['unfolded']} aria-label={t('dictation.phrases')}>
      {withoutSilentRests(data?.phrases ?? []).map((phrase) => (
        <PhraseRow
          key={phrase.id}
          takeId={take.id}
          phrase={phrase}
          player={take.hasSound && !take.isRecording ? player : null}
        />
      ))}
    </ul>
  );
}

const bringIntoView = (row: HTMLElement | null) => {
  row?.scrollIntoView({ block: 'center' });
};
