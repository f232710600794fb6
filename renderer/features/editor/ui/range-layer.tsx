import { Ear, Play, Plus, Repeat, Scissors, X } from 'lucide-react';
import { useRef } from 'react';
import { cutStretch } from '../../../../shared/domain/transcript/edit-marks.ts';
import { roomForSegment } from '../../../../shared/domain/transcript/insert-segment.ts';
import type { TimeSpan } from '../../../../shared/domain/transcript/transcript.ts';
import type { WaveformView } from '../../../audio/waveform/waveform-view.ts';
import { useKeyFor, useRunCommand } from '../../../lib/commands.tsx';
import { useFormats, useText } from '../../../lib/text.ts';
import { IconButton } from '../../../ui/icon-button.tsx';
import { useDocument, useEditor, useEditorState } from '../editor-context.ts';
import css from './range-layer.module.css';
import { useBackToText } from './use-back-to-text.ts';
import { useSpanPlace } from './use-span-place.ts';

/** The selected range over the lane, with its actions, or the one that is listened to again. */
export function RangeLayer({ view, dragged }: { readonly view: WaveformView; readonly dragged: TimeSpan | null }) {
  const t = useText();
  const formats = useFormats();
  const { timeCode } = formats;
  const chosen = useEditorState((state) => state.range);
  const isLooping = useEditorState((state) => state.isLooping);
  const markMs = useEditorState((state) => state.rangeStartMs);
  const layer = useRef<HTMLDivElement>(null);
  const listening = useEditorState((state) => state.listening);
  const range = dragged ?? listening ?? chosen;
  useSpanPlace(layer, view, range?.startMs ?? markMs ?? undefined, range?.endMs);
  return (
    <div ref={layer} className={css['layer']} hidden={range === null && markMs === null}>
      {range === null ? (
        markMs !== null && (
          <output className={css['mark']} aria-label={t('editor.range.mark', { time: timeCode(markMs) })}>
            A
          </output>
        )
      ) : (
        <>
          <div className={css['band']} data-looping={isLooping} aria-hidden />
          {range !== listening && (
            <>
              <i data-range="start" className={css['edge']} style={{ insetInlineStart: 'var(--from)' }} aria-hidden />
              <i data-range="end" className={css['edge']} style={{ insetInlineStart: 'var(--to)' }} aria-hidden />
            </>
          )}
        </>
      )}
      {dragged !== null && (
        <span className={css['times']}>{`${timeCode(dragged.startMs)} – ${timeCode(dragged.endMs)}`}</span>
      )}
      {range !== null && range === listening && (
        <span className={css['times']}>
          <Ear aria-hidden size={13} strokeWidth={1.75} />
          {t('editor.waveform.seconds', {
            seconds: formats.number(Math.round((range.endMs - range.startMs) / 100) / 10),
          })}
        </span>
      )}
      {range !== null && range === chosen && <RangeTools range={chosen} />}
    </div>
  );
}

function RangeTools({ range }: { readonly range: TimeSpan }) {
  const t = useText();
  const formats = useFormats();
  const { timeCode } = formats;
  const keyFor = useKeyFor();
  const run = useRunCommand();
  const { store, player, document: text } = useEditor();
  const isLooping = useEditorState((state) => state.isLooping);
  const hasRoom = useDocument(({ transcript }) => roomForSegment(transcript, range) !== null);
  const seconds = formats.number(Math.round((range.endMs - range.startMs) / 10) / 100);
  const backToText = useBackToText();
  // The buttons go with it, and the focus goes back to the text.
  const leave = () => {
    store.chooseRange(null);
    backToText();
  };
  return (
    <div
      className={css['tools']}
      role="toolbar"
      aria-label={t('editor.range.label', { from: timeCode(range.startMs), to: timeCode(range.endMs) })}
    >
      <span aria-hidden>{t('editor.waveform.seconds', { seconds })}</span>
      <IconButton
        size="sm"
        icon={Play}
        label={t('editor.range.play')}
        onPress={() => {
          player.seek(range.startMs);
          store.playOnce(range);
          player.play();
        }}
      />
      <IconButton
        size="sm"
        icon={Repeat}
        label={t('editor.range.loop')}
        shortcut={keyFor('playback.loop')}
        isPressed={isLooping}
        onPress={() => {
          store.loop(!isLooping);
        }}
      />
      {hasRoom && (
        <IconButton
          size="sm"
          icon={Plus}
          label={t('editor.lane.insert')}
          shortcut={keyFor('segment.insert')}
          onPress={() => {
            run('segment.insert');
          }}
        />
      )}
      <IconButton
        size="sm"
        icon={Ear}
        label={t('editor.text.menu.listen')}
        shortcut={keyFor('segment.listenAgain')}
        onPress={() => {
          run('segment.listenAgain');
        }}
      />
      <IconButton
        size="sm"
        icon={Scissors}
        label={t('editor.text.menu.cut')}
        onPress={() => {
          text.endStep();
          text.edit('cut', (transcript) => cutStretch(transcript, range));
          leave();
        }}
      />
      <IconButton size="sm" icon={X} label={t('editor.range.clear')} shortcut={keyFor('range.clear')} onPress={leave} />
    </div>
  );
}
