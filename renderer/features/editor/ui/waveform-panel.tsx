import { useEffect, useEffectEvent, useState } from 'react';
import { useSettings } from '../../../bridge/live-state.tsx';
import { useText } from '../../../lib/text.ts';
import { useEditor } from '../editor-context.ts';
import { Lane } from './lane.tsx';
import { LaneHeight } from './lane-height.tsx';
import { Overview } from './overview.tsx';
import { useWaveformView } from './use-waveform-view.ts';
import { waveformOf } from '../queries.ts';
import css from './waveform-panel.module.css';
import { begunPeaks, loadPeaks, type PeaksState } from '../../../audio/load-peaks.ts';
import { useStudio } from '../../../bridge/studio-context.tsx';
import type { TranscriptDetail } from '../../../bridge/types.ts';

/**
 * The whole recording in small, and a lane of it with time marks, both coloured by speaker. `isConnected`: the first picture
 * of the lane is on the screen, and what takes as long to make as the text may follow: the pointer's part, and the overview.
 */
export function WaveformPanel({
  url,
  isConnected,
  onPicture,
}: {
  readonly url: string;
  readonly isConnected: boolean;
  readonly onPicture: () => void;
}) {
  const t = useText();
  const { detail, store } = useEditor();
  const { laneHeight } = useSettings();
  const peaks = usePeaks(detail, url);
  const lane = useWaveformView('lane', url);
  const isOpening = peaks.kind === 'opening';
  useEffect(() => {
    if (!isOpening) onPicture();
  }, [isOpening, onPicture]);
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
      {isConnected ? (
        <Overview url={url} lane={lane} pyramid={pyramid} revision={revision} />
      ) : (
        <div className={css['overview']} />
      )}
      <Lane view={lane} pyramid={pyramid} revision={revision} isConnected={isConnected} />
      {peaks.kind === 'none' && <output className={css['note']}>{t('editor.waveform.noPicture')}</output>}
      <LaneHeight />
    </section>
  );
}

/** The waveform as far as it is computed; what was begun with the opening is in the first picture. */
function usePeaks(detail: TranscriptDetail, url: string): PeaksState {
  const studio = useStudio();
  const [state, setState] = useState(() => begunPeaks(url));
  const open = useEffectEvent(() => {
    const recording = waveformOf(studio, detail);
    return recording === null ? undefined : loadPeaks(recording, setState);
  });
  useEffect(() => open(), [url]);
  return state;
}
