import { useRef, useState, type CSSProperties } from 'react';
import { useSettings } from '../../../bridge/live-state.tsx';
import { useSettingsChange } from '../../../bridge/use-settings-change.ts';
import { useText } from '../../../lib/text.ts';
import { PaneErrorBoundary } from '../../../ui/pane-error-boundary.tsx';
import { useEditorState, useHasSegments } from '../editor-context.ts';
import css from '../editor-document.module.css';
import { Inspector } from './inspector.tsx';
import { ListenPanel } from './listen-again/listen-panel.tsx';
import { Picture, usePicture } from './picture.tsx';
import { SilencePanel } from './silence/silence-panel.tsx';

/** In CSS pixels: the lists stay readable, and the text keeps most of the window. */
const bounds = {
  inspectorWidth: { min: 220, max: 480, usual: 296 },
  pictureWidth: { min: 240, max: 640, usual: 368 },
} as const;

/** What stands beside the text: the picture of a video, and under it one panel. */
export function Side({ isPainted }: { readonly isPainted: boolean }) {
  const t = useText();
  const { isInspectorOpen } = useSettings();
  const picture = usePicture();
  const listening = useEditorState((state) => state.listening);
  const isFindingSilence = useEditorState((state) => state.isFindingSilence);
  const hasText = useHasSegments();
  const isBeside = picture?.state === 'beside';
  const { splitter, chosenWidth } = useWidth(isBeside ? 'pictureWidth' : 'inspectorWidth');
  const panel =
    listening !== null && hasText ? (
      <PaneErrorBoundary name={t('listen.title')}>
        <ListenPanel key={`${String(listening.startMs)}-${String(listening.endMs)}`} span={listening} />
      </PaneErrorBoundary>
    ) : isFindingSilence ? (
      <PaneErrorBoundary name={t('editor.silence.title')}>
        <SilencePanel />
      </PaneErrorBoundary>
    ) : isInspectorOpen && hasText ? (
      <PaneErrorBoundary name={t('editor.inspector.label')}>{isPainted && <Inspector />}</PaneErrorBoundary>
    ) : null;
  // A detached picture is drawn from here, and this says how it comes back.
  if (panel === null && !isBeside && picture?.state !== 'detached') return null;
  return (
    <>
      <Splitter
        label={t(isBeside ? 'editor.picture.resize' : 'editor.inspector.resize')}
        {...splitter}
        key={String(isBeside)}
      />
      <div className={css['side']} data-picture={isBeside || undefined} style={chosenWidth}>
        {picture !== null && isPainted && <Picture picture={picture} />}
        {panel}
      </div>
    </>
  );
}

function useWidth(which: keyof typeof bounds) {
  const settings = useSettings();
  const change = useSettingsChange();
  const [moved, setMoved] = useState<{ readonly width: number | null } | null>(null);
  const width = moved ? moved.width : settings[which];
  const chosenWidth: CSSProperties | undefined = width === null ? undefined : { inlineSize: width };
  return {
    chosenWidth,
    splitter: {
      ...bounds[which],
      size: width,
      onMove: (next: number | null) => setMoved({ width: next }),
      onDone: (next: number | null) => void change({ [which]: next }).finally(() => setMoved(null)),
    },
  };
}

interface SplitterProps {
  readonly label: string;
  readonly size: number | null;
  readonly min: number;
  readonly max: number;
  readonly usual: number;
  readonly onMove: (size: number | null) => void;
  readonly onDone: (size: number | null) => void;
}

const step = 16;

/** Arrow keys (Shift: larger steps), Home and End move it; a double click or Enter restores it. */
function Splitter({ label, size, min, max, usual, onMove, onDone }: SplitterProps) {
  const grip = useRef<{ readonly at: number; readonly size: number } | null>(null);
  const [isHeld, setIsHeld] = useState(false);
  const within = (wanted: number) => Math.round(Math.max(min, Math.min(max, wanted)));
  const shown = size ?? usual;
  const letGo = () => {
    grip.current = null;
    setIsHeld(false);
  };
  const finish = (next: number | null) => {
    onMove(next);
    onDone(next);
  };
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- a separator that can be focused is a control
    <div
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- a rule that is moved and has a value
      role="separator"
      aria-orientation="vertical"
      aria-label={label}
      aria-valuenow={shown}
      aria-valuemin={min}
      aria-valuemax={max}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- the same
      tabIndex={0}
      className={css['splitter']}
      data-held={isHeld || undefined}
      onPointerDown={(event) => {
        if (event.button !== 0) return;
        event.preventDefault();
        event.currentTarget.setPointerCapture(event.pointerId);
        const pane = event.currentTarget.nextElementSibling?.getBoundingClientRect();
        grip.current = { at: event.clientX, size: pane?.width ?? shown };
        setIsHeld(true);
      }}
      onPointerMove={({ clientX }) => {
        if (grip.current) onMove(within(grip.current.size + grip.current.at - clientX));
      }}
      onPointerUp={({ clientX }) => {
        const held = grip.current;
        letGo();
        // A click alone moves nothing.
        if (held && held.at !== clientX) finish(within(held.size + held.at - clientX));
      }}
      onPointerCancel={() => {
        letGo();
        onMove(size);
      }}
      onDoubleClick={() => finish(null)}
      onKeyDown={(event) => {
        const by = event.shiftKey ? step * 4 : step;
        const targets: Readonly<Record<string, number | null>> = {
          ArrowLeft: within(shown + by),
          ArrowRight: within(shown - by),
          Home: max,
          End: min,
          Enter: null,
        };
        const target = targets[event.key];
        if (target === undefined) return;
        event.preventDefault();
        event.stopPropagation();
        finish(target);
      }}
    />
  );
}
