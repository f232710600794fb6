import {
  AudioLines,
  CirclePlay,
  Ear,
  Plus,
  Repeat,
  Scissors,
  Split,
  StepBack,
  StepForward,
  Trash2,
} from 'lucide-react';
import { cutSpans, cutStretch, restoreStretch } from '../../../../shared/domain/transcript/edit-marks.ts';
import { deleteSegments, moveEdge } from '../../../../shared/domain/transcript/edit-segments.ts';
import { useKeyFor, useRunCommand } from '../../../lib/commands.tsx';
import { useFormats, useText } from '../../../lib/text.ts';
import { useEditor } from '../editor-context.ts';
import { useContextMenu, type ContextMenu } from './use-context-menu.tsx';

export function useLaneMenu(timeAt: (part: number) => number): ContextMenu {
  const t = useText();
  const formats = useFormats();
  const keyFor = useKeyFor();
  const run = useRunCommand();
  const { player, store, timeline, document: text, commands } = useEditor();
  return useContextMenu(t('editor.waveform.label'), (part) => {
    const timeMs = Math.round(timeAt(part));
    const segment = timeline.segments[timeline.segmentAt(timeMs)];
    const { range } = store.getState();
    const isInRange = range !== null && timeMs >= range.startMs && timeMs < range.endMs;
    const span = isInRange ? range : (segment ?? null);
    const isRange = span !== null && span !== segment;
    const chosen = span === null ? null : { startMs: span.startMs, endMs: span.endMs };
    const length =
      span === null
        ? null
        : t('editor.waveform.seconds', { seconds: formats.number(Math.round((span.endMs - span.startMs) / 10) / 100) });
    const cut = cutSpans(text.getState().transcript).find(({ startMs, endMs }) => timeMs >= startMs && timeMs < endMs);
    const setEdge = (edge: 'start' | 'end') => () => {
      if (segment !== undefined) text.edit('edge', (now) => moveEdge(now, segment.id, edge, timeMs));
    };
    const isLocked = segment === undefined;
    return [
      {
        id: 'play',
        icon: CirclePlay,
        text: t('editor.lane.play', { time: formats.timeCode(timeMs) }),
        onAction: () => player.playFrom(timeMs),
      },
      {
        id: 'loop',
        icon: Repeat,
        text: t(isRange ? 'editor.range.loop' : 'editor.transport.loop'),
        shortcut: keyFor('playback.loop'),
        isDisabled: chosen === null,
        onAction: () => {
          store.chooseRange(chosen);
          store.loop(true);
          player.seek(chosen?.startMs ?? timeMs);
          player.play();
        },
      },
      {
        id: 'select',
        icon: AudioLines,
        text: t('editor.lane.select'),
        isDisabled: segment === undefined,
        onAction: () => {
          if (segment !== undefined) store.chooseRange({ startMs: segment.startMs, endMs: segment.endMs });
        },
      },
      'separator',
      {
        id: 'insert',
        icon: Plus,
        text: t('editor.lane.insert'),
        shortcut: keyFor('segment.insert'),
        isDisabled: segment !== undefined && !isRange,
        onAction: () => {
          if (commands.insertAt(isRange ? span : timeMs) && isRange) store.chooseRange(null);
        },
      },
      {
        id: 'split',
        icon: Split,
        text: t('editor.text.menu.split'),
        isDisabled: isLocked,
        onAction: () => {
          if (segment === undefined) return;
          const before = segment.words.filter(({ startMs, endMs }) => (startMs + endMs) / 2 < timeMs);
          commands.splitAt(
            segment.id,
            before.reduce((sum, { text: said }) => sum + said.length + 1, 0),
          );
        },
      },
      {
        id: 'start',
        icon: StepForward,
        text: t('editor.lane.start'),
        shortcut: keyFor('segment.setStart'),
        isDisabled: isLocked,
        onAction: setEdge('start'),
      },
      {
        id: 'end',
        icon: StepBack,
        text: t('editor.lane.end'),
        shortcut: keyFor('segment.setEnd'),
        isDisabled: isLocked,
        onAction: setEdge('end'),
      },
      'separator',
      {
        id: 'listen',
        icon: Ear,
        text: t('editor.text.menu.listen'),
        detail: length,
        shortcut: keyFor('segment.listenAgain'),
        isDisabled: chosen === null,
        onAction: () => {
          store.chooseRange(chosen);
          run('segment.listenAgain');
        },
      },
      {
        id: 'cut',
        icon: Scissors,
        text: t(cut === undefined ? 'editor.text.menu.cut' : 'editor.range.restore'),
        detail: cut === undefined ? length : null,
        isDisabled: cut === undefined && chosen === null,
        onAction: () => {
          if (cut !== undefined) text.edit('cut', (now) => restoreStretch(now, cut));
          else if (chosen !== null) text.edit('cut', (now) => cutStretch(now, chosen));
        },
      },
      {
        id: 'silence',
        icon: AudioLines,
        text: t('palette.commands.findSilence'),
        shortcut: keyFor('silence.find'),
        onAction: () => run('silence.find'),
      },
      {
        id: 'delete',
        icon: Trash2,
        isDanger: true,
        text: t('editor.text.menu.deleteOne'),
        isDisabled: isLocked,
        onAction: () => {
          if (segment !== undefined) text.edit('delete', (now) => deleteSegments(now, new Set([segment.id])));
        },
      },
    ];
  });
}
