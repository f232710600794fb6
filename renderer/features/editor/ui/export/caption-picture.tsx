import { Pause, PencilLine, Play } from 'lucide-react';
import { useEffect, useMemo, useState } from 'react';
import type { TimeSpan } from '../../../../../shared/domain/transcript/transcript.ts';
import { useText } from '../../../../lib/text.ts';
import { IconButton } from '../../../../ui/icon-button.tsx';
import { useEditor, useEditorState, usePlayerState } from '../../editor-context.ts';
import css from './export-preview.module.css';
import type { Caption } from './read-captions.ts';

/** Plays the audio of one caption on request; playback that is already running continues. */
function useListening({ startMs, endMs }: TimeSpan): { readonly isPlaying: boolean; readonly toggle: () => void } {
  const { player } = useEditor();
  const { isPlaying } = usePlayerState();
  const [isOn, setIsOn] = useState(false);
  useEffect(() => {
    if (!isOn) return undefined;
    player.seek(startMs);
    player.play();
    const stop = player.onTime((timeMs) => {
      if (timeMs >= endMs) setIsOn(false);
    });
    return () => {
      stop();
      player.pause();
    };
  }, [player, isOn, startMs, endMs]);
  return {
    isPlaying: isOn && isPlaying,
    toggle: () => {
      if (isOn && !isPlaying) player.play();
      else setIsOn(!isOn);
    },
  };
}

/** The stretch of the recording that is drawn behind a caption, and the number of bars in it. */
const leastSeenMs = 1500;
const strokes = 72;

/** The caption as viewers will see it, over the waveform of its audio. */
export function CaptionPicture({
  cue,
  span,
  onEdit,
}: {
  readonly cue: Caption;
  /** Where its audio is in the recording. */
  readonly span: TimeSpan;
  /** Leads to it in the text; null where it is not made of the text. */
  readonly onEdit: (() => void) | null;
}) {
  const t = useText();
  const { detail } = useEditor();
  const pyramid = useEditorState((state) => state.pyramid);
  const listening = useListening(span);
  const path = useMemo(() => {
    if (pyramid === null) return '';
    const columns = pyramid.columns(span.startMs, Math.max(span.endMs, span.startMs + leastSeenMs), strokes);
    const stretch = 46 / Math.max(0.05, pyramid.loudest);
    return Array.from(columns.max, (max, at) => {
      const half = Math.max(1, Math.max(max, -(columns.min[at] ?? 0)) * stretch);
      return `M${String(at * 4 + 2)} ${(50 - half).toFixed(1)}V${(50 + half).toFixed(1)}`;
    }).join('');
  }, [pyramid, span.startMs, span.endMs]);
  return (
    <figure className={css['picture']} aria-label={`${t('exports.pictureOf')}: ${cue.lines.join(' ')}`}>
      {path !== '' && (
        <svg aria-hidden viewBox={`0 0 ${String(strokes * 4)} 100`} preserveAspectRatio="none">
          <path d={path} vectorEffect="non-scaling-stroke" />
        </svg>
      )}
      <div className={css['tools']}>
        {onEdit !== null && <IconButton size="sm" label={t('exports.editCue')} icon={PencilLine} onPress={onEdit} />}
        {detail.mediaUrl !== null && (
          <IconButton
            size="sm"
            label={t(listening.isPlaying ? 'exports.pause' : 'exports.listenCue')}
            icon={listening.isPlaying ? Pause : Play}
            onPress={listening.toggle}
          />
        )}
      </div>
      <p style={cue.colour === null ? {} : { color: cue.colour }}>
        {cue.lines.map((line, row) => (
          // oxlint-disable-next-line react/no-array-index-key -- two lines may say the same, and none moves
          <span key={row}>{line}</span>
        ))}
      </p>
    </figure>
  );
}
