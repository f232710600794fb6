import { useEffect, useState } from 'react';
import { Scope } from '../../lib/scope.ts';

/** There is an entry for the microphones without permission too, though without names. */
export function useHasMicrophone(): boolean {
  const [has, setHas] = useState(true);
  useEffect(() => {
    const scope = new Scope();
    let asked = 0;
    const look = () => {
      const question = (asked += 1);
      void navigator.mediaDevices.enumerateDevices().then((devices) => {
        // An answer from before a device was plugged in may come after the one that knows it.
        if (!scope.isDisposed && question === asked) setHas(devices.some(({ kind }) => kind === 'audioinput'));
      });
    };
    scope.listen(navigator.mediaDevices, 'devicechange', look);
    look();
    return () => scope.dispose();
  }, []);
  return has;
}
