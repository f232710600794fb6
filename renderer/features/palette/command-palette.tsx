import { useEffect, useRef } from 'react';
import { Dialog as AriaDialog, Modal, ModalOverlay } from 'react-aria-components';
import { shellLayer } from '../../lib/commands.tsx';
import { useText } from '../../lib/text.ts';
import css from './command-palette.module.css';
import { PaletteSearch } from './palette-search.tsx';
import type { MoreEntries, PaletteEntry } from './model/arrange.ts';

export interface CommandPaletteProps {
  readonly isOpen: boolean;
  readonly entries: readonly PaletteEntry[];
  /** More possible matches, computed during typing, because there may be thousands. */
  readonly entriesFor: (query: string) => MoreEntries;
  readonly recentIds: readonly string[];
  readonly onClose: () => void;
  /** Called with the chosen entry before it runs. */
  readonly onChosen: (id: string) => void;
  readonly onShortcuts: () => void;
}

/** Search over everything that can be run or opened. The chosen entry runs once the focus has returned. */
export function CommandPalette({ isOpen, onClose, onChosen, ...search }: CommandPaletteProps) {
  const t = useText();
  const chosen = useRef<PaletteEntry | null>(null);
  return (
    <ModalOverlay
      className={css['scrim'] ?? ''}
      isOpen={isOpen}
      isDismissable
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
    >
      <Modal className={css['modal'] ?? ''}>
        <AriaDialog className={css['palette'] ?? ''} aria-label={t('palette.title')}>
          <div {...shellLayer} className={css['inside']}>
            <RunWhenGone chosen={chosen} />
            <PaletteSearch
              {...search}
              onChoose={(entry) => {
                chosen.current = entry;
                onChosen(entry.id);
                onClose();
              }}
            />
          </div>
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  );
}

/** The focus returns a frame after the palette has closed; a command that moves it must run later. */
function RunWhenGone({ chosen }: { readonly chosen: { current: PaletteEntry | null } }) {
  useEffect(
    () => () => {
      const entry = chosen.current;
      chosen.current = null;
      if (entry === null) return;
      requestAnimationFrame(() => {
        requestAnimationFrame(entry.run);
      });
    },
    [chosen],
  );
  return null;
}
