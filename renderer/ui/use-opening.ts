import { useCallback, useId, useRef, useState } from 'react';
import type { Opener } from './press-button.tsx';

export interface Opening {
  /** Of what is opened. */
  readonly id: string;
  readonly opener: Opener;
  readonly openedBy: 'press' | 'first' | 'last';
  /** From then on it stays mounted, so that it can animate out. */
  readonly wasOpened: boolean;
  /** Opened by its button, not by its parent. */
  readonly isByButton: boolean;
  readonly close: () => void;
}

export interface OpeningOptions {
  readonly haspopup: 'menu' | 'dialog';
  readonly isOpen: boolean | undefined;
  readonly onOpenChange: ((isOpen: boolean) => void) | undefined;
}

/**
 * Whether the surface of a button is open, kept here unless the parent controls it (`isOpen`), with the props of the
 * button.
 */
export function useOpening({ haspopup, onOpenChange, ...given }: OpeningOptions): Opening {
  const id = useId();
  const button = useRef<HTMLElement>(null);
  const holdButton = useCallback((element: HTMLElement) => {
    button.current = element;
  }, []);
  const [own, setOwn] = useState(false);
  const [openedBy, setOpenedBy] = useState<Opening['openedBy']>('press');
  const isOpen = given.isOpen ?? own;
  const [wasOpened, setWasOpened] = useState(isOpen);
  if (isOpen && !wasOpened) setWasOpened(true);
  const change = (next: boolean) => {
    setOwn(next);
    onOpenChange?.(next);
  };
  const opener: Opener = {
    isOpen,
    button,
    holdButton,
    opensWithArrows: haspopup === 'menu',
    attributes: {
      'aria-haspopup': haspopup,
      'aria-expanded': isOpen,
      ...(isOpen && { 'aria-controls': id }),
    },
    open: (by) => {
      setOpenedBy(by);
      change(true);
    },
  };
  return {
    id,
    opener,
    openedBy,
    wasOpened,
    isByButton: own,
    close: () => {
      change(false);
      setOpenedBy('press');
    },
  };
}
