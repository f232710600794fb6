import { useState, type CSSProperties } from 'react';
import { useSettings } from '../../../bridge/live-state.tsx';
import { useSettingsChange } from '../../../bridge/use-settings-change.ts';
import { useText } from '../../../lib/text.ts';
import { PaneErrorBoundary } from '../../../ui/pane-error-boundary.tsx';
import { Splitter } from '../../../ui/splitter.tsx';
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
