import { startTransition, useCallback, useEffect, useState } from 'react';
import { Scope } from '../../lib/scope.ts';

/** How long the other panes wait for the beginning of a waveform; a slow disk keeps it longer. */
const longestWaitMs = 150;

/**
 * Text and waveform come first, and what stands beside them after that: `isPainted`. `onPicture` is called when there is
 * something of the waveform to paint.
 */
export function useFirstPicture(hasWaveform: boolean): { readonly isPainted: boolean; readonly onPicture: () => void } {
  const [isPainted, setPainted] = useState(false);
  const onPicture = useCallback(() => {
    // What is scheduled before a frame runs after it, and may be interrupted.
    requestAnimationFrame(() => {
      startTransition(() => {
        setPainted(true);
      });
    });
  }, []);
  useEffect(() => {
    if (!hasWaveform) onPicture();
    const scope = new Scope();
    scope.after(longestWaitMs, onPicture);
    return () => {
      scope.dispose();
    };
  }, [hasWaveform, onPicture]);
  return { isPainted, onPicture };
}
