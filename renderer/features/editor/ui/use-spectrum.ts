import { useEffect, useState } from 'react';
import { createSpectrumReader } from '../../../audio/spectrum.ts';
import type { WaveformView } from '../../../audio/waveform/waveform-view.ts';
import { Scope } from '../../../lib/scope.ts';
import { useEditor, useEditorState } from '../editor-context.ts';

/** How long the lane must stand still before its frequencies are computed. */
const restMs = 120;
const mostColumns = 2048;

/** Shows the frequencies of the visible part, when enabled. `isMissing`: this recording can't be decoded for that. */
export function useSpectrum(view: WaveformView): { readonly isMissing: boolean } {
  const { detail } = useEditor();
  const isShown = useEditorState((state) => state.showsSpectrum);
  const [isMissing, setIsMissing] = useState(false);
  const url = detail.mediaUrl;
  useEffect(() => {
    if (url === null || !isShown) return undefined;
    const scope = new Scope();
    const reader = createSpectrumReader(url, (picture) => {
      setIsMissing(picture.bitmap === null);
      view.setSpectrum(picture);
    });
    let stop = () => {};
    const ask = ({ fromMs, toMs }: { readonly fromMs: number; readonly toMs: number }) => {
      stop();
      stop = scope.after(restMs, () => {
        reader.read(fromMs, toMs, Math.min(mostColumns, view.width()));
      });
    };
    const { fromMs, toMs } = view.span();
    reader.read(fromMs, toMs, Math.min(mostColumns, view.width()));
    const forget = view.onSpan(ask);
    return () => {
      forget();
      scope.dispose();
      reader.close();
      view.setSpectrum(null);
      setIsMissing(false);
    };
  }, [view, url, isShown]);
  return { isMissing };
}
