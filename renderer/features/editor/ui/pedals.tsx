import { useEffect } from 'react';
import { actionOf, type PedalAction } from '../../../../shared/domain/pedals/pedals.ts';
import { useSettings } from '../../../bridge/live-state.tsx';
import { useRunCommand } from '../../../lib/commands.tsx';
import { followPedals, type ConnectedPedal } from '../../../parts/pedals/follow-pedals.ts';
import { useEditor } from '../editor-context.ts';

/** How often back and forward are repeated while their button is held. */
const repeatMs = 500;

/**
 * Does what the buttons of pedals are for, whichever window is in front. As with media keys a dialog doesn't hold them
 * back: a recording that plays while a button is held has to stop when the button is let go.
 */
export function Pedals(): null {
  const { player } = useEditor();
  const run = useRunCommand();
  const { choices } = useSettings().pedals;
  useEffect(() => {
    /** What ends each held button. */
    const ends = new Map<string, () => void>();
    let playing = 0;
    const begin = (action: PedalAction): (() => void) => {
      switch (action) {
        case 'none':
          return () => undefined;
        case 'hold':
          playing += 1;
          player.play();
          return () => {
            playing -= 1;
            if (playing === 0) player.pause();
          };
        case 'playback.back':
        case 'playback.forward': {
          run(action);
          const timer = setInterval(run, repeatMs, action);
          return () => {
            clearInterval(timer);
          };
        }
        case 'playback.toggle':
        case 'playback.replaySlower':
          run(action);
          return () => undefined;
      }
    };
    const follow = (pedals: readonly ConnectedPedal[]) => {
      const held = new Map<string, PedalAction>(
        pedals.flatMap(({ id, model, held: buttons }) =>
          [...buttons].map((button) => [`${String(id)} ${button}`, actionOf(model, button, choices)] as const),
        ),
      );
      for (const [button, end] of ends) {
        if (held.has(button)) continue;
        ends.delete(button);
        end();
      }
      for (const [button, action] of held) {
        if (!ends.has(button)) ends.set(button, begin(action));
      }
    };
    const stop = followPedals(follow);
    return () => {
      stop();
      follow([]);
    };
  }, [player, run, choices]);
  return null;
}
