import {
  Copy,
  Pause,
  Play,
  Repeat,
  RotateCcw,
  RotateCw,
  Timer,
  AudioWaveform,
  LocateFixed,
  SlidersHorizontal,
  Volume2,
  VolumeX,
  ZoomIn,
  ZoomOut,
} from 'lucide-react';
import { useEffect, useId, useRef, useState } from 'react';
import { VisuallyHidden } from 'react-aria-components';
import { pauseRewinds } from '../../../../shared/domain/settings/settings.ts';
import { lengthClock, readTimeCode } from '../../../../shared/domain/time/time-code.ts';
import { offsetOfWord } from '../../../../shared/domain/transcript/spoken-text.ts';
import { useSettings } from '../../../bridge/live-state.tsx';
import { useSettingsChange } from '../../../bridge/use-settings-change.ts';
import { useKeyFor, useRunCommand, useCommands } from '../../../lib/commands.tsx';
import { textPane } from '../../../lib/text-pane.ts';
import { useFormats, useText } from '../../../lib/text.ts';
import { Button } from '../../../ui/button.tsx';
import { IconButton } from '../../../ui/icon-button.tsx';
import { Menu } from '../../../ui/menu.tsx';
import { useCopy } from '../../../ui/notices.ts';
import { Popover } from '../../../ui/popover.tsx';
import { PressButton } from '../../../ui/press-button.tsx';
import { Range } from '../../../ui/range.tsx';
import { useEditor, usePlayerState, useEditorState } from '../editor-context.ts';
import { zoomRange } from '../model/editor-store.ts';
import { rates } from '../model/rates.ts';
import { hostOfCaret } from './caret.ts';
import { CommandButton } from './command-button.tsx';
import css from './transport.module.css';
import { useContextMenu, type ContextMenu } from './use-context-menu.tsx';
import { useDurationMs } from './use-waveform-view.ts';

export function Transport() {
  const t = useText();
  const { detail } = useEditor();
  const { status } = usePlayerState();
  const isDead = detail.mediaUrl === null || status === 'failed';
  const { onContextMenu, menu } = useTransportMenu(isDead);
  return (
    <>
      {/* oxlint-disable-next-line jsx-a11y/interactive-supports-focus -- what is inside has the focus, and its key opens the menu too */}
      <div
        className={css['transport']}
        role="toolbar"
        aria-label={t('editor.transport.label')}
        data-pane="transport"
        onContextMenu={onContextMenu}
      >
        <TimeDisplay />
        <Moves isDead={isDead} />
        {detail.mediaUrl !== null && <TransportOptions isDead={isDead} />}
      </div>
      {menu}
    </>
  );
}

function useTransportMenu(isDead: boolean): ContextMenu {
  const t = useText();
  const { timeCode } = useFormats();
  const keyFor = useKeyFor();
  const run = useRunCommand();
  const copy = useCopy();
  const { player, store } = useEditor();
  return useContextMenu(t('editor.transport.label'), () => {
    const { isPlaying } = player.getState();
    const { range, isLooping } = store.getState();
    const time = timeCode(player.timeMs());
    return [
      {
        id: 'play',
        icon: isPlaying ? Pause : Play,
        text: t(isPlaying ? 'editor.transport.pause' : 'editor.transport.play'),
        shortcut: keyFor('playback.toggle') ?? keyFor('playback.toggleOutsideText'),
        isDisabled: isDead,
        onAction: player.toggle,
      },
      {
        id: 'loop',
        icon: Repeat,
        text: t(isLooping ? 'editor.transport.noLoop' : range === null ? 'editor.transport.loop' : 'editor.range.loop'),
        shortcut: keyFor('playback.loop'),
        isDisabled: isDead,
        onAction: () => store.loop(!isLooping),
      },
      'separator',
      {
        id: 'go-to',
        icon: Timer,
        text: t('palette.commands.goToTime'),
        shortcut: keyFor('playback.goTo'),
        onAction: () => run('playback.goTo'),
      },
      { id: 'copy', icon: Copy, text: t('editor.transport.copyTime', { time }), onAction: () => void copy(time) },
    ];
  });
}

function Moves({ isDead }: { readonly isDead: boolean }) {
  const t = useText();
  const keyFor = useKeyFor();
  const { player } = useEditor();
  const { isPlaying } = usePlayerState();
  const playing = t(isPlaying ? 'editor.transport.pause' : 'editor.transport.play');
  const playKey = keyFor('playback.toggle') ?? keyFor('playback.toggleOutsideText');
  return (
    <div className={css['moves']}>
      <CommandButton id="playback.back" icon={RotateCcw} isDisabled={isDead} className={css['skip']} />
      <PressButton
        className={css['play']}
        label={playing}
        shortcut={playKey}
        tip={{ text: playing, shortcut: playKey }}
        isDisabled={isDead}
        onPress={player.toggle}
      >
        {isPlaying ? <Pause aria-hidden size={20} /> : <Play aria-hidden size={20} className={css['triangle']} />}
      </PressButton>
      <CommandButton id="playback.forward" icon={RotateCw} isDisabled={isDead} className={css['skip']} />
    </div>
  );
}

function TimeDisplay() {
  const t = useText();
  const keyFor = useKeyFor();
  const durationMs = useDurationMs();
  /** What had the focus before the field; null while there is no field. */
  const [left, setLeft] = useState<Element | null>(null);
  const open = () => setLeft(document.activeElement ?? document.body);
  useCommands({ 'playback.goTo': open });
  return (
    <div className={css['time']} data-time>
      {left !== null ? (
        <TimeEntry left={left} onEnd={() => setLeft(null)} />
      ) : (
        <PressButton
          className={css['clock']}
          shortcut={keyFor('playback.goTo')}
          tip={{ text: t('palette.commands.goToTime'), shortcut: keyFor('playback.goTo') }}
          onPress={open}
        >
          <Clock />
          <VisuallyHidden elementType="span">{t('palette.commands.goToTime')}</VisuallyHidden>
        </PressButton>
      )}
      <small aria-hidden title={t('editor.transport.of', { time: lengthClock(durationMs) })}>
        / {lengthClock(durationMs)}
      </small>
    </div>
  );
}

/** Painted without React, once a frame; screen readers use the lane instead. */
function Clock() {
  const { player } = useEditor();
  const { timeCode } = useFormats();
  const time = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    const show = (timeMs: number) => {
      const words = timeCode(timeMs);
      if (time.current !== null && time.current.textContent !== words) time.current.textContent = words;
    };
    const showNow = () => show(player.timeMs());
    showNow();
    const stops = [player.onTime(show), player.subscribe(showNow)];
    return () => {
      for (const stop of stops) stop();
    };
  }, [player, timeCode]);
  return <span ref={time} aria-hidden />;
}

function TimeEntry({ left, onEnd }: { readonly left: Element; readonly onEnd: () => void }) {
  const t = useText();
  const { timeCode } = useFormats();
  const { player, timeline, document: text } = useEditor();
  const [typed, setTyped] = useState(() => timeCode(player.timeMs()));
  const [isWrong, setIsWrong] = useState(false);
  const end = () => {
    onEnd();
    // The button that was pressed is gone, and keys should go on from the text.
    const back = left.isConnected ? left : textPane();
    if (back instanceof HTMLElement) back.focus({ preventScroll: true });
  };
  const go = () => {
    const toMs = readTimeCode(typed);
    setIsWrong(toMs === null);
    if (toMs === null) return;
    end();
    player.seek(toMs);
    // Who was typing goes on where it is heard.
    const place = timeline.wordAt(player.timeMs()) ?? { segment: timeline.segmentNear(player.timeMs()), word: 0 };
    const segment = timeline.segments[place.segment];
    if (segment !== undefined && hostOfCaret() !== null)
      text.setState({ caret: { segmentId: segment.id, offset: offsetOfWord(segment, place.word) } });
  };
  const wrongId = useId();
  return (
    <>
      <input
        className={css['clock']}
        aria-label={t('palette.commands.goToTime')}
        aria-invalid={isWrong}
        aria-describedby={isWrong ? wrongId : undefined}
        value={typed}
        autoComplete="off"
        spellCheck={false}
        ref={(input) => {
          if (input !== null && document.activeElement !== input) input.select();
        }}
        onChange={(event) => {
          setTyped(event.target.value);
          setIsWrong(false);
        }}
        onBlur={onEnd}
        onKeyDown={(event) => {
          if (event.key === 'Enter') go();
          if (event.key === 'Escape') end();
          if (event.key !== 'Enter' && event.key !== 'Escape') return;
          event.preventDefault();
          event.stopPropagation();
        }}
      />
      {isWrong && (
        <span id={wrongId} role="alert" className={css['wrong']}>
          {t('exports.wrongTime', { example: timeCode(player.timeMs()) })}
        </span>
      )}
    </>
  );
}

function TransportOptions({ isDead }: { readonly isDead: boolean }) {
  const t = useText();
  const keyFor = useKeyFor();
  const { store } = useEditor();
  const isFollowing = useEditorState((state) => state.isFollowing);
  const isLooping = useEditorState((state) => state.isLooping);
  const range = useEditorState((state) => state.range);
  const showsSpectrum = useEditorState((state) => state.showsSpectrum);
  return (
    <div className={css['options']}>
      <Speed />
      <Volume />
      <Popover
        label={t('editor.transport.more')}
        placement="top end"
        className={css['more']}
        trigger={<IconButton size="sm" icon={SlidersHorizontal} label={t('editor.transport.more')} />}
      >
        <IconButton
          size="sm"
          icon={LocateFixed}
          label={t('editor.transport.follow')}
          isPressed={isFollowing}
          onPress={() => store.follow(!isFollowing)}
        />
        <IconButton
          size="sm"
          icon={Repeat}
          label={t(range === null ? 'editor.transport.loop' : 'editor.range.loop')}
          shortcut={keyFor('playback.loop')}
          isDisabled={isDead}
          isPressed={isLooping}
          onPress={() => store.loop(!isLooping)}
        />
        <CommandButton
          id="waveform.spectrum"
          size="sm"
          icon={AudioWaveform}
          label={t('editor.waveform.spectrum')}
          isDisabled={isDead}
          isPressed={showsSpectrum}
        />
        <Zoom />
      </Popover>
    </div>
  );
}

function Speed() {
  const t = useText();
  const { player } = useEditor();
  const { rate } = usePlayerState();
  const { rewindOnPauseMs } = useSettings();
  const change = useSettingsChange();
  const formats = useFormats();
  const text = (value: number) => `${formats.factor(value)}×`;
  return (
    <Menu
      label={t('editor.transport.speed', { rate: text(rate) })}
      placement="top end"
      trigger={
        <Button size="sm" variant="ghost" label={t('editor.transport.speed', { rate: text(rate) })}>
          <span className={css['rate']}>{text(rate)}</span>
        </Button>
      }
      chosenId={String(rate)}
      entries={[
        ...rates.map((value) => ({ id: String(value), text: text(value), onAction: () => player.setRate(value) })),
        'separator',
        {
          id: 'rewind',
          text: t('editor.transport.rewind'),
          chosenId: String(rewindOnPauseMs),
          entries: pauseRewinds.map((value) => ({
            id: String(value),
            text:
              value === 0
                ? t('editor.transport.noRewind')
                : t('editor.waveform.seconds', { seconds: formats.number(value / 1000) }),
            onAction: () => void change({ rewindOnPauseMs: value }),
          })),
        },
      ]}
    />
  );
}

function Volume() {
  const t = useText();
  const formats = useFormats();
  const { player } = useEditor();
  const { volume } = usePlayerState();
  return (
    <Popover
      label={t('editor.transport.volume')}
      placement="top end"
      className={css['volume']}
      trigger={<IconButton size="sm" icon={volume === 0 ? VolumeX : Volume2} label={t('editor.transport.volume')} />}
    >
      <Range
        label={t('editor.transport.volume')}
        min={0}
        max={1}
        step={0.01}
        value={volume}
        valueText={formats.percent(volume)}
        onChange={player.setVolume}
      />
      <span className={css['rate']}>{formats.percent(volume)}</span>
    </Popover>
  );
}

function Zoom() {
  const t = useText();
  const formats = useFormats();
  const { store } = useEditor();
  const visibleMs = useEditorState((state) => state.visibleMs);
  const lengthMs = useEditorState((state) => state.lengthMs);
  const { leastMs, mostMs } = zoomRange(lengthMs);
  const whole = Math.log(mostMs / leastMs);
  return (
    <div className={css['zoom']}>
      <CommandButton
        id="waveform.zoomOut"
        size="sm"
        icon={ZoomOut}
        label={t('editor.waveform.zoomOut')}
        isDisabled={visibleMs >= mostMs}
      />
      <Range
        label={t('editor.waveform.zoom')}
        min={0}
        max={100}
        step={1}
        value={whole === 0 ? 0 : Math.round((Math.log(mostMs / visibleMs) / whole) * 100)}
        valueText={formats.duration(visibleMs)}
        onChange={(value) => store.zoomTo(mostMs / Math.exp((value / 100) * whole))}
      />
      <CommandButton
        id="waveform.zoomIn"
        size="sm"
        icon={ZoomIn}
        label={t('editor.waveform.zoomIn')}
        isDisabled={visibleMs <= leastMs}
      />
    </div>
  );
}
