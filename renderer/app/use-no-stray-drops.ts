import { useEffect } from 'react';
import { Scope } from '../lib/scope.ts';

/** A file dropped where nothing takes it must not make the window show that file instead of the studio. */
export function useNoStrayDrops(): void {
  useEffect(() => {
    const scope = new Scope();
    for (const type of ['dragover', 'drop']) {
      scope.listen<DragEvent>(window, type, (event) => {
        if (event.defaultPrevented) return;
        event.preventDefault();
        if (event.dataTransfer) event.dataTransfer.dropEffect = 'none';
      });
    }
    return () => {
      scope.dispose();
    };
  }, []);
}
