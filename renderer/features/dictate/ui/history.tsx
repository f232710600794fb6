import { useQuery, useQueryClient } from '@tanstack/react-query';
import {
  Copy,
  FileText,
  History as Clock,
  MoreHorizontal,
  Pause,
  Pin,
  Play,
  RotateCw,
  SquarePen,
  Trash2,
} from 'lucide-react';
import { useEffect, useState } from 'react';
import { useLocation } from 'wouter';
import type { TakeSummary } from '../../../../shared/domain/dictation/take-view.ts';
import { foldText } from '../../../../shared/domain/text/fold-text.ts';
import { useSettings } from '../../../bridge/live-state.tsx';
import { valueOrThrow } from '../../../bridge/request-error.ts';
import { useStudio } from '../../../bridge/studio-context.tsx';
import { cx } from '../../../lib/class-names.ts';
import { useFormats, useText } from '../../../lib/text.ts';
import { IconButton } from '../../../ui/icon-button.tsx';
import { command, Menu } from '../../../ui/menu.tsx';
import { useCopy, useUndoNotice } from '../../../ui/notices.ts';
import { Popover } from '../../../ui/popover.tsx';
import { PressButton } from '../../../ui/press-button.tsx';
import { SearchBox } from '../../../ui/search-box.tsx';
import css from '../dictate.module.css';
import { useDictation, useDictationState } from '../dictation-context.tsx';
import { useTakePlayer, type TakePlayer } from './use-take-player.ts';

/** More than that is found by its words. */
const mostShown = 100;

/** All takes of this library by day; one press opens one and goes on with it. */
export function History({ isAsked }: { readonly isAsked: boolean }) {
  const t = useText();
  const [isOpen, setIsOpen] = useState(isAsked);
  return (
    <Popover
      label={t('dictation.history.title')}
      className={cx(css['panel'], css['wide'])}
      isOpen={isOpen}
      onOpenChange={setIsOpen}
      trigger={<IconButton icon={Clock} label={t('dictation.history.title')} />}
    >
      {isOpen && <TakeList onClose={() => setIsOpen(false)} />}
    </Popover>
  );
}

function TakeList({ onClose }: { readonly onClose: () => void }) {
  const t = useText();
  const formats = useFormats();
  const studio = useStudio();
  const showUndo = useUndoNotice();
  const dictation = useDictation();
  const changes = useDictationState((state) => state.changes);
  const phase = useDictationState((state) => state.phase);
  const takeId = useDictationState((state) => state.takeId);
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
  const takes = (data?.takes ?? []).filter((take) => foldText(take.text).text.includes(wanted)).slice(0, mostShown);
  const days = Map.groupBy(takes, ({ startedAtMs }) => formats.date(startedAtMs));
  const player = useTakePlayer();
  const begin = async () => {
    await dictation.stopped();
    dictation.startNew();
    onClose();
    if (takeId === null) return;
    const undo = () => void dictation.continueWith(takeId);
    showUndo({ text: t('dictation.sessionKept'), undo });
  };
  const open = (take: TakeSummary) => {
    void dictation.continueWith(take.id);
    onClose();
  };
  return (
    <>
      <div className={css['between']}>
        <SearchBox
          label={t('dictation.history.search')}
          placeholder={t('dictation.history.search')}
          value={sought}
          onChange={setSought}
        />
        <IconButton
          icon={SquarePen}
          label={t('dictation.newSession')}
          isDisabled={takeId === null}
          onPress={() => void begin()}
        />
      </div>
      {takes.length === 0 && (
        <p className={css['hint']}>
          {sought === '' ? t('dictation.history.noneText') : t('dictation.history.noMatch', { sought })}
        </p>
      )}
      {[...days].map(([day, ofDay]) => (
        <section key={day} aria-label={day}>
          <h2 className="small medium muted">{day}</h2>
          <ul>
            {ofDay.map((take) => (
              <TakeRow
                key={take.id}
                take={take}
                isCurrent={take.id === takeId}
                isIdle={phase === 'idle'}
                player={player}
                onOpen={() => open(take)}
              />
            ))}
          </ul>
        </section>
      ))}
      <p className={cx(css['hint'], css['rule'])}>{t('dictation.history.kept', { count: takeSoundDays })}</p>
    </>
  );
}

interface TakeRowProps {
  readonly take: TakeSummary;
  readonly isCurrent: boolean;
  readonly isIdle: boolean;
  readonly player: TakePlayer;
  readonly onOpen: () => void;
}

function TakeRow({ take, isCurrent, isIdle, player, onOpen }: TakeRowProps) {
  const t = useText();
  const copy = useCopy();
  const formats = useFormats();
  const studio = useStudio();
  const queries = useQueryClient();
  const showUndo = useUndoNotice();
  const [, navigate] = useLocation();
  const dictation = useDictation();
  const isPlaying = player.isPlaying(take.id);
  const again = () => void queries.invalidateQueries({ queryKey: ['takes'] });
  const remove = async () => {
    const removed = await studio.request('dictation.delete', { takeId: take.id });
    if (!removed.ok) return;
    if (isCurrent) dictation.startNew();
    again();
    const undo = () =>
      void studio.request('library.restore', { items: [{ kind: 'dictation', id: take.id }] }).then(again);
    showUndo({ text: t('dictation.history.deleted'), undo });
  };
  const nothingSaid =
    take.discardedMs > 0
      ? t('dictation.discarded', { seconds: formats.number(Math.round(take.discardedMs / 100) / 10) })
      : t(take.waitingCount > 0 ? 'dictation.history.noText' : 'dictation.noSpeech');
  const note = take.isRecording
    ? t('dictation.history.now')
    : take.waitingCount > 0
      ? t('dictation.history.waiting', { count: take.waitingCount })
      : formats.duration(take.durationMs);
  const pin = () => void studio.request('dictation.pin', { takeId: take.id, isPinned: !take.isPinned }).then(again);
  const send = () => void studio.request('dictation.sendAgain', { takeId: take.id, phrase: null }).then(again);
  return (
    <li className={css['take']} data-asked={isCurrent ? '' : undefined}>
      <time className={css['time']}>{formats.time(take.startedAtMs)}</time>
      <PressButton current={isCurrent ? 'true' : null} isDisabled={!isIdle} onPress={onOpen}>
        {take.text === '' ? nothingSaid : <span lang={take.language}>{take.text}</span>}
      </PressButton>
      <span className={css['hint']}>{note}</span>
      <Menu
        label={t('common.more')}
        placement="bottom end"
        entries={[
          command('copy', Copy, t('common.copy'), () => void copy(take.text), { isDisabled: take.text === '' }),
          command(
            'play',
            isPlaying ? Pause : Play,
            t(isPlaying ? 'dictation.history.pause' : 'dictation.history.play'),
            () => player.toggle(take.id),
            { isDisabled: !take.hasSound || take.isRecording },
          ),
          command('document', FileText, t('dictation.history.asDocument'), () =>
            navigate(`/dictate/document/${take.id}`),
          ),
          command('send', RotateCw, t('dictation.history.send'), send, {
            isDisabled: take.waitingCount === 0 || !take.hasSound,
          }),
          command('pin', Pin, t(take.isPinned ? 'dictation.history.unpin' : 'dictation.history.pin'), pin),
          'separator',
          command('delete', Trash2, t('dictation.history.delete'), () => void remove(), {
            isDanger: true,
            isDisabled: take.isRecording,
          }),
        ]}
        trigger={<IconButton size="sm" icon={MoreHorizontal} label={t('common.more')} />}
      />
    </li>
  );
}
