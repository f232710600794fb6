import { useEffect, useRef } from 'react';
import { isCommandId } from '../../shared/domain/commands/command-list.ts';
import { useStudio } from '../bridge/studio-context.tsx';
import { useAvailableIds, useRunFromMenu } from '../lib/commands.tsx';

/**
 * Tells the menus of the system what can be done, and does what they ask for; their items carry the ids of actions. A
 * part of its own, because what can be done changes often and nothing else has to be drawn for it.
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

  const available = useAvailableIds().join(' ');
  useEffect(() => {
    // Parts of a screen come and go one by one; what stands at the end of it is told once.
    const frame = requestAnimationFrame(() => {
      void studio.request('commands.report', { available: available === '' ? [] : available.split(' ') });
    });
    return () => {
      cancelAnimationFrame(frame);
    };
  }, [studio, available]);
  // The first screen has none of these actions.
  useEffect(
    () => () => {
      void studio.request('commands.report', { available: [] });
    },
    [studio],
  );
  return null;
}
