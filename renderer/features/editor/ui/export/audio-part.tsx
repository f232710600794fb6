import { Pause, Play, Scissors } from 'lucide-react';
import { useEffect, useMemo } from 'react';
import type { TimeSpan } from '../../../../../shared/domain/transcript/transcript.ts';
import { subtitleTime } from '../../../../../shared/domain/exports/subtitle-time.ts';
import { useFormats, useText } from '../../../../lib/text.ts';
import { Button } from '../../../../ui/button.tsx';
import { Segmented } from '../../../../ui/segmented.tsx';
import { useDocument, useEditor, usePlayerState, useUnheardSpans } from '../../editor-context.ts';
import { MediaNotice } from '../media-notice.tsx';
import css from './export-form.module.css';
import { TimeOption } from './time-option.tsx';
import type { ExportChoice } from './use-export-choice.ts';

/**
 * Chooses which part of the recording is exported: everything that is kept, the selection, or the stretch between two
 * times.
 */
export function AudioPart({ choice }: { readonly choice: ExportChoice }) {
  const t = useText();
  const { selected } = choice;
  const durationMs = useDocument(({ transcript }) => transcript.durationMs);
  const isEstimated = useDocument(({ transcript }) =>
    transcript.segments.some(({ words }) => words.some((word) => word.mark !== undefined && word.isEstimated === true)),
  );
  const fromMs = Number(choice.options['fromMs'] ?? 0);
  const toMs = Number(choice.options['toMs'] ?? 0);
  const isSelected = selected !== null && fromMs === selected.startMs && toMs === selected.endMs;
  const part = isSelected ? 'selection' : fromMs === 0 && toMs === 0 ? 'kept' : 'times';
  const spec = { kind: 'time', min: 0, max: 86_400_000, step: 1, initial: 0 } as const;
  return (
    <>
      {selected !== null && (
        <Segmented
          label={t('exports.audioPart')}
          isLabelShown
          isBlock
          size="sm"
          options={(['kept', 'selection'] as const).map((value) => ({ value, text: t(`exports.audioParts.${value}`) }))}
          value={part === 'selection' ? 'selection' : 'kept'}
          onChange={(value) => {
            choice.change(
              value === 'kept' ? { fromMs: 0, toMs: 0 } : { fromMs: selected.startMs, toMs: selected.endMs },
            );
          }}
        />
      )}
      <TimeOption
        label={t('exports.options.fromMs')}
        spec={spec}
        value={fromMs}
        onChange={(value) => {
          choice.change({ fromMs: value });
        }}
      />
      <TimeOption
        label={t('exports.options.toMs')}
        spec={spec}
        // Zero means the end of the recording.
        value={toMs === 0 ? durationMs : toMs}
        onChange={(value) => {
          choice.change({ toMs: value >= durationMs ? 0 : value });
        }}
      />
      <p className={css['note']}>{t('exports.audioNote')}</p>
      {isEstimated && <p className={css['note']}>{t('exports.audioEstimated')}</p>}
    </>
  );
}

/**
 * Plays the parts back to back, as they will follow each other in the file, and restores the editor's player
 * afterwards.
 */
function useListening(heard: readonly TimeSpan[]): { readonly isPlaying: boolean; readonly toggle: () => void } {
  const { player } = useEditor();
  const { isPlaying } = usePlayerState();
  const unheard = useUnheardSpans();
  const [first] = heard;
  const endMs = heard.at(-1)?.endMs ?? 0;
  useEffect(() => {
    player.setSkipped(
      heard.flatMap(({ endMs: from }, at) => {
        const next = heard[at + 1];
        return next === undefined ? [] : [{ startMs: from, endMs: next.startMs }];
      }),
    );
    const stop = player.onTime((timeMs) => {
      if (timeMs >= endMs && player.getState().isPlaying) player.pause();
    });
    return () => {
      stop();
      player.pause();
      player.setSkipped(unheard);
    };
  }, [player, heard, endMs, unheard]);
  return {
    isPlaying,
    toggle: () => {
      const now = player.timeMs();
      const isInside = first !== undefined && now >= first.startMs && now < endMs;
      if (!isPlaying && !isInside) player.seek(first?.startMs ?? 0);
      player.toggle();
    },
  };
}

/** Each part that will be heard, with its length. */
export function AudioPreview({
  spans,
  durationMs,
  className,
}: {
  readonly spans: readonly TimeSpan[];
  readonly durationMs: number;
  readonly className: string;
}) {
  const t = useText();
  const formats = useFormats();
  const shown = (ms: number): string => subtitleTime(Math.round(ms), formats.decimalSign);
  const heard = useMemo(
    () => spans.map(({ startMs, endMs }) => ({ startMs, endMs: Math.min(endMs, durationMs) })),
    [spans, durationMs],
  );
  const listening = useListening(heard);
  const { detail } = useEditor();
  const heardMs = heard.reduce((sum, { startMs, endMs }) => sum + Math.max(0, endMs - startMs), 0);
  return (
    <div className={className}>
      <h3>{formats.duration(heardMs)}</h3>
      <p>
        {spans.length === 0
          ? t('exports.audioEmpty')
          : heardMs >= durationMs
            ? t('exports.audioWhole')
            : t('exports.audioHeard', { count: spans.length })}
      </p>
      {detail.mediaUrl === null ? (
        <MediaNotice />
      ) : (
        <Button
          size="sm"
          icon={listening.isPlaying ? Pause : Play}
          isDisabled={spans.length === 0}
          onPress={listening.toggle}
        >
          {t(listening.isPlaying ? 'exports.pause' : 'exports.listen')}
        </Button>
      )}
      <ol>
        {heard.slice(0, 500).map(({ startMs, endMs }, at) => (
          <li key={startMs}>
            {at > 0 && <Scissors aria-hidden size={12} strokeWidth={1.75} />}
            <span>
              {shown(startMs)} – {shown(endMs)}
            </span>
          </li>
        ))}
      </ol>
    </div>
  );
}
