import { useEffect, useRef, useState, type MouseEvent, type ReactNode } from 'react';
import { isTypingTarget } from '../../../lib/hotkeys.ts';
import { MenuAt, type MenuCommand } from '../../../ui/menu.tsx';

export interface ContextMenu {
  readonly onContextMenu: (event: MouseEvent<HTMLElement>) => void;
  /** Goes beside that element and not into it, where a right click on the menu would open it again. */
  readonly menu: ReactNode;
}

export type Entry = MenuCommand | 'separator';

interface Asked {
  readonly x: number;
  readonly y: number;
  readonly entries: readonly Entry[];
}

export function useContextMenu(label: string, entriesAt: (part: number) => readonly Entry[]): ContextMenu {
  const [asked, setAsked] = useState<Asked | null>(null);
  const chosen = useRef<(() => void) | null>(null);
  // A menu keeps the focus inside: what an entry moves it to can have it when the menu is gone.
  useEffect(() => {
    if (asked !== null) return;
    chosen.current?.();
    chosen.current = null;
  }, [asked]);
  return {
    onContextMenu: (event) => {
      // A field has the menu of the system, which can paste.
      if (isTypingTarget(event.target)) return;
      event.preventDefault();
      const { left, width } = event.currentTarget.getBoundingClientRect();
      const part = Math.max(0, Math.min(1, (event.clientX - left) / width));
      setAsked({ x: event.clientX, y: event.clientY, entries: entriesAt(part) });
    },
    menu: asked !== null && (
      <MenuAt
        key={`${String(asked.x)}-${String(asked.y)}`}
        label={label}
        at={asked}
        entries={asked.entries.map((entry) =>
          entry === 'separator'
            ? entry
            : {
                ...entry,
                onAction: () => {
                  chosen.current = entry.onAction;
                },
              },
        )}
        onClose={() => setAsked(null)}
      />
    ),
  };
}
