import { useEffect, useState } from 'react';
import { loadPeaks, type PeaksState } from '../../../audio/load-peaks.ts';
import { useStudio } from '../../../bridge/studio-context.tsx';
import type { TranscriptDetail } from '../../../bridge/types.ts';

/** The waveform of the recording as far as it is read; kept by main for the next opening when it is whole. */
export function usePeaks({ mediaUrl, mediaToken, transcript }: TranscriptDetail): PeaksState {
  const studio = useStudio();
  const [state, setState] = useState<PeaksState>({ kind: 'opening' });
  const { durationMs } = transcript;
  useEffect(() => {
    if (mediaUrl === null) return undefined;
    return loadPeaks({
      url: mediaUrl,
      expectedMs: durationMs,
      onChange: setState,
      store: (peaks) => {
        // A cache that can't be kept only means that the picture is drawn again next time.
        if (mediaToken !== null) void studio.request('peaks.store', { mediaToken, peaks });
      },
    });
  }, [studio, mediaUrl, mediaToken, durationMs]);
  return state;
}
