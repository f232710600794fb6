import { app, powerMonitor } from 'electron';
import type { WakeSource } from '../../services/connection/wake-watch.ts';

/** What the system itself tells of waking up. */
export const systemWakes: WakeSource = (listener) => {
  let isWanted = true;
  void app.whenReady().then(() => {
    if (isWanted) powerMonitor.on('resume', listener);
  });
  return () => {
    isWanted = false;
    if (app.isReady()) powerMonitor.off('resume', listener);
  };
};
