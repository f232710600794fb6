import {
  CircleAlert,
  Ellipsis,
  Lock,
  LockOpen,
  MessageSquare,
  Pause,
  Play,
  RefreshCw,
  Volume2,
  Copy,
  Merge,
  Pencil,
  Scissors,
  Trash2,
} from 'lucide-react';
import { useEffect, useMemo, useRef, useState, type ReactNode } from 'react';
import type { SpeechLanguage } from '../../../../shared/domain/languages.ts';
import { modeOf } from '../../../../shared/domain/modes.ts';
import { foreignBlocks, type SpeechBlock } from '../../../../shared/domain/speech/blocks.ts';
import { pauseAfter } from '../../../../shared/domain/speech/speech-document.ts';
import { withoutMarks } from '../../../../shared/domain/speech/split-text.ts';
import type { SpeechVoice } from '../../../../shared/domain/speech/voices.ts';
import { useSettings } from '../../../bridge/live-state.tsx';
import { cx } from '../../../lib/class-names.ts';
import { useKeyFor } from '../../../lib/commands.tsx';
import { useFailureText } from '../../../lib/failure-text.ts';
import { onceChanged } from '../../../lib/once-changed.ts';
import { useFormats, useText } from '../../../lib/text.ts';
import { Button } from '../../../ui/button.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { IconButton } from '../../../ui/icon-button.tsx';
import { Menu, MenuAt, type MenuPoint, type MenuEntry } from '../../../ui/menu.tsx';
import { useCopy, useUndoNotice } from '../../../ui/notices.ts';
import { PressButton } from '../../../ui/press-button.tsx';
import { isReady, overlongMs, type BlockStatus } from '../model/block-status.ts';
import { usePlayerState, useSpeaking, useSpeakState } from '../speak-context.tsx';
import { useBlocks } from '../use-cost.ts';
import { useVoices } from '../use-voices.ts';
import css from './block-list.module.css';
import { lookOf, Orb } from './voice-orb.tsx';

export function BlockList(props: { readonly selectedId: string | null; readonly onSelect: (blockId: string) => void }) {
  const t = useText();
  const { player } = useSpeaking();
  const document = useSpeakState((state) => state.document);
  const heardId = usePlayerState(player, (state) => state.heardId);
  const isPaused = usePlayerState(player, (state) => state.status === 'paused');
  const states = useBlocks();
  const { data } = useVoices();
  const voices = useMemo(() => new Map((data?.voices ?? []).map((voice) => [voice.id, voice])), [data]);
  const open = useMemo(() => {
    const found = document === null ? [] : foreignBlocks(document.blocks, document.defaults);
    return new Map(found.flatMap(({ language, ids }) => ids.map((id) => [id, language] as const)));
  }, [document]);
  if (document === null) return null;
  if (document.blocks.length === 0)
    return (
      <div className={css['empty']}>
        <EmptyState icon={Volume2} title={t('speak.blocks.empty')}>
          {t('speak.blocks.emptyText')}
        </EmptyState>
      </div>
    );
  return (
    <ol className={css['list']} aria-label={t('speak.blocks.title')}>
      {document.blocks.map((block, index) => {
        const status = states[index]?.status;
        if (status === undefined) return null;
        return (
          <Block
            key={block.id}
            block={block}
            index={index}
            status={status}
            openLanguage={open.get(block.id) ?? null}
            voices={voices}
            isMute={data?.canSpeak === false}
            isHeard={block.id === heardId}
            isPaused={isPaused}
            isSelected={block.id === props.selectedId}
            isLast={index === document.blocks.length - 1}
            pauseMs={pauseAfter(block, document)}
            onSelect={() => props.onSelect(block.id)}
          />
        );
      })}
    </ol>
  );
}

function Block(props: {
  readonly block: SpeechBlock;
  readonly index: number;
  readonly status: BlockStatus;
  /** The language whose voice is still to be chosen; the sentence is not sent before. */
  readonly openLanguage: SpeechLanguage | null;
  readonly voices: ReadonlyMap<string, SpeechVoice>;
  /** The practice service has no speech program. */
  readonly isMute: boolean;
  readonly isHeard: boolean;
  readonly isPaused: boolean;
  readonly isSelected: boolean;
  readonly isLast: boolean;
  readonly pauseMs: number;
  readonly onSelect: () => void;
}) {
  const { block, index, status, openLanguage, voices, isMute, isHeard } = props;
  const { isPaused, isSelected, isLast, pauseMs, onSelect } = props;
  const t = useText();
  const formats = useFormats();
  const words = useFailureText();
  const { store, player } = useSpeaking();
  const request = useSpeakState((state) => state.requests[index]);
  const { state, take, failure } = status;
  const overMs = overlongMs(block, status);
  const time = take?.durationMs === null || take === null ? '' : formats.duration(take.durationMs / status.tempo);
  const voiceId = request?.voiceId ?? '';
  const voice = voices.get(voiceId);
  const voiceName = voice?.name ?? voiceId;
  const speed = formats.factor(request?.speed ?? 1);
  const stateText = isHeard
    ? t('speak.blocks.playing')
    : isReady(state)
      ? t(`speak.blocks.${state}`, { time })
      : openLanguage !== null && (state === 'new' || state === 'changed')
        ? t(`speak.foreign.which.${openLanguage}`)
        : state === 'changed'
          ? t('speak.blocks.changedCost', { count: status.characters })
          : t(`speak.blocks.${state}`);
  const [edited, setEdited] = useState<string | null>(null);
  const row = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (isHeard || isSelected) row.current?.scrollIntoView({ block: 'nearest' });
  }, [isHeard, isSelected]);
  const remove = useRemoveBlock(block);
  const keep = () => {
    if (edited !== null && edited.trim() !== block.text) store.editBlock(block.id, edited);
    setEdited(null);
  };
  // After the menu has closed: earlier, it would take the focus back and close the field.
  const edit = () => void requestAnimationFrame(() => setEdited(block.text));
  const entries = useBlockEntries(block, index, isLast, edit);
  const [menuAt, setMenuAt] = useState<MenuPoint | null>(null);
  const again = { count: 1, sendsAgain: failure?.kind === 'job-not-found' };
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- the same menu as of the button
    <li
      ref={row}
      onKeyDown={(event) => {
        if (event.key !== 'Delete' || block.isLocked || event.target instanceof HTMLTextAreaElement) return;
        event.preventDefault();
        remove();
      }}
      className={cx(css['block'], css[state], isSelected && css['selected'])}
      onContextMenu={(event) => {
        if (event.target instanceof HTMLTextAreaElement) return;
        event.preventDefault();
        setMenuAt({ x: event.clientX, y: event.clientY });
      }}
      onDoubleClick={({ target }) => {
        const isText = target instanceof Element && target.closest(`.${css['choose'] ?? ''}`) !== null;
        if (isText && !block.isLocked) setEdited(block.text);
      }}
    >
      {menuAt !== null && (
        <MenuAt label={t('speak.blocks.actions')} at={menuAt} entries={entries} onClose={() => setMenuAt(null)} />
      )}
      <Choose isEdited={edited !== null} isSelected={isSelected} onSelect={onSelect}>
        <span aria-hidden className={css['number']}>
          {index + 1}
        </span>
        <span className={css['body']}>
          {edited === null ? (
            <span className={cx(css['words'], isHeard && css['heard'])} lang={request?.language}>
              {block.text}
            </span>
          ) : (
            <textarea
              // oxlint-disable-next-line jsx-a11y/no-autofocus -- it stands where the user asked for it
              autoFocus
              className={cx(css['words'], css['editing'])}
              lang={request?.language}
              rows={1}
              aria-label={t('speak.blocks.edit')}
              value={edited}
              onChange={({ target }) => setEdited(target.value)}
              onBlur={keep}
              onKeyDown={(event) => {
                if (event.key === 'Escape') setEdited(null);
                else if (event.key === 'Enter' && !event.shiftKey) keep();
                else return;
                event.preventDefault();
                event.stopPropagation();
              }}
            />
          )}
          <span className={css['facts']}>
            <Orb size="sm" look={lookOf(voice ?? { id: voiceId })} />
            <span className={block.voiceId === null ? undefined : css['own']}>
              {block.voiceId === null ? voiceName : t('speak.blocks.ownVoice', { name: voiceName })}
            </span>
            <span className={block.speed === null ? undefined : css['own']}>
              {t(block.speed === null ? 'speak.times' : 'speak.blocks.ownSpeed', { value: speed })}
            </span>
            <span className={css['state']}>
              {state === 'locked' && <Lock aria-hidden size={12} />}
              {state === 'failed' && <CircleAlert aria-hidden size={12} />}
              {stateText}
            </span>
            {block.slot !== null && block.slot !== undefined && (
              <span className={overMs > 0 ? css['over'] : undefined}>
                {formats.clock(block.slot.startMs)}–{formats.clock(block.slot.endMs)}
                {overMs > 0 && ` ${t('speak.slots.over', { time: formats.duration(overMs) })}`}
              </span>
            )}
            {failure !== null && (
              <span>
                {isMute && failure.kind === 'product-unavailable' ? t('speak.noSpeech') : words(failure).title}
              </span>
            )}
            {block.takeIds.length > 1 && <span>{t('speak.blocks.takeCount', { count: block.takeIds.length })}</span>}
          </span>
          {block.comment !== null && block.comment !== undefined && (
            <span className={css['comment']}>
              <MessageSquare aria-hidden size={12} /> {block.comment}
            </span>
          )}
          {request !== undefined && request.text !== withoutMarks(block.text) && (
            <span className={css['reading']} lang={request.language}>
              <b>{t('speak.blocks.asRead')}</b> {request.text}
            </span>
          )}
        </span>
      </Choose>
      <span className={css['actions']}>
        {state === 'failed' && (
          <Button size="sm" icon={RefreshCw} onPress={() => store.speak(index, again)}>
            {t(again.sendsAgain ? 'speak.blocks.sendAgain' : 'speak.blocks.retry')}
          </Button>
        )}
        <IconButton
          size="sm"
          icon={isHeard && !isPaused ? Pause : Play}
          label={isHeard ? t(isPaused ? 'speak.resume' : 'speak.pause') : t('speak.blocks.play')}
          onPress={() => {
            if (isHeard && isPaused) store.resume();
            else if (isHeard) player.pause();
            else store.play(index, { count: 1 });
          }}
        />
        <IconButton
          size="sm"
          icon={block.isLocked ? Lock : LockOpen}
          isDisabled={take === null}
          isPressed={block.isLocked}
          label={t(block.isLocked ? 'speak.blocks.unlock' : 'speak.blocks.lock')}
          onPress={() => store.patchBlock(block.id, { isLocked: !block.isLocked, takeId: take?.id ?? null })}
        />
        <Menu
          label={t('speak.blocks.actions')}
          trigger={<IconButton size="sm" icon={Ellipsis} label={t('speak.blocks.actions')} />}
          entries={entries}
        />
      </span>
      {!isLast && pauseMs > 0 && (
        <span className={css['pause']}>
          {t('speak.blocks.pauseOf', { time: t('speak.secondsOf', { value: formats.factor(pauseMs / 1000) }) })}
        </span>
      )}
    </li>
  );
}

/** The whole sentence selects it; while it is edited it is no button, which could hold no field. */
function Choose(props: {
  readonly isEdited: boolean;
  readonly isSelected: boolean;
  readonly onSelect: () => void;
  readonly children: ReactNode;
}) {
  const { isEdited, isSelected, onSelect, children } = props;
  return isEdited ? (
    <div className={css['choose']}>{children}</div>
  ) : (
    <PressButton className={css['choose']} isPressed={isSelected} onPress={onSelect}>
      {children}
    </PressButton>
  );
}

function useRemoveBlock(block: SpeechBlock): () => void {
  const t = useText();
  const { store } = useSpeaking();
  const showUndo = useUndoNotice();
  return () => {
    store.editBlock(block.id, '');
    showUndo({
      text: t('speak.blocks.removed'),
      undo: () => store.undo(),
      until: onceChanged(store, ({ steps }) => steps),
    });
  };
}

function useBlockEntries(block: SpeechBlock, index: number, isLast: boolean, edit: () => void) {
  const t = useText();
  const copy = useCopy();
  const keyFor = useKeyFor();
  const { isFree } = modeOf(useSettings().mode);
  const { store } = useSpeaking();
  const remove = useRemoveBlock(block);
  return (): readonly MenuEntry[] => {
    const { id, text, isLocked: isDisabled } = block;
    const { state = 'new', characters = 0 } = store.statusOf(index) ?? {};
    const isNewTake = isReady(state);
    const takeText = isNewTake
      ? t(isFree ? 'speak.blocks.newTakeFree' : 'speak.blocks.newTake')
      : t('speak.blocks.speakThis', { count: characters });
    return [
      { id: 'edit', text: t('speak.blocks.edit'), icon: Pencil, isDisabled, onAction: edit },
      { id: 'from', text: t('speak.blocks.playFrom'), icon: Play, onAction: () => store.play(index) },
      {
        id: 'take',
        text: takeText,
        icon: RefreshCw,
        isDisabled,
        onAction: () => store.speak(index, { count: 1, isNewTake }),
      },
      {
        id: 'split',
        text: t('speak.blocks.split'),
        icon: Scissors,
        shortcut: keyFor('speak.split'),
        isDisabled: isDisabled || !/\S\s+\S/u.test(text),
        onAction: () => store.split({ blockId: id }),
      },
      {
        id: 'merge',
        text: t('speak.blocks.merge'),
        icon: Merge,
        shortcut: keyFor('speak.merge'),
        isDisabled: isDisabled || isLast,
        onAction: () => store.merge(id),
      },
      { id: 'copy', text: t('speak.blocks.copy'), icon: Copy, onAction: () => void copy(withoutMarks(text)) },
      {
        id: 'remove',
        text: t('speak.blocks.remove'),
        icon: Trash2,
        isDanger: true,
        shortcut: 'Delete',
        isDisabled,
        onAction: remove,
      },
    ];
  };
}
