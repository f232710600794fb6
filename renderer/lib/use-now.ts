import { useEffect, useState } from 'react';
import { Scope } from './scope.ts';

/** Unix milliseconds, updated every second while needed. */
export function useNow(isNeeded: boolean): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    if (!isNeeded) return undefined;
    const scope = new Scope();
    const tick = () => setNow(Date.now());
    scope.after(0, tick);
    scope.every(1000, tick);
    return () => scope.dispose();
  }, [isNeeded]);
  return now;
}
