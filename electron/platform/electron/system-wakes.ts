import { powerMonitor } from 'electron';
import type { WakeSource } from '../../services/connection/wake-watch.ts';

/** What the system itself tells of waking up. */
export const systemWakes: WakeSource = (listener) => {
  powerMonitor.on('resume', listener);
  return () => void powerMonitor.off('resume', listener);
};
