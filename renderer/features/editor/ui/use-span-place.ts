import { useEffect, type RefObject } from 'react';
import type { WaveformView } from '../../../audio/waveform/waveform-view.ts';

/** Keeps `--from` and `--to` of a layer over the lane at two times of the recording, whatever part of it is shown. */
export function useSpanPlace(
  layer: RefObject<HTMLElement | null>,
  view: WaveformView,
  startMs: number | undefined,
  endMs: number | undefined,
): void {
  useEffect(() => {
    const element = layer.current;
    if (element === null) return undefined;
    const place = ({ fromMs, toMs }: { readonly fromMs: number; readonly toMs: number }) => {
      const at = (timeMs: number | undefined) => `${String((((timeMs ?? 0) - fromMs) / (toMs - fromMs)) * 100)}%`;
      element.style.setProperty('--from', at(startMs));
      element.style.setProperty('--to', at(endMs));
    };
    place(view.span());
    return view.onSpan(place);
  }, [layer, view, startMs, endMs]);
}
