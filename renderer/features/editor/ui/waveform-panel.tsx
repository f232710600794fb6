import { useEffect, useState } from 'react';
import type { WaveformView } from '../../../audio/waveform/waveform-view.ts';
import { useSettings } from '../../../bridge/live-state.tsx';
import { useText } from '../../../lib/text.ts';
import { useEditor } from '../editor-context.ts';
import { Lane } from './lane.tsx';
import { LaneHeight } from './lane-height.tsx';
import { Overview } from './overview.tsx';
import { usePeaks } from './use-peaks.ts';
import css from './waveform-panel.module.css';

/** The whole recording in small, and a lane of it with time marks, both coloured by who speaks. */
export function WaveformPanel() {
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
      <Overview lane={lane} pyramid={pyramid} revision={revision} />
      <Lane pyramid={pyramid} revision={revision} onView={setLane} />
      {peaks.kind === 'none' && <output className={css['note']}>{t('editor.waveform.noPicture')}</output>}
      <LaneHeight />
    </section>
  );
}
