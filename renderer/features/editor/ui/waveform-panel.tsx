import { useEffect, useEffectEvent, useState } from 'react';
import type { WaveformView } from '../../../audio/waveform/waveform-view.ts';
import { useSettings } from '../../../bridge/live-state.tsx';
import { useText } from '../../../lib/text.ts';
import { useEditor } from '../editor-context.ts';
import { Lane } from './lane.tsx';
import { LaneHeight } from './lane-height.tsx';
import { Overview } from './overview.tsx';
import { waveformOf } from '../queries.ts';
import css from './waveform-panel.module.css';
import { loadPeaks, type PeaksState } from '../../../audio/load-peaks.ts';
import { useStudio } from '../../../bridge/studio-context.tsx';
import type { TranscriptDetail } from '../../../bridge/types.ts';

/**
 * The whole recording in small, and a lane of it with time marks, both coloured by speaker. They take as long to make as the
 * text: the lane comes at stage 1 of the opening, the overview at 2, and before them an empty place of their size.
 */
export function WaveformPanel({ stage }: { readonly stage: number }) {
  const t = useText();
  const { detail, store } = useEditor();
  const { laneHeight } = useSettings();
  const peaks = usePeaks(detail);
  const [lane, setLane] = useState<WaveformView | null>(null);
  const whole = peaks.kind === 'ready' ? peaks.pyramid : null;
  useEffect(() => {
    store.setState({ pyramid: whole });
  }, [store, whole]);
  const pyramid = peaks.kind === 'drawing' || peaks.kind === 'ready' ? peaks.pyramid : null;
  const revision = peaks.kind === 'drawing' ? peaks.revision : 0;
  return (
    <section
      className={css['panel']}
      data-pane="lane"
      data-peaks={peaks.kind}
      data-height={laneHeight}
      aria-label={t('editor.waveform.position')}
    >
      {stage > 1 ? <Overview lane={lane} pyramid={pyramid} revision={revision} /> : <div className={css['overview']} />}
      {stage > 0 ? <Lane pyramid={pyramid} revision={revision} onView={setLane} /> : <div className={css['lane']} />}
      {peaks.kind === 'none' && <output className={css['note']}>{t('editor.waveform.noPicture')}</output>}
      <LaneHeight />
    </section>
  );
}

/** The waveform as far as it is computed. */
function usePeaks(detail: TranscriptDetail): PeaksState {
  const studio = useStudio();
  const [state, setState] = useState<PeaksState>({ kind: 'opening' });
  const { mediaUrl } = detail;
  const open = useEffectEvent(() => {
    const recording = waveformOf(studio, detail);
    return recording === null ? undefined : loadPeaks(recording, setState);
  });
  useEffect(() => open(), [mediaUrl]);
  return state;
}
