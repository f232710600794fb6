import { useEffect, useRef } from 'react';
import { isCommandId } from '../../shared/domain/commands/command-list.ts';
import { useStudio } from '../bridge/studio-context.tsx';
import { useAvailability, useRunFromMenu, type CommandNames } from '../lib/commands.tsx';

/**
 * Reports the available commands to the system's menus and runs the ones they trigger; menu items carry command ids. A
 * separate component, because availability changes often and nothing else needs to render for it.
 */
export function MenuCommands(): null {
  const studio = useStudio();
  const run = useRunFromMenu();
  const latest = useRef(run);
  useEffect(() => {
    latest.current = run;
  });
  useEffect(
    () =>
      studio.subscribe('command.invoked', ({ command }) => {
        if (isCommandId(command)) latest.current(command);
      }),
    [studio],
  );

  const available = JSON.stringify(useAvailability());
  useEffect(() => {
    // Parts of a screen mount one by one, so only the final state is reported.
    const frame = requestAnimationFrame(() => {
      const { ids, names } = JSON.parse(available) as { readonly ids: string[]; readonly names: CommandNames };
      void studio.request('commands.report', { available: ids, names });
    });
    return () => {
      cancelAnimationFrame(frame);
    };
  }, [studio, available]);
  // None of these commands exist on the first screen.
  useEffect(
    () => () => {
      void studio.request('commands.report', { available: [], names: {} });
    },
    [studio],
  );
  return null;
}
