import {
  CircleAlert,
  Copy,
  Ellipsis,
  Lock,
  LockOpen,
  Merge,
  MessageSquare,
  Pencil,
  Play,
  RefreshCw,
  Scissors,
  SlidersHorizontal,
  Trash2,
} from 'lucide-react';
import { useEffect, useImperativeHandle, useMemo, useRef, useState, type KeyboardEvent, type Ref } from 'react';
import type { SpeechLanguage } from '../../../../shared/domain/languages.ts';
import { modeOf } from '../../../../shared/domain/modes.ts';
import { foreignBlocks, type SpeechBlock } from '../../../../shared/domain/speech/blocks.ts';
import { sentencesIn } from '../../../../shared/domain/speech/edit-document.ts';
import { withoutMarks } from '../../../../shared/domain/speech/split-text.ts';
import type { SpeechVoice } from '../../../../shared/domain/speech/voices.ts';
import { useSettings } from '../../../bridge/live-state.tsx';
import { cx } from '../../../lib/class-names.ts';
import { useKeyFor } from '../../../lib/commands.tsx';
import { useFailureText } from '../../../lib/failure-text.ts';
import { onceChanged } from '../../../lib/once-changed.ts';
import { useFormats, useText } from '../../../lib/text.ts';
import { Button } from '../../../ui/button.tsx';
import { IconButton } from '../../../ui/icon-button.tsx';
import { command, Menu, MenuAt, type MenuPoint, type MenuEntry } from '../../../ui/menu.tsx';
import { useCopy, useUndoNotice } from '../../../ui/notices.ts';
import { isDoubtful, isOldVoice, isReady, overlongMs, type BlockStatus } from '../model/block-status.ts';
import { cursorIn, rangesIn, readField, selectionIn, spellTypedIn } from '../model/field-text.ts';
import { usePlayerState, useSpeaking, useSpeakState } from '../speak-context.tsx';
import { useBlocks } from '../use-cost.ts';
import { useVoices } from '../use-voices.ts';
import css from './block-list.module.css';
import type { ShownText } from './text-pane.tsx';
import { lookOf, Orb } from './voice-orb.tsx';

/** A row per sentence, each a field of its own. A line under one says only what differs. */
export function BlockList(props: {
  readonly ref: Ref<ShownText>;
  readonly selectedId: string | null;
  readonly onSelect: (blockId: string) => void;
  readonly onDetails: (blockId: string) => void;
}) {
  const { ref, selectedId, onSelect, onDetails } = props;
  const t = useText();
  const { player, store } = useSpeaking();
  // A field that goes with its screen is not left before.
  useEffect(() => () => store.keepTyped(), [store]);
  const document = useSpeakState((state) => state.document);
  const heardId = usePlayerState(player, (state) => state.heardId);
  const states = useBlocks();
  const { data } = useVoices();
  const list = useRef<HTMLOListElement>(null);
  const voices = useMemo(() => new Map((data?.voices ?? []).map((voice) => [voice.id, voice])), [data]);
  const open = useMemo(() => {
    const found = document === null ? [] : foreignBlocks(document.blocks, document.defaults);
    return new Map(found.flatMap(({ language, ids }) => ids.map((id) => [id, language] as const)));
  }, [document]);
  const spans = useMemo(() => (document === null ? [] : sentencesIn(document)), [document]);
  const selectedAt = document?.blocks.findIndex(({ id }) => id === selectedId) ?? -1;
  const wordsAt = (index: number) =>
    list.current?.children[index]?.querySelector<HTMLElement>('[data-spoken-text]') ?? null;
  const startOf = (index: number) => spans[index]?.start ?? 0;
  // A menu that takes the focus takes the selection too.
  const left = useRef<{ readonly id: string; readonly at: number | null } | null>(null);
  useImperativeHandle(ref, () => ({
    focus: () => wordsAt(Math.max(0, selectedAt))?.focus(),
    hasFocus: () => list.current?.contains(globalThis.document.activeElement) === true,
    sentenceAtCursor: () => Math.max(0, selectedAt),
    cursorAt() {
      const field = wordsAt(selectedAt);
      if (field === null) return null;
      const isLeft = field !== globalThis.document.activeElement && left.current?.id === selectedId;
      const at = isLeft ? (left.current?.at ?? null) : cursorIn(field);
      return at === null ? null : startOf(selectedAt) + at;
    },
    selected() {
      const field = wordsAt(selectedAt);
      const found = field === null ? null : selectionIn(field);
      const from = startOf(selectedAt);
      return found === null ? null : { ...found, start: from + found.start, end: from + found.end };
    },
    goTo: (index) => wordsAt(index)?.focus(),
    rangesOf: (wanted) =>
      spans.flatMap(({ start, end }, index) => {
        const field = wordsAt(index);
        const inside = wanted.filter((one) => one.start < end && one.end > start);
        const own = inside.map((one) => ({ start: one.start - start, end: Math.min(end, one.end) - start }));
        return field === null || own.length === 0 ? [] : rangesIn(field, own);
      }),
  }));
  if (document === null) return null;
  return (
    <ol ref={list} className={css['list']} aria-label={t('speak.blocks.title')} data-spoken-scroller>
      {document.blocks.map((block, index) => {
        const status = states[index]?.status;
        if (status === undefined) return null;
        return (
          <Block
            key={block.id}
            block={block}
            index={index}
            status={status}
            usualVoice={document.defaults.voiceId}
            openLanguage={open.get(block.id) ?? null}
            voices={voices}
            isMute={data?.canSpeak === false}
            isHeard={block.id === heardId}
            isSelected={block.id === selectedId}
            isLast={index === document.blocks.length - 1}
            onSelect={() => onSelect(block.id)}
            onDetails={() => onDetails(block.id)}
            onGo={(by) => wordsAt(index + by)?.focus()}
            onLeave={(at) => (left.current = { id: block.id, at })}
          />
        );
      })}
    </ol>
  );
}

interface BlockProps {
  readonly block: SpeechBlock;
  readonly index: number;
  readonly status: BlockStatus;
  readonly usualVoice: string;
  /** The language whose voice is still to be chosen; the sentence is not sent before. */
  readonly openLanguage: SpeechLanguage | null;
  readonly voices: ReadonlyMap<string, SpeechVoice>;
  /** The practice service has no speech program. */
  readonly isMute: boolean;
  readonly isHeard: boolean;
  readonly isSelected: boolean;
  readonly isLast: boolean;
  readonly onSelect: () => void;
  readonly onDetails: () => void;
  readonly onGo: (by: 1 | -1) => void;
  /** Where the cursor stood; null: nowhere in it. */
  readonly onLeave: (cursor: number | null) => void;
}

function Block(props: BlockProps) {
  const { block, index, status, isHeard, isSelected } = props;
  const t = useText();
  const keyFor = useKeyFor();
  const { store } = useSpeaking();
  const row = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (isHeard || isSelected) row.current?.scrollIntoView({ block: 'nearest' });
  }, [isHeard, isSelected]);
  const entries = useBlockEntries(props);
  const [menuAt, setMenuAt] = useState<MenuPoint | null>(null);
  const again = { count: 1, sendsAgain: isDoubtful(status) };
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- the same menu as of the button
    <li
      ref={row}
      className={cx(
        css['block'],
        css[status.state],
        (isSelected || isHeard) && css['selected'],
        isHeard && css['heard'],
        block.endsParagraph && css['ends'],
      )}
      onContextMenu={(event) => {
        event.preventDefault();
        setMenuAt({ x: event.clientX, y: event.clientY });
      }}
    >
      {menuAt !== null && (
        <MenuAt label={t('speak.blocks.actions')} at={menuAt} entries={entries} onClose={() => setMenuAt(null)} />
      )}
      <span aria-hidden className={css['number']}>
        {index + 1}
      </span>
      <div className="fill">
        <Words {...props} />
        <Facts {...props} />
      </div>
      <span className={css['actions']}>
        {status.state === 'failed' && (
          <Button size="sm" icon={RefreshCw} onPress={() => store.speak(index, again)}>
            {t(again.sendsAgain ? 'speak.blocks.sendAgain' : 'speak.blocks.retry')}
          </Button>
        )}
        {isSelected && (
          <>
            <Button
              size="sm"
              icon={Play}
              tip={{ text: t('speak.blocks.playFrom'), shortcut: keyFor('speak.fromCursor') }}
              onPress={() => store.play(index)}
            >
              {t('speak.blocks.playFrom')}
            </Button>
            <Menu
              label={t('speak.blocks.actions')}
              trigger={<IconButton size="sm" icon={Ellipsis} label={t('speak.blocks.actions')} />}
              entries={entries}
            />
          </>
        )}
      </span>
    </li>
  );
}

/** The words are kept while they are typed, and divided into sentences when they are left. */
function Words({ block, index, onSelect, onGo, onLeave }: BlockProps) {
  const t = useText();
  const { store } = useSpeaking();
  const language = useSpeakState((state) => state.requests[index]?.language);
  const remove = useRemoveBlock(block);
  const box = useRef<HTMLDivElement>(null);
  const { id, text, isLocked } = block;
  useEffect(() => {
    const element = box.current;
    if (element === null || readField(element).trim() === text) return;
    const at = cursorIn(element);
    element.textContent = text;
    if (at !== null) window.getSelection()?.collapse(element.firstChild ?? element, Math.min(at, text.length));
  }, [text]);
  const keep = () => {
    const typed = box.current === null ? text : readField(box.current).trim();
    if (typed === text) return;
    if (typed === '') remove();
    else store.editBlock(id, typed);
  };
  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    const isAtStart =
      box.current !== null && cursorIn(box.current) === 0 && window.getSelection()?.isCollapsed === true;
    if (event.key === 'Enter') {
      keep();
      onGo(1);
    } else if (event.key === 'Backspace' && isAtStart && index > 0) {
      keep();
      const before = store.getState().document?.blocks[index - 1];
      if (before !== undefined && !isLocked && !before.isLocked) store.merge(before.id);
      onGo(-1);
    } else if (event.key === 'ArrowUp' && isAtEdge(box.current, 'top')) onGo(-1);
    else if (event.key === 'ArrowDown' && isAtEdge(box.current, 'bottom')) onGo(1);
    else return;
    event.preventDefault();
  };
  return (
    <div
      ref={box}
      className={css['words']}
      data-spoken-text
      contentEditable={isLocked ? false : 'plaintext-only'}
      suppressContentEditableWarning
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- what is heard can't be marked inside a textarea
      role="textbox"
      tabIndex={0}
      aria-multiline="true"
      aria-readonly={isLocked}
      aria-label={t('speak.blocks.selected', { number: index + 1 })}
      lang={language}
      spellCheck={false}
      onFocus={onSelect}
      onBlur={({ currentTarget }) => {
        onLeave(cursorIn(currentTarget));
        keep();
      }}
      onInput={({ currentTarget, nativeEvent }) => {
        store.typeInBlock(id, readField(currentTarget));
        if (language === 'uz') spellTypedIn(currentTarget, nativeEvent);
      }}
      onKeyDown={onKeyDown}
    />
  );
}

/** Whether the cursor stands in the first or the last line of the field. */
function isAtEdge(field: HTMLElement | null, edge: 'top' | 'bottom'): boolean {
  const selection = window.getSelection();
  if (field === null || selection === null || selection.rangeCount === 0) return true;
  const line = selection.getRangeAt(0).getBoundingClientRect();
  const whole = field.getBoundingClientRect();
  return line.height === 0 || Math.abs(line[edge] - whole[edge]) < line.height;
}

function Facts(props: BlockProps) {
  const { block, index, status, usualVoice, openLanguage, voices, isMute, onDetails } = props;
  const t = useText();
  const formats = useFormats();
  const words = useFailureText();
  const request = useSpeakState((state) => state.requests[index]);
  const { state, failure } = status;
  const overMs = overlongMs(block, status);
  const voiceId = request?.voiceId ?? usualVoice;
  const voice = voices.get(voiceId);
  const isOpen = openLanguage !== null && (state === 'new' || state === 'changed');
  const pauseMs = block.pauseMs ?? block.breakMs ?? null;
  const isReadOtherwise = request !== undefined && request.text !== withoutMarks(block.text);
  const lengthMs = (status.take?.durationMs ?? 0) / status.tempo;
  return (
    <div className={css['facts']}>
      {state !== 'ready' && (state !== 'new' || isOpen) && (
        <span className={css['state']}>
          {state === 'locked' && <Lock aria-hidden size={12} />}
          {state === 'failed' && <CircleAlert aria-hidden size={12} />}
          {isOpen
            ? t(`speak.foreign.which.${openLanguage}`)
            : t(`speak.blocks.${request !== undefined && isOldVoice(status, request) ? 'oldVoice' : state}`, {
                time: formats.duration(lengthMs),
              })}
        </span>
      )}
      {failure !== null && (
        <span>{isMute && failure.kind === 'product-unavailable' ? t('speak.noSpeech') : words(failure).title}</span>
      )}
      {voiceId !== usualVoice && voiceId !== '' && (
        <span className={css['own']}>
          <Orb size="sm" look={lookOf(voice ?? { id: voiceId })} /> {voice?.name ?? voiceId}
        </span>
      )}
      {block.speed !== null && !block.isLocked && (
        <span className={css['own']}>{t('speak.times', { value: formats.factor(block.speed) })}</span>
      )}
      {block.slot != null && (
        <span className={overMs > 0 ? css['over'] : undefined}>
          {formats.clock(block.slot.startMs)}–{formats.clock(block.slot.endMs)}
          {overMs > 0 && ` ${t('speak.slots.over', { time: formats.duration(overMs) })}`}
        </span>
      )}
      {isReadOtherwise && (
        <>
          <span lang={request.language}>{t('speak.blocks.readsAs', { text: request.text })}</span>
          <IconButton size="sm" icon={Pencil} label={t('speak.blocks.changeReading')} onPress={onDetails} />
        </>
      )}
      {pauseMs !== null && (
        <span>
          {t('speak.blocks.pauseOf', { time: t('speak.secondsOf', { value: formats.factor(pauseMs / 1000) }) })}
        </span>
      )}
      {block.comment != null && (
        <span>
          <MessageSquare aria-hidden size={12} /> {block.comment}
        </span>
      )}
    </div>
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

function useBlockEntries({ block, index, status, isLast, onDetails }: BlockProps) {
  const t = useText();
  const copy = useCopy();
  const keyFor = useKeyFor();
  const { isFree } = modeOf(useSettings().mode);
  const { store } = useSpeaking();
  const remove = useRemoveBlock(block);
  return (): readonly MenuEntry[] => {
    const { id, text, isLocked: isDisabled } = block;
    const { state, characters, take } = status;
    const isNewTake = isReady(state);
    const takeText = isNewTake
      ? t(isFree ? 'speak.blocks.newTakeFree' : 'speak.blocks.newTake')
      : t('speak.blocks.speakThis', { count: characters });
    const lock = () => store.patchBlock(id, { isLocked: !isDisabled, takeId: take?.id ?? null });
    const cannotSplit = isDisabled || !/\S\s+\S/u.test(text);
    return [
      command('play', Play, t('speak.blocks.play'), () => store.play(index, { count: 1 }), {
        shortcut: keyFor('speak.sentence'),
      }),
      command('take', RefreshCw, takeText, () => store.speak(index, { count: 1, isNewTake }), { isDisabled }),
      command('lock', isDisabled ? LockOpen : Lock, t(isDisabled ? 'speak.blocks.unlock' : 'speak.blocks.lock'), lock, {
        isDisabled: take === null,
      }),
      command('details', SlidersHorizontal, t('speak.blocks.details'), onDetails),
      'separator',
      command('split', Scissors, t('speak.blocks.split'), () => store.split({ blockId: id }), {
        shortcut: keyFor('speak.split'),
        isDisabled: cannotSplit,
      }),
      command('merge', Merge, t('speak.blocks.merge'), () => store.merge(id), {
        shortcut: keyFor('speak.merge'),
        isDisabled: isDisabled || isLast,
      }),
      command('copy', Copy, t('speak.blocks.copy'), () => void copy(withoutMarks(text))),
      command('remove', Trash2, t('speak.blocks.remove'), remove, { isDanger: true, isDisabled }),
    ];
  };
}
