import { AudioWaveform, LocateFixed, Repeat, Volume2, VolumeX, ZoomIn, ZoomOut } from 'lucide-react';
import { pauseRewinds } from '../../../../shared/domain/settings/settings.ts';
import { useSettings } from '../../../bridge/live-state.tsx';
import { useSettingsChange } from '../../../bridge/use-settings-change.ts';
import { useKeyFor } from '../../../lib/commands.tsx';
import { useFormats, useText } from '../../../lib/text.ts';
import { Button } from '../../../ui/button.tsx';
import { IconButton } from '../../../ui/icon-button.tsx';
import { Menu } from '../../../ui/menu.tsx';
import { Popover } from '../../../ui/popover.tsx';
import { Range } from '../../../ui/range.tsx';
import { useEditor, useEditorState, usePlayerState } from '../editor-context.ts';
import { zoomRange } from '../model/editor-store.ts';
import { rates } from '../model/rates.ts';
import css from './transport.module.css';

/** Speed, following, looping, volume, spectrum and zoom. */
export function TransportOptions({ isDead }: { readonly isDead: boolean }) {
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
      <IconButton
        size="sm"
        icon={LocateFixed}
        label={t('editor.transport.follow')}
        isPressed={isFollowing}
        onPress={() => {
          store.follow(!isFollowing);
        }}
      />
      <IconButton
        size="sm"
        icon={Repeat}
        label={t(range === null ? 'editor.transport.loop' : 'editor.range.loop')}
        shortcut={keyFor('playback.loop')}
        isDisabled={isDead}
        isPressed={isLooping}
        onPress={() => {
          store.loop(!isLooping);
        }}
      />
      <Volume />
      <IconButton
        size="sm"
        icon={AudioWaveform}
        label={t('editor.waveform.spectrum')}
        shortcut={keyFor('waveform.spectrum')}
        isDisabled={isDead}
        isPressed={showsSpectrum}
        onPress={() => {
          store.showSpectrum(!showsSpectrum);
        }}
      />
      <Zoom />
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
        ...rates.map((value) => ({
          id: String(value),
          text: text(value),
          onAction: () => {
            player.setRate(value);
          },
        })),
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

/** Equal steps of the slider zoom by equal factors. */
function Zoom() {
  const t = useText();
  const keyFor = useKeyFor();
  const formats = useFormats();
  const { store } = useEditor();
  const visibleMs = useEditorState((state) => state.visibleMs);
  const lengthMs = useEditorState((state) => state.lengthMs);
  const { leastMs, mostMs } = zoomRange(lengthMs);
  const whole = Math.log(mostMs / leastMs);
  return (
    <div className={css['zoom']}>
      <IconButton
        size="sm"
        icon={ZoomOut}
        label={t('editor.waveform.zoomOut')}
        shortcut={keyFor('waveform.zoomOut')}
        isDisabled={visibleMs >= mostMs}
        onPress={store.zoomOut}
      />
      <Range
        label={t('editor.waveform.zoom')}
        min={0}
        max={100}
        step={1}
        value={whole === 0 ? 0 : Math.round((Math.log(mostMs / visibleMs) / whole) * 100)}
        valueText={formats.duration(visibleMs)}
        onChange={(value) => {
          store.zoomTo(mostMs / Math.exp((value / 100) * whole));
        }}
      />
      <IconButton
        size="sm"
        icon={ZoomIn}
        label={t('editor.waveform.zoomIn')}
        shortcut={keyFor('waveform.zoomIn')}
        isDisabled={visibleMs <= leastMs}
        onPress={store.zoomIn}
      />
    </div>
  );
}
