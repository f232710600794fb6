import { useEffect, useRef } from 'react';
import { useStudio } from './studio-context.tsx';

/** What the menu of macOS may ask of the page; the same words as in `electron/app/app-menu.ts`. */
type MenuCommand = 'files.add' | 'folder.add' | 'settings.open';

/** Runs when a menu item asks for `command`, for as long as the component is shown. */
export function useCommand(command: MenuCommand, run: () => void): void {
  const studio = useStudio();
  const latest = useRef(run);
  useEffect(() => {
    latest.current = run;
  });
  useEffect(
    () =>
      studio.subscribe('command.invoked', (invoked) => {
        if (invoked.command === command) latest.current();
      }),
    [studio, command],
  );
}
